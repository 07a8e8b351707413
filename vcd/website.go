package vcd

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
)

// Limits of websites.
const (
	maxSyncURLTypes = 200
	maxAllowances   = 100
	maxFlagName     = 100
)

// Website is a site with the two groups that watch it. The groups are each other's siblings: a change of the region of
// one is mirrored to the other.
type Website struct {
	ID, Account   ID
	Domain        string // host[:port][/path]
	ManualGroupID *ID    // the group of manual checks; nil once it was deleted
	AutoGroupID   *ID    // the group of monitoring; nil once it was deleted
	SyncURLTypes  []SyncURLType
	AutoUpdate    *AutoUpdateSettings // nil before it was ever set
	Allowances    map[string]bool     // what the site's own users may do, in the site's own words
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// GroupIDs are the website's groups that still exist.
func (w *Website) GroupIDs() []ID {
	var groups []ID
	for _, id := range []*ID{w.ManualGroupID, w.AutoGroupID} {
		if id != nil {
			groups = append(groups, *id)
		}
	}
	return groups
}

// SyncURLType is a kind of pages that a site sends with its synchronisation.
type SyncURLType struct {
	URLTypeSlug  string `json:"url_type_slug"`
	URLTypeName  string `json:"url_type_name"`
	PostTypeSlug string `json:"post_type_slug"`
	PostTypeName string `json:"post_type_name"`
}

// WebsiteFilter narrows a list of websites; nil fields do not narrow.
type WebsiteFilter struct {
	IDs    *[]ID
	Domain *string // exactly, in whatever spelling
}

// WebsiteStore keeps websites.
type WebsiteStore interface {
	Website(ctx context.Context, id ID) (*Website, error)
	LockWebsite(ctx context.Context, id ID) (*Website, error)
	Websites(ctx context.Context, f WebsiteFilter, p Page) (*List[*Website], error)
	WebsitesByIDs(ctx context.Context, ids []ID) ([]*Website, error)
	// WebsitesOfGroups finds the websites that the groups belong to, by group; groups without one are left out.
	WebsitesOfGroups(ctx context.Context, groups []ID) (map[ID]*Website, error)
	// InsertWebsite and UpdateWebsite write its groups too. A domain that the account has already is CodeInvalid on
	// "domain".
	InsertWebsite(ctx context.Context, w *Website) error
	UpdateWebsite(ctx context.Context, w *Website) error
	// DeleteWebsite removes the website, for which no feedback rule may be any more. Its groups and URLs stay.
	DeleteWebsite(ctx context.Context, id ID) error
}

// WebsiteChange holds a website's fields as a client sends them, for create and update alike.
type WebsiteChange struct {
	Domain        Optional[string]
	ManualGroupID Optional[string]
	AutoGroupID   Optional[string]
	SyncURLTypes  Optional[[]SyncURLType]
	AutoUpdate    Optional[AutoUpdateChange] // null forgets the settings
	Allowances    Optional[map[string]any]   // booleans in any form
}

// websiteValues are what a valid change says.
type websiteValues struct {
	domain     string
	manual     *ID
	auto       *ID
	allowances map[string]bool
}

func (in WebsiteChange) validate(creating bool) (websiteValues, error) {
	v := &validation{}
	var out websiteValues
	if in.Domain.Set || creating {
		out.domain = parseDomain(v, in.Domain.Value)
	}
	out.manual = in.group(v, "manualDetectionGroupId", in.ManualGroupID, creating)
	out.auto = in.group(v, "autoDetectionGroupId", in.AutoGroupID, creating)
	if types := in.SyncURLTypes.Value; types != nil {
		v.check(len(*types) <= maxSyncURLTypes, "syncUrlTypes", "max", "The {field} field must not have more than 200 items.")
		for i, t := range *types {
			v.text(indexed("syncUrlTypes", i, "urlTypeSlug"), t.URLTypeSlug, maxNameLength)
			v.text(indexed("syncUrlTypes", i, "urlTypeName"), t.URLTypeName, maxNameLength)
			v.text(indexed("syncUrlTypes", i, "postTypeSlug"), t.PostTypeSlug, maxNameLength)
			v.text(indexed("syncUrlTypes", i, "postTypeName"), t.PostTypeName, maxNameLength)
		}
	}
	if change := in.AutoUpdate.Value; change != nil {
		change.validate(v)
	}
	if flags := in.Allowances.Value; flags != nil {
		out.allowances = parseAllowances(v, *flags)
	}
	return out, v.err()
}

// group reads the id of one of the two groups. Both are needed to make a website and cannot be taken away again.
func (in WebsiteChange) group(v *validation, path string, given Optional[string], creating bool) *ID {
	switch {
	case given.Value != nil:
		id, ok := ParseID(*given.Value)
		v.check(ok, path, "uuid", "The {field} field must be a valid UUID.")
		return &id
	case creating || given.Set:
		v.add(path, "required", "The {field} field is required.")
	}
	return nil
}

// parseDomain reads host[:port][/path] in any spelling, with or without a scheme.
func parseDomain(v *validation, raw *string) string {
	const path = "domain"
	if raw == nil {
		v.add(path, "required", "The {field} field is required.")
		return ""
	}
	before := len(v.problems())
	_, domain := parseAddress(v, path, *raw)
	if len(v.problems()) > before {
		return ""
	}
	v.check(!strings.Contains(domain, "?"), path, "domain", "The {field} field must be a host with an optional port and path.")
	domain = strings.TrimRight(domain, "/")
	v.text(path, domain, maxNameLength)
	return domain
}

// parseAllowances reads flags, whose values are booleans in any form.
func parseAllowances(v *validation, flags map[string]any) map[string]bool {
	v.check(len(flags) <= maxAllowances, "allowances", "max", "The {field} field must not have more than 100 items.")
	out := make(map[string]bool, len(flags))
	for name, raw := range flags {
		if len(out) >= maxAllowances {
			break
		}
		on, ok := parseFlag(raw)
		v.check(ok, "allowances", "boolean", "The {field} field must hold nothing but true or false.")
		v.required("allowances", name, maxFlagName)
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

func (in WebsiteChange) apply(w *Website, values websiteValues) {
	if values.domain != "" {
		w.Domain = values.domain
	}
	if values.manual != nil {
		w.ManualGroupID = values.manual
	}
	if values.auto != nil {
		w.AutoGroupID = values.auto
	}
	assignList(&w.SyncURLTypes, in.SyncURLTypes)
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

// CreateWebsite makes a website out of a domain and two groups.
func (s *Service) CreateWebsite(ctx context.Context, actor Actor, in WebsiteChange) (*Website, error) {
	values, err := in.validate(true)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Website, error) {
		now := s.Clock.Now()
		w := &Website{ID: s.IDs.NewID(), Account: actor.Account, CreatedAt: now, UpdatedAt: now}
		in.apply(w, values)
		if err := claimGroups(ctx, tx, w, values); err != nil {
			return nil, err
		}
		if err := tx.InsertWebsite(ctx, w); err != nil {
			return nil, err
		}
		return w, tx.AppendEvents(ctx, s.event(EventWebsiteCreated, SubjectWebsite, w.ID))
	})
}

// UpdateWebsite changes the given fields and leaves the others.
func (s *Service) UpdateWebsite(ctx context.Context, actor Actor, id ID, in WebsiteChange) (*Website, error) {
	values, err := in.validate(false)
	if err != nil {
		return nil, err
	}
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Website, error) {
		w, err := tx.LockWebsite(ctx, id)
		if err != nil {
			return nil, err
		}
		in.apply(w, values)
		if err := claimGroups(ctx, tx, w, values); err != nil {
			return nil, err
		}
		w.UpdatedAt = s.Clock.Now()
		if err := tx.UpdateWebsite(ctx, w); err != nil {
			return nil, err
		}
		return w, tx.AppendEvents(ctx, s.event(EventWebsiteUpdated, SubjectWebsite, w.ID))
	})
}

