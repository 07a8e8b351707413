package graph_test

import "testing"

func TestAWebsiteFromEndToEnd(t *testing.T) {
	w := newWorld(t)
	manual, urls := w.group("manual", "shop.example.test/a")
	auto, _ := w.group("auto")
	in := vars{
		"domain": "https://Shop.example.test/", "manualDetectionGroupId": manual, "autoDetectionGroupId": auto,
		"syncUrlTypes": []vars{{"urlTypeSlug": "types"}}, "allowances": vars{"manual_checks": true},
		"autoUpdateSettings": vars{"autoUpdateChecksEnabled": true, "autoUpdateChecksSunday": false,
			"autoUpdateChecksEmails": []string{"a@example.com", "b@example.com"}},
	}
	a := w.must(`mutation ($in: CreateWebsiteInput!) { createWebsite(input: $in) { website { id domain managedBy allowances
		manualDetectionGroup { name website { domain } } autoDetectionGroup { name } syncUrlTypes { urlTypeSlug postTypeName }
		autoUpdateSettings { autoUpdateChecksEnabled autoUpdateChecksFrom autoUpdateChecksTo autoUpdateChecksMonday autoUpdateChecksSunday
			autoUpdateChecksEmails autoUpdateChecksEmailsText } } } }`, vars{"in": in})
	site := func(path ...any) any { return a.at(t, append([]any{"createWebsite", "website"}, path...)...) }
	want(t, "domain", site("domain"), "shop.example.test")
	want(t, "manual group", site("manualDetectionGroup", "name"), "manual")
	want(t, "its website", site("manualDetectionGroup", "website", "domain"), "shop.example.test")
	want(t, "auto group", site("autoDetectionGroup", "name"), "auto")
	want(t, "types", site("syncUrlTypes"), "[map[postTypeName: urlTypeSlug:types]]")
	want(t, "the site's flag", site("allowances", "manual_checks"), true)
	want(t, "a known flag", site("allowances", "wizard_start"), true)
	want(t, "managed by", site("managedBy"), nil)
	want(t, "settings", site("autoUpdateSettings"),
		"map[autoUpdateChecksEmails:[a@example.com b@example.com] autoUpdateChecksEmailsText:a@example.com,b@example.com "+
			"autoUpdateChecksEnabled:true autoUpdateChecksFrom:00:00 autoUpdateChecksMonday:true autoUpdateChecksSunday:false "+
			"autoUpdateChecksTo:23:59]")
	id := a.text(t, "createWebsite", "website", "id")
	a = w.must(`query ($id: ID!, $url: ID!) { node(id: $id) { ... on Website { domain } } url(id: $url) { website { id } }
		urls(filter: {websiteIds: [$id]}) { totalCount } websites(filter: {domain: "shop.example.test"}) { totalCount nodes { id }
			edges { cursor } } }`,
		vars{"id": id, "url": urls[0]})
	want(t, "node", a.at(t, "node", "domain"), "shop.example.test")
	want(t, "the URL's", a.at(t, "url", "website", "id"), id)
	want(t, "URLs", a.at(t, "urls", "totalCount"), 1)
	want(t, "list", a.at(t, "websites", "nodes", 0, "id"), id)
	a = w.must(`mutation ($id: ID!) { updateWebsite(id: $id, input: {autoUpdateSettings: null}) { website { autoUpdateSettings
		{ autoUpdateChecksFrom } } }
		deleteWebsite(id: $id) { deletedWebsiteId website { domain manualDetectionGroup { website { id } } } } }`, vars{"id": id})
	want(t, "forgotten settings", a.at(t, "updateWebsite", "website", "autoUpdateSettings"), nil)
	want(t, "deleted", a.at(t, "deleteWebsite", "deletedWebsiteId"), id)
	want(t, "the group's", a.at(t, "deleteWebsite", "website", "manualDetectionGroup", "website"), nil)
	if a := w.post(`query ($id: ID!) { website(id: $id) { id } }`, vars{"id": id}); a.code() != "NOT_FOUND" {
		t.Errorf("a deleted website: %s", a.body)
	}
}
