package fakebb

import (
	"bytes"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strconv"
)

// avatarSizes are the sizes a picture is kept in; another size gets the
// nearest. Each is a multiple of the eight squares a picture is made of.
var avatarSizes = []int{48, 64, 96, 128, 256}

const avatarSquares = 8

// getUserAvatar answers the picture of a user. Who names nobody gets the
// default picture, not a refusal (bitbucket-probed.md 6); the slug counts as
// it is written.
func getUserAvatar(x *exchange) (any, error) {
	slug := x.vars["userSlug"]
	p := x.store.bySlug[slug]
	if p == nil {
		return nil, noSuchUser(slug)
	}
	return x.picture("user " + p.slug), nil
}

// getProjectAvatar is getUserAvatar for projects.
func getProjectAvatar(x *exchange) (any, error) {
	if !x.seesAvatars() {
		return x.picture(""), nil
	}
	p, err := x.project()
	if err != nil {
		return nil, err
	}
	return x.picture("project " + p.key), nil
}

// seesAvatars says whether the caller is recognised on the paths of pictures,
// which are not those of the REST API.
func (x *exchange) seesAvatars() bool {
	_, _, basic := x.request.BasicAuth()
	return x.caller != nil && (basic || !x.server.anonymousTokens)
}

// picture answers the picture of that owner in the size asked for.
func (x *exchange) picture(owner string) answer {
	if !x.seesAvatars() {
		owner = ""
	}
	want, err := strconv.Atoi(x.query.Get("s"))
	if err != nil || want <= 0 {
		want = 64
	}
	size := avatarSizes[0]
	for _, s := range avatarSizes {
		if abs(s-want) < abs(size-want) {
			size = s
		}
	}
	a := answer{status: http.StatusOK, contentType: "image/png", body: drawAvatar(owner, size)}
	if x.query.Get("v") != "" {
		a.cacheControl = "private, max-age=31536000"
	}
	return a
}

func abs(n int) int { return max(n, -n) }

// defaultAvatar is the picture of nobody, row by row: a head and shoulders.
var defaultAvatar = [avatarSquares]byte{0b00000000, 0b00011000, 0b00111100, 0b00111100, 0b00011000, 0b01111110, 0b11111111, 0b11111111}

// drawAvatar draws eight by eight squares, mirrored, in a colour: both follow
// from the owner. Without an owner it is the default picture.
func drawAvatar(owner string, size int) []byte {
	rows := defaultAvatar
	ink := color.NRGBA{0x8c, 0x93, 0x9f, 0xff}
	if owner != "" {
		h := fnv.New64a()
		h.Write([]byte(owner))
		bits := h.Sum64()
		inks := []color.NRGBA{
			{0x8a, 0x55, 0xa3, 0xff}, {0x2f, 0x7d, 0x6b, 0xff}, {0x3a, 0x6c, 0xb5, 0xff}, {0xa8, 0x52, 0x2a, 0xff},
			{0x5c, 0x7a, 0x29, 0xff}, {0xb0, 0x3a, 0x5b, 0xff}, {0x4b, 0x5f, 0x8f, 0xff}, {0x9a, 0x7b, 0x16, 0xff},
		}
		ink = inks[bits>>60&7]
		for y := range rows {
			half := byte(bits>>(4*y)) & 0xf
			rows[y] = half<<4 | half>>3&1 | half>>1&2 | half<<1&4 | half<<3&8
		}
	}
	picture := image.NewPaletted(image.Rect(0, 0, size, size), color.Palette{color.NRGBA{0xf1, 0xf2, 0xf4, 0xff}, ink})
	square := size / avatarSquares
	for y := range size {
		for x := range size {
			picture.Pix[y*picture.Stride+x] = rows[y/square] >> (avatarSquares - 1 - x/square) & 1
		}
	}
	var b bytes.Buffer
	// Encoding into memory does not fail.
	(&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, picture)
	return b.Bytes()
}
