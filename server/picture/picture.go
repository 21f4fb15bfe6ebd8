// Package picture makes of a picture that a stranger wrote one that a model can
// be shown: small enough, whole, and decoded here first, so that a broken or
// malicious one is named instead of passed on.
package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// The bounds of a picture.
const (
	// MaxBytes is the largest picture that is read.
	MaxBytes = 1 << 20
	// MaxSide is the longest side of what comes out, in pixels: models scale what
	// is larger down to it, and see no more.
	MaxSide = 1568
	// MaxEncoded is the largest picture that comes out, in bytes. In base64 it is
	// 106,668 characters, which with the text around it stays under the 120,000
	// of a whole result.
	MaxEncoded = 80_000
	// MaxDecoded is how much memory the pixels of a picture may take, in bytes.
	// It allows 16 million pixels of four bytes.
	MaxDecoded = 64 << 20
)

// The formats that are read, as the words after image/ of their media types.
const (
	PNG  = "png"
	JPEG = "jpeg"
	GIF  = "gif"
	WebP = "webp"
)

// Picture is a picture to show.
type Picture struct {
	Data   []byte
	Format string // of Data
	Width  int
	Height int
	// Source says what it was made of.
	Source Info
	// Same is true when Data is the source, untouched.
	Same bool
	// First is true when the source is animated, and this is its first frame.
	First bool
}

// Info is what a picture says of itself at its beginning.
type Info struct {
	Format        string
	Width, Height int
}

// The errors for pictures that are not shown.
var (
	ErrNotPicture = errors.New("no picture of a known format")
	ErrTooLarge   = errors.New("too many pixels to decode")
	ErrBroken     = errors.New("the picture is broken")
)

// Format is the format of a picture by its first bytes, or "".
func Format(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return PNG
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return JPEG
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		return GIF
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return WebP
	}
	return ""
}

// codec decodes one format.
type codec struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

var codecs = map[string]codec{
	PNG:  {png.DecodeConfig, png.Decode},
	JPEG: {jpeg.DecodeConfig, jpeg.Decode},
	GIF:  {gif.DecodeConfig, gif.Decode}, // its first frame
	WebP: {webp.DecodeConfig, webp.Decode},
}

// Inspect reads what a picture says of itself, without decoding it.
func Inspect(data []byte) (Info, error) {
	info, _, err := inspect(data)
	return info, err
}

func inspect(data []byte) (Info, image.Config, error) {
	format := Format(data)
	if format == "" {
		return Info{}, image.Config{}, ErrNotPicture
	}
	c, err := codecs[format].config(bytes.NewReader(data))
	if err == nil && (c.Width < 1 || c.Height < 1) {
		err = errors.New("it has no pixels")
	}
	if err != nil {
		return Info{Format: format}, c, fmt.Errorf("%w: %v", ErrBroken, err)
	}
	return Info{format, c.Width, c.Height}, c, nil
}

// Show makes of a picture one within the bounds: the same bytes where they are,
// otherwise scaled down and encoded again, as PNG where that is small enough
// and else as JPEG on white. Before anything is decoded, its pixels are held to
// MaxDecoded.
func Show(data []byte) (Picture, error) {
	info, config, err := inspect(data)
	if err != nil {
		return Picture{Source: info}, err
	}
	p := Picture{Source: info}
	if int64(info.Width)*int64(info.Height) > MaxDecoded/int64(pixelBytes(info.Format, config.ColorModel)) {
		return p, ErrTooLarge
	}
	img, err := codecs[info.Format].decode(bytes.NewReader(data))
	if err != nil {
		return p, fmt.Errorf("%w: %v", ErrBroken, err)
	}
	p.First = info.Format == GIF && frames(data) > 1
	if max(info.Width, info.Height) <= MaxSide && len(data) <= MaxEncoded && !p.First {
		p.Data, p.Format, p.Width, p.Height, p.Same = data, info.Format, info.Width, info.Height, true
		return p, nil
	}
	return p.encoded(onCanvas(img, info))
}

