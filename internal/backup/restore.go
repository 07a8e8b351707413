package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Part returns the lines of a part of a table of a backup.
func (r *Repository) Part(ctx context.Context, m *Manifest, table string, number int) ([]byte, error) {
	return r.part(ctx, m.ID, table, number)
}

// Target takes the files of a backup.
type Target interface {
	// VerifySize fails unless there is a file of this hash and size.
	VerifySize(ctx context.Context, hash string, size int64) error
	Put(ctx context.Context, hash string, content []byte) error
}

// RestoreFiles copies the files of a backup to a store. What is there already is not copied again.
func (r *Repository) RestoreFiles(ctx context.Context, m *Manifest, to Target, o Options) (Progress, error) {
	meter := startMeter(o.Progress)
	err := r.eachFile(ctx, m, o.Parallel, func(ctx context.Context, f File) error {
		meter.saw(1)
		if to.VerifySize(ctx, f.Hash, f.Size) == nil {
			return nil
		}
		content, err := r.file(ctx, f)
		if errors.Is(err, fs.ErrNotExist) {
			if slices.Contains(m.Missing, f.Hash) {
				return nil
			}
			return fmt.Errorf("the backup is incomplete: the file %s is missing", f.Hash)
		}
		if err != nil {
			return err
		}
		if err := to.Put(ctx, f.Hash, content); err != nil {
			return err
		}
		meter.copied(f.Size)
		return nil
	})
	return Progress{Files: meter.seen.Load(), New: meter.fresh.Load(), Bytes: meter.bytes.Load()}, err
}

// eachFile calls do with every file of a backup, several at the same time.
func (r *Repository) eachFile(ctx context.Context, m *Manifest, parallel int, do func(context.Context, File) error) error {
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(max(1, parallel))
	var failed error
	for f, err := range r.filesOf(inner, m.ID, m.Lists) {
		if err != nil {
			failed = err
			break
		}
		group.Go(func() error { return do(inner, f) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return failed
}

// maxProblems is how many problems Verify names.
const maxProblems = 100

// Verify reads all of a backup and compares it with what the manifest says. It returns what is wrong, in sentences.
func (r *Repository) Verify(ctx context.Context, m *Manifest, o Options) (problems []string, err error) {
	var mu sync.Mutex
	wrong := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		if len(problems) < maxProblems {
			problems = append(problems, fmt.Sprintf(format, args...))
		}
	}
	for _, table := range m.Contents.Tables {
		rows := int64(0)
		for number := range table.Parts {
			lines, err := r.part(ctx, m.ID, table.Name, number)
			if ctx.Err() != nil {
				return problems, ctx.Err()
			}
			if err != nil {
				wrong("%v.", err)
			}
			rows += int64(bytes.Count(lines, []byte("\n")))
		}
		if rows != table.Rows {
			wrong("The number of rows in the table %s is %d instead of %d.", table.Name, rows, table.Rows)
		}
	}
	meter := startMeter(o.Progress)
	err = r.eachFile(ctx, m, o.Parallel, func(ctx context.Context, f File) error {
		_, err := r.file(ctx, f)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist) && slices.Contains(m.Missing, f.Hash):
		case errors.Is(err, fs.ErrNotExist):
			wrong("The file %s is missing.", f.Hash)
		case err != nil:
			wrong("%v.", err)
		}
		meter.saw(1)
		meter.copied(f.Size)
		return nil
	})
	if err != nil && ctx.Err() == nil { // the list of files cannot be read
		wrong("%v.", err)
		err = nil
	}
	return problems, err
}
