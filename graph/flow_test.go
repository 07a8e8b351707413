package graph_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func want(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// The main flow: pre, a change, post, comparisons, all of it seen through the interface.
func TestTheMainFlow(t *testing.T) {
	w := newWorld(t)
	w.features(false, false)
	group, urls := w.group("shop", "https://shop.example.test/", "shop.example.test/cart")
	w.work(w.take("PRE", group), "before", 0)
	post := w.take("POST", group)
	w.work(post, "after", 1.5)

	a := w.must(`query ($id: ID!) { batch(id: $id) {
		id name source groupNames finishedAt scVersion websiteDomains triggerContext { type } aiSummary { summary }
			updateResults { timestamp }
		comparisonsCount { ok new falsePositive toFix aboveThreshold } queuesCount { open processing done failed total }
		browserConsoleCount { added } groups { id name }
		queueEntries(filter: {types: [COMPARE]}) { totalCount nodes { scType status device imageLink urlLink htmlTitle group { name } } }
		comparisons(first: 2) { totalCount aboveThresholdCount pageInfo { hasNextPage hasPreviousPage endCursor }
			edges { cursor node { status differencePercent threshold link beforeLink afterLink publicLink address device
				changedRegions { x y width height pixels } acrossVersions before { id scType width link browserConsole { text location
					{ url } }
					manifest { engine fonts region proxy { type country } viewport { width } stages { stage milliseconds }
						timedOut failedRequests { status error } unstable { x } receivedBytes
						cssSelectors { selector elements } } } after { scType }
				url { id domain groups { name } } group { name } batch { id } queueEntry { status } batchSource groupName aiRegions { id }
				aiVerificationStatus browserConsoleChange createdAt } } }
		} }`, vars{"id": post})
	want(t, "source", a.at(t, "batch", "source"), "MANUAL")
	want(t, "group names", a.at(t, "batch", "groupNames"), "[shop]")
	want(t, "groups", a.at(t, "batch", "groups", 0, "id"), group)
	want(t, "comparisons", a.at(t, "batch", "comparisonsCount"), "map[aboveThreshold:4 falsePositive:0 new:4 ok:0 toFix:0]")
	want(t, "entries", a.at(t, "batch", "queuesCount"), "map[done:8 failed:0 open:0 processing:0 total:8]")
	want(t, "AI summary", a.at(t, "batch", "aiSummary"), nil)
	want(t, "compare entries", a.at(t, "batch", "queueEntries", "totalCount"), 4)
	want(t, "total", a.at(t, "batch", "comparisons", "totalCount"), 4)
	want(t, "above", a.at(t, "batch", "comparisons", "aboveThresholdCount"), 4)
	want(t, "next page", a.at(t, "batch", "comparisons", "pageInfo", "hasNextPage"), true)
	first := func(path ...any) any {
		return a.at(t, append([]any{"batch", "comparisons", "edges", 0, "node"}, path...)...)
	}
	want(t, "status", first("status"), "NEW")
	want(t, "percent", first("differencePercent"), 1.5)
	want(t, "region", first("changedRegions", 0), "map[height:6 pixels:24 width:4 x:2 y:3]")
	want(t, "before", first("before", "scType"), "PRE")
	want(t, "after", first("after", "scType"), "POST")
	want(t, "versions", first("acrossVersions"), false)
	want(t, "manifest", first("before", "manifest"),
		"map[cssSelectors:[map[elements:0 selector:.ad]] engine:E/1 failedRequests:[map[error:<nil> status:404]] fonts:f0 "+
			"proxy:<nil> receivedBytes:0 "+
			"region:<nil> stages:[map[milliseconds:2 stage:goto]] timedOut:[] unstable:[] viewport:map[width:1440]]")
	want(t, "console", first("before", "browserConsole", 0, "location", "url"), "https://example.test/a.js")
	want(t, "group of the URL", first("url", "groups", 0, "name"), "shop")
	want(t, "created", first("createdAt"), w.clock.Now().Format(time.RFC3339Nano))
	want(t, "AI", first("aiRegions"), nil)
	for _, field := range []string{"link", "beforeLink", "afterLink"} {
		if link, _ := first(field).(string); !strings.HasPrefix(link, w.url+"/images/") || !strings.HasSuffix(link, ".png") {
			t.Errorf("%s: %q", field, link)
		}
	}
	if link, _ := first("publicLink").(string); !strings.HasPrefix(link, w.url+"/c/") {
		t.Errorf("public link %q", link)
	}
	_ = urls
}

func TestEqualPicturesLinkThePictureAfter(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("still", "still.example.test")
	w.work(w.take("PRE", group), "same", 0)
	w.work(w.take("POST", group), "same", 0)
	a := w.must(`{ comparisons { nodes { status link afterLink previewLink aboveThreshold } } }`, nil)
	node := a.at(t, "comparisons", "nodes", 0).(map[string]any)
	want(t, "status", node["status"], "OK")
	want(t, "link", node["link"], node["afterLink"])
	if preview, _ := node["previewLink"].(string); !strings.HasSuffix(preview, "_compressed.jpeg") {
		t.Errorf("preview %q", preview)
	}
}

func TestReviewingAComparison(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("review", "review.example.test")
	w.work(w.take("PRE", group), "before", 0)
	post := w.take("POST", group)
	w.work(post, "after", 3)
	node := w.must(`{ comparisons(first: 1) { nodes { id token } } }`, nil).at(t, "comparisons", "nodes", 0).(map[string]any)
	const set = `mutation ($id: ID!, $s: ComparisonStatus!) { setComparisonStatus(id: $id, status: $s) { comparison { status } } }`
	w.must(set, vars{"id": node["id"], "s": "FALSE_POSITIVE"})
	for name, argument := range map[string]vars{
		"id": {"id": node["id"]}, "token": {"token": node["token"]}, "id as a token": {"token": node["id"]},
	} {
		a := w.must(`query ($id: ID, $token: String) { comparison(id: $id, token: $token) { status } }`, argument)
		want(t, name, a.at(t, "comparison", "status"), "FALSE_POSITIVE")
	}
	const renew = `mutation ($id: ID!) { renewPublicLink(id: $id) { comparison { token publicLink } } }`
	renewed := w.must(renew, vars{"id": node["id"]}).at(t, "renewPublicLink", "comparison").(map[string]any)
	want(t, "link", renewed["publicLink"], w.url+"/c/"+renewed["token"].(string))
	if renewed["token"] == node["token"] {
		t.Error("the link stayed the same")
	}
	if a := w.post(set, vars{"id": node["id"], "s": "NEW"}); a.code() != "INVALID" || a.Errors[0].Extensions.Fields[0].Path != "status" {
		t.Errorf("a verdict of NEW: %s", a.body)
	}
	if a := w.post(`{ comparison { id } }`, nil); a.code() != "INVALID" {
		t.Errorf("neither id nor token: %s", a.body)
	}
}

func TestPagesOfAList(t *testing.T) {
	w := newWorld(t)
	var names []string
	for i := range 5 {
		w.clock.Advance(time.Second)
		w.group(fmt.Sprint("g", i))
		names = append([]string{fmt.Sprint("g", i)}, names...) // newest first
	}
	const list = `query ($first: Int, $after: String, $last: Int, $before: String, $page: Int, $perPage: Int) {
		groups(first: $first, after: $after, last: $last, before: $before, page: $page, perPage: $perPage) {
			nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }`
	page := func(v vars) (string, map[string]any) {
		t.Helper()
		a := w.must(list, v)
		want(t, "total", a.at(t, "groups", "totalCount"), 5)
		var got []string
		for _, n := range a.at(t, "groups", "nodes").([]any) {
			got = append(got, n.(map[string]any)["name"].(string))
		}
		return strings.Join(got, " "), a.at(t, "groups", "pageInfo").(map[string]any)
	}
	got, info := page(vars{"first": 2})
	want(t, "first two", got, strings.Join(names[:2], " "))
	want(t, "more", info["hasNextPage"], true)
	got, info = page(vars{"first": 2, "after": info["endCursor"]})
	want(t, "next two", got, strings.Join(names[2:4], " "))
	got, back := page(vars{"last": 2, "before": info["startCursor"]})
	want(t, "back again", got, strings.Join(names[:2], " "))
	want(t, "nothing before", back["hasPreviousPage"], false)
	got, info = page(vars{"page": 3, "perPage": 2})
	want(t, "page 3", got, names[4])
	want(t, "no page after", info["hasNextPage"], false)
	got, _ = page(vars{"page": 9, "perPage": 2})
	want(t, "beyond the end", got, "")
	for name, v := range map[string]vars{
		"first of none": {"first": 0}, "first and last": {"first": 1, "last": 1}, "bad cursor": {"after": "x"}, "page 0": {"page": 0},
		"page and cursor": {"page": 1, "after": info["startCursor"]},
	} {
		if a := w.post(list, v); a.code() != "INVALID" || len(a.Errors[0].Extensions.Fields) == 0 {
			t.Errorf("%s: %s", name, a.body)
		}
	}
}

func TestFilters(t *testing.T) {
	w := newWorld(t)
	group, urls := w.group("filtered", "one.example.test/a", "two.example.test/b")
	w.group("empty")
	w.work(w.take("PRE", group), "before", 0)
	count := func(query string, v vars) any {
		t.Helper()
		a := w.must(query, v)
		for _, list := range a.Data {
			return list.(map[string]any)["totalCount"]
		}
		return nil
	}
	today := w.clock.Now().Format(time.DateOnly)
	for name, c := range map[string]struct {
		query string
		vars  vars
		count int
	}{
		"groups by id":                {`query ($i: [ID!]) { groups(filter: {ids: $i}) { totalCount } }`, vars{"i": []string{group}}, 1},
		"no filter":                   {`query ($i: [ID!]) { groups(filter: {ids: $i}) { totalCount } }`, nil, 2},
		"null is no filter":           {`query ($i: [ID!]) { groups(filter: {ids: $i}) { totalCount } }`, vars{"i": nil}, 2},
		"malformed ids match nothing": {`query ($i: [ID!]) { groups(filter: {ids: $i}) { totalCount } }`, vars{"i": []string{"x"}}, 0},
		"malformed among good": {`query ($i: [ID!]) { groups(filter: {ids: $i}) { totalCount } }`,
			vars{"i": []string{"x", group}}, 1},
		"no ids match nothing": {`query ($i: [ID!]) { groups(filter: {ids: $i}) { totalCount } }`, vars{"i": []string{}}, 0},
		"manual groups":        {`{ groups(filter: {monitoring: false}) { totalCount } }`, nil, 2},
		"search":               {`{ urls(filter: {search: "two."}) { totalCount } }`, nil, 1},
		"URLs of a group":      {`query ($i: [ID!]) { urls(filter: {groupIds: $i}) { totalCount } }`, vars{"i": []string{group}}, 2},
		"URLs of websites": {`query ($i: [ID!]) { urls(filter: {websiteIds: $i}) { totalCount } }`,
			vars{"i": []string{group}}, 0},
		"exact address": {`query ($g: ID!) { groupUrls(groupId: $g, filter: {url: "https://one.example.test/a/"}) { ` +
			`totalCount } }`, vars{"g": group}, 1},
		"URLs by id in a group": {`query ($g: ID!, $u: [ID!]) { groupUrls(groupId: $g, filter: {urlIds: $u}) { totalCount } }`,
			vars{"g": group, "u": urls[:1]}, 1},
		"entries by state":         {`{ queueEntries(filter: {statuses: [DONE], types: [PRE]}) { totalCount } }`, nil, 4},
		"entries of another state": {`{ queueEntries(filter: {statuses: [OPEN, PROCESSING]}) { totalCount } }`, nil, 0},
		"screenshots of a device":  {`{ screenshots(filter: {devices: [MOBILE]}) { totalCount } }`, nil, 2},
		"batches until today":      {`query ($d: Date) { batches(filter: {to: $d}) { totalCount } }`, vars{"d": today}, 1},
		"batches until yesterday":  {`{ batches(filter: {to: "2026-02-28"}) { totalCount } }`, nil, 0},
		"batches from today":       {`query ($d: Date) { batches(filter: {from: $d}) { totalCount } }`, vars{"d": today}, 1},
		"batches from a moment": {`{ batches(filter: {from: "2026-03-01T12:00:00Z", to: "2026-03-01T13:00:00Z"}) { totalCount } }`,
			nil, 1},
		"batches of a source": {`{ batches(filter: {sources: [MONITORING]}) { totalCount } }`, nil, 0},
	} {
		want(t, name, count(c.query, c.vars), c.count)
	}
	a := w.post(`{ batches(filter: {from: "yesterday"}) { totalCount } }`, nil)
	if f := a.Errors[0].Extensions.Fields; a.code() != "INVALID" || f[0].Path != "from" ||
		f[0].Template != "The {field} field must be a valid date." {
		t.Errorf("a bad date: %s", a.body)
	}
}

func TestQueueFigures(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("figures", "figures.example.test")
	w.work(w.take("PRE", group), "before", 0)
	post := w.take("POST", group)
	a := w.must(`{ queueEntries(first: 1) { statusCounts { open done total byType { pre { done } post { open } compare { open } }
		byBatch { batchId counts { open } } } statusCountsByBatch } }`, nil)
	want(t, "all", a.at(t, "queueEntries", "statusCounts", "total"), 6)
	want(t, "open", a.at(t, "queueEntries", "statusCounts", "open"), 4)
	want(t, "by type", a.at(t, "queueEntries", "statusCounts", "byType"), "map[compare:map[open:2] post:map[open:2] pre:map[done:2]]")
	want(t, "newest batch", a.at(t, "queueEntries", "statusCounts", "byBatch", 0, "batchId"), post)
	want(t, "open of the batch", a.at(t, "queueEntries", "statusCountsByBatch", post, "open"), 4)
	want(t, "screenshots of the batch", a.at(t, "queueEntries", "statusCountsByBatch", post, "by_type", "post", "open"), 2)
	want(t, "comparisons of the batch", a.at(t, "queueEntries", "statusCountsByBatch", post, "by_type", "compare", "open"), 2)
}
