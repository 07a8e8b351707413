package diffcli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"afterimage/imgdiff"
)

// pair names two pictures to compare.
type pair struct {
	id            json.RawMessage // of the request, or nil
	name          string          // below both folders, or ""
	before, after string          // paths
}

// pictures are where the pictures of one result go; "" leaves one out.
type pictures struct{ mask, compose string }

// files holds the bytes of two pictures. It is reused from pair to pair,
// because fresh memory costs more than reading into it.
type files struct{ before, after []byte }

// compare reads and compares one pair and writes the pictures that place
// asks for.
func (f *files) compare(ctx context.Context, p pair, o imgdiff.Options, place func(*imgdiff.Result) (pictures, error)) (*Report, error) {
	limit := o.MaxPixels
	if limit == 0 {
		limit = imgdiff.DefaultMaxPixels
	}
	var errs [2]error
	var wg sync.WaitGroup
	wg.Go(func() { f.before, errs[0] = readPicture(p.before, f.before, limit) })
	f.after, errs[1] = readPicture(p.after, f.after, limit)
	wg.Wait()
	for _, err := range errs { // one line is clearer than two of the same kind
		if err != nil {
			return nil, err
		}
	}
	result, err := imgdiff.Compare(ctx, f.before, f.after, o)
	if err != nil {
		return nil, nameFile(err, p)
	}
	out, err := place(result)
	if err != nil {
		return nil, err
	}
	if err := out.write(ctx, result); err != nil {
		return nil, err
	}
	return newReport(p, result), nil
}

// always places the pictures of every result.
func (out pictures) always(*imgdiff.Result) (pictures, error) { return out, nil }

// nameFile says which file an error of imgdiff is about.
func nameFile(err error, p pair) error {
	var pe *imgdiff.PictureError
	if !errors.As(err, &pe) {
		return err
	}
	path := p.before + " and " + p.after
	switch pe.Side {
	case "before":
		path = p.before
	case "after":
		path = p.after
	}
	return pictureError(path, pe.Kind, pe.Reason)
}

// write makes the pictures that are asked for.
func (out pictures) write(ctx context.Context, r *imgdiff.Result) error {
	if out.mask != "" {
		data, err := r.MaskPNG(ctx)
		if err != nil {
			return fmt.Errorf("create the mask %s: %w", out.mask, err)
		}
		if err := os.WriteFile(out.mask, data, 0o644); err != nil { //nolint:gosec // a picture like those compared
			return fmt.Errorf("write the mask: %w", err)
		}
	}
	if out.compose != "" {
		return writeComposed(ctx, r, out.compose)
	}
	return nil
}

// writeComposed writes the comparison to look at.
func writeComposed(ctx context.Context, r *imgdiff.Result, path string) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write the comparison: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := bufio.NewWriterSize(file, 64<<10)
	if err := r.Compose(ctx, w, imgdiff.ComposeOptions{}); err != nil {
		return fmt.Errorf("create the comparison %s: %w", path, err)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write the comparison: %w", err)
	}
	return nil
}

// below gives the pictures of one pair of folders their places.
func (out pictures) below(name string) (pictures, error) {
	var placed pictures
	for _, o := range []struct {
		dir  string
		path *string
	}{{out.mask, &placed.mask}, {out.compose, &placed.compose}} {
		if o.dir == "" {
			continue
		}
		*o.path = filepath.Join(o.dir, name)
		if filepath.Ext(name) != ".png" {
			*o.path += ".png"
		}
		if err := os.MkdirAll(filepath.Dir(*o.path), 0o755); err != nil { //nolint:gosec // pictures like those compared
			return pictures{}, fmt.Errorf("create the image folder: %w", err)
		}
	}
	return placed, nil
}
