package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"afterimage/internal/blob"
)

// maxMissing is how many missing files a backup may have. More mean that the image store is not the right one.
const maxMissing = 1000

// Source is the database that is backed up.
type Source interface {
	// HoldFiles keeps all files that have a row from being removed until release is called. check fails when that is no longer so.
	HoldFiles(ctx context.Context) (check func(context.Context) error, release func(), err error)
	// Dump hands on all rows as of one moment, and the list of files that they name: lines of hash and size.
	Dump(ctx context.Context, rows, files Sink) (*Contents, error)
}

// Files are those that the rows name.
type Files interface {
	GetVerified(ctx context.Context, hash string, size int64) ([]byte, error)
}

// Options say how a backup is made or restored.
type Options struct {
	Program  string         // version
	Parallel int            // objects that are read or written at the same time
	Progress func(Progress) // hears at most once a second; nil for nobody
}

// Progress is how far something is.
type Progress struct {
	Files int64 // that were looked at
	New   int64 // of these, those that had to be copied
	Bytes int64 // of the new ones
}

// Created is the result of Create.
type Created struct {
	*Manifest
	New      int64    // files that no earlier backup had
	NewBytes int64    // of these
	Faults   []string // what is wrong with files that the rows name and that could not be backed up
}

// Create backs up a database and its files. Files that the place has from an earlier backup, or from one that was interrupted, are not
// copied again.
func (r *Repository) Create(ctx context.Context, source Source, files Files, o Options) (_ *Created, err error) {
	begun := time.Now().UTC()
	m := &Manifest{ID: newID(begun), Program: o.Program, Moment: begun}
	if err := r.claim(ctx, m.ID); err != nil {
		return nil, err
	}
	// Last of all: as long as the announcement is renewed, it would come back.
	defer func(ctx context.Context) { err = errors.Join(err, r.unclaim(ctx, m.ID)) }(context.WithoutCancel(ctx))
	check, release, err := source.HoldFiles(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := r.keepAlive(ctx, m.ID, checkEvery, check, cancel)
	defer stop()

	created, err := r.create(ctx, m, source, files, o)
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	return created, err
}

func (r *Repository) create(ctx context.Context, m *Manifest, source Source, files Files, o Options) (*Created, error) {
	if err := r.dump(ctx, m, source, o.Parallel); err != nil {
		return nil, err
	}
	created, err := r.copyFiles(ctx, m, files, o)
	if err != nil {
		return nil, err
	}
	m.Finished = time.Now().UTC()
	raw, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	name := manifestOf(m.ID)
	sealed, err := r.sealer.pack(name, raw)
	if err != nil {
		return nil, err
	}
	return created, r.place.Write(ctx, name, sealed, mediaType)
}

// dump writes the rows and the list of files.
func (r *Repository) dump(ctx context.Context, m *Manifest, source Source, parallel int) error {
	writing, inner := errgroup.WithContext(ctx)
	writing.SetLimit(max(1, parallel))
	parts := make(map[string]int)
	rows := func(_ context.Context, table string, lines []byte) error {
		name := partOf(m.ID, table, parts[table])
		parts[table]++
		writing.Go(func() error {
			sealed, err := r.sealer.pack(name, lines)
			if err != nil {
				return err
			}
			return r.place.Write(inner, name, sealed, mediaType)
		})
		return inner.Err() // of a write that failed; Wait says why
	}
	list := func(ctx context.Context, _ string, lines []byte) error { return rows(ctx, listsTable, lines) }
	contents, err := source.Dump(ctx, rows, list)
	if failed := writing.Wait(); failed != nil {
		return failed
	}
	if err != nil {
		return err
	}
	for i := range contents.Tables {
		contents.Tables[i].Parts = parts[contents.Tables[i].Name]
	}
	m.Contents, m.Lists = *contents, parts[listsTable]
	return nil
}

// copyFiles copies the files that the place does not have yet, and counts all.
func (r *Repository) copyFiles(ctx context.Context, m *Manifest, files Files, o Options) (*Created, error) {
	stored, err := r.stored(ctx)
	if err != nil {
		return nil, err
	}
	c := &copying{r: r, files: files, created: &Created{Manifest: m}}
	meter := startMeter(o.Progress)
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(max(1, o.Parallel))
	var failed error
	for f, err := range r.filesOf(inner, m.ID, m.Lists) {
		if err != nil {
			failed = err
			break
		}
		m.Files++
		m.Bytes += f.Size
		meter.saw(1)
		if !stored.has(r.sealer.fileName(f.Hash)) {
			group.Go(func() error { return c.copy(inner, f, meter) })
		}
	}
	if err := errors.Join(group.Wait(), failed); err != nil {
		return nil, err
	}
	c.created.New, c.created.NewBytes = meter.fresh.Load(), meter.bytes.Load()
	return c.created, nil
}

type copying struct {
	r     *Repository
	files Files

	mu      sync.Mutex
	created *Created
}

// copy copies a file. One that is missing or damaged does not keep the others from being backed up.
func (c *copying) copy(ctx context.Context, f File, meter *meter) error {
	content, err := c.files.GetVerified(ctx, f.Hash, f.Size)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, blob.ErrDamaged) {
		return c.miss(f, err)
	}
	if err != nil {
		return err
	}
	name := c.r.sealer.fileName(f.Hash)
	sealed, err := c.r.sealer.seal(name, content)
	if err != nil {
		return err
	}
	if err := c.r.place.Write(ctx, name, sealed, mediaType); err != nil {
		return err
	}
	meter.copied(f.Size)
	return nil
}

func (c *copying) miss(f File, why error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.created.Faults) == maxMissing {
		return fmt.Errorf("more than %d files that the database names are missing: is --images the right image store?", maxMissing)
	}
	said := "is missing"
	if errors.Is(why, blob.ErrDamaged) {
		said = "is damaged"
	}
	c.created.Missing = append(c.created.Missing, f.Hash)
	c.created.Faults = append(c.created.Faults, fmt.Sprintf("The file %s %s.", f.Hash, said))
	return nil
}

// meter counts files, and tells of it once a second.
type meter struct {
	tell               func(Progress)
	seen, fresh, bytes atomic.Int64
	mu                 sync.Mutex
	told               time.Time
}

func startMeter(tell func(Progress)) *meter { return &meter{tell: tell, told: time.Now()} }

func (m *meter) saw(files int64) { m.seen.Add(files); m.report() }

func (m *meter) copied(size int64) {
	m.fresh.Add(1)
	m.bytes.Add(size)
	m.report()
}

func (m *meter) report() {
	if m.tell == nil || !m.mu.TryLock() {
		return
	}
	defer m.mu.Unlock()
	if time.Since(m.told) < time.Second {
		return
	}
	m.told = time.Now()
	m.tell(Progress{Files: m.seen.Load(), New: m.fresh.Load(), Bytes: m.bytes.Load()})
}
