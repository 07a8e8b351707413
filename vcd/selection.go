package vcd

import (
	"context"
	"slices"
)

// maxSelections bounds how many URLs one call may add, change or remove.
const maxSelections = 10_000

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

// SelectionChange is a URL's settings in a group as a client sends them.
type SelectionChange struct {
	URLID           string
	Desktop, Mobile Optional[bool]
	CSS, JS         Optional[string]
	Threshold       Optional[float64]
}

func (in SelectionChange) validate(v *validation, path func(field string) string) {
	v.optionalText(path("css"), in.CSS.Value, maxInjectedLength)
	v.optionalText(path("js"), in.JS.Value, maxInjectedLength)
	if t := in.Threshold.Value; t != nil {
		v.check(*t >= 0 && *t <= 100, path("threshold"), "between", "The {field} field must be between 0 and 100.")
	}
}

func (in SelectionChange) apply(sel *Selection) {
	assign(&sel.Desktop, in.Desktop)
	assign(&sel.Mobile, in.Mobile)
	assignNullable(&sel.CSS, in.CSS)
	assignNullable(&sel.JS, in.JS)
	assignNullable(&sel.Threshold, in.Threshold)
}

// AddURLs puts URLs into a group, with both devices on unless said otherwise, and returns how many were not in it
// before. The settings of those already there are updated. An id may occur twice: later fields win.
func (s *Service) AddURLs(ctx context.Context, actor Actor, group ID, in []SelectionChange) (int, error) {
	return s.changeSelections(ctx, actor, group, in, true)
}

// ChangeURLs updates the settings of URLs that are in a group and returns how many there were.
func (s *Service) ChangeURLs(ctx context.Context, actor Actor, group ID, in []SelectionChange) (int, error) {
	return s.changeSelections(ctx, actor, group, in, false)
}

func (s *Service) changeSelections(ctx context.Context, actor Actor, group ID, in []SelectionChange, add bool) (int, error) {
	ids, err := validateSelections(in)
	if err != nil {
		return 0, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (int, error) {
		if _, err := tx.LockGroup(ctx, group); err != nil {
			return 0, err
		}
		places, err := placesOf(ctx, tx, group, ids, add)
		if err != nil {
			return 0, err
		}
		if err := applySelections(places, ids, in); err != nil {
			return 0, err
		}
		changed := make([]*Selection, 0, len(places))
		for _, id := range ids {
			if sel := places[id]; sel != nil {
				changed = append(changed, sel)
				delete(places, id)
			}
		}
		added, err := tx.SaveSelections(ctx, changed)
		if err != nil {
			return 0, err
		}
		count := len(changed)
		if add {
			count = added
		}
		return count, tx.AppendEvents(ctx, s.event(EventGroupUpdated, SubjectGroup, group))
	})
}

func validateSelections(in []SelectionChange) ([]ID, error) {
	v := &validation{}
	v.check(len(in) > 0, "urls", "required", "The {field} field is required.")
	v.check(len(in) <= maxSelections, "urls", "max", "The {field} field must not have more than 10000 items.")
	if err := v.err(); err != nil {
		return nil, err
	}
	ids := make([]ID, len(in))
	for i, change := range in {
		id, ok := ParseID(change.URLID)
		v.check(ok, indexed("urls", i, "id"), "uuid", "The {field} field must be a valid UUID.")
		change.validate(v, func(field string) string { return indexed("urls", i, field) })
		ids[i] = id
	}
	return ids, v.err()
}

