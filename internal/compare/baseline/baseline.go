// Package baseline keeps captures of a site in a folder or a bucket, so that later ones can be compared with them: pictures,
// elements and manifests, and a readable index.
//
// A file's name contains a hash of its content. So a renewed baseline writes only what changed, its files are whole or not in the
// index, and until the index is replaced, in one step at the end, the earlier baseline is untouched. In a bucket it is readable for
// a while after that, by those who have read its index.
package baseline

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"afterimage/capture"
	"afterimage/internal/compare"
	"afterimage/internal/page"
)

const (
	indexName     = "baseline.json"
	filesFolder   = "pages"
	formatVersion = 1
	hashLength    = 16        // hex digits in the name of a file
	maxIndex      = 64 << 20  // bytes
	maxVisit      = 256 << 20 // bytes of a page's description, unpacked
)

// Index says what a baseline has, for people and for the program.
type Index struct {
	Version int       `json:"version"`
	Site    string    `json:"site"`   // that was captured
	Engine  string    `json:"engine"` // browser, fonts and pipeline
	Date    time.Time `json:"date"`   // at which all pages began
	Pages   []Entry   `json:"pages"`  // by path and device
}

// Entry is one page on one device.
type Entry struct {
	Path    string         `json:"path"`
	Device  capture.Device `json:"device"`
	Width   int            `json:"width"`
	Height  int            `json:"height"`
	Picture string         `json:"picture"` // name of a PNG file
	Visit   string         `json:"visit"`   // name of a file with what else was seen
}

// visit is what a capture saw besides its picture.
type visit struct {
	page.Visit
	Truncated bool
}

// Baseline is a stored baseline.
type Baseline struct {
	Index

	store Store
	at    map[key]*Entry
}

type key struct {
	path   string
	device capture.Device
}

// ErrUnusable is matched by errors for a baseline that is damaged or has another format: it can be restored or renewed.
var ErrUnusable = errors.New("the baseline cannot be used")

type unusable struct{ error }

func (unusable) Is(target error) bool { return target == ErrUnusable }

// Open reads the index of a baseline. The error is fs.ErrNotExist if there is none.
func Open(ctx context.Context, store Store) (*Baseline, error) {
	b := &Baseline{store: store, at: make(map[key]*Entry)}
	text, err := store.read(ctx, indexName)
	if err != nil {
		return nil, err
	}
	if len(text) > maxIndex || json.Unmarshal(text, &b.Index) != nil {
		return nil, b.damaged(indexName)
	}
	if b.Version != formatVersion {
		return nil, unusable{fmt.Errorf("the baseline in %s has the format %d, and this program knows %d: update it with --update",
			store, b.Version, formatVersion)}
	}
	for i := range b.Pages {
		e := &b.Pages[i]
		if !filepath.IsLocal(e.Picture) || !filepath.IsLocal(e.Visit) || compare.CheckPath(e.Path) != nil {
			return nil, b.damaged(indexName)
		}
		b.at[key{e.Path, e.Device}] = e
	}
	return b, nil
}

func (b *Baseline) damaged(name string) error {
	return unusable{fmt.Errorf("the baseline in %s is damaged: %s is missing or was changed. Restore it, or update it with --update",
		b.store, name)}
}

// Engine implements compare.Stored.
func (b *Baseline) Engine() string { return b.Index.Engine }

// Paths are the pages of the baseline, each once.
func (b *Baseline) Paths() []string {
	var pages compare.Pages
	for i := range b.Pages {
		_ = pages.Add(b.Pages[i].Path) // no baseline has more than fit
	}
	return pages.List()
}

// Devices are those on which pages were captured.
func (b *Baseline) Devices() []capture.Device {
	var devices []capture.Device
	for _, d := range []capture.Device{capture.Desktop, capture.Mobile} {
		for i := range b.Pages {
			if b.Pages[i].Device == d {
				devices = append(devices, d)
				break
			}
		}
	}
	return devices
}

// Shot implements compare.Stored.
func (b *Baseline) Shot(ctx context.Context, path string, device capture.Device) (*capture.Shot, error) {
	e, ok := b.at[key{path, device}]
	if !ok {
		return nil, compare.ErrNotStored
	}
	picture, err := b.read(ctx, e.Picture)
	if err != nil {
		return nil, err
	}
	packed, err := b.read(ctx, e.Visit)
	if err != nil {
		return nil, err
	}
	v, err := unpack(packed)
	if err != nil || v.Content == nil {
		return nil, b.damaged(e.Visit)
	}
	return &capture.Shot{PNG: picture, Width: e.Width, Height: e.Height, Truncated: v.Truncated, Visit: v.Visit}, nil
}

// read returns a file whose content is that of its name.
func (b *Baseline) read(ctx context.Context, name string) ([]byte, error) {
	content, err := b.store.read(ctx, name)
	if isMissing(err) || err == nil && !strings.Contains(name, "."+hashOf(content)+".") {
		return nil, b.damaged(name)
	}
	return content, err
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])[:hashLength]
}

func pack(v *visit) ([]byte, error) {
	var packed bytes.Buffer
	packer := gzip.NewWriter(&packed)
	if err := errors.Join(json.NewEncoder(packer).Encode(v), packer.Close()); err != nil {
		return nil, fmt.Errorf("encode a page of the baseline: %w", err)
	}
	return packed.Bytes(), nil
}

func unpack(packed []byte) (*visit, error) {
	unpacker, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	v := new(visit)
	if err := json.NewDecoder(io.LimitReader(unpacker, maxVisit)).Decode(v); err != nil {
		return nil, err
	}
	if v.Content != nil {
		for i := range v.Content.Elements {
			v.Content.Elements[i].Number = i
		}
	}
	return v, nil
}
