package review

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/jpeg" // one of the formats that are accepted
	"image/png"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // another one

	"afterimage/vcd"
)

// Limits of a logo. A sent picture is counted before it is decoded: a small file can claim to be huge.
const (
	maxLogoPixels = 1_000_000
	maxLogoScans  = 100 // passes over the picture that a JPEG file may ask for; a few bytes are enough for one
	logoWidth     = 640 // of what is stored: larger ones are made smaller
	logoHeight    = 320
)

// What is wrong with a logo, and what to do.
const (
	logoTooLarge  = "The {field} must be a file of at most 512 KiB."
	logoNoBase64  = "The {field} field must be a file in base64, without the data: prefix."
	logoNoPicture = "The {field} must be a picture in the format PNG, JPEG or WebP, not animated."
	logoTooMany   = "The {field} must have at most 1,000,000 pixels: make it smaller, for example 1000 × 500."
	logoTooBusy   = "The {field} takes more than 512 KiB as a PNG file: use a picture with fewer details."
)

// newLogo makes a logo of a picture that somebody sent in base64. It is drawn anew, so nothing else that the file had in it is
// kept. What is wrong with it is recorded in v.
func newLogo(v *vcd.Validation, text string) *vcd.Logo {
	const path = "logo"
	if base64.StdEncoding.DecodedLen(len(text)) > vcd.MaxLogoBytes+2 { // up to two bytes of it may be padding
		v.Add(path, "max", logoTooLarge)
		return nil
	}
	file, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		v.Add(path, "base64", logoNoBase64)
		return nil
	}
	if len(file) > vcd.MaxLogoBytes {
		v.Add(path, "max", logoTooLarge)
		return nil
	}
	size, format, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil || size.Width <= 0 || size.Height <= 0 {
		v.Add(path, "image", logoNoPicture)
		return nil
	}
	if size.Width > maxLogoPixels/size.Height {
		v.Add(path, "dimensions", logoTooMany)
		return nil
	}
	if format == "jpeg" && bytes.Count(file, []byte{0xff, 0xda}) > maxLogoScans {
		v.Add(path, "image", logoNoPicture)
		return nil
	}
	picture, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		v.Add(path, "image", logoNoPicture)
		return nil
	}
	return drawLogo(v, picture)
}

// drawLogo draws a picture as it is or smaller, and encodes it.
func drawLogo(v *vcd.Validation, picture image.Image) *vcd.Logo {
	size := picture.Bounds().Size()
	scale := min(1, logoWidth/float64(size.X), logoHeight/float64(size.Y))
	fitting := image.Rect(0, 0, max(1, int(float64(size.X)*scale)), max(1, int(float64(size.Y)*scale)))
	drawn := image.NewNRGBA(fitting)
	draw.CatmullRom.Scale(drawn, fitting, picture, picture.Bounds(), draw.Src, nil)
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, drawn); err != nil || out.Len() > vcd.MaxLogoBytes {
		v.Add("logo", "max", logoTooBusy)
		return nil
	}
	return &vcd.Logo{Width: fitting.Dx(), Height: fitting.Dy(), Content: out.Bytes()}
}
