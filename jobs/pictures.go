package jobs

import (
	"context"
	"fmt"

	"afterimage/internal/blob"
	"afterimage/vcd"
	"afterimage/vcd/run"
)

// pictures stores the bytes of images and of related files.
type pictures struct {
	rows  vcd.ImageStore
	files blob.Store
}

func (p pictures) put(ctx context.Context, png []byte, width, height int) (run.Picture, error) {
	hash, err := p.keep(ctx, png)
	return run.Picture{Hash: hash, MediaType: "image/png", Width: width, Height: height, Size: len(png)}, err
}

// keep stores a file of any kind and returns its hash.
func (p pictures) keep(ctx context.Context, file []byte) (string, error) {
	return blob.PutReserved(ctx, p.files, p.rows, file)
}

// get reads the pixels of an image. It returns blob.ErrDamaged when they are not those that were stored.
func (p pictures) get(ctx context.Context, img *vcd.Image) ([]byte, error) {
	png, err := p.files.GetVerified(ctx, img.Hash, int64(img.Size))
	if err != nil {
		return nil, fmt.Errorf("read image %s: %w", img.ID, err)
	}
	return png, nil
}
