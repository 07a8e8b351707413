package inventory

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"afterimage/vcd"
)

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
