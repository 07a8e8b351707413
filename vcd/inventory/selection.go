package inventory

import (
	"context"
	"slices"
	"time"

	"afterimage/vcd"
)

// maxSelections limits how many URLs one call may add, change or remove.
const maxSelections = 10_000

// SelectionChange is a URL's settings in a group as a client sends them.
type SelectionChange struct {
	URLID           string
	Desktop, Mobile vcd.Optional[bool]
	CSS, JS         vcd.Optional[string]
	Threshold       vcd.Optional[float64]
}

func (in SelectionChange) validate(v *vcd.Validation, path func(field string) string) {
	v.OptionalText(path("css"), in.CSS.Value, maxInjectedLength)
	v.OptionalText(path("js"), in.JS.Value, maxInjectedLength)
	if t := in.Threshold.Value; t != nil {
		v.Check(*t >= 0 && *t <= 100, path("threshold"), "between", "The {field} field must be between 0 and 100.")
	}
}

func (in SelectionChange) apply(sel *vcd.Selection) {
	vcd.Assign(&sel.Desktop, in.Desktop)
	vcd.Assign(&sel.Mobile, in.Mobile)
	vcd.AssignNullable(&sel.CSS, in.CSS)
	vcd.AssignNullable(&sel.JS, in.JS)
	vcd.AssignNullable(&sel.Threshold, in.Threshold)
}

// AddURLs adds URLs to a group, with both devices enabled by default, and returns how many were new in it. The settings of
// existing ones are updated. An id may occur repeatedly: later fields win.
func (s *Service) AddURLs(ctx context.Context, actor vcd.Actor, group vcd.ID, in []SelectionChange) (int, error) {
	return s.changeSelections(ctx, actor, group, in, true)
}

// ChangeURLs updates the settings of URLs in a group and returns how many it found.
func (s *Service) ChangeURLs(ctx context.Context, actor vcd.Actor, group vcd.ID, in []SelectionChange) (int, error) {
	return s.changeSelections(ctx, actor, group, in, false)
}

func (s *Service) changeSelections(ctx context.Context, actor vcd.Actor, group vcd.ID, in []SelectionChange, add bool) (int, error) {
	ids, err := validateSelections(in)
	if err != nil {
		return 0, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (int, error) {
		if _, err := tx.LockGroup(ctx, group); err != nil {
			return 0, err
		}
		uploaded, err := uploadedOf(ctx, tx, ids)
		if err != nil {
			return 0, err
		}
		places, err := placesOf(ctx, tx, group, ids, uploaded, add)
		if err != nil {
			return 0, err
		}
		if err := applySelections(places, ids, uploaded, in); err != nil {
			return 0, err
		}
		changed := make([]*vcd.Selection, 0, len(places))
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
			if err := s.planFirstProbes(ctx, tx, group, changed); err != nil {
				return 0, err
			}
		}
		return count, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventGroupUpdated, vcd.SubjectGroup, group))
	})
}

// firstProbePause is how much later than a page came into a group its first probe is taken: a run that is started meanwhile goes first,
// and takes its place.
const firstProbePause = 5 * time.Minute

// planFirstProbes plans probes of pages that came into a group, so that what varies on its own on them is known before the first
// comparison.
func (s *Service) planFirstProbes(ctx context.Context, tx selectionStore, group vcd.ID, added []*vcd.Selection) error {
	if len(added) == 0 {
		return nil
	}
	urls := make([]vcd.ID, len(added))
	for i, sel := range added {
		urls[i] = sel.URLID
	}
	return tx.PlanFirstProbes(ctx, group, urls, s.clock.Now().Add(firstProbePause))
}

func validateSelections(in []SelectionChange) ([]vcd.ID, error) {
	v := &vcd.Validation{}
	v.Check(len(in) > 0, "urls", "required", "The {field} field is required.")
	v.Check(len(in) <= maxSelections, "urls", "max", "The {field} field must not have more than 10000 items.")
	if err := v.Err(); err != nil {
		return nil, err
	}
	ids := make([]vcd.ID, len(in))
	for i, change := range in {
		id, ok := vcd.ParseID(change.URLID)
		v.Check(ok, vcd.Indexed("urls", i, "id"), "uuid", "The {field} field must be a valid UUID.")
		change.validate(v, func(field string) string { return vcd.Indexed("urls", i, field) })
		ids[i] = id
	}
	return ids, v.Err()
}

