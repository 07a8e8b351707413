package vcd

import "context"

// Selection is a URL in a group: which devices are captured, and the URL's overrides.
type Selection struct {
	GroupID, URLID  ID
	Desktop, Mobile bool
	CSS, JS         *string  // in addition to the group's
	Threshold       *float64 // overrides the group's
	URL             *URL     // filled in by reads
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
	SelectedFirst  bool      // sort selected URLs first, then newest first; numbered pages only
}

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
	SelectionFigures(ctx context.Context, group ID) (SelectionFigures, error)
	// KnownURLs returns those of the ids that are undeleted URLs of the account. They cannot be deleted until the transaction
	// ends.
	KnownURLs(ctx context.Context, ids []ID) ([]ID, error)
	// SaveSelections inserts or overwrites selections and returns how many were new.
	SaveSelections(ctx context.Context, sels []*Selection) (added int, err error)
	// RemoveSelections takes URLs out of a group and returns how many were in it.
	RemoveSelections(ctx context.Context, group ID, urls []ID) (int, error)
	// SelectAll enables or disables a device for all URLs of a group but uploaded pages.
	SelectAll(ctx context.Context, group ID, device Device, on bool) error
	// SelectedOf lists, for a run, up to limit selections of the groups that have an enabled device, oldest URL first. Only
	// the ids and the devices are read.
	SelectedOf(ctx context.Context, groups []ID, limit int) ([]*Selection, error)
}
