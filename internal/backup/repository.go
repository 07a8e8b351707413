package backup

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	headName      = "afterimage-backup"
	backupsPrefix = "backups/"
	filesPrefix   = "files/"
	manifestName  = "manifest"
	listsTable    = "_files" // the name under which the list of files is stored
	formatVersion = 1
	mediaType     = "application/octet-stream"
)

// ErrNone is the error of a place without backups.
var ErrNone = errors.New("there is no backup")

// head is the one object of a place that is not encrypted.
type head struct {
	Version int    `json:"version"`
	Key     string `json:"key"` // which secret key it needs
}

// Repository is a place whose objects can be decrypted. It is safe for concurrent use. Close it after use.
type Repository struct {
	place  Place
	sealer *sealer
}

// Open opens the place of backups of the installation with a secret key. An empty place is made one of this installation if fresh
// is set; else the error is ErrNone.
func Open(ctx context.Context, place Place, secretKey []byte, fresh bool) (*Repository, error) {
	sealer, err := newSealer(secretKey)
	if err != nil {
		return nil, err
	}
	r := &Repository{place: place, sealer: sealer}
	raw, err := place.Read(ctx, headName)
	if errors.Is(err, fs.ErrNotExist) {
		if !fresh {
			return nil, fmt.Errorf("%w in %s: check the address", ErrNone, place)
		}
		return r, r.begin(ctx)
	}
	if err != nil {
		return nil, err
	}
	var h head
	switch err := json.Unmarshal(raw, &h); {
	case err != nil:
		return nil, fmt.Errorf("%s in %s is damaged", headName, place)
	case h.Version != formatVersion:
		return nil, fmt.Errorf("the backups in %s have the format %d, and this program knows %d: use a newer version",
			place, h.Version, formatVersion)
	case h.Key != sealer.keyID:
		return nil, fmt.Errorf("the backups in %s were encrypted with another secret key: give the key of that installation "+
			"(its secret.key, or --secret-key)", place)
	}
	return r, nil
}

// begin writes the head of a place, in which nothing else may be.
func (r *Repository) begin(ctx context.Context) error {
	for object, err := range r.place.List(ctx, "") {
		if err != nil {
			return err
		}
		name := object.Key
		return fmt.Errorf("%s is not empty and holds no backups (it has %s): choose an empty folder or bucket", r.place, name)
	}
	raw, err := json.Marshal(head{Version: formatVersion, Key: r.sealer.keyID})
	if err != nil {
		return err
	}
	return r.place.Write(ctx, headName, append(raw, '\n'), mediaType)
}

// Close releases the place.
func (r *Repository) Close() error { return r.place.Close() }

// newID names a backup by its time. Backups of the same second sort by [Manifest.Moment] only.
func newID(now time.Time) string {
	return now.UTC().Format(idLayout) + "-" + strings.ToLower(rand.Text()[:4])
}

const idLayout = "20060102T150405Z"

var idPattern = regexp.MustCompile(`^\d{8}T\d{6}Z-[0-9a-z]{4}$`)

func manifestOf(id string) string { return backupsPrefix + id + "/" + manifestName }

func partOf(id, table string, number int) string {
	return fmt.Sprintf("%s%s/%s/%06d", backupsPrefix, id, table, number)
}

// List returns the finished backups, oldest first.
func (r *Repository) List(ctx context.Context) ([]*Manifest, error) {
	var found []*Manifest
	for object, err := range r.place.List(ctx, backupsPrefix) {
		if err != nil {
			return nil, err
		}
		name := object.Key
		if path.Base(name) != manifestName {
			continue
		}
		m, err := r.manifest(ctx, path.Base(path.Dir(name)))
		if err != nil {
			return nil, err
		}
		found = append(found, m)
	}
	slices.SortFunc(found, func(a, b *Manifest) int { return a.Moment.Compare(b.Moment) })
	return found, nil
}

// Find returns a backup: the newest one if id is empty.
func (r *Repository) Find(ctx context.Context, id string) (*Manifest, error) {
	if id != "" {
		if !idPattern.MatchString(id) {
			return nil, fmt.Errorf("%q is not the name of a backup: list them with 'afterimage backup list'", id)
		}
		m, err := r.manifest(ctx, id)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no finished backup %s: list the backups with 'afterimage backup list'", id)
		}
		return m, err
	}
	all, err := r.List(ctx)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w in %s (unfinished ones do not count): make one with 'afterimage backup'", ErrNone, r.place)
	}
	return all[len(all)-1], nil
}

func (r *Repository) manifest(ctx context.Context, id string) (*Manifest, error) {
	name := manifestOf(id)
	sealed, err := r.place.Read(ctx, name)
	if err != nil {
		return nil, err
	}
	raw, err := r.sealer.unpack(name, sealed)
	if err != nil {
		return nil, err
	}
	m := new(Manifest)
	if err := json.Unmarshal(raw, m); err != nil || m.ID != id {
		return nil, fmt.Errorf("%s is damaged", name)
	}
	return m, nil
}

// part returns the lines of a part of a table.
func (r *Repository) part(ctx context.Context, id, table string, number int) ([]byte, error) {
	name := partOf(id, table, number)
	sealed, err := r.place.Read(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the backup is incomplete: %s is missing", name)
	}
	if err != nil {
		return nil, err
	}
	return r.sealer.unpack(name, sealed)
}

// file returns a file of the backups; the error is fs.ErrNotExist if it is missing.
func (r *Repository) file(ctx context.Context, f File) ([]byte, error) {
	name := r.sealer.fileName(f.Hash)
	sealed, err := r.place.Read(ctx, name)
	if err != nil {
		return nil, err
	}
	content, err := r.sealer.open(name, sealed)
	if err != nil {
		return nil, err
	}
	if int64(len(content)) != f.Size || hashOf(content) != f.Hash {
		return nil, fmt.Errorf("%s is damaged", name)
	}
	return content, nil
}
