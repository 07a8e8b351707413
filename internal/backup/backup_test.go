package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"afterimage/internal/bucket"
	"afterimage/internal/buckettest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	ours   = bytes.Repeat([]byte{1}, 32)
	theirs = bytes.Repeat([]byte{2}, 32)
)

// installation is a database and an image store.
type installation struct {
	rows  map[string][]string // of each table
	files map[string][]byte   // by hash

	mu sync.Mutex // guards files while they are restored
}

func (i *installation) HoldFiles(context.Context) (check func(context.Context) error, release func(), err error) {
	return func(context.Context) error { return nil }, func() {}, nil
}

func (i *installation) Dump(ctx context.Context, rows, files Sink) (*Contents, error) {
	contents := &Contents{Store: "mark"}
	for name, lines := range i.rows {
		for _, line := range lines { // a part each
			if err := rows(ctx, name, []byte(line+"\n")); err != nil {
				return nil, err
			}
		}
		contents.Tables = append(contents.Tables, Table{Name: name, Rows: int64(len(lines))})
	}
	for hash, content := range i.files {
		if err := files(ctx, "", fmt.Appendf(nil, "%s\t%d\n", hash, len(content))); err != nil {
			return nil, err
		}
	}
	return contents, nil
}

func (i *installation) GetVerified(_ context.Context, hash string, _ int64) ([]byte, error) {
	if content := i.files[hash]; len(content) > 0 {
		return content, nil
	}
	return nil, fs.ErrNotExist
}

func (i *installation) VerifySize(_ context.Context, hash string, size int64) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if int64(len(i.files[hash])) != size {
		return fs.ErrNotExist
	}
	return nil
}

func (i *installation) Put(_ context.Context, hash string, content []byte) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.files[hash] = content
	return nil
}

func (i *installation) draw(pictures ...string) {
	for _, p := range pictures {
		i.files[hashOf([]byte(p))] = []byte(p)
	}
}

func newInstallation() *installation {
	i := &installation{rows: map[string][]string{"accounts": {"1\tA", "2\tB"}, "events": nil}, files: map[string][]byte{}}
	i.draw("a cat", "a dog")
	return i
}

// places runs a test with a folder and with a bucket, both empty.
func places(t *testing.T, test func(t *testing.T, open func() Place)) {
	t.Helper()
	server := buckettest.StartS3(t)
	for name, url := range map[string]string{"folder": filepath.Join(t.TempDir(), "new"), "bucket": server.Bucket(t, "backups")} {
		t.Run(name, func(t *testing.T) {
			test(t, func() Place {
				if !bucket.IsURL(url) {
					return Folder(url)
				}
				place, err := bucket.Open(t.Context(), url)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = place.Close() })
				return place
			})
		})
	}
}

