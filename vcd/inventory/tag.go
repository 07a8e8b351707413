package inventory

import (
	"context"
	"fmt"

	"afterimage/vcd"
)

// Tags lists the account's tags by name.
func (s *Service) Tags(ctx context.Context, actor vcd.Actor) ([]*vcd.Tag, error) {
	return vcd.Read(ctx, s.store.URLs(), actor, func(ctx context.Context, tx URLTx) ([]*vcd.Tag, error) { return tx.Tags(ctx) })
}

// TagChange says which tags URLs get and lose.
type TagChange struct {
	Add, Remove []string
}

// check checks the names; its fields are called as the client sent them.
func (c *TagChange) check(v *vcd.Validation, add, remove string) {
	c.Add = vcd.CheckTags(v, add, c.Add, vcd.MaxTagsOfURL)
	c.Remove = vcd.CheckTags(v, remove, c.Remove, vcd.MaxTags)
}

// apply changes the tags of URLs and returns those that were changed.
func (c *TagChange) apply(ctx context.Context, tx tagger, s *Service, field string, urls []vcd.ID) (map[vcd.ID]bool, error) {
	removed, err := tx.LockTags(ctx, c.Remove)
	if err != nil {
		return nil, err
	}
	lost, err := tx.UntagURLs(ctx, urls, removed)
	if err != nil {
		return nil, err
	}
	changed := setOf(lost)
	if len(c.Add) == 0 {
		return changed, nil
	}
	added, err := tx.EnsureTags(ctx, field, c.Add, s.clock.Now())
	if err != nil {
		return nil, err
	}
	got, err := tx.TagURLs(ctx, field, urls, added)
	for _, id := range got {
		changed[id] = true
	}
	return changed, err
}

func setOf(ids []vcd.ID) map[vcd.ID]bool {
	set := make(map[vcd.ID]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// TagURLs changes the tags of URLs, which need not be in any group, and returns those that were changed, in the order given. An
// unknown URL is an error at its position.
func (s *Service) TagURLs(ctx context.Context, actor vcd.Actor, urls []string, change TagChange) ([]vcd.ID, error) {
	v := &vcd.Validation{}
	ids := checkIDs(v, "ids", urls)
	change.check(v, "add", "remove")
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store.URLs(), actor, func(ctx context.Context, tx URLTx) ([]vcd.ID, error) {
		known, err := tx.KnownURLs(ctx, ids)
		if err != nil {
			return nil, err
		}
		there := setOf(known)
		for i, id := range ids {
			v.Check(there[id], vcd.Indexed("ids", i), "exists", "The selected {field} is invalid.")
		}
		if err := v.Err(); err != nil {
			return nil, err
		}
		changed, err := change.apply(ctx, tx, s, "add", known)
		if err != nil {
			return nil, err
		}
		list := make([]vcd.ID, 0, len(changed))
		events := make([]*vcd.Event, 0, len(changed))
		for _, id := range known {
			if changed[id] {
				list = append(list, id)
				events = append(events, vcd.NewEvent(s.clock.Now(), vcd.EventURLUpdated, vcd.SubjectURL, id))
			}
		}
		return list, tx.AppendEvents(ctx, events...)
	})
}

// checkIDs reads 1 to 10,000 ids.
func checkIDs(v *vcd.Validation, path string, raw []string) []vcd.ID {
	v.Check(len(raw) > 0, path, "required", "The {field} field is required.")
	v.Check(len(raw) <= maxSelections, path, "max", fmt.Sprintf("The {field} field must not have more than %d items.", maxSelections))
	if len(raw) > maxSelections {
		return nil
	}
	ids := make([]vcd.ID, 0, len(raw))
	for i, text := range raw {
		id, ok := vcd.ParseID(text)
		v.Check(ok, vcd.Indexed(path, i), "uuid", "The {field} field must be a valid UUID.")
		ids = append(ids, id)
	}
	return ids
}

// RenameTag changes the name of a tag and returns the new one, as it is spelled.
func (s *Service) RenameTag(ctx context.Context, actor vcd.Actor, name, newName string) (string, error) {
	v := &vcd.Validation{}
	newName = vcd.CheckTag(v, "newName", newName)
	if err := v.Err(); err != nil {
		return "", err
	}
	return newName, s.store.URLs().InTx(ctx, actor, func(ctx context.Context, tx URLTx) error {
		return tx.RenameTag(ctx, name, newName)
	})
}

// DeleteTag removes a tag, also from all its URLs.
func (s *Service) DeleteTag(ctx context.Context, actor vcd.Actor, name string) error {
	return s.store.URLs().InTx(ctx, actor, func(ctx context.Context, tx URLTx) error { return tx.DeleteTag(ctx, name) })
}
