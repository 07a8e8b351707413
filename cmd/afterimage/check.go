package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"afterimage/internal/blob"
)

// checkCmd looks for contradictions in what is stored.
type checkCmd struct{}

// Run prints every contradiction and ends with exit code 1 when there is one. Runs in progress are passed over, and the
// tables are left in the form in which they are: looking at them must not upgrade what another release serves.
func (checkCmd) Run(ctx context.Context, g *globals) error {
	return withBackend(ctx, g, needs{asIs: true}, func(b *backend) error {
		violations, err := b.db.CheckInvariants(ctx)
		if err != nil {
			return fmt.Errorf("check the database: %w", err)
		}
		broken, err := checkFiles(ctx, b.db, b.files)
		if err != nil {
			return fmt.Errorf("check the image files: %w", err)
		}
		for _, violation := range violations {
			broken = append(broken, violation.String())
		}
		for _, line := range broken {
			fmt.Println(line)
		}
		if len(broken) > 0 {
			return errors.New("what is stored contradicts itself")
		}
		fmt.Println("Everything stored agrees.")
		return nil
	})
}

// blobRows lists the hashes of all files that there may be, and for each whether there must be one.
type blobRows interface {
	Blobs(ctx context.Context) (map[string]bool, error)
}

// checkFiles holds the image files against their rows. Both change meanwhile, and cannot be read at one moment: what
// seems wrong is looked at once more.
func checkFiles(ctx context.Context, rows blobRows, files *blob.Files) ([]string, error) {
	before, err := rows.Blobs(ctx)
	if err != nil {
		return nil, err
	}
	strange, present := map[string]bool{}, map[string]bool{}
	err = files.Walk(func(hash string) error {
		present[hash] = true
		if _, known := before[hash]; !known {
			strange[hash] = true
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	after, err := rows.Blobs(ctx)
	if err != nil {
		return nil, err
	}
	var broken []string
	for _, hash := range slices.Sorted(maps.Keys(strange)) {
		if _, known := after[hash]; !known && files.Holds(hash) {
			broken = append(broken, "file without a row: "+hash)
		}
	}
	for _, hash := range slices.Sorted(maps.Keys(before)) {
		if before[hash] && after[hash] && !present[hash] {
			broken = append(broken, "row without a file: "+hash)
		}
	}
	return broken, nil
}
