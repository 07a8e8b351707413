package vcd

import (
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

// PageName is how a page is shown to people: an uploaded one by its name, a checkpoint by its flow and its name, any other by its
// address.
func PageName(address string) string {
	if name, checkpoint := CheckpointNames(address); name != "" {
		return name + " › " + checkpoint
	}
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

// StaleUpload is a batch whose upload was given up.
type StaleUpload struct{ Account, Batch ID }
