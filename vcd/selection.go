package vcd

import (
	"context"
	"time"
)

// Selection is a URL in a group: which devices are captured, and the URL's overrides.
type Selection struct {
	GroupID, URLID  ID
	Desktop, Mobile bool
	CSS, JS         *string  // in addition to the group's
	Threshold       *float64 // overrides the group's
	URL             *URL     // filled in by reads
	// LastChangedAt is when the page last differed from before by more than its threshold, in this group; filled in by lists.
	LastChangedAt *time.Time
}

// Devices lists the enabled devices.
func (sel *Selection) Devices() []Device {
	var on []Device
	if sel.Desktop {
		on = append(on, Desktop)
	}
	if sel.Mobile {
		on = append(on, Mobile)
	}
	return on
}

// SelectionFilter filters a list of a group's URLs; nil fields match everything.
type SelectionFilter struct {
	GroupID        ID
	Type, Category *string
	Search         *string
	URLIDs         *[]ID
	Address        *string   // exact host and path, with or without a trailing slash
	Addresses      *[]string // any of these, each matched like Address
	ExceptURLIDs   *[]ID
	Tags           *[]string // with one of these
	Sort           Sort      // by one of the words below
}

// What the URLs of a group are sorted by.
const (
	SelectionSelected    = "selected" // whether any device is enabled
	SelectionAddress     = "address"
	SelectionTitle       = "title"
	SelectionLastCrawled = "last_crawled_at" // those never captured are the earliest
	SelectionLastChanged = "last_changed_at" // those that never changed are the earliest
	SelectionTag         = "tag"             // the first tag; those without any are the latest
)

// SelectionFigures counts over a whole group.
type SelectionFigures struct {
	SelectedURLs   int // with at least one enabled device
	SelectedChecks int // enabled devices
}

// SelectionStore keeps which URLs are in which groups.
type SelectionStore interface {
	Selections(ctx context.Context, f SelectionFilter, p Page) (*List[*Selection], error)
	// SelectionsOfGroups returns such a list for each group.
	SelectionsOfGroups(ctx context.Context, groups []ID, f SelectionFilter, p Page) (map[ID]*List[*Selection], error)
	// SelectionsOf reads the given URLs' selections in a group; URLs that are not in it are left out.
	SelectionsOf(ctx context.Context, group ID, urls []ID) ([]*Selection, error)
	// OwnSelection reads the settings of a URL in a group, without the URL; nil when it is not in the group.
	OwnSelection(ctx context.Context, group, url ID) (*Selection, error)
	SelectionFigures(ctx context.Context, group ID) (SelectionFigures, error)
	// KnownURLs returns those of the ids that are undeleted URLs of the account. They cannot be deleted until the transaction
	// ends.
	KnownURLs(ctx context.Context, ids []ID) ([]ID, error)
	// SaveSelections inserts or overwrites selections and returns how many were new.
	SaveSelections(ctx context.Context, sels []*Selection) (added int, err error)
	// SelectedIDs lists the URLs that match, at most limit, in no order.
	SelectedIDs(ctx context.Context, f SelectionFilter, limit int) ([]ID, error)
	// SwitchDevices enables or disables devices for URLs of a group; nil leaves a device as it is, and uploaded pages stay off. It
	// returns those that were different.
	SwitchDevices(ctx context.Context, group ID, urls []ID, desktop, mobile *bool) (changed []ID, err error)
	// TakeOut takes URLs out of a group and returns their settings there.
	TakeOut(ctx context.Context, group ID, urls []ID) ([]*Selection, error)
	// RemoveSelections takes URLs out of a group and returns how many were in it.
	RemoveSelections(ctx context.Context, group ID, urls []ID) (int, error)
	// SelectAll enables or disables a device for all URLs of a group but uploaded pages.
	SelectAll(ctx context.Context, group ID, device Device, on bool) error
	// SelectedOf lists, for a run, up to limit selections of the groups that have an enabled device, oldest URL first; with tags,
	// only of URLs that have one of them. Only the ids and the devices are read.
	SelectedOf(ctx context.Context, groups []ID, tags []string, limit int) ([]*Selection, error)
}