// placesOf finds the present settings of the URLs in the group. With add, URLs that are not in it get new ones.
func placesOf(ctx context.Context, tx Tx, group ID, ids []ID, add bool) (map[ID]*Selection, error) {
	present, err := tx.SelectionsOf(ctx, group, ids)
	if err != nil {
		return nil, err
	}
	places := make(map[ID]*Selection, len(ids))
	if add {
		known, err := tx.KnownURLs(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, id := range known {
			places[id] = &Selection{GroupID: group, URLID: id, Desktop: true, Mobile: true}
		}
	}
	for _, sel := range present {
		places[sel.URLID] = sel
	}
	return places, nil
}

func applySelections(places map[ID]*Selection, ids []ID, in []SelectionChange) error {
	v := &validation{}
	for i, id := range ids {
		sel := places[id]
		if sel == nil {
			v.add(indexed("urls", i, "id"), "exists", "The selected {field} is invalid.")
			continue
		}
		in[i].apply(sel)
	}
	return v.err()
}

// RemoveURLs takes URLs out of a group and returns how many were in it. Ids that are not in it are passed over.
func (s *Service) RemoveURLs(ctx context.Context, actor Actor, group ID, urls []string) (int, error) {
	v := &validation{}
	v.check(len(urls) > 0, "urls", "required", "The {field} field is required.")
	v.check(len(urls) <= maxSelections, "urls", "max", "The {field} field must not have more than 10000 items.")
	ids := make([]ID, 0, len(urls))
	for i, raw := range urls {
		id, ok := ParseID(raw)
		v.check(ok, indexed("urls", i), "uuid", "The {field} field must be a valid UUID.")
		ids = append(ids, id)
	}
	if err := v.err(); err != nil {
		return 0, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (int, error) {
		if _, err := tx.LockGroup(ctx, group); err != nil {
			return 0, err
		}
		removed, err := tx.RemoveSelections(ctx, group, ids)
		if err != nil {
			return 0, err
		}
		return removed, tx.AppendEvents(ctx, s.event(EventGroupUpdated, SubjectGroup, group))
	})
}

// UpdateSelection changes one URL's settings in a group.
func (s *Service) UpdateSelection(ctx context.Context, actor Actor, group, url ID, in SelectionChange) (*Selection, error) {
	v := &validation{}
	in.validate(v, func(field string) string { return field })
	if err := v.err(); err != nil {
		return nil, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Selection, error) {
		if _, err := tx.LockGroup(ctx, group); err != nil {
			return nil, err
		}
		present, err := tx.SelectionsOf(ctx, group, []ID{url})
		if err != nil {
			return nil, err
		}
		if len(present) == 0 {
			return nil, NotFound("Url", url)
		}
		in.apply(present[0])
		if _, err := tx.SaveSelections(ctx, present); err != nil {
			return nil, err
		}
		return present[0], tx.AppendEvents(ctx, s.event(EventGroupUpdated, SubjectGroup, group))
	})
}

// SelectAll switches a device on or off for every URL of a group.
func (s *Service) SelectAll(ctx context.Context, actor Actor, group ID, device Device, on bool) (SelectionFigures, error) {
	if !slices.Contains(Devices, device) {
		return SelectionFigures{}, Invalid("device", "in", "The selected {field} is invalid.")
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (SelectionFigures, error) {
		if _, err := tx.LockGroup(ctx, group); err != nil {
			return SelectionFigures{}, err
		}
		if err := tx.SelectAll(ctx, group, device, on); err != nil {
			return SelectionFigures{}, err
		}
		if err := tx.AppendEvents(ctx, s.event(EventGroupUpdated, SubjectGroup, group)); err != nil {
			return SelectionFigures{}, err
		}
		return tx.SelectionFigures(ctx, group)
	})
}

// SelectionsOfGroups lists the URLs of several groups, each group's like Selections does; f.GroupID does not count. A group
// that is unknown or deleted has an empty list.
func (s *Service) SelectionsOfGroups(
	ctx context.Context, actor Actor, groups []ID, f SelectionFilter, p Page,
) (map[ID]*List[*Selection], error) {
	if err := checkSearch(f.Search); err != nil {
		return nil, err
	}
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (map[ID]*List[*Selection], error) {
		return tx.SelectionsOfGroups(ctx, groups, f, p)
	})
}

// SelectionList is a page of a group's URLs with the figures of the whole group.
type SelectionList struct {
	*List[*Selection]
	Figures SelectionFigures
}

// Selections lists the URLs of a group with their settings, newest URL first.
func (s *Service) Selections(ctx context.Context, actor Actor, f SelectionFilter, p Page) (*SelectionList, error) {
	if err := checkSearch(f.Search); err != nil {
		return nil, err
	}
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*SelectionList, error) {
		g, err := tx.Group(ctx, f.GroupID)
		if err != nil {
			return nil, err
		}
		list, err := tx.Selections(ctx, f, p)
		return &SelectionList{list, SelectionFigures{g.SelectedURLsCount, g.SelectedChecks}}, err
	})
}
