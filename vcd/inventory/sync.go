package inventory

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"afterimage/vcd"
)

// Limits of synchronisations.
const (
	maxSyncURLs    = 10_000 // of one call
	maxSyncedURLs  = 50_000 // of one collection
	syncKeyDivider = "%%"
)

// SyncInput is what a site sends for a synchronisation: some of its URLs, by type and category.
type SyncInput struct {
	Domain     string
	Collection string // a UUID chosen by the site; several calls may add to it
	// URLs has keys "<type>%%<category>" and values that are lists of objects with url, html_title and new_url.
	URLs map[string]any
}

// CollectURLs stores URLs for a synchronisation until it is started. A URL that is sent again replaces the earlier one.
func (s *Service) CollectURLs(ctx context.Context, actor vcd.Actor, in SyncInput) (*vcd.URLImport, error) {
	v := &vcd.Validation{}
	domain := parseDomain(v, &in.Domain)
	id, ok := vcd.ParseID(in.Collection)
	v.Check(ok, "collectionUuid", "uuid", "The {field} field must be a valid UUID.")
	urls := parseSync(v, in.URLs)
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx vcd.Tx) (*vcd.URLImport, error) {
		if _, err := websiteOf(ctx, tx, domain); err != nil {
			return nil, err
		}
		i, _, err := tx.EnsureURLImport(ctx, s.newImport(actor, id, vcd.ImportSync, domain, vcd.ImportCollecting))
		if err != nil {
			return nil, err
		}
		if i.Kind != vcd.ImportSync || i.Domain != domain {
			return nil, vcd.Invalid("collectionUuid", "unique", "The {field} is in use by another domain.")
		}
		if i.State != vcd.ImportCollecting {
			return nil, vcd.Invalid("collectionUuid", "started",
				"The synchronisation of this {field} has already started; use another one.")
		}
		if i.Found, err = tx.CollectURLs(ctx, id, urls); err != nil {
			return nil, err
		}
		if i.Found > maxSyncedURLs {
			return nil, vcd.Invalid("urls", "max", fmt.Sprintf("A collection must not have more than %d {field}.", maxSyncedURLs))
		}
		i.UpdatedAt = s.clock.Now()
		return i, tx.UpdateURLImport(ctx, i)
	})
}

// websiteOf finds the website with a domain that no tool manages: its own plug-in synchronises it.
func websiteOf(ctx context.Context, tx vcd.Tx, domain string) (*vcd.Website, error) {
	list, err := tx.Websites(ctx, vcd.WebsiteFilter{Domain: &domain, Unmanaged: true}, vcd.Page{Size: 1})
	if err != nil {
		return nil, err
	}
	if len(list.Items) == 0 {
		return nil, vcd.Invalid("domain", "exists", "There is no website with this {field}.")
	}
	return list.Items[0], nil
}

// StartSync enqueues a job that assigns the collected URLs to the website and its groups. With deleteMissing, URLs from an
// earlier synchronisation that are absent from this one are removed. Starting a synchronisation twice has no further effect.
func (s *Service) StartSync(
	ctx context.Context, actor vcd.Actor, collection string, deleteMissing bool, rawDomain *string,
) (*vcd.URLImport, error) {
	v := &vcd.Validation{}
	id, ok := vcd.ParseID(collection)
	v.Check(ok, "collectionUuid", "uuid", "The {field} field must be a valid UUID.")
	var domain string
	if rawDomain != nil {
		domain = parseDomain(v, rawDomain)
	}
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx vcd.Tx) (*vcd.URLImport, error) {
		i, err := vcd.OrGone(tx.LockURLImport(ctx, id))
		if err != nil {
			return nil, err
		}
		if i == nil || i.Kind != vcd.ImportSync {
			return nil, vcd.Invalid("collectionUuid", "exists", "The selected {field} is invalid.")
		}
		if domain != "" && domain != i.Domain {
			return nil, vcd.Invalid("domain", "same", "The {field} does not match the collection.")
		}
		if i.State != vcd.ImportCollecting {
			return i, nil
		}
		i.State, i.DeleteMissing, i.UpdatedAt = vcd.ImportStarted, deleteMissing, s.clock.Now()
		if err := tx.UpdateURLImport(ctx, i); err != nil {
			return nil, err
		}
		return i, s.enqueueImport(ctx, tx, i)
	})
}

