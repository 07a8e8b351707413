package inventory

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"afterimage/vcd"
)

// Limits of websites.
const (
	maxSyncURLTypes = 200
	maxAllowances   = 100
	maxFlagName     = 100
	maxManagerName  = 100
)

// WebsiteChange holds a website's fields as a client sends them, both to create and to update it.
type WebsiteChange struct {
	Domain        vcd.Optional[string]
	ManagedBy     vcd.Optional[string] // of a website that is created
	ManualGroupID vcd.Optional[string]
	AutoGroupID   vcd.Optional[string]
	SyncURLTypes  vcd.Optional[[]vcd.SyncURLType]
	AutoUpdate    vcd.Optional[AutoUpdateChange] // null removes the settings
	Allowances    vcd.Optional[map[string]any]   // booleans in any accepted form
}

// websiteValues are the parsed values of a valid change.
type websiteValues struct {
	domain     string
	managedBy  *string
	manual     *vcd.ID
	auto       *vcd.ID
	allowances map[string]bool
}

func (in WebsiteChange) validate(creating bool) (websiteValues, error) {
	v := &vcd.Validation{}
	var out websiteValues
	if in.Domain.Set || creating {
		out.domain = parseDomain(v, in.Domain.Value)
	}
	out.managedBy = parseManager(v, in.ManagedBy.Value)
	out.manual = in.group(v, "manualDetectionGroupId", in.ManualGroupID, creating)
	out.auto = in.group(v, "autoDetectionGroupId", in.AutoGroupID, creating)
	if types := in.SyncURLTypes.Value; types != nil {
		v.Check(len(*types) <= maxSyncURLTypes, "syncUrlTypes", "max", "The {field} field must not have more than 200 items.")
		for i, t := range *types {
			v.Text(vcd.Indexed("syncUrlTypes", i, "urlTypeSlug"), t.URLTypeSlug, vcd.MaxNameLength)
			v.Text(vcd.Indexed("syncUrlTypes", i, "urlTypeName"), t.URLTypeName, vcd.MaxNameLength)
			v.Text(vcd.Indexed("syncUrlTypes", i, "postTypeSlug"), t.PostTypeSlug, vcd.MaxNameLength)
			v.Text(vcd.Indexed("syncUrlTypes", i, "postTypeName"), t.PostTypeName, vcd.MaxNameLength)
			(*types)[i].URLTypeName, (*types)[i].PostTypeName = vcd.Shown(t.URLTypeName), vcd.Shown(t.PostTypeName)
		}
	}
	if change := in.AutoUpdate.Value; change != nil {
		change.validate(v)
	}
	if flags := in.Allowances.Value; flags != nil {
		out.allowances = parseAllowances(v, *flags)
	}
	return out, v.Err()
}

// group parses the id of one of the two groups. Both are required to create a website and cannot be cleared.
func (in WebsiteChange) group(v *vcd.Validation, path string, given vcd.Optional[string], creating bool) *vcd.ID {
	switch {
	case given.Value != nil:
		id, ok := vcd.ParseID(*given.Value)
		v.Check(ok, path, "uuid", "The {field} field must be a valid UUID.")
		return &id
	case creating || given.Set:
		v.Add(path, "required", "The {field} field is required.")
	}
	return nil
}

// parseDomain parses host[:port][/path] in any spelling, with or without a scheme.
func parseDomain(v *vcd.Validation, raw *string) string {
	const path = "domain"
	if raw == nil {
		v.Add(path, "required", "The {field} field is required.")
		return ""
	}
	before := len(v.Problems())
	_, domain := vcd.ParseAddress(v, path, *raw)
	if len(v.Problems()) > before {
		return ""
	}
	domain, _, _ = strings.Cut(domain, "#")
	v.Check(!strings.Contains(domain, "?"), path, "domain", "The {field} field must be a host with an optional port and path.")
	domain = strings.TrimRight(domain, "/")
	v.Text(path, domain, vcd.MaxNameLength)
	return domain
}

// parseManager parses the name of the tool that manages a website; nil for none.
func parseManager(v *vcd.Validation, raw *string) *string {
	if raw == nil || strings.TrimSpace(*raw) == "" {
		return nil
	}
	name := strings.TrimSpace(*raw)
	v.Name("managedBy", name, maxManagerName)
	return &name
}

// parseAllowances parses flags with boolean values in any accepted form.
func parseAllowances(v *vcd.Validation, flags map[string]any) map[string]bool {
	v.Check(len(flags) <= maxAllowances, "allowances", "max", "The {field} field must not have more than 100 items.")
	out := make(map[string]bool, len(flags))
	for name, raw := range flags {
		if len(out) >= maxAllowances {
			break
		}
		on, ok := parseFlag(raw)
		v.Check(ok, "allowances", "boolean", "The {field} field must contain only true or false values.")
		v.Name("allowances", name, maxFlagName)
		out[name] = on
	}
	return out
}

