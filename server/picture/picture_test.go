package picture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/bb-mcp/bb/server/picture"
)

// flat is a picture of one colour.
func flat(w, h int) image.Image {
	img := image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.RGBA{0x33, 0x88, 0x33, 0xff}})
	return img
}

// noise is a picture that cannot be made small without losing something.
func noise(w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range img.Pix {
		img.Pix[i] = byte(random.Uint32())
	}
	return img
}

func asPNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asJPEG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asGIF(t testing.TB, frames ...image.Rectangle) []byte {
	t.Helper()
	g := gif.GIF{Config: image.Config{Width: 40, Height: 30, ColorModel: color.Palette(palette.Plan9)}}
	for _, r := range frames {
		g.Image = append(g.Image, image.NewPaletted(r, palette.Plan9))
		g.Delay = append(g.Delay, 10)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// webpPixel is a WebP of one pixel.
var webpPixel = []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00")

// T6. What comes out is small enough, of the same proportions, and a picture.
func TestAPictureIsShownWithinTheBounds(t *testing.T) {
	for name, test := range map[string]struct {
		data   []byte
		format string // of what comes out
		w, h   int    // of what comes out; 0 is any
		same   bool
	}{
		"small png":        {asPNG(t, flat(16, 16)), picture.PNG, 16, 16, true},
		"largest side":     {asPNG(t, flat(picture.MaxSide, 10)), picture.PNG, picture.MaxSide, 10, true},
		"one too wide":     {asPNG(t, flat(picture.MaxSide+1, 10)), picture.PNG, picture.MaxSide, 9, false},
		"large drawing":    {asPNG(t, flat(3136, 1568)), picture.PNG, 1568, 784, false},
		"thin":             {asPNG(t, flat(6000, 1)), picture.PNG, picture.MaxSide, 1, false},
		"high":             {asPNG(t, flat(1, 6000)), picture.PNG, 1, picture.MaxSide, false},
		"small photograph": {asJPEG(t, flat(300, 200)), picture.JPEG, 300, 200, true},
		"noise as png":     {asPNG(t, noise(500, 400)), picture.JPEG, 0, 0, false},
		"noise as jpeg":    {asJPEG(t, noise(900, 900)), picture.JPEG, 0, 0, false},
		"gif":              {asGIF(t, image.Rect(0, 0, 40, 30)), picture.GIF, 40, 30, true},
		"animated gif":     {asGIF(t, image.Rect(0, 0, 40, 30), image.Rect(3, 3, 9, 9)), picture.PNG, 40, 30, false},
		"gif, small frame": {asGIF(t, image.Rect(5, 5, 20, 20), image.Rect(0, 0, 9, 9)), picture.PNG, 40, 30, false},
		"webp":             {webpPixel, picture.WebP, 1, 1, true},
	} {
		p, err := picture.Show(test.data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.Format != test.format || p.Same != test.same || test.w > 0 && (p.Width != test.w || p.Height != test.h) {
			t.Errorf("%s: %s of %d × %d, same %v; want %s of %d × %d, same %v", name, p.Format, p.Width, p.Height, p.Same, test.format, test.w, test.h, test.same)
		}
		if len(p.Data) > picture.MaxEncoded || max(p.Width, p.Height) > picture.MaxSide {
			t.Errorf("%s: %d bytes, %d × %d", name, len(p.Data), p.Width, p.Height)
		}
		if info, err := picture.Inspect(p.Data); err != nil || info != (picture.Info{Format: p.Format, Width: p.Width, Height: p.Height}) {
			t.Errorf("%s: what comes out is %+v, %v", name, info, err)
		}
	}
	if p, _ := picture.Show(asGIF(t, image.Rect(0, 0, 40, 30), image.Rect(3, 3, 9, 9))); !p.First {
		t.Error("an animated picture is not said to be one")
	}
}

// claims is a PNG that claims a size at its beginning, and has no pixels.
func claims(w, h uint32) []byte {
	b := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d")
	head := []byte("IHDR")
	head = binary.BigEndian.AppendUint32(head, w)
	head = binary.BigEndian.AppendUint32(head, h)
	head = append(head, 8, 6, 0, 0, 0)
	b = append(b, head...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(head))
}

// T6. A picture that would take much memory is refused before it is decoded.
func TestAPictureOfTooManyPixelsIsNotDecoded(t *testing.T) {
	start := time.Now()
	for _, size := range [][2]uint32{{1 << 14, 1 << 14}, {1 << 30, 1 << 30}, {5000, 5000}} {
		if p, err := picture.Show(claims(size[0], size[1])); !errors.Is(err, picture.ErrTooLarge) && !errors.Is(err, picture.ErrBroken) || p.Data != nil {
			t.Errorf("%v pixels: %v", size, err)
		}
	}
	if _, err := picture.Show(asPNG(t, flat(8000, 8000))); !errors.Is(err, picture.ErrTooLarge) {
		t.Errorf("8000 × 8000 of one colour: %v", err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestABrokenPictureIsNotPassedOn(t *testing.T) {
	whole := asPNG(t, noise(50, 50))
	for name, data := range map[string][]byte{
		"cut off": whole[:len(whole)/2], "only a claim": claims(10, 10), "a signature": []byte("\xff\xd8\xff"), "no webp": []byte("RIFF\x00\x00\x00\x00WEBPVP8X"),
	} {
		if p, err := picture.Show(data); !errors.Is(err, picture.ErrBroken) || p.Data != nil {
			t.Errorf("%s: %v, %d bytes", name, err, len(p.Data))
		}
	}
	for _, data := range [][]byte{nil, []byte("<svg/>"), []byte("GIF88a"), []byte("RIFF0000WAVE")} {
		if _, err := picture.Show(data); !errors.Is(err, picture.ErrNotPicture) {
			t.Errorf("%q: %v", data, err)
		}
	}
}

func FuzzShow(f *testing.F) {
	f.Add(asPNG(f, flat(4, 3)))
	f.Add(asJPEG(f, flat(4, 3)))
	f.Add(asGIF(f, image.Rect(0, 0, 4, 3), image.Rect(1, 1, 2, 2)))
	f.Add(webpPixel)
	f.Add(claims(1<<20, 1<<20))
	f.Fuzz(func(t *testing.T, data []byte) {
		if info, err := picture.Inspect(data); err == nil && info.Width*info.Height > 1<<20 {
			return // slow under fuzzing, and tested above
		}
		p, err := picture.Show(data)
		if err == nil && (len(p.Data) == 0 || len(p.Data) > picture.MaxEncoded || max(p.Width, p.Height) > picture.MaxSide) {
			t.Errorf("%d bytes, %d × %d", len(p.Data), p.Width, p.Height)
		}
	})
}
