package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"afterimage/db/schema"
	"afterimage/internal/blob"
	"afterimage/vcd"
)

// imagesCmd manages where pictures are kept.
type imagesCmd struct {
	Copy imagesCopyCmd `cmd:"" help:"Copy all pictures to another folder or bucket, while the service runs."`
}

// imagesCopyCmd moves the pictures of an installation.
type imagesCopyCmd struct {
	From     string `help:"Folder or bucket to copy from; default: --images." placeholder:"PLACE" env:"-"`
	To       string `help:"Folder or bucket to copy to: empty, or the target of an earlier copy." required:"" placeholder:"PLACE" env:"-"`
	Parallel int    `help:"Number of pictures copied concurrently." default:"16" env:"-"`
}

// Help is shown with the command's flags.
func (imagesCopyCmd) Help() string {
	return `Every file is verified by its hash and read back. What is already there is not copied again, so an
interrupted copy can be repeated. Previews are not copied: they are regenerated.

  afterimage images copy --to 's3://pictures?region=eu-west-1'
  afterimage serve --images 's3://pictures?region=eu-west-1' --images-also /var/lib/afterimage/images
  afterimage images copy --from /var/lib/afterimage/images --to 's3://pictures?region=eu-west-1'`
}

// Run copies until nothing new has come, and ends with exit code 1 if something could not be copied.
func (c imagesCopyCmd) Run(ctx context.Context, g *globals) error {
	if c.Parallel < 1 || c.Parallel > 256 {
		return fmt.Errorf("--parallel must be between 1 and 256, got %d", c.Parallel)
	}
	return withBackend(ctx, g, needs{asIs: true}, func(b *backend) error {
		from, to := b.files, blob.Store(nil)
		var err error
		if c.From != "" {
			if from, err = openStore(ctx, c.From, nil); err != nil {
				return fmt.Errorf("--from: %w", err)
			}
		}
		if to, err = openStore(ctx, c.To, nil); err != nil {
			return fmt.Errorf("--to: %w", err)
		}
		copying := &imageCopy{rows: b.db, from: from, to: to, parallel: c.Parallel, out: os.Stdout, progress: os.Stderr}
		if err := copying.begin(ctx, b); err != nil {
			return err
		}
		return copying.run(ctx)
	})
}

// copiedRows lists the files that there may be.
type copiedRows interface {
	BlobsAfter(ctx context.Context, hash string, since time.Time, limit int) ([]schema.SizedBlob, error)
	UsedBlobs(ctx context.Context, hashes []string) ([]string, error)
	ReserveBlob(ctx context.Context, hash string, size int) error
	KnownBlobs(ctx context.Context, hashes []string) ([]string, error)
}

// imageCopy copies the files of one store to another.
type imageCopy struct {
	rows          copiedRows
	from, to      blob.Store
	parallel      int
	out, progress io.Writer

	copied, there, bytes, seen atomic.Int64
	mu                         sync.Mutex
	missing                    []string // hashes, not all of which need be there
	failed                     []string // what is wrong with a file
}

// begin proves that both stores are this database's, or makes the empty target so.
func (c *imageCopy) begin(ctx context.Context, b *backend) error {
	if err := errors.Join(checkImages(ctx, c.from), checkImages(ctx, c.to)); err != nil {
		return err
	}
	mark, err := b.service.Runs.ProveImageStore(ctx, c.from)
	if err != nil {
		return err
	}
	c.from.Expect(mark)
	if c.from.MarkFile() == c.to.MarkFile() {
		return errors.New("--to is the store that already holds the pictures: choose another")
	}
	found, err := c.to.Mark(ctx)
	switch {
	case err != nil:
		return err
	case found == mark:
	case found != "":
		return fmt.Errorf("--to belongs to another database (%s): choose an empty folder or bucket", c.to.MarkFile())
	default:
		if err := c.to.Walk(ctx, func(string) error { return fs.ErrExist }); errors.Is(err, fs.ErrExist) {
			return errors.New("--to holds pictures of an unknown database: choose an empty folder or bucket")
		} else if err != nil {
			return err
		}
		if err := c.to.SetMark(ctx, mark); err != nil {
			return err
		}
	}
	c.to.Expect(mark)
	return nil
}