func opened(t *testing.T, place Place) *Repository {
	t.Helper()
	r, err := Open(t.Context(), place, ours, true)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func created(t *testing.T, r *Repository, i *installation) *Created {
	t.Helper()
	c, err := r.Create(t.Context(), i, i, Options{Parallel: 4})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func problems(t *testing.T, r *Repository, m *Manifest) []string {
	t.Helper()
	found, err := r.Verify(t.Context(), m, Options{Parallel: 4})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestABackupIsRestored(t *testing.T) {
	places(t, func(t *testing.T, open func() Place) {
		r, from := opened(t, open()), newInstallation()
		first := created(t, r, from)
		if first.New != 2 || first.Files != 2 || first.Bytes != 10 || len(first.Faults) > 0 {
			t.Errorf("the first backup has %+v", first)
		}
		from.draw("a bird")
		from.rows["accounts"] = append(from.rows["accounts"], "3\tC")
		second := created(t, opened(t, open()), from)
		if second.New != 1 || second.Files != 3 {
			t.Errorf("the second backup has %+v", second)
		}
		m, err := r.Find(t.Context(), "")
		if err != nil || m.ID != second.ID {
			t.Fatalf("the newest is %+v, %v", m, err)
		}
		if found := problems(t, r, second.Manifest); len(found) > 0 {
			t.Errorf("verify: %q", found)
		}
		to := &installation{files: map[string][]byte{}}
		p, err := r.RestoreFiles(t.Context(), second.Manifest, to, Options{Parallel: 4})
		if err != nil || p.New != 3 || len(to.files) != 3 {
			t.Errorf("restored %+v, %v: %q", p, err, to.files)
		}
		if p, err := r.RestoreFiles(t.Context(), second.Manifest, to, Options{Parallel: 4}); err != nil || p.New != 0 {
			t.Errorf("restored again: %+v, %v", p, err)
		}
		for _, table := range second.Contents.Tables {
			for n := range table.Parts {
				lines, err := r.Part(t.Context(), second.Manifest, table.Name, n)
				if want := from.rows[table.Name][n] + "\n"; err != nil || string(lines) != want {
					t.Errorf("%s %d: %q, %v", table.Name, n, lines, err)
				}
			}
		}
		prune(t, r)
	})
}

// prune keeps what the kept backup has, and nothing else.
func prune(t *testing.T, r *Repository) {
	t.Helper()
	i := newInstallation()
	third := created(t, r, i)
	removed, files, err := r.Prune(t.Context(), 1)
	if err != nil || len(removed) != 2 {
		t.Fatalf("removed %d, %v", len(removed), err)
	}
	left, err := r.List(t.Context())
	if err != nil || len(left) != 1 || left[0].ID != third.ID {
		t.Fatalf("left %+v, %v, and not %s", left, err, third.ID)
	}
	if files != 1 {
		t.Errorf("%d files were removed", files)
	}
	if found := problems(t, r, left[0]); len(found) > 0 {
		t.Errorf("after pruning: %q", found)
	}
}

// The names of backups tell seconds only.
func TestTheNewestOfManyBackupsInASecondIsFound(t *testing.T) {
	r, i := opened(t, Folder(filepath.Join(t.TempDir(), "new"))), newInstallation()
	for range 20 {
		made := created(t, r, i)
		if found, err := r.Find(t.Context(), ""); err != nil || found.ID != made.ID {
			t.Fatalf("the newest backup is %v, %v, and %s was made last", found, err, made.ID)
		}
	}
}

func TestFilesThatAreMissingAreToldAndRemembered(t *testing.T) {
	r, i := opened(t, Folder(t.TempDir())), newInstallation()
	lost := hashOf([]byte("lost"))
	i.files[lost] = nil
	c := created(t, r, i)
	if len(c.Faults) != 1 || !strings.Contains(c.Faults[0], lost+" is missing") || len(problems(t, r, c.Manifest)) > 0 {
		t.Errorf("told %q", c.Faults)
	}
	to := &installation{files: map[string][]byte{}}
	if _, err := r.RestoreFiles(t.Context(), c.Manifest, to, Options{Parallel: 1}); err != nil || len(to.files) != 2 {
		t.Errorf("restored %d files, %v", len(to.files), err)
	}
}

// TestDamageIsTold, whatever is cut off, exchanged or gone.
func TestDamageIsTold(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, dir string, c *Created){
		"accounts/000001 is damaged, or was replaced": func(t *testing.T, dir string, c *Created) {
			t.Helper()
			exchange(t, dir, partOf(c.ID, "accounts", 0), partOf(c.ID, "accounts", 1))
		},
		"accounts/000001 is missing": func(t *testing.T, dir string, c *Created) {
			t.Helper()
			remove(t, dir, partOf(c.ID, "accounts", 1))
		},
		"_files/000000 is missing": func(t *testing.T, dir string, c *Created) {
			t.Helper()
			remove(t, dir, partOf(c.ID, listsTable, 0))
		},
		"The file " + hashOf([]byte("a cat")) + " is missing": func(t *testing.T, dir string, _ *Created) {
			t.Helper()
			remove(t, dir, nameOf(t, "a cat"))
		},
		nameOf(t, "a dog") + " is damaged, or was replaced": func(t *testing.T, dir string, _ *Created) {
			t.Helper()
			exchange(t, dir, nameOf(t, "a cat"), nameOf(t, "a dog"))
		},
	} {
		dir := t.TempDir()
		r := opened(t, Folder(dir))
		c := created(t, r, newInstallation())
		damage(t, dir, c)
		if found := problems(t, r, c.Manifest); len(found) == 0 || !strings.Contains(strings.Join(found, "\n"), name) {
			t.Errorf("want %q, got %q", name, found)
		}
	}
}

func nameOf(t *testing.T, picture string) string {
	t.Helper()
	s, err := newSealer(ours)
	if err != nil {
		t.Fatal(err)
	}
	return s.fileName(hashOf([]byte(picture)))
}

func exchange(t *testing.T, dir, a, b string) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, a))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, b), content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

