package vcdtest

import (
	"errors"
	"testing"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/outbound"
)

// Website creates a website from two groups.
func (w *World) Website(domain string, manual, auto *vcd.Group) *vcd.Website {
	w.T.Helper()
	made, err := w.Service.Inventory.CreateWebsite(w.T.Context(), w.Actor, inventory.WebsiteChange{
		Domain: vcd.Some(domain), ManualGroupID: vcd.Some(string(manual.ID)), AutoGroupID: vcd.Some(string(auto.ID)),
	})
	Must(w.T, err)
	return made
}

// Pair creates a website with two new groups.
func (w *World) Pair(domain string) (site *vcd.Website, manual, auto *vcd.Group) {
	w.T.Helper()
	manual, _ = w.Group("manual of "+domain, 0, inventory.GroupChange{})
	auto, _ = w.Group("auto of "+domain, 0, inventory.GroupChange{Monitoring: vcd.Some(true)})
	return w.Website(domain, manual, auto), manual, auto
}

// WantField checks that err is about this field only.
func WantField(t *testing.T, err error, path, rule string) {
	t.Helper()
	var e *vcd.Error
	if !errors.As(err, &e) || len(e.Fields) != 1 || e.Fields[0].Path != path || e.Fields[0].Rule != rule {
		t.Errorf("got %v, want the field %s to break the rule %s", err, path, rule)
	}
}

// Pages is what a site sends for one type and category.
func Pages(urls ...map[string]any) map[string]any {
	list := make([]any, len(urls))
	for i, u := range urls {
		list[i] = u
	}
	return map[string]any{"types%%Pages": list}
}

// SitePage is a page as it appears in a collection of URLs.
func SitePage(url, title string, renamed ...string) map[string]any {
	p := map[string]any{"url": url, "html_title": title}
	if len(renamed) > 0 {
		p["new_url"] = renamed[0]
	}
	return p
}

// Collect adds the URLs of a collection to a website and waits until the import ends.
func (w *World) Collect(domain string, collection vcd.ID, urls map[string]any) *vcd.URLImport {
	w.T.Helper()
	i, err := w.Service.Inventory.CollectURLs(w.T.Context(), w.Actor, inventory.SyncInput{Domain: domain,
		Collection: string(collection), URLs: urls})
	Must(w.T, err)
	return i
}

// Webhook registers a webhook.
func (w *World) Webhook(address string, event vcd.EventKind) *vcd.Webhook {
	w.T.Helper()
	made, err := w.Service.Outbound.CreateWebhook(w.T.Context(), w.Actor, outbound.WebhookChange{URL: vcd.Some(address),
		Event: vcd.Some(event)})
	Must(w.T, err)
	return made
}
