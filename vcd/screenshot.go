package vcd

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"afterimage/internal/page"
)

// Image is a stored picture with the unguessable token that gives access to it.
type Image struct {
	ID            ID
	Account       ID
	Token         string // names the picture in links
	Hash          string // lower-case hex SHA-256 of the bytes: their key in the blob store
	Over          string // of a mask: hash of the picture that it overlays; else empty
	MediaType     string
	Width, Height int // pixels
	Size          int // bytes
	CreatedAt     time.Time
}

// Screenshot is a picture of a page, with what was observed while taking it.
type Screenshot struct {
	ID, Account ID
	QueueID     ID
	BatchID     ID
	GroupID     ID
	URLID       ID
	Device      Device
	Type        QueueType
	// Confirmation marks a screenshot taken to check whether a change lasts.
	Confirmation bool
	Image        *Image
	HTMLTitle    string
	StatusCode   int
	FinalURL     string
	SCVersion    string // browser build, fonts and pipeline: everything on our side that affects pixels
	Truncated    bool   // the page was taller than the height limit
	// Complete reports whether the picture shows all that a reader could bring on the screen; nil where that was not measured.
	Complete *bool
	Console  []page.ConsoleEntry
	Manifest json.RawMessage // how it was captured: an object, see page.Manifest
	// ElementsHash is the key of the page's content in the blob store; empty when the content was not stored.
	ElementsHash string
	CreatedAt    time.Time
	UpdatedAt    time.Time

	// Filled in by reads.
	URLAddress string
	Monitoring bool
}

// ReadManifest decodes the screenshot's manifest; nil when it has none.
func (shot *Screenshot) ReadManifest() (*page.Manifest, error) {
	if len(shot.Manifest) == 0 {
		return nil, nil
	}
	m := &page.Manifest{}
	if err := json.Unmarshal(shot.Manifest, m); err != nil {
		return nil, fmt.Errorf("decode the manifest of screenshot %s: %w", shot.ID, err)
	}
	return m, nil
}

// ReasonWall is why a comparison fails of which a screenshot shows a wall instead of the page.
const ReasonWall = "wall"

// Wall is what the screenshot shows instead of its page; nil for the page, and where that is not known.
func (shot *Screenshot) Wall() *page.Wall {
	m, err := shot.ReadManifest()
	if err != nil || m == nil {
		return nil
	}
	return m.Wall
}

// Visit is what was observed during the capture, without the page's content. Manifests in older formats yield nothing.
func (shot *Screenshot) Visit() *page.Visit {
	v := &page.Visit{Status: shot.StatusCode, FinalURL: shot.FinalURL, Title: Shown(shot.HTMLTitle), Console: shot.Console}
	if m, err := shot.ReadManifest(); err == nil && m != nil {
		v.Manifest = *m
	}
	return v
}

// ScreenshotFilter filters a list of screenshots; nil fields match everything.
type ScreenshotFilter struct {
	IDs      *[]ID
	BatchIDs *[]ID
	GroupIDs *[]ID
	URLIDs   *[]ID
	Devices  *[]Device
	Types    *[]QueueType
}

// PublicPart selects a picture of a public page.
type PublicPart string

// The pictures of a public page.
const (
	PublicBefore PublicPart = "before"
	PublicAfter  PublicPart = "after"
	PublicMask   PublicPart = "mask"
)

// MarkedStore describes the image store that belongs to the database.
type MarkedStore struct {
	Mark   string
	Placed bool     // the store has the mark: a folder without it is a different one
	Sample []string // hashes of some of the newest files, which the store must contain; filled in while it is not placed
}

// maxElements is the maximum number of elements in one answer.
const maxElements = 500

// Files reads from the blob store; fs.ErrNotExist when nothing is stored under the hash.
type Files interface {
	Get(ctx context.Context, hash string) ([]byte, error)
}

// ElementFilter filters a page's elements.
type ElementFilter struct {
	Box   *page.Box // elements that overlap it at least partly
	After *int      // elements with a higher number
	First *int      // at most this many
}

// Find lists the matching elements of a page in document order, 100 by default and at most 500.
func (f ElementFilter) Find(content *page.Content) ([]page.Element, error) {
	v := &Validation{}
	limit := MaxPageSize
	if f.First != nil {
		v.Check(*f.First >= 1, "first", "min", "The {field} field must be at least 1.")
		limit = min(*f.First, maxElements)
	}
	if b := f.Box; b != nil {
		const side = 1 << 20
		v.Between("box.x", b.X, 0, side)
		v.Between("box.y", b.Y, 0, side)
		v.Between("box.width", b.Width, 1, side)
		v.Between("box.height", b.Height, 1, side)
	}
	if err := v.Err(); err != nil {
		return nil, err
	}
	found := []page.Element{}
	for i := range content.Elements {
		e := &content.Elements[i]
		if len(found) < limit && (f.After == nil || e.Number > *f.After) && (f.Box == nil || f.Box.Overlaps(e.Box)) {
			found = append(found, *e)
		}
	}
	return found, nil
}

// Incomplete reports whether the screenshot is known not to show all of its page.
func (shot *Screenshot) Incomplete() bool { return shot.Complete != nil && !*shot.Complete }

// missing is what the screenshot does not show of its page, as far as it is known.
func (shot *Screenshot) missing() []page.Missing {
	m, err := shot.ReadManifest()
	if !shot.Incomplete() || err != nil || m == nil {
		return nil
	}
	return m.Missing
}

// UnseenIn says in a clause what of their page two screenshots do not show; "" for nothing.
func UnseenIn(before, after *Screenshot) string {
	return page.WhatNoneShows(before.missing(), after.missing())
}
