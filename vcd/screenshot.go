package vcd

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"afterimage/internal/page"
)

// Image is a stored picture with the unguessable token under which it can be opened.
type Image struct {
	ID            ID
	Account       ID
	Token         string // names the picture in links
	Hash          string // lower-case hex SHA-256 of the bytes: where the blob store keeps them
	Over          string // hash of the picture that this one, a mask, is laid over; empty for all others
	MediaType     string
	Width, Height int // pixels
	Size          int // bytes
	CreatedAt     time.Time
}

// Screenshot is a picture of a page, with what was seen on the way.
type Screenshot struct {
	ID, Account ID
	QueueID     ID
	BatchID     ID
	GroupID     ID
	URLID       ID
	Device      Device
	Type        QueueType
	// Confirmation tells that it was taken to see whether a change lasts.
	Confirmation bool
	Image        *Image
	HTMLTitle    string
	StatusCode   int
	FinalURL     string
	SCVersion    string // browser build, fonts and pipeline: what of ours has a say in the pixels
	Truncated    bool   // the page was taller than the cap
	Console      []page.ConsoleEntry
	Manifest     json.RawMessage // how it was captured: an object, see page.Manifest
	// ElementsHash is where the blob store keeps the page's content; empty when that was not kept.
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

// Visit is what was seen on the way, without the page's content. A manifest in an older form tells nothing.
func (shot *Screenshot) Visit() *page.Visit {
	v := &page.Visit{Status: shot.StatusCode, FinalURL: shot.FinalURL, Title: shot.HTMLTitle, Console: shot.Console}
	if m, err := shot.ReadManifest(); err == nil && m != nil {
		v.Manifest = *m
	}
	return v
}

// ScreenshotFilter narrows a list of screenshots; nil fields do not narrow.
type ScreenshotFilter struct {
	IDs      *[]ID
	BatchIDs *[]ID
	GroupIDs *[]ID
	URLIDs   *[]ID
	Devices  *[]Device
	Types    *[]QueueType
}

// ScreenshotStore keeps screenshots and images.
type ScreenshotStore interface {
	Screenshot(ctx context.Context, id ID) (*Screenshot, error)
	ScreenshotOfEntry(ctx context.Context, entry ID) (*Screenshot, error)
	Screenshots(ctx context.Context, f ScreenshotFilter, p Page) (*List[*Screenshot], error)
	ScreenshotsByIDs(ctx context.Context, ids []ID) ([]*Screenshot, error)
	InsertScreenshot(ctx context.Context, shot *Screenshot) error // and its image
	InsertImage(ctx context.Context, img *Image) error
}

// PublicPart says which of the pictures that a public page shows.
type PublicPart string

// The pictures of a public page.
const (
	PublicBefore PublicPart = "before"
	PublicAfter  PublicPart = "after"
	PublicMask   PublicPart = "mask"
)

// ImageStore finds pictures by the token in their link; it asks across accounts, since whoever has the link may see it. A picture
// is shown no more, and CodeNotFound, when its group or its URL was deleted or its account cancelled.
type ImageStore interface {
	// ImageByToken finds a picture by its own token, which only the account is told.
	ImageByToken(ctx context.Context, token string) (*Image, error)
	// ImageByPublicLink finds a picture that the public page of a comparison shows, by the comparison's public token.
	ImageByPublicLink(ctx context.Context, token string, part PublicPart) (*Image, error)
	// ReserveBlob notes that a file of this hash is about to be written, so that no file is ever without a row.
	ReserveBlob(ctx context.Context, hash string, size int) error
	// SweepBlobs forgets up to limit blobs that neither an image nor a screenshot names and that were not reserved since
	// before, calling remove for each while its row is locked, and returns how many went.
	SweepBlobs(ctx context.Context, before time.Time, limit int, remove func(hash string) error) (int, error)
}
