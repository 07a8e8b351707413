package run

import (
	"context"
	"strings"
	"time"

	"afterimage/vcd"
)

// Limits of triggers.
const (
	maxTriggeredURLs   = 50
	maxTriggeredTitle  = 255
	maxTriggeredEditor = 100
)

// maxTriggerWait is the longest time that extensions postpone a run, counted from its first save.
const maxTriggerWait = time.Hour

// ReasonTriggerNotEnabled is the machine-readable reason that a group does not run when its pages are saved.
const ReasonTriggerNotEnabled = "trigger_not_enabled"

// TriggeredURL is a page as a site reports it.
type TriggeredURL struct {
	URL    string
	Title  *string
	PostID *int
}

// reported are reported pages, by lookup address.
type reported struct {
	addresses []string // distinct
	pages     map[string]vcd.TriggeredPage
	full      map[string]string // the full address, which may end with a slash
}

// parseReported checks reported pages; for duplicates, the last one counts.
func parseReported(v *vcd.Validation, urls []TriggeredURL, editor *string, now time.Time) reported {
	r := reported{pages: map[string]vcd.TriggeredPage{}, full: map[string]string{}}
	v.Check(len(urls) <= maxTriggeredURLs, "urls", "max", "The {field} field must not have more than 50 items.")
	v.OptionalText("editor", editor, maxTriggeredEditor)
	editor = vcd.ShownOptional(editor)
	if len(v.Problems()) > 0 {
		return r
	}
	for i, u := range urls {
		_, full := vcd.ParseAddress(v, vcd.Indexed("urls", i, "url"), u.URL)
		v.OptionalText(vcd.Indexed("urls", i, "title"), u.Title, maxTriggeredTitle)
		u.Title = vcd.ShownOptional(u.Title)
		if u.PostID != nil {
			v.NotNegative(vcd.Indexed("urls", i, "postId"), *u.PostID)
		}
		address := strings.TrimSuffix(full, "/")
		if _, twice := r.pages[address]; !twice {
			r.addresses = append(r.addresses, address)
		}
		r.full[address] = full
		r.pages[address] = vcd.TriggeredPage{
			Address: address, URL: strings.TrimSpace(u.URL), TriggeredAt: now, Title: u.Title, PostID: u.PostID, Editor: editor,
		}
	}
	return r
}

// within keeps the pages that the group captures. If it has an address both with and without a trailing slash, the reported
// form is used.
func (r reported) within(ctx context.Context, tx Tx, group vcd.ID) ([]vcd.TriggeredPage, error) {
	if len(r.addresses) == 0 {
		return nil, nil
	}
	list, err := tx.Selections(ctx, vcd.SelectionFilter{GroupID: group, Addresses: &r.addresses}, vcd.Page{Size: 2 * len(r.addresses)})
	if err != nil {
		return nil, err
	}
	found := make(map[string]vcd.ID, len(list.Items))
	for _, sel := range list.Items {
		address := strings.TrimSuffix(sel.URL.Address, "/")
		if _, other := found[address]; len(sel.Devices()) > 0 && (!other || sel.URL.Address == r.full[address]) {
			found[address] = sel.URLID
		}
	}
	pages := []vcd.TriggeredPage{}
	for _, address := range r.addresses {
		if id, ok := found[address]; ok {
			page := r.pages[address]
			page.URLID = id
			pages = append(pages, page)
		}
	}
	return pages, nil
}
