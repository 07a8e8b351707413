package vcd

import (
	"context"
	"net/url"
	"strings"
	"time"
)

// UploadedVersion is the SCVersion of screenshots that others took: nothing of ours affected their pixels.
const UploadedVersion = "upload"

// UploadedPrefix begins the address of every uploaded page. ParseAddress returns no such address, so a page is either captured
// or uploaded, never both.
const UploadedPrefix = "upload:///"

// Uploaded reports whether screenshots of the page are uploaded. Such a page is never captured.
func (u *URL) Uploaded() bool { return IsUploaded(u.Address) }

// IsUploaded is URL.Uploaded for an address.
func IsUploaded(address string) bool { return strings.HasPrefix(address, UploadedPrefix) }

// PageName is how a page is shown to people: an uploaded one by its name, any other by its address.
func PageName(address string) string {
	escaped, uploaded := strings.CutPrefix(address, UploadedPrefix)
	if !uploaded {
		return address
	}
	name, err := url.PathUnescape(escaped)
	if err != nil {
		return escaped
	}
	return Shown(name)
}

// ParseUploadedName checks the name of an uploaded page, such as "checkout/step 2", and returns its address.
func ParseUploadedName(v *Validation, path, name string) (address string) {
	before := len(v.Problems())
	v.Name(path, name, MaxNameLength)
	if len(v.Problems()) > before {
		return ""
	}
	parts := strings.Split(name, "/")
	for i, part := range parts {
		if strings.TrimSpace(part) == "" || part == "." || part == ".." {
			v.Add(path, "name", "The {field} must consist of parts separated by single slashes, such as checkout/step 2.")
			return ""
		}
		parts[i] = url.PathEscape(part)
	}
	address = UploadedPrefix + strings.Join(parts, "/")
	v.Check(len(address) <= MaxAddressLength, path, "max", "The {field} is too long: use a shorter name.")
	return address
}

// Upload is a batch whose screenshots others take and send.
type Upload struct {
	Batch, Group ID
	Type         QueueType // of the batch: QueuePre or QueuePost
	Build        *string   // the client's name for it; nil for none
	Shards       int       // processes that fill it
	Finished     []int     // those that have finished, numbered from 1, sorted
	CreatedAt    time.Time
}

// Complete reports whether all shards have finished.
func (u *Upload) Complete() bool { return len(u.Finished) >= u.Shards }

// UploadStore keeps uploads.
type UploadStore interface {
	// Upload finds the upload of a batch; CodeNotFound for batches that are none.
	Upload(ctx context.Context, batch ID) (*Upload, error)
	// UploadOfBuild finds the upload of a group by type and build; nil when there is none.
	UploadOfBuild(ctx context.Context, group ID, t QueueType, build string) (*Upload, error)
	// OpenUploads counts the batches that are being uploaded.
	OpenUploads(ctx context.Context) (int, error)
	// InsertUpload also records that the batch belongs to the group, before it has any entry.
	InsertUpload(ctx context.Context, u *Upload) error
	// FinishShards stores which shards have finished.
	FinishShards(ctx context.Context, u *Upload) error
	// UploadedHash is the hash of the picture at a place of a batch; empty when there is none.
	UploadedHash(ctx context.Context, batch ID, p Place) (string, error)
	// UploadedOf returns those of the URLs that are uploaded pages.
	UploadedOf(ctx context.Context, urls []ID) ([]ID, error)
}

// StaleUploadStore is used across accounts by the sweeper.
type StaleUploadStore interface {
	// StaleUploads lists batches that are being uploaded and got nothing since the given time.
	StaleUploads(ctx context.Context, since time.Time, limit int) ([]StaleUpload, error)
}

// StaleUpload is a batch whose upload was given up.
type StaleUpload struct{ Account, Batch ID }
