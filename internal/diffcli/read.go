package diffcli

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"slices"

	"afterimage/imgdiff"
)

const (
	// headSize is how much of a file is read before anything is known about
	// it. The size of a picture is in it, but for a JPEG with long metadata.
	headSize = 64 << 10
	// blindLimit bounds a file whose head does not tell its size.
	blindLimit = 64 << 20
	// metadataLimit is what a file may hold beside 8 bytes a pixel, the most
	// that 16 bits a channel need.
	metadataLimit = 16 << 20
)

// readPicture reads a file into buf, which it grows as needed. What is no
// picture or too large is refused after its head.
func readPicture(path string, buf []byte, maxPixels int) (data []byte, err error) {
	file, err := os.Open(path)
	if err != nil {
		return buf, fileError(path, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return buf, fileError(path, err)
	}
	if info.IsDir() {
		return buf, fmt.Errorf("%s is a folder; name an image", path)
	}
	buf = slices.Grow(buf[:0], headSize)
	n, err := io.ReadFull(file, buf[:headSize])
	buf = buf[:n]
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return buf, nil // imgdiff judges small files
	}
	if err != nil {
		return buf, fileError(path, err)
	}
	limit, err := fileLimit(path, buf, maxPixels)
	if err != nil {
		return buf, err
	}
	return readRest(path, file, buf, int(min(info.Size(), int64(limit))), limit)
}

// fileLimit is how many bytes a picture with this head may have.
func fileLimit(path string, head []byte, maxPixels int) (int, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(head))
	switch {
	case errors.Is(err, image.ErrFormat):
		return 0, pictureError(path, imgdiff.ErrFormat, "it is not a PNG, JPEG or WebP file")
	case err != nil:
		return blindLimit, nil
	case config.Width <= 0 || config.Height <= 0 || config.Width > maxPixels/config.Height:
		return 0, pictureError(path, imgdiff.ErrTooLarge,
			fmt.Sprintf("it is %d × %d pixels; the limit is %d pixels", config.Width, config.Height, maxPixels))
	}
	return metadataLimit + 8*config.Width*config.Height, nil
}

// readRest reads to the end, which is expected after size bytes and refused
// after limit.
func readRest(path string, r io.Reader, buf []byte, size, limit int) ([]byte, error) {
	if cap(buf) <= size { // one more byte sees the end without growing
		grown := make([]byte, len(buf), size+1) // fresh memory need not be cleared, as slices.Grow would
		copy(grown, buf)
		buf = grown
	}
	for {
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case errors.Is(err, io.EOF):
			return buf, nil
		case err != nil:
			return buf, fileError(path, err)
		case len(buf) > limit:
			return buf, pictureError(path, imgdiff.ErrTooLarge,
				fmt.Sprintf("the file exceeds the %d MiB that its pixels can need", limit>>20))
		case len(buf) == cap(buf):
			buf = slices.Grow(buf, 1<<20)
		}
	}
}

// pictureError is the line for a file that is no good picture.
func pictureError(path string, kind error, reason string) error {
	return fmt.Errorf("%s: %w: %s", path, kind, reason)
}

// fileError is the line for a file that cannot be read, without the name of
// the system call.
func fileError(path string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}