// claimGroups makes sure that the groups newly named exist, are two, and belong to no other website. They are locked, so
// that this stays true until the website is stored.
func claimGroups(ctx context.Context, tx Tx, w *Website, values websiteValues) error {
	named := map[ID]string{}
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
		return Invalid("autoDetectionGroupId", "different", "The {field} and the manual detection group must be different.")
	}
	ids := sortedIDs(named)
	v := &validation{}
	for _, id := range ids {
		g, err := orGone(tx.LockGroup(ctx, id))
		if err != nil {
			return err
		}
		v.check(g != nil, named[id], "exists", "The selected {field} is invalid.")
	}
	taken, err := tx.WebsitesOfGroups(ctx, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		other := taken[id]
		v.check(other == nil || other.ID == w.ID, named[id], "unique", "The {field} belongs to another website.")
	}
	return v.err()
}

// sortedIDs are the keys in the order in which their rows are locked everywhere.
func sortedIDs[T any](byID map[ID]T) []ID {
	ids := make([]ID, 0, len(byID))
	for id := range byID {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, cmp.Compare[ID])
	return ids
}

// DeleteWebsite removes a website and returns it as it was. Its groups and URLs stay, and feedback rules for it hold for
// the groups they were made in.
func (s *Service) DeleteWebsite(ctx context.Context, actor Actor, id ID) (*Website, error) {
	return write(ctx, s, actor, func(ctx context.Context, tx Tx) (*Website, error) {
		w, err := tx.LockWebsite(ctx, id)
		if err != nil {
			return nil, err
		}
		narrowed, err := s.narrowFeedbackRules(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		if err := tx.DeleteWebsite(ctx, id); err != nil {
			return nil, err
		}
		return w, tx.AppendEvents(ctx, append(narrowed, s.event(EventWebsiteDeleted, SubjectWebsite, id))...)
	})
}

// lockWithSibling locks a group together with the other group of its website, in the order in which everybody does. The
// sibling is nil when there is none.
func lockWithSibling(ctx context.Context, tx Tx, id ID) (g, sibling *Group, err error) {
	websites, err := tx.WebsitesOfGroups(ctx, []ID{id})
	if err != nil {
		return nil, nil, err
	}
	pair := map[ID]bool{id: true}
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
			if sibling, err = orGone(locked, err); err != nil {
				return nil, nil, err
			}
		}
	}
	return g, sibling, nil
}

