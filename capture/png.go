package capture

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/png"
)

// pngSize reads the size from a picture's header without decoding it.
func pngSize(picture []byte) (width, height int, err error) {
	header, err := png.DecodeConfig(bytes.NewReader(picture))
	if err != nil {
		return 0, 0, fmt.Errorf("read the screenshot's header: %w", err)
	}
	return header.Width, header.Height, nil
}

// HasSize reports whether the file is a picture of that size. It reads only the header.
func HasSize(file []byte, size image.Point) bool {
	width, height, err := pngSize(file)
	return err == nil && width == size.X && height == size.Y
}

// PictureOf extracts the picture from the result of Page.captureScreenshot, {"data":"…"}, or of a frame with a screenshot,
// {"hasDamage":true,"screenshotData":"…"}. Base64 needs no JSON escapes, so the text up to the last quote is the data; decoding it as
// a proto.PageCaptureScreenshotResult costs tens of milliseconds per picture.
func PictureOf(result []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	text, ends := bytes.CutSuffix(result, []byte(`"}`))
	_, text, begins := bytes.Cut(text, pictureBegins)
	if !begins || !ends {
		return nil, errors.New("the browser's screenshot answer has no picture")
	}
	picture := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(picture, text)
	if err != nil {
		return nil, fmt.Errorf("decode the screenshot: %w", err)
	}
	return picture[:n], nil
}

// pictureBegins is the end of the member's name in both results.
var pictureBegins = []byte(`ata":"`)
