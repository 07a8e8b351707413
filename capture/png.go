package capture

import (
	"bytes"
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
