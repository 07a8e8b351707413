package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"afterimage/db"
	"afterimage/db/schema"
	"afterimage/internal/blob"
	"afterimage/internal/cli"
	"afterimage/vcd"
)

// doctorCmd looks for contradictions in what is stored.
type doctorCmd struct {
	Deep bool `help:"Also read every image file and verify its hash." env:"-"`
}

// Help is shown with the command's flags.
func (doctorCmd) Help() string {
	return `Examples:
  afterimage doctor           check runs, entries, events and counters; image files and their sizes
  afterimage doctor --deep    also verify the content of every image file`
}

// Run prints every contradiction and ends with exit code 1 when there is one. Runs in progress are passed over, and the
// tables are left in the form in which they are: looking at them must not upgrade what another release serves.
func (c doctorCmd) Run(ctx context.Context, g *globals) error {
	return withBackend(ctx, g, needs{asIs: true, images: true}, func(b *backend) error {
		violations, err := b.db.CheckInvariants(ctx)
		if err != nil {
			return fmt.Errorf("check the database: %w", err)
		}
		files := fileCheck{rows: b.db, files: b.files, deep: c.Deep, progress: os.Stderr}
		broken, err := files.run(ctx)
		if err != nil {
			return fmt.Errorf("check the image files: %w", err)
		}
		for _, violation := range violations {
			broken = append(broken, violation.String())
		}
		for _, line := range broken {
			fmt.Println(line)
		}
		if err := tellGivenUp(ctx, b.db, os.Stdout); err != nil {
			return err
		}
		if len(broken) > 0 {
			return errors.New("the stored data has contradictions")
		}
		fmt.Println("No contradictions found.")
		return nil
	})
}

// shownGivenUp is how many comparisons that were given up are listed.
const shownGivenUp = 20

// tellGivenUp lists the comparisons that were given up because they ended the processes that made them. They contradict
// nothing, but an operator should know them.
func tellGivenUp(ctx context.Context, rows *db.DB, out io.Writer) error {
	newest, all, err := rows.GivenUp(ctx, shownGivenUp)
	if err == nil {
		writeGivenUp(out, newest, all)
	}
	return err
}

func writeGivenUp(out io.Writer, newest []vcd.GivenUp, all int) {
	if all > 0 {
		fmt.Fprintf(out, "Comparisons given up: %d; newest:\n", all)
	}
	for _, g := range newest {
		fmt.Fprintf(out, "  %s  %s  %s on %s, entry %s (%s): %s\n", g.At.UTC().Format(time.DateTime), strings.Map(cli.Printable, g.Account),
			strings.Map(cli.Printable, g.Page), g.Device, g.Entry, g.Reason, g.Sentence)
	}
}

// blobRows lists all files that there may be, by their hashes.
type blobRows interface {
	Blobs(ctx context.Context) (map[string]schema.Blob, error)
}

// fileCheck holds the image files against their rows.
type fileCheck struct {
	rows     blobRows
	files    blob.Store
	deep     bool      // read every file whole
	progress io.Writer // of reading them
}

// run lists what is wrong. Files and rows change meanwhile, and cannot be read at one moment: what seems wrong is looked at once
// more.
func (c fileCheck) run(ctx context.Context) ([]string, error) {
	before, err := c.rows.Blobs(ctx)
	if err != nil {
		return nil, err
	}
	strange := map[string]bool{}
	err = c.files.Walk(ctx, func(hash string) error {
		if _, known := before[hash]; !known {
			strange[hash] = true
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	suspects, err := c.suspects(ctx, before)
	if err != nil {
		return nil, err
	}
	after, err := c.rows.Blobs(ctx)
	if err != nil {
		return nil, err
	}
	var broken []string
	for _, hash := range slices.Sorted(maps.Keys(strange)) {
		if _, known := after[hash]; known {
			continue
		}
		held, err := c.files.Holds(ctx, hash)
		if err != nil {
			return nil, err
		}
		if held {
			broken = append(broken, "file without a database row: "+hash)
		}
	}
	for _, hash := range slices.Sorted(maps.Keys(suspects)) {
		if !after[hash].Used {
			continue // it may have gone by now
		}
		switch err := c.look(ctx, hash, after[hash]); {
		case errors.Is(err, fs.ErrNotExist):
			broken = append(broken, "database row without a file: "+hash)
		case errors.Is(err, blob.ErrDamaged):
			broken = append(broken, err.Error())
		case err != nil:
			return nil, err
		}
	}
	return broken, nil
}

// suspects are the files in use that are missing or damaged as it seems.
func (c fileCheck) suspects(ctx context.Context, rows map[string]schema.Blob) (map[string]bool, error) {
	suspects := map[string]bool{}
	said, done := time.Now(), 0
	for hash, row := range rows {
		if row.Used {
			err := c.look(ctx, hash, row)
			if err != nil && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			suspects[hash] = err != nil
		}
		if done++; c.deep && time.Since(said) > time.Second {
			said = time.Now()
			fmt.Fprintf(c.progress, "checked %d of %d files\n", done, len(rows))
		}
	}
	maps.DeleteFunc(suspects, func(_ string, suspect bool) bool { return !suspect })
	return suspects, nil
}

// look compares one file with its row.
func (c fileCheck) look(ctx context.Context, hash string, row schema.Blob) error {
	if c.deep {
		return c.files.Verify(ctx, hash, row.Size)
	}
	return c.files.VerifySize(ctx, hash, row.Size)
}