// pixelBytes is how much memory a pixel is taken for. Of a JPEG it is one to
// three, and if it is progressive, twelve more while it is decoded: eight allow
// the pictures there are, such as 3840 × 2160, and hold the others to 128 MB.
func pixelBytes(format string, m color.Model) int {
	if format == JPEG || m == color.NRGBA64Model || m == color.RGBA64Model {
		return 8
	}
	return 4
}

// frames counts the frames of a GIF, up to two, by its blocks.
func frames(data []byte) int {
	const header, table = 13, 0x80
	if len(data) < header {
		return 0
	}
	at, n := header, 0
	skipTable := func(flags byte) {
		if flags&table != 0 {
			at += 3 << (flags&7 + 1)
		}
	}
	skipTable(data[10])
	for at < len(data) && n < 2 {
		switch data[at] {
		case 0x21: // an extension: its label, then sub-blocks
			at += 2
		case 0x2c: // a frame: its place and flags, a table, the code size, then sub-blocks
			if at+10 >= len(data) {
				return n
			}
			n++
			flags := data[at+9]
			at += 10
			skipTable(flags)
			at++
		default: // the trailer, or nonsense
			return n
		}
		for at < len(data) && data[at] != 0 {
			at += int(data[at]) + 1
		}
		at++
	}
	return n
}

// onCanvas puts a frame that is smaller than its picture in its place.
func onCanvas(img image.Image, info Info) image.Image {
	whole := image.Rect(0, 0, info.Width, info.Height)
	if img.Bounds() == whole {
		return img
	}
	canvas := image.NewNRGBA(whole)
	draw.Draw(canvas, img.Bounds(), img, img.Bounds().Min, draw.Src)
	return canvas
}

// The steps by which a picture is made smaller until it fits.
var (
	qualities = []int{85, 70, 55}
	sides     = []int{MaxSide, 1176, 882, 661, 496, 372}
)

// encoded encodes img, at the largest size and the best quality that fits.
func (p Picture) encoded(img image.Image) (Picture, error) {
	for _, side := range sides {
		scaled := scale(img, side)
		b := scaled.Bounds()
		p.Width, p.Height = b.Dx(), b.Dy()
		var out bytes.Buffer
		if p.Source.Format != JPEG { // a photograph is never small as PNG
			if err := png.Encode(&out, scaled); err == nil && out.Len() <= MaxEncoded {
				p.Data, p.Format = out.Bytes(), PNG
				return p, nil
			}
		}
		flat := image.NewRGBA(b)
		draw.Draw(flat, b, image.White, image.Point{}, draw.Src)
		draw.Draw(flat, b, scaled, b.Min, draw.Over)
		for _, quality := range qualities {
			out.Reset()
			if err := jpeg.Encode(&out, flat, &jpeg.Options{Quality: quality}); err == nil && out.Len() <= MaxEncoded {
				p.Data, p.Format = out.Bytes(), JPEG
				return p, nil
			}
		}
	}
	// Noise at 372 × 372 pixels takes less than this as JPEG; it cannot be.
	return p, ErrTooLarge
}

// scale makes img smaller, so that its longest side is at most side.
func scale(img image.Image, side int) image.Image {
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	if max(w, h) <= side {
		return img
	}
	if w >= h {
		w, h = side, max(1, h*side/w)
	} else {
		w, h = max(1, w*side/h), side
	}
	small := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.BiLinear.Scale(small, small.Bounds(), unpaletted(img), b, draw.Src, nil)
	return small
}

// unpaletted looks up the colours of a picture with a palette at once: scaling
// asks for each several times, and slowly.
func unpaletted(img image.Image) image.Image {
	p, ok := img.(*image.Paletted)
	if !ok {
		return img
	}
	var colors [256]color.NRGBA // an index beyond the palette is transparent
	for i, c := range p.Palette {
		colors[i] = color.NRGBAModel.Convert(c).(color.NRGBA)
	}
	plain := image.NewNRGBA(p.Rect)
	for y := range p.Rect.Dy() {
		row := p.Pix[y*p.Stride:][:p.Rect.Dx()]
		to := plain.Pix[y*plain.Stride:]
		for x, index := range row {
			c := colors[index]
			copy(to[4*x:4*x+4], []byte{c.R, c.G, c.B, c.A})
		}
	}
	return plain
}