const (
	copyPage   = 1000
	copyPasses = 10
	// copyOverlap is added to what a pass looks at again: clocks differ, and rows are committed before their files.
	copyOverlap = 5 * time.Minute
)

// run copies all files, and then those that have come meanwhile, until there are none.
func (c *imageCopy) run(ctx context.Context) error {
	since := time.Time{}
	for range copyPasses {
		begun, before := time.Now(), c.copied.Load()
		if err := c.pass(ctx, since); err != nil {
			return err
		}
		if !since.IsZero() && c.copied.Load() == before {
			break
		}
		since = begun.Add(-copyOverlap)
	}
	if err := errors.Join(c.settleMissing(ctx), c.adopt(ctx)); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Copied %s (%d MB); already there: %d.\n", files(c.copied.Load()), c.bytes.Load()>>20, c.there.Load())
	for _, line := range c.failed {
		fmt.Fprintln(c.out, line)
	}
	if n := len(c.failed); n > 0 {
		return fmt.Errorf("%s could not be copied", files(int64(n)))
	}
	return nil
}

func files(n int64) string { return vcd.Plural(int(n), "file") }

// pass copies the files that were reserved since a time.
func (c *imageCopy) pass(ctx context.Context, since time.Time) error {
	said := time.Now()
	for last := ""; ; {
		page, err := c.rows.BlobsAfter(ctx, last, since, copyPage)
		if err != nil || len(page) == 0 {
			return err
		}
		copying, ctx := errgroup.WithContext(ctx)
		copying.SetLimit(c.parallel)
		for _, row := range page {
			copying.Go(func() error { return c.one(ctx, row, since.IsZero()) })
		}
		if err := copying.Wait(); err != nil {
			return err
		}
		last = page[len(page)-1].Hash
		if c.seen.Add(int64(len(page))); time.Since(said) > time.Second {
			said = time.Now()
			fmt.Fprintf(c.progress, "checked %s, copied %d (%d MB)\n", files(c.seen.Load()), c.copied.Load(), c.bytes.Load()>>20)
		}
	}
}

// one copies a file unless the target has it, which counts in the first pass. One that is missing or damaged does not keep the others.
func (c *imageCopy) one(ctx context.Context, row schema.SizedBlob, first bool) error {
	if err := c.to.VerifySize(ctx, row.Hash, row.Size); err == nil {
		if first {
			c.there.Add(1)
		}
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, blob.ErrDamaged) {
		return err
	}
	content, err := c.from.GetVerified(ctx, row.Hash, row.Size)
	c.mu.Lock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.missing = append(c.missing, row.Hash)
	case errors.Is(err, blob.ErrDamaged):
		c.failed = append(c.failed, err.Error())
	}
	c.mu.Unlock()
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, blob.ErrDamaged) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := c.to.Put(ctx, row.Hash, content); err != nil {
		return err
	}
	c.copied.Add(1)
	c.bytes.Add(int64(len(content)))
	return nil
}

// settleMissing tells files that should be there from those that were never written, or are gone by now.
func (c *imageCopy) settleMissing(ctx context.Context) error {
	used, err := c.rows.UsedBlobs(ctx, c.missing)
	for _, hash := range used {
		if c.to.VerifySize(ctx, hash, blob.AnySize) != nil { // a later pass may have found it
			c.failed = append(c.failed, "database row without a file: "+hash)
		}
	}
	return err
}

// adopt gives files of the target that were removed from the source meanwhile a row again, so that the sweeper removes
// them here, too.
func (c *imageCopy) adopt(ctx context.Context) error {
	var some []string
	look := func() error {
		known, err := c.rows.KnownBlobs(ctx, some)
		if err != nil {
			return err
		}
		has := make(map[string]bool, len(known))
		for _, hash := range known {
			has[hash] = true
		}
		for _, hash := range some {
			if has[hash] {
				continue
			}
			content, err := c.to.Get(ctx, hash)
			if err == nil {
				err = c.rows.ReserveBlob(ctx, hash, len(content))
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		some = some[:0]
		return nil
	}
	err := c.to.Walk(ctx, func(hash string) error {
		if some = append(some, hash); len(some) < copyPage {
			return nil
		}
		return look()
	})
	if err != nil {
		return err
	}
	return look()
}