func parseFlag(raw any) (on, ok bool) {
	switch value := raw.(type) {
	case bool:
		return value, true
	case int64:
		return value == 1, value == 0 || value == 1
	case string:
		return value == "1" || value == "true", slices.Contains([]string{"0", "1", "false", "true"}, value)
	}
	return false, false
}

func (in WebsiteChange) apply(w *vcd.Website, values websiteValues) {
	if values.domain != "" {
		w.Domain = values.domain
	}
	if values.manual != nil {
		w.ManualGroupID = values.manual
	}
	if values.auto != nil {
		w.AutoGroupID = values.auto
	}
	vcd.AssignList(&w.SyncURLTypes, in.SyncURLTypes)
	switch {
	case !in.AutoUpdate.Set:
	case in.AutoUpdate.Value == nil:
		w.AutoUpdate = nil
	default:
		w.AutoUpdate = in.AutoUpdate.Value.applied(w.AutoUpdate)
	}
	if in.Allowances.Set {
		w.Allowances = values.allowances
	}
}

// CreateWebsite creates a website from a domain and two groups.
func (s *Service) CreateWebsite(ctx context.Context, actor vcd.Actor, in WebsiteChange) (*vcd.Website, error) {
	values, err := in.validate(true)
	if err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store.Websites(), actor, func(ctx context.Context, tx WebsiteTx) (*vcd.Website, error) {
		now := s.clock.Now()
		w := &vcd.Website{ID: s.ids.NewID(), Account: actor.Account, ManagedBy: values.managedBy, CreatedAt: now, UpdatedAt: now}
		in.apply(w, values)
		if err := claimGroups(ctx, tx, w, values); err != nil {
			return nil, err
		}
		if err := tx.InsertWebsite(ctx, w); err != nil {
			return nil, err
		}
		return w, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventWebsiteCreated, vcd.SubjectWebsite, w.ID))
	})
}

// UpdateWebsite changes the given fields only.
func (s *Service) UpdateWebsite(ctx context.Context, actor vcd.Actor, id vcd.ID, in WebsiteChange) (*vcd.Website, error) {
	values, err := in.validate(false)
	if err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store.Websites(), actor, func(ctx context.Context, tx WebsiteTx) (*vcd.Website, error) {
		w, err := tx.LockWebsite(ctx, id)
		if err != nil {
			return nil, err
		}
		in.apply(w, values)
		if err := claimGroups(ctx, tx, w, values); err != nil {
			return nil, err
		}
		w.UpdatedAt = s.clock.Now()
		if err := tx.UpdateWebsite(ctx, w); err != nil {
			return nil, err
		}
		if err := s.moveFlows(ctx, tx, w, values); err != nil {
			return nil, err
		}
		return w, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventWebsiteUpdated, vcd.SubjectWebsite, w.ID))
	})
}

// claimGroups checks that the newly named groups exist, are two different ones, and belong to no other website. It locks them
// so that this still holds when the website is stored.
func claimGroups(ctx context.Context, tx WebsiteTx, w *vcd.Website, values websiteValues) error {
	named := map[vcd.ID]string{}
	if values.auto != nil {
		named[*values.auto] = "autoDetectionGroupId"
	}
	if values.manual != nil {
		named[*values.manual] = "manualDetectionGroupId"
	}
	if len(named) == 0 {
		return nil
	}
	if w.ManualGroupID != nil && w.AutoGroupID != nil && *w.ManualGroupID == *w.AutoGroupID {
		return vcd.Invalid("autoDetectionGroupId", "different", "The {field} and the manual detection group must be different.")
	}
	ids := sortedIDs(named)
	v := &vcd.Validation{}
	for _, id := range ids {
		g, err := vcd.OrGone(tx.LockGroup(ctx, id))
		if err != nil {
			return err
		}
		v.Check(g != nil, named[id], "exists", "The selected {field} is invalid.")
	}
	taken, err := tx.WebsitesOfGroups(ctx, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		other := taken[id]
		v.Check(other == nil || other.ID == w.ID, named[id], "unique", "The {field} belongs to another website.")
	}
	return v.Err()
}

// sortedIDs returns the keys in the order in which their rows are always locked.
func sortedIDs[T any](byID map[vcd.ID]T) []vcd.ID {
	ids := make([]vcd.ID, 0, len(byID))
	for id := range byID {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, cmp.Compare[vcd.ID])
	return ids
}