// placesOf finds the current settings of the URLs in the group. With add, URLs that are not in it get new ones.
func placesOf(
	ctx context.Context, tx Tx, group vcd.ID, ids []vcd.ID, uploaded map[vcd.ID]bool, add bool,
) (map[vcd.ID]*vcd.Selection, error) {
	present, err := tx.SelectionsOf(ctx, group, ids)
	if err != nil {
		return nil, err
	}
	places := make(map[vcd.ID]*vcd.Selection, len(ids))
	if add {
		known, err := tx.KnownURLs(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, id := range known {
			places[id] = &vcd.Selection{GroupID: group, URLID: id, Desktop: !uploaded[id], Mobile: !uploaded[id]}
		}
	}
	for _, sel := range present {
		places[sel.URLID] = sel
	}
	return places, nil
}

// uploadedOf tells which of the URLs are uploaded pages, which no device is enabled for.
func uploadedOf(ctx context.Context, tx uploadStore, ids []vcd.ID) (map[vcd.ID]bool, error) {
	list, err := tx.UploadedOf(ctx, ids)
	uploaded := make(map[vcd.ID]bool, len(list))
	for _, id := range list {
		uploaded[id] = true
	}
	return uploaded, err
}

func checkDevices(v *vcd.Validation, sel *vcd.Selection, path func(field string) string) {
	const message = "The {field} field must be false: screenshots of this page are uploaded, and it is never captured."
	v.Check(!sel.Desktop, path("desktop"), "uploaded", message)
	v.Check(!sel.Mobile, path("mobile"), "uploaded", message)
}

func applySelections(places map[vcd.ID]*vcd.Selection, ids []vcd.ID, uploaded map[vcd.ID]bool, in []SelectionChange) error {
	v := &vcd.Validation{}
	for i, id := range ids {
		sel := places[id]
		if sel == nil {
			v.Add(vcd.Indexed("urls", i, "id"), "exists", "The selected {field} is invalid.")
			continue
		}
		in[i].apply(sel)
		if uploaded[id] {
			checkDevices(v, sel, func(field string) string { return vcd.Indexed("urls", i, field) })
		}
	}
	return v.Err()
}

// RemoveURLs removes URLs from a group and returns how many were in it. Ids that are not in it are ignored.
func (s *Service) RemoveURLs(ctx context.Context, actor vcd.Actor, group vcd.ID, urls []string) (int, error) {
	v := &vcd.Validation{}
	ids := checkIDs(v, "urls", urls)
	if err := v.Err(); err != nil {
		return 0, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (int, error) {
		if _, err := tx.LockGroup(ctx, group); err != nil {
			return 0, err
		}
		removed, err := tx.RemoveSelections(ctx, group, ids)
		if err != nil {
			return 0, err
		}
		return removed, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventGroupUpdated, vcd.SubjectGroup, group))
	})
}

// UpdateSelection changes one URL's settings in a group.
func (s *Service) UpdateSelection(ctx context.Context, actor vcd.Actor, group, url vcd.ID, in SelectionChange) (*vcd.Selection, error) {
	v := &vcd.Validation{}
	in.validate(v, func(field string) string { return field })
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Selection, error) {
		if _, err := tx.LockGroup(ctx, group); err != nil {
			return nil, err
		}
		present, err := tx.SelectionsOf(ctx, group, []vcd.ID{url})
		if err != nil {
			return nil, err
		}
		if len(present) == 0 {
			return nil, vcd.NotFound("Url", url)
		}
		in.apply(present[0])
		if present[0].URL.Uploaded() {
			if checkDevices(v, present[0], func(field string) string { return field }); v.Err() != nil {
				return nil, v.Err()
			}
		}
		if _, err := tx.SaveSelections(ctx, present); err != nil {
			return nil, err
		}
		return present[0], tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventGroupUpdated, vcd.SubjectGroup, group))
	})
}

// SelectAll enables or disables a device for every URL of a group but uploaded pages.
func (s *Service) SelectAll(ctx context.Context, actor vcd.Actor, group vcd.ID, device vcd.Device, on bool) (vcd.SelectionFigures, error) {
	if !slices.Contains(vcd.Devices, device) {
		return vcd.SelectionFigures{}, vcd.Invalid("device", "in", "The selected {field} is invalid.")
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (vcd.SelectionFigures, error) {
		if _, err := tx.LockGroup(ctx, group); err != nil {
			return vcd.SelectionFigures{}, err
		}
		if err := tx.SelectAll(ctx, group, device, on); err != nil {
			return vcd.SelectionFigures{}, err
		}
		if err := tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventGroupUpdated, vcd.SubjectGroup, group)); err != nil {
			return vcd.SelectionFigures{}, err
		}
		return tx.SelectionFigures(ctx, group)
	})
}

// SelectionsOfGroups lists the URLs of several groups, each like Selections; f.GroupID is ignored. An unknown or deleted
// group has an empty list.
func (s *Service) SelectionsOfGroups(
	ctx context.Context, actor vcd.Actor, groups []vcd.ID, f vcd.SelectionFilter, p vcd.Page,
) (map[vcd.ID]*vcd.List[*vcd.Selection], error) {
	if err := vcd.CheckSearch(f.Search); err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID]*vcd.List[*vcd.Selection], error) {
		return tx.SelectionsOfGroups(ctx, groups, f, p)
	})
}

// SelectionList is a page of a group's URLs with the figures of the whole group.
type SelectionList struct {
	*vcd.List[*vcd.Selection]
	Figures vcd.SelectionFigures
}

// Selections lists the URLs of a group with their settings, newest URL first.
func (s *Service) Selections(ctx context.Context, actor vcd.Actor, f vcd.SelectionFilter, p vcd.Page) (*SelectionList, error) {
	if err := vcd.CheckSearch(f.Search); err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*SelectionList, error) {
		g, err := tx.Group(ctx, f.GroupID)
		if err != nil {
			return nil, err
		}
		list, err := tx.Selections(ctx, f, p)
		return &SelectionList{list, vcd.SelectionFigures{SelectedURLs: g.SelectedURLsCount, SelectedChecks: g.SelectedChecks}}, err
	})
}
