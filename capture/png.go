package capture

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
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

// pictureIn extracts the picture from {"data":"…"}. Base64 needs no JSON escapes, so the text between the quotes is the
// data; decoding it as a proto.PageCaptureScreenshotResult costs tens of milliseconds per picture.
func pictureIn(result []byte) ([]byte, error) {
	text, begins := bytes.CutPrefix(result, []byte(`{"data":"`))
	text, ends := bytes.CutSuffix(text, []byte(`"}`))
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
