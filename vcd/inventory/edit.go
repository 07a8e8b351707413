package inventory

import (
	"context"
	"fmt"

	"afterimage/vcd"
)

// URLRemoval says how far a URL is removed.
type URLRemoval string

// How far.
const (
	RemoveFromGroup URLRemoval = "from_group"
	RemoveEntirely  URLRemoval = "entirely" // it is deleted, also from its other groups
)

// URLEdit is what is done with all URLs of a group that a filter matches.
type URLEdit struct {
	Desktop, Mobile vcd.Optional[bool]
	Tags            TagChange
	Remove          URLRemoval // excludes everything else; empty for none
}

// EditedURLs is what an edit came to.
type EditedURLs struct {
	Matched int
	Changed []vcd.ID // those that were different before
	// Removed are the settings of those taken out of the group, with which AddURLs puts them back; nil when their own CSS and
	// JavaScript are longer than maxRemovedCode altogether.
	Removed []*vcd.Selection
}

// maxRemovedCode keeps what puts URLs back within the size of a request.
const maxRemovedCode = 256 << 10

// EditURLs changes all URLs of a group that the filter matches, or none if more than limit match.
func (s *Service) EditURLs(
	ctx context.Context, actor vcd.Actor, group vcd.ID, f vcd.SelectionFilter, edit URLEdit, limit int,
) (*EditedURLs, error) {
	if err := edit.validate(f, limit); err != nil {
		return nil, err
	}
	f.GroupID = group
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*EditedURLs, error) {
		if _, err := tx.LockGroup(ctx, group); err != nil {
			return nil, err
		}
		urls, err := tx.SelectedIDs(ctx, f, limit+1)
		if err != nil {
			return nil, err
		}
		if len(urls) > limit {
			return nil, vcd.Invalid("filter", "max", fmt.Sprintf("The {field} field matches more than %d URLs.", limit))
		}
		edited, err := s.editURLs(ctx, tx, group, urls, edit)
		if err != nil || len(edited.Changed) == 0 {
			return edited, err
		}
		return edited, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventGroupUpdated, vcd.SubjectGroup, group))
	})
}

func (e *URLEdit) validate(f vcd.SelectionFilter, limit int) error {
	v := &vcd.Validation{}
	v.OptionalText("filter.search", f.Search, vcd.MaxAddressLength)
	v.Between("limit", limit, 1, maxSelections)
	e.Tags.check(v, "edit.addTags", "edit.removeTags")
	other := e.Desktop.Value != nil || e.Mobile.Value != nil || len(e.Tags.Add)+len(e.Tags.Remove) > 0
	v.Check(other || e.Remove != "", "edit", "required", "The {field} field must contain at least one change.")
	v.Check(!other || e.Remove == "", "edit.remove", "prohibited", "The {field} field cannot be combined with other changes.")
	return v.Err()
}

func (s *Service) editURLs(ctx context.Context, tx Tx, group vcd.ID, urls []vcd.ID, edit URLEdit) (*EditedURLs, error) {
	edited := &EditedURLs{Matched: len(urls)}
	if len(urls) == 0 {
		return edited, nil
	}
	switch edit.Remove {
	case RemoveFromGroup:
		removed, err := tx.TakeOut(ctx, group, urls)
		edited.Changed, edited.Removed = idsOf(removed), puttingBack(removed)
		return edited, err
	case RemoveEntirely:
		var err error
		edited.Changed, err = s.deleteURLs(ctx, tx, urls)
		return edited, err
	}
	changed, err := edit.Tags.apply(ctx, tx, s, "edit.addTags", urls)
	if err != nil {
		return nil, err
	}
	if edit.Desktop.Value != nil || edit.Mobile.Value != nil {
		switched, err := tx.SwitchDevices(ctx, group, urls, edit.Desktop.Value, edit.Mobile.Value)
		if err != nil {
			return nil, err
		}
		for _, id := range switched {
			changed[id] = true
		}
	}
	for _, id := range urls {
		if changed[id] {
			edited.Changed = append(edited.Changed, id)
		}
	}
	return edited, nil
}

func (s *Service) deleteURLs(ctx context.Context, tx Tx, urls []vcd.ID) ([]vcd.ID, error) {
	deleted, err := tx.DeleteURLs(ctx, urls, s.clock.Now())
	if err != nil {
		return nil, err
	}
	events := make([]*vcd.Event, len(deleted))
	for i, id := range deleted {
		events[i] = vcd.NewEvent(s.clock.Now(), vcd.EventURLDeleted, vcd.SubjectURL, id)
	}
	return deleted, tx.AppendEvents(ctx, events...)
}

func idsOf(sels []*vcd.Selection) []vcd.ID {
	ids := make([]vcd.ID, len(sels))
	for i, sel := range sels {
		ids[i] = sel.URLID
	}
	return ids
}

// puttingBack returns the settings if they are short enough.
func puttingBack(sels []*vcd.Selection) []*vcd.Selection {
	length := 0
	for _, sel := range sels {
		for _, code := range []*string{sel.CSS, sel.JS} {
			if code != nil {
				length += len(*code)
			}
		}
	}
	if length > maxRemovedCode {
		return nil
	}
	return sels
}
