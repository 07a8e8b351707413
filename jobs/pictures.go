package jobs

import (
	"context"
	"fmt"
	"time"

	"afterimage/internal/blob"
	"afterimage/internal/figures"
	"afterimage/vcd"
	"afterimage/vcd/run"
)

// pictures stores the bytes of images and of related files.
type pictures struct {
	rows    blob.Reserver
	files   blob.Store
	figures *figures.Figures
}

func (p pictures) put(ctx context.Context, png []byte, width, height int) (run.Picture, error) {
	hash, err := p.keep(ctx, png)
	return run.Picture{Hash: hash, MediaType: "image/png", Width: width, Height: height, Size: len(png)}, err
}

// keep stores a file of any kind and returns its hash.
func (p pictures) keep(ctx context.Context, file []byte) (string, error) {
	began := time.Now()
	hash, err := blob.PutReserved(ctx, p.files, p.rows, file)
	p.figures.Stored("write", time.Since(began), err)
	return hash, err
}

// get reads the pixels of an image. It returns blob.ErrDamaged when they are not those that were stored.
func (p pictures) get(ctx context.Context, img *vcd.Image) ([]byte, error) {
	began := time.Now()
	png, err := p.files.GetVerified(ctx, img.Hash, int64(img.Size))
	p.figures.Stored("read", time.Since(began), err)
	if err != nil {
		return nil, fmt.Errorf("read image %s: %w", img.ID, err)
	}
	return png, nil
}
