package main

import (
	"context"
	"fmt"
	"path/filepath"

	"afterimage/internal/blob"
	"afterimage/internal/bucket"
	"afterimage/internal/cli"
)

// imageFlags say where pictures are kept.
type imageFlags struct {
	Images     string `installation:"" help:"Where pictures are kept: a folder or a bucket, such as s3://bucket?region=…&endpoint=…, gs://bucket, azblob://container; default: a folder in the data folder." placeholder:"PLACE"`
	ImagesAlso string `installation:"" help:"A second folder or bucket, for pictures that have not been moved to --images yet." placeholder:"PLACE"`
	ImageCache uint32 `installation:"" help:"Size in MB of the cache in the data folder, for pictures in a bucket; 0: no cache." default:"1024"`
}

// images opens the store of a data folder, with the second one if there is one. It does not ask a bucket anything yet.
func (f *imageFlags) images(ctx context.Context, dataDir string) (first, second blob.Store, err error) {
	if first, err = f.first(ctx, dataDir); err != nil || f.ImagesAlso == "" {
		return first, nil, err
	}
	if second, err = openStore(ctx, f.ImagesAlso, nil); err != nil {
		return nil, nil, fmt.Errorf("--images-also: %w", err)
	}
	return first, second, nil
}

func (f *imageFlags) first(ctx context.Context, dataDir string) (blob.Store, error) {
	if f.Images == "" {
		files, err := blob.Open(filepath.Join(dataDir, "images"))
		if err != nil {
			return nil, fmt.Errorf("cannot use the data folder (choose another with --data-dir): %w", err)
		}
		return files, nil
	}
	var cache *blob.Cache
	if f.ImageCache > 0 && bucket.IsURL(f.Images) {
		var err error
		if cache, err = blob.NewCache(filepath.Join(dataDir, "images-cache"), int64(f.ImageCache)<<20); err != nil {
			return nil, fmt.Errorf("--image-cache: %w", err)
		}
	}
	files, err := openStore(ctx, f.Images, cache)
	if err != nil {
		return nil, fmt.Errorf("--images: %w", err)
	}
	return files, nil
}

// openStore opens the store at a place, which is a path, the file:// URL of one, or the URL of a bucket.
func openStore(ctx context.Context, place string, cache *blob.Cache) (blob.Store, error) {
	if bucket.IsURL(place) {
		objects, err := bucket.Open(ctx, place)
		if err != nil {
			return nil, err
		}
		return blob.NewBucket(objects, cache), nil
	}
	path, err := cli.FolderPath(place)
	if err != nil {
		return nil, fmt.Errorf("pictures are kept in %w", err)
	}
	return blob.Open(path)
}

// checkImages proves that a bucket can be used. A folder was tried when it was opened.
func checkImages(ctx context.Context, files blob.Store) error {
	if remote, ok := files.(interface{ Check(context.Context) error }); ok {
		return remote.Check(ctx)
	}
	return nil
}