// moveFlows puts the checkpoints of a website's flows into groups that it has just been given.
func (s *Service) moveFlows(ctx context.Context, tx WebsiteTx, w *vcd.Website, values websiteValues) error {
	if values.manual == nil && values.auto == nil {
		return nil
	}
	flows, err := tx.FlowsOfWebsite(ctx, w.ID)
	if err != nil {
		return err
	}
	for _, f := range flows {
		if err := s.placeFlow(ctx, tx, w, f); err != nil {
			return err
		}
	}
	return nil
}

// DeleteWebsite removes a website with its flows and returns its last state. Its groups and URLs stay; its feedback rules then apply
// to the groups they were created in.
func (s *Service) DeleteWebsite(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Website, error) {
	return vcd.Write(ctx, s.store.Websites(), actor, func(ctx context.Context, tx WebsiteTx) (*vcd.Website, error) {
		w, err := tx.LockWebsite(ctx, id)
		if err != nil {
			return nil, err
		}
		narrowed, err := s.reviews.NarrowFeedbackRules(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		flows, err := tx.FlowsOfWebsite(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, f := range flows {
			if err := s.deleteFlow(ctx, tx, f); err != nil {
				return nil, err
			}
		}
		if err := tx.DeleteWebsite(ctx, id); err != nil {
			return nil, err
		}
		return w, tx.AppendEvents(ctx, append(narrowed, vcd.NewEvent(s.clock.Now(), vcd.EventWebsiteDeleted, vcd.SubjectWebsite, id))...)
	})
}

// lockWithSibling locks a group and the other group of its website in the common lock order. The sibling is nil when there is
// none.
func lockWithSibling(ctx context.Context, tx Tx, id vcd.ID) (g, sibling *vcd.Group, err error) {
	websites, err := tx.WebsitesOfGroups(ctx, []vcd.ID{id})
	if err != nil {
		return nil, nil, err
	}
	pair := map[vcd.ID]bool{id: true}
	if w := websites[id]; w != nil {
		for _, member := range w.GroupIDs() {
			pair[member] = true
		}
	}
	for _, member := range sortedIDs(pair) {
		locked, err := tx.LockGroup(ctx, member)
		switch {
		case member == id && err != nil:
			return nil, nil, err
		case member == id:
			g = locked
		default:
			if sibling, err = vcd.OrGone(locked, err); err != nil {
				return nil, nil, err
			}
		}
	}
	return g, sibling, nil
}

// mirrorRegion copies the region of a changed group to its sibling.
func (s *Service) mirrorRegion(ctx context.Context, tx Tx, g, sibling *vcd.Group) error {
	if sibling == nil || sibling.ScreenshotRegion == g.ScreenshotRegion {
		return nil
	}
	sibling.ScreenshotRegion, sibling.UpdatedAt = g.ScreenshotRegion, s.clock.Now()
	if err := tx.UpdateGroup(ctx, sibling); err != nil {
		return err
	}
	return tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventGroupUpdated, vcd.SubjectGroup, sibling.ID))
}

// Website is one of the actor's websites.
func (s *Service) Website(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Website, error) {
	return vcd.Read(ctx, s.store.Websites(), actor, func(ctx context.Context, tx WebsiteTx) (*vcd.Website, error) {
		return tx.Website(ctx, id)
	})
}

// UnmanagedWebsite is Website for a site's own plug-in, which does not know those that a tool manages.
func (s *Service) UnmanagedWebsite(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Website, error) {
	w, err := s.Website(ctx, actor, id)
	if err == nil && w.ManagedBy != nil {
		return nil, vcd.NotFound("Website", id)
	}
	return w, err
}

// Websites lists the actor's websites, newest first.
func (s *Service) Websites(ctx context.Context, actor vcd.Actor, f vcd.WebsiteFilter, p vcd.Page) (*vcd.List[*vcd.Website], error) {
	if f.Domain != nil {
		if domain := parseDomain(&vcd.Validation{}, f.Domain); domain != "" {
			f.Domain = &domain
		}
	}
	return vcd.Read(ctx, s.store.Websites(), actor, func(ctx context.Context, tx WebsiteTx) (*vcd.List[*vcd.Website],
		error) {
		return tx.Websites(ctx, f, p)
	})
}

// WebsitesByIDs looks several websites up at once; unknown ids are left out.
func (s *Service) WebsitesByIDs(ctx context.Context, actor vcd.Actor, ids []vcd.ID) ([]*vcd.Website, error) {
	return vcd.Read(ctx, s.store.Websites(), actor, func(ctx context.Context, tx WebsiteTx) ([]*vcd.Website, error) {
		return tx.WebsitesByIDs(ctx, ids)
	})
}
