package graph_test

import (
	"testing"

	"afterimage/vcd"
)

func TestASynchronisationFromEndToEnd(t *testing.T) {
	w := newWorld(t)
	manual, _ := w.group("manual")
	auto, _ := w.group("auto")
	w.must(`mutation ($in: CreateWebsiteInput!) { createWebsite(input: $in) { website { id } } }`,
		vars{"in": vars{"domain": "shop.example.test", "manualDetectionGroupId": manual, "autoDetectionGroupId": auto}})
	id := "0190a1b2-0000-7000-8000-0000000000aa"
	in := vars{"domain": "shop.example.test", "collectionUuid": id, "urls": vars{
		"types%%Pages": []vars{{"url": "shop.example.test/a", "html_title": "A"}}, "types%%Posts": []vars{{"url": "shop.example.test/b"}},
	}}
	a := w.must(`mutation ($in: SyncUrlsInput!) { syncUrls(input: $in) { urlImport { id kind state urlsCount } } }`, vars{"in": in})
	want(t, "collected", a.at(t, "syncUrls", "urlImport"), "map[id:"+id+" kind:SYNC state:COLLECTING urlsCount:2]")
	a = w.must(`mutation ($id: ID!) { startSync(input: {collectionUuid: $id}) { urlImport { state deleteMissingUrls } } }`, vars{"id": id})
	want(t, "started", a.at(t, "startSync", "urlImport"), "map[deleteMissingUrls:false state:STARTED]")
	w.check(w.use.Inventory.RunSync(t.Context(), w.actor, vcd.ID(id)))
	a = w.must(`query ($id: ID!, $g: ID!) { node(id: $id) { ... on UrlImport { state addedCount renamedCount removedCount problems } }
		groupUrls(groupId: $g) { nodes { address type category } } urlImports(filter: {kinds: [SYNC], states: [DONE]}) { totalCount } }`,
		vars{"id": id, "g": auto})
	want(t, "done", a.at(t, "node"), "map[addedCount:2 problems:[] removedCount:0 renamedCount:0 state:DONE]")
	want(t, "in the group", a.at(t, "groupUrls", "nodes", 0, "type"), "types")
	want(t, "in the list", a.at(t, "urlImports", "totalCount"), 1)
	a = w.must(`mutation { addUrlsFromSitemap(domain: "shop.example.test") { urlImport { kind state domain } } }`, nil)
	want(t, "sitemap", a.at(t, "addUrlsFromSitemap", "urlImport"), "map[domain:shop.example.test kind:SITEMAP state:STARTED]")
}
