package graph_test

import "testing"

const editURLs = `mutation ($g: ID!, $f: SelectionFilter, $e: UrlsEdit!, $limit: Int! = 10000) {
	editUrlsOfGroup(groupId: $g, filter: $f, edit: $e, limit: $limit) {
		matchedCount changedIds removed { id desktop mobile css js threshold } group { urlsCount selectedChecksCount }
	}
}`

func TestURLsAreTaggedFoundAndEditedByTag(t *testing.T) {
	w := newWorld(t)
	group, urls := w.group("shop", "shop.example.test/a", "shop.example.test/b", "shop.example.test/c")
	a := w.must(editURLs, vars{"g": group, "f": vars{"search": "/a"}, "e": vars{"addTags": []string{"Smoke"}}})
	want(t, "tagged", a.at(t, "editUrlsOfGroup", "changedIds"), "["+urls[0]+"]")
	w.must(`mutation ($ids: [ID!]!) { tagUrls(ids: $ids, add: ["Blog"]) { changedIds } }`, vars{"ids": urls[:2]})
	a = w.must(`query ($g: ID!) { tags { name urlsCount } urls(filter: {tags: ["blog"]}) { totalCount nodes { tags } }
		group(id: $g) { urls(filter: {tags: ["smoke", "unknown"]}, orderBy: TAG, orderDirection: ASC) { nodes { tags lastChangedAt } } } }`,
		vars{"g": group})
	want(t, "tags", a.at(t, "tags"), "[map[name:Blog urlsCount:2] map[name:Smoke urlsCount:1]]")
	want(t, "URLs", a.at(t, "urls"), "map[nodes:[map[tags:[Blog]] map[tags:[Blog Smoke]]] totalCount:2]")
	want(t, "of the group", a.at(t, "group", "urls", "nodes"), "[map[lastChangedAt:<nil> tags:[Blog Smoke]]]")

	a = w.must(editURLs, vars{"g": group, "f": vars{"tags": []string{"blog"}}, "e": vars{"mobile": false}})
	want(t, "switched", a.at(t, "editUrlsOfGroup", "matchedCount"), 2)
	want(t, "group", a.at(t, "editUrlsOfGroup", "group"), "map[selectedChecksCount:4 urlsCount:3]")
	a = w.must(editURLs, vars{"g": group, "f": vars{"exceptUrlIds": urls[1:]}, "e": vars{"remove": "FROM_GROUP"}})
	removed := a.at(t, "editUrlsOfGroup", "removed")
	want(t, "removed", removed, "[map[css:<nil> desktop:true id:"+urls[0]+" js:<nil> mobile:false threshold:<nil>]]")
	a = w.must(`mutation ($g: ID!, $urls: [GroupUrlInput!]!) { 
		addUrlsToGroup(groupId: $g, urls: $urls) { group { selectedChecksCount } } }`, vars{"g": group, "urls": removed})
	want(t, "put back", a.at(t, "addUrlsToGroup", "group", "selectedChecksCount"), 4)

	for name, bad := range map[string]vars{
		"limit":      {"g": group, "e": vars{"desktop": false}, "limit": 2},
		"nothing":    {"g": group, "e": vars{}},
		"a bad tag":  {"g": group, "e": vars{"addTags": []string{"a,b"}}},
		"a bad text": {"g": group, "f": vars{"search": "\x00"}, "e": vars{"desktop": false}},
	} {
		if a := w.post(editURLs, bad); a.code() != "INVALID" {
			t.Errorf("%s: %s", name, a.body)
		}
	}
	a = w.must(`mutation { renameTag(name: "BLOG", newName: "News") { name } deleteTag(name: "smoke") { deletedTag } }`, nil)
	want(t, "renamed", a.at(t, "renameTag", "name"), "News")
	want(t, "left", w.must(`{ tags { name urlsCount } }`, nil).at(t, "tags"), "[map[name:News urlsCount:2]]")
	w.must(editURLs, vars{"g": group, "e": vars{"remove": "ENTIRELY"}})
	want(t, "deleted", w.must(`{ urls { totalCount } }`, nil).at(t, "urls", "totalCount"), 0)
}
