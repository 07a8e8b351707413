// Package diffcli is the diff command: it compares two images, two folders of images by file name, or pairs listed on
// standard input, and prints the result of imgdiff as a table or as JSON.
package diffcli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"afterimage/imgdiff"

	_ "golang.org/x/image/webp" // WebP pictures are accepted
)

// Command is one run of the diff command.
type Command struct {
	// Before and After are two pictures or two folders; empty when Resident.
	Before, After string
	// Options are those of every comparison.
	Options imgdiff.Options
	// Mask and Compose are where pictures of the result go, or "". Of
	// folders they are folders themselves.
	Mask, Compose string
	// JSON prints objects instead of tables.
	JSON bool
	// Resident reads pairs from Streams.In until it ends.
	Resident bool
}

// Streams are what the command reads and writes.
type Streams struct {
	In  io.Reader // pairs, when resident
	Out io.Writer // tables and objects
	Err io.Writer // progress and summaries beside JSON
}

// Run compares and prints. It tells whether anything is different: a changed
// pixel under the options, unequal sizes, or a file without a counterpart. An
// error means that something could not be compared; everything else was.
func (c Command) Run(ctx context.Context, s Streams) (different bool, err error) {
	if err := c.check(); err != nil {
		return false, err
	}
	if c.Resident {
		return c.serve(ctx, s)
	}
	folders, err := areFolders(c.Before, c.After)
	switch {
	case err != nil:
		return false, err
	case folders:
		return c.compareFolders(ctx, s)
	}
	return c.compareFiles(ctx, s)
}

// check refuses what cannot be meant.
func (c Command) check() error {
	if !(c.Options.Threshold >= 0 && c.Options.Threshold <= 1) {
		return fmt.Errorf("--threshold %v is outside 0 to 1", c.Options.Threshold)
	}
	if c.Mask != "" && c.Mask == c.Compose {
		return fmt.Errorf("--mask and --compose both name %s", c.Mask)
	}
	if !c.Resident {
		if c.Before == "" || c.After == "" {
			return errors.New("name two images or two folders, or use --stdin; see afterimage diff --help")
		}
		return nil
	}
	if c.Before != "" || c.After != "" {
		return errors.New("--stdin reads pairs from standard input and takes no file arguments")
	}
	if c.Mask != "" || c.Compose != "" {
		return errors.New(`with --stdin each line names its own files: {"before":…,"after":…,"mask":…,"compose":…}`)
	}
	return nil
}

// areFolders reports whether both paths are folders, and refuses one of each.
func areFolders(before, after string) (bool, error) {
	a, err := isFolder(before)
	if err != nil {
		return false, err
	}
	b, err := isFolder(after)
	if err != nil {
		return false, err
	}
	if a == b {
		return a, nil
	}
	folder, file := before, after
	if b {
		folder, file = after, before
	}
	return false, fmt.Errorf("%s is a folder and %s is not; name two images or two folders", folder, file)
}

// isFolder reports whether the path is a folder.
func isFolder(path string) (bool, error) {
	info, err := os.Stat(path)
	if err != nil {
		return false, fileError(path, err)
	}
	return info.IsDir(), nil
}

// The garbage collector's settings for a single pair. The process ends right
// after, so collecting early, as a small heap would, costs a third of the time
// of a small comparison and gains nothing; the limit holds for large pictures.
const (
	pairGCPercent   = 1000
	pairMemoryLimit = 1 << 30
)

// compareFiles compares one pair and prints it.
func (c Command) compareFiles(ctx context.Context, s Streams) (bool, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(pairGCPercent))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(pairMemoryLimit))
	p := pair{before: c.Before, after: c.After}
	var files files
	report, err := files.compare(ctx, p, c.Options, pictures{mask: c.Mask, compose: c.Compose}.always)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		if c.JSON {
			err = errors.Join(err, writeJSON(s.Out, failure{Before: p.before, After: p.after, Error: err.Error()}))
		}
		return false, err
	}
	if c.JSON {
		return report.Different, writeJSON(s.Out, report)
	}
	return report.Different, writeTable(s.Out, report)
}
