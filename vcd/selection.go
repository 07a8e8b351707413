package vcd

import "context"

// Selection is a URL inside a group: which devices are captured, and the URL's own overrides.
type Selection struct {
	GroupID, URLID  ID
	Desktop, Mobile bool
	CSS, JS         *string  // on top of the group's
	Threshold       *float64 // instead of the group's
	URL             *URL     // filled in by reads
}

// Devices lists the devices that are on.
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

// SelectionFilter narrows a list of a group's URLs; nil fields do not narrow.
type SelectionFilter struct {
	GroupID        ID
	Type, Category *string
	Search         *string
	URLIDs         *[]ID
	Address        *string   // exact host and path, with or without a trailing slash
	Addresses      *[]string // one of these, each like Address
	SelectedFirst  bool      // sort by what is selected, then newest first; numbered pages only
}

// SelectionFigures counts over a whole group.
type SelectionFigures struct {
	SelectedURLs   int // with at least one device on
	SelectedChecks int // devices on
}

// SelectionStore keeps which URLs are in which groups.
type SelectionStore interface {
	Selections(ctx context.Context, f SelectionFilter, p Page) (*List[*Selection], error)
	// SelectionsOfGroups is one such list for each group.
	SelectionsOfGroups(ctx context.Context, groups []ID, f SelectionFilter, p Page) (map[ID]*List[*Selection], error)
	// SelectionsOf reads the named URLs' places in a group; those that are not in it are left out.
	SelectionsOf(ctx context.Context, group ID, urls []ID) ([]*Selection, error)
	SelectionFigures(ctx context.Context, group ID) (SelectionFigures, error)
	// KnownURLs returns those of the ids that are URLs of the account and not deleted. They stay until the transaction ends.
	KnownURLs(ctx context.Context, ids []ID) ([]ID, error)
	// SaveSelections inserts or overwrites, and returns how many were new.
	SaveSelections(ctx context.Context, sels []*Selection) (added int, err error)
	// RemoveSelections takes URLs out of a group and returns how many were in it.
	RemoveSelections(ctx context.Context, group ID, urls []ID) (int, error)
	// SelectAll switches a device on or off for all URLs of a group.
	SelectAll(ctx context.Context, group ID, device Device, on bool) error
	// SelectedOf lists, for a run, up to limit selections of the groups that have a device on, oldest URL first. Only the
	// ids and the devices are read.
	SelectedOf(ctx context.Context, groups []ID, limit int) ([]*Selection, error)
}
