package main

import (
	"context"
	"errors"
	"fmt"
)

// checkCmd looks for contradictions in what is stored.
type checkCmd struct{}

// Run prints every contradiction and ends with exit code 1 when there is one. Runs in progress are passed over.
func (checkCmd) Run(ctx context.Context, g *globals) error {
	return withBackend(ctx, g, func(b *backend) error {
		violations, err := b.db.CheckInvariants(ctx)
		if err != nil {
			return fmt.Errorf("check the database: %w", err)
		}
		broken, err := checkFiles(ctx, b)
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

// checkFiles holds the image files against their rows.
func checkFiles(ctx context.Context, b *backend) ([]string, error) {
	rows, err := b.db.Blobs(ctx)
	if err != nil {
		return nil, err
	}
	var broken []string
	present := make(map[string]bool, len(rows))
	err = b.files.Walk(func(hash string) error {
		if _, known := rows[hash]; !known && !present[hash] {
			broken = append(broken, "file without a row: "+hash)
		}
		present[hash] = true
		return nil
	})
	for hash, used := range rows {
		if used && !present[hash] {
			broken = append(broken, "row without a file: "+hash)
		}
	}
	return broken, err
}