// RunSync performs a started synchronisation and completes the job, all in one commit.
func (s *Service) RunSync(ctx context.Context, actor vcd.Actor, id vcd.ID) error {
	return s.store.InTx(ctx, actor, func(ctx context.Context, tx vcd.Tx) error {
		i, err := vcd.LockStartedImport(ctx, tx, id)
		if i == nil {
			return err
		}
		w, err := websiteOf(ctx, tx, i.Domain)
		if err != nil && vcd.CodeOf(err) != vcd.CodeInvalid {
			return err
		}
		if w == nil {
			i.Problems = []string{"The website was deleted before the synchronisation ran."}
			return s.EndImport(ctx, tx, i, vcd.ImportFailed)
		}
		groups := map[vcd.ID]bool{}
		for _, group := range w.GroupIDs() {
			groups[group] = true
		}
		for _, group := range sortedIDs(groups) {
			if _, err := tx.LockGroup(ctx, group); err != nil {
				return err
			}
		}
		out, err := tx.SyncURLs(ctx, i, w, s.ids.NewID, s.clock.Now())
		if err != nil {
			return err
		}
		i.Added, i.Renamed, i.Removed = out.Added, out.Renamed, out.Removed
		for _, group := range sortedIDs(groups) {
			if err := tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventGroupUpdated, vcd.SubjectGroup, group)); err != nil {
				return err
			}
		}
		return s.EndImport(ctx, tx, i, vcd.ImportDone)
	})
}

// parseSync parses the URLs of a call in key order. Error texts name the position, since a key is not a field name.
func parseSync(v *vcd.Validation, byKey map[string]any) []vcd.ImportedURL {
	keys := make([]string, 0, len(byKey))
	for key := range byKey {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	place := map[string]int{} // index in urls by address: a URL sent twice counts once, in its last form
	var urls []vcd.ImportedURL
	for _, key := range keys {
		kind, category, ok := strings.Cut(key, syncKeyDivider)
		v.Check(ok && kind != "", "urls", "key", "The {field} field must have keys of the form type%%category.")
		v.Text("urls", kind, vcd.MaxNameLength)
		v.Text("urls", category, vcd.MaxNameLength)
		kind, category = vcd.Shown(kind), vcd.Shown(category)
		for n, raw := range itemsOf(byKey[key]) {
			if len(urls) >= maxSyncURLs {
				v.Add("urls", "max", fmt.Sprintf("A call must not have more than %d {field}.", maxSyncURLs))
				return nil
			}
			page, problem := parseSyncURL(raw)
			if problem != "" {
				v.Add("urls", "item", fmt.Sprintf("The {field} field is invalid at %.100q, item %d: %s.", key, n, problem))
				return nil
			}
			page.Type, page.Category = kind, category
			if at, known := place[page.Address]; known {
				urls[at] = page
				continue
			}
			place[page.Address] = len(urls)
			urls = append(urls, page)
		}
	}
	v.Check(len(urls) > 0, "urls", "required", "The {field} field is required.")
	return urls
}

// itemsOf returns the items of a list, which a form sends as an object with numeric keys.
func itemsOf(raw any) []any {
	object, isObject := raw.(map[string]any)
	if !isObject {
		list, _ := raw.([]any)
		return list
	}
	items := make([]any, 0, len(object))
	for n := range len(object) {
		item, ok := object[strconv.Itoa(n)]
		if !ok {
			return []any{raw} // not a list: rejected as an item
		}
		items = append(items, item)
	}
	return items
}

// parseSyncURL parses one URL; problem says what is wrong with it.
func parseSyncURL(raw any) (page vcd.ImportedURL, problem string) {
	object, ok := raw.(map[string]any)
	if !ok {
		return page, "not an object with a url"
	}
	text := func(names ...string) string {
		for _, name := range names {
			if value, ok := object[name].(string); ok {
				return value
			}
		}
		return ""
	}
	v := &vcd.Validation{}
	page.Scheme, page.Address = vcd.ParseAddress(v, "url", text("url"))
	page.HTMLTitle = text("html_title", "htmlTitle")
	v.Text("htmlTitle", page.HTMLTitle, vcd.MaxAddressLength)
	page.HTMLTitle = vcd.Shown(page.HTMLTitle)
	if renamed := text("new_url", "newUrl"); strings.TrimSpace(renamed) != "" {
		scheme, address := vcd.ParseAddress(v, "newUrl", renamed)
		if address != page.Address {
			page.NewScheme, page.NewAddress = &scheme, &address
		}
	}
	if problems := v.Problems(); len(problems) > 0 {
		return page, "an object whose " + problems[0].Path + " is not valid"
	}
	if runes := []rune(page.HTMLTitle); len(runes) > vcd.MaxNameLength {
		page.HTMLTitle = string(runes[:vcd.MaxNameLength])
	}
	return page, ""
}
