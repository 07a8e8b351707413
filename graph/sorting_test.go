package graph_test

import (
	"fmt"
	"testing"
)

func TestListsAreSortedAndSearched(t *testing.T) {
	w := newWorld(t)
	b, urls := w.group("Bakery", "shop.example.test/b", "shop.example.test/a")
	a, _ := w.group("apple")
	c, _ := w.group("Cherry")
	w.must(`mutation ($id: ID!) { updateGroup(id: $id, input: {enabled: false}) { group { id } } }`, vars{"id": c})
	w.must(`mutation ($m: ID!, $a: ID!) { createWebsite(input: {domain: "b.example.test", manualDetectionGroupId: $m,
		autoDetectionGroupId: $a}) { website { id } } }`, vars{"m": a, "a": b})
	website := w.must(`mutation ($m: ID!, $a: ID!) { createWebsite(input: {domain: "a.example.test", manualDetectionGroupId: $m,
		autoDetectionGroupId: $a}) { website { id } } }`, vars{"m": c, "a": w.groupAlone("dog")}).text(t, "createWebsite", "website", "id")
	w.must(`mutation ($id: ID!) { renameBatch(id: $id, name: "zebra") { batch { id } } }`, vars{"id": w.take("PRE", b)})
	w.must(`mutation ($id: ID!) { renameBatch(id: $id, name: "Yak") { batch { id } } }`, vars{"id": w.take("PRE", b)})
	w.check(w.missed(b))
	for query, expected := range map[string]string{
		`groups(page: 1, orderBy: NAME, orderDirection: ASC) { nodes { name } }`: "[map[name:apple] map[name:Bakery] map[name:Cherry]" +
			" map[name:dog]]",
		`groups(page: 2, perPage: 2, orderBy: NAME) { nodes { name } }`:                 "[map[name:Bakery] map[name:apple]]",
		`groups(orderBy: CREATED_AT, orderDirection: ASC, first: 2) { nodes { name } }`: "[map[name:Bakery] map[name:apple]]",
		`groups(filter: {search: "ER"}) { nodes { name } }`:                             "[map[name:Cherry] map[name:Bakery]]",
		`groups(filter: {enabled: false}) { nodes { name } }`:                           "[map[name:Cherry]]",
		`groups(filter: {missedRun: true}) { nodes { name } }`:                          "[map[name:Bakery]]",
		`groups(filter: {websiteIds: ["` + website + `"]}) { nodes { name } }`:          "[map[name:dog] map[name:Cherry]]",
		`urls(orderBy: ADDRESS, orderDirection: ASC) { nodes { href } }`: "[map[href:https://shop.example.test/a]" +
			" map[href:https://shop.example.test/b]]",
		`websites(orderBy: DOMAIN, orderDirection: ASC) { nodes { domain } }`: "[map[domain:a.example.test]" +
			" map[domain:b.example.test]]",
		`websites(filter: {search: "B.EX"}) { nodes { domain } }`:        "[map[domain:b.example.test]]",
		`batches(orderBy: NAME, orderDirection: ASC) { nodes { name } }`: "[map[name:Yak] map[name:zebra]]",
		`batches(filter: {search: "ZEB"}) { nodes { name } }`:            "[map[name:zebra]]",
	} {
		list := w.must("{ list: "+query+" }", nil)
		want(t, query, list.at(t, "list", "nodes"), expected)
	}
	if len(urls) != 2 {
		t.Fatal(urls)
	}
}

func (w *world) groupAlone(name string) string {
	id, _ := w.group(name)
	return id
}

// A cursor is a place in one list: with another filter or another order the next page would leave things out.
func TestCursorsOfOtherListsAreRefused(t *testing.T) {
	w := newWorld(t)
	for i := range 3 {
		w.group(fmt.Sprint("group ", i), fmt.Sprintf("shop.example.test/%d", i))
	}
	cursor := w.must(`{ groups(first: 1, filter: {search: "group"}) { pageInfo { endCursor } } }`, nil).
		text(t, "groups", "pageInfo", "endCursor")
	edge := w.must(`{ groups(last: 1, filter: {search: "group"}) { edges { cursor } } }`, nil).text(t, "groups", "edges", 0, "cursor")
	next := w.must(`query ($c: String, $s: String!) { groups(first: 2, after: $c, filter: {search: $s}) { nodes { name } } }`,
		vars{"c": cursor, "s": "group"})
	want(t, "the next page", next.at(t, "groups", "nodes"), "[map[name:group 1] map[name:group 0]]")
	w.must(`query ($c: String) { groups(last: 2, before: $c, filter: {search: "group"}) { nodes { name } } }`, vars{"c": edge})
	for _, other := range []string{
		`groups(first: 1, after: $c)`, `groups(first: 1, after: $c, filter: {search: "other"})`,
		`groups(first: 1, after: $c, filter: {search: "group"}, orderDirection: ASC)`,
		`urls(first: 1, after: $c, filter: {search: "group"})`, `comparisons(first: 1, after: $c)`,
		`websites(first: 1, after: $c)`, `batches(first: 1, after: $c)`, `screenshots(first: 1, after: $c)`,
	} {
		a := w.post(`query ($c: String) { `+other+` { nodes { id } } }`, vars{"c": cursor})
		if a.code() != "INVALID" || a.Errors[0].Extensions.Fields[0].Path != "after" {
			t.Errorf("%s: %s", other, a.body)
		}
	}
	for _, by := range []string{"groups(after: $c, orderBy: NAME, filter: {search: \"group\"})", "urls(after: $c, orderBy: TITLE)"} {
		if a := w.post(`query ($c: String) { `+by+` { nodes { id } } }`, vars{"c": cursor}); a.code() != "INVALID" {
			t.Errorf("%s: %s", by, a.body)
		}
	}
}