// mirrorRegion gives the sibling of a changed group its region.
func (s *Service) mirrorRegion(ctx context.Context, tx Tx, g, sibling *Group) error {
	if sibling == nil || sibling.ScreenshotRegion == g.ScreenshotRegion {
		return nil
	}
	sibling.ScreenshotRegion, sibling.UpdatedAt = g.ScreenshotRegion, s.Clock.Now()
	if err := tx.UpdateGroup(ctx, sibling); err != nil {
		return err
	}
	return tx.AppendEvents(ctx, s.event(EventGroupUpdated, SubjectGroup, sibling.ID))
}

// Website is one of the actor's websites.
func (s *Service) Website(ctx context.Context, actor Actor, id ID) (*Website, error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*Website, error) { return tx.Website(ctx, id) })
}

// Websites lists the actor's websites, newest first.
func (s *Service) Websites(ctx context.Context, actor Actor, f WebsiteFilter, p Page) (*List[*Website], error) {
	if f.Domain != nil {
		if domain := parseDomain(&validation{}, f.Domain); domain != "" {
			f.Domain = &domain
		}
	}
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) (*List[*Website], error) { return tx.Websites(ctx, f, p) })
}

// WebsitesByIDs looks several websites up at once; unknown ids are left out.
func (s *Service) WebsitesByIDs(ctx context.Context, actor Actor, ids []ID) ([]*Website, error) {
	return read(ctx, s, actor, func(ctx context.Context, tx Tx) ([]*Website, error) { return tx.WebsitesByIDs(ctx, ids) })
}