func TestPlacesThatAreNotOurs(t *testing.T) {
	dir := Folder(t.TempDir())
	if _, err := Open(t.Context(), dir, ours, false); !errors.Is(err, ErrNone) {
		t.Errorf("an empty folder: %v", err)
	}
	opened(t, dir)
	foreign := Folder(t.TempDir())
	if err := foreign.Write(t.Context(), "holiday.jpg", nil, ""); err != nil {
		t.Fatal(err)
	}
	for want, open := range map[string]func() (*Repository, error){
		"another secret key":          func() (*Repository, error) { return Open(t.Context(), dir, theirs, true) },
		"is not empty":                func() (*Repository, error) { return Open(t.Context(), foreign, ours, true) },
		"there is no finished backup": func() (*Repository, error) { return nil, found(t, dir, "20261124T120000Z-abcd") },
		"is not the name of a":        func() (*Repository, error) { return nil, found(t, dir, "../../etc/passwd") },
		"there is no backup":          func() (*Repository, error) { return nil, found(t, dir, "") },
		"use a newer version":         func() (*Repository, error) { return Open(t.Context(), headed(t, `{"version":9}`), ours, true) },
		"afterimage-backup in":        func() (*Repository, error) { return Open(t.Context(), headed(t, `{`), ours, true) },
	} {
		if _, err := open(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func found(t *testing.T, place Place, id string) error {
	t.Helper()
	_, err := opened(t, place).Find(t.Context(), id)
	return err
}

func headed(t *testing.T, head string) Place {
	t.Helper()
	place := Folder(t.TempDir())
	if err := place.Write(t.Context(), headName, []byte(head), mediaType); err != nil {
		t.Fatal(err)
	}
	return place
}

// TestBackupsAndPruningGiveWayToEachOther, unless the other one has died.
func TestBackupsAndPruningGiveWayToEachOther(t *testing.T) {
	place := Folder(t.TempDir())
	r, i := opened(t, place), newInstallation()
	c := created(t, r, i)
	underWay := backupsPrefix + "20261124T120000Z-abcd/" + claimName
	if err := r.announce(t.Context(), underWay); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Prune(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "a backup is being made") {
		t.Errorf("pruned during a backup: %v", err)
	}
	if err := r.announce(t.Context(), pruneName); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Create(t.Context(), i, i, Options{}); err == nil || !strings.Contains(err.Error(), "are being removed") {
		t.Errorf("backed up while pruning: %v", err)
	}
	old := []byte(time.Now().Add(-time.Hour).UTC().Format(time.RFC3339))
	for _, name := range []string{underWay, pruneName} {
		if err := place.Write(t.Context(), name, old, mediaType); err != nil {
			t.Fatal(err)
		}
	}
	again := created(t, r, i)
	removed, _, err := r.Prune(t.Context(), 1)
	if err != nil || len(removed) != 1 || removed[0].ID != c.ID && removed[0].ID != again.ID {
		t.Errorf("removed %+v, %v", removed, err)
	}
	if _, err := place.Read(t.Context(), underWay); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what the dead backup left: %v", err)
	}
}

// TestAnInterruptedBackupIsNone, and what it has copied is used by the next one.
func TestAnInterruptedBackupIsNone(t *testing.T) {
	r, i := opened(t, Folder(t.TempDir())), newInstallation()
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("power failure")
	stopping := stopper{installation: i, stop: func() { cancel(cause) }}
	if _, err := r.Create(ctx, i, &stopping, Options{Parallel: 1}); err == nil {
		t.Error("it was not interrupted")
	}
	if all, err := r.List(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("there are %d backups, %v", len(all), err)
	}
	for object := range r.place.List(t.Context(), backupsPrefix) {
		if strings.HasSuffix(object.Key, claimName) {
			t.Errorf("%s is left: for a while nothing could be pruned", object.Key)
		}
	}
	if c := created(t, r, i); c.New >= 2 {
		t.Errorf("all files were copied again: %+v", c)
	}
}

// stopper interrupts when the second file is asked for.
type stopper struct {
	*installation
	asked int
	stop  func()
}

func (s *stopper) GetVerified(ctx context.Context, hash string, size int64) ([]byte, error) {
	if s.asked++; s.asked == 2 {
		s.stop()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.installation.GetVerified(ctx, hash, size)
}

// TestABackupEndsWhenFilesAreNoLongerHeld, and says what to do.
func TestABackupEndsWhenFilesAreNoLongerHeld(t *testing.T) {
	r, i := opened(t, Folder(t.TempDir())), newInstallation()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	lost := func(context.Context) error { return errors.New("connection reset") }
	stop := r.keepAlive(ctx, newID(time.Now()), time.Millisecond, lost, cancel)
	defer stop()
	select {
	case <-ctx.Done():
	case <-time.After(5 * time.Minute):
		t.Fatal("nobody noticed")
	}
	if _, err := r.Create(ctx, i, i, Options{}); err == nil || !strings.Contains(fmt.Sprint(context.Cause(ctx)), "repeat the backup") {
		t.Errorf("%v: %v", context.Cause(ctx), err)
	}
}
