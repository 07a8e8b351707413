package graph_test

import (
	"net/http"
	"strings"
	"testing"
)

const updateGroup = `mutation ($id: ID!, $in: UpdateGroupInput!) { updateGroup(id: $id, input: $in) { group {
	name css threshold basicAuthUser hasBasicAuth scheduleType scheduleDays alertEmails alertEmailsText quietHoursStart
	triggers { type scope } monitoring screenshotRegion screenshotDelay hideConsent estimatedMonthlyChecks updatedAt } } }`

func TestWhatIsLeftOutStaysAndNullClears(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("changing")
	change := func(in vars) *answer { t.Helper(); return w.must(updateGroup, vars{"id": group, "in": in}) }
	change(vars{
		"css": "a{}", "threshold": 2.5, "basicAuthUser": "u", "basicAuthPassword": "secret", "quietHoursStart": 3, "screenshotDelay": 7,
		"monitoring": true, "scheduleType": "MONTHLY", "scheduleDays": []any{1, "15", "last"}, "triggers": []vars{{"type": "POST_SAVE"}},
		"screenshotRegion": "EU", "alertEmails": []string{"a@example.com", "b@example.com"},
	})
	a := change(vars{"name": "changed"})
	g := a.at(t, "updateGroup", "group").(map[string]any)
	for field, expected := range map[string]any{
		"name": "changed", "css": "a{}", "threshold": 2.5, "hasBasicAuth": true, "quietHoursStart": 3, "scheduleType": "MONTHLY",
		"scheduleDays": "[1 15 last]", "triggers": "[map[scope:URL type:POST_SAVE]]", "screenshotRegion": "EU",
		"alertEmails": "[a@example.com b@example.com]", "alertEmailsText": "a@example.com,b@example.com", "screenshotDelay": 7,
		"hideConsent": true,
	} {
		want(t, field, g[field], expected)
	}
	a = change(vars{"css": nil, "basicAuthPassword": "", "quietHoursStart": nil, "triggers": nil, "alertEmails": []string{},
		"screenshotDelay": nil})
	g = a.at(t, "updateGroup", "group").(map[string]any)
	for field, expected := range map[string]any{
		"css": nil, "hasBasicAuth": false, "quietHoursStart": nil, "triggers": "[]", "alertEmails": "[]", "basicAuthUser": "u",
		"screenshotDelay": nil,
	} {
		want(t, field, g[field], expected)
	}
	if strings.Contains(a.body, "secret") {
		t.Error("the password is shown")
	}
}

func TestWrongFieldsAreNamed(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("wrong")
	a := w.post(updateGroup, vars{"id": group, "in": vars{
		"name": "", "hourOfDay": 24, "intervalInH": 5, "screenshotDelay": 6, "scheduleDays": []any{"tuesday"}, "alertEmails": []string{"x"},
	}})
	if a.code() != "INVALID" || a.status != http.StatusOK {
		t.Fatalf("status %d: %s", a.status, a.body)
	}
	got := map[string]string{}
	for _, f := range a.Errors[0].Extensions.Fields {
		got[f.Path] = f.Template
		if !strings.Contains(f.Template, "{field}") || strings.Contains(f.Message, "{field}") || f.Rule == "" {
			t.Errorf("field %+v", f)
		}
	}
	for _, path := range []string{"name", "hourOfDay", "intervalInH", "screenshotDelay", "alertEmails.0"} {
		if got[path] == "" {
			t.Errorf("%s is not named in %v", path, got)
		}
	}
	if a = w.post(updateGroup, vars{"id": group, "in": vars{"scheduleType": "WEEKLY", "scheduleDays": []any{1, "tuesday",
		"last"}}}); len(a.Errors) == 0 {
		t.Fatal("bad days are taken")
	}
	for _, f := range a.Errors[0].Extensions.Fields {
		if !strings.HasPrefix(f.Path, "scheduleDays.") || f.Rule != "in" {
			t.Errorf("bad days: %+v", f)
		}
	}
}

// A value that cannot be read as its scalar is the client's mistake, not ours.
func TestUnreadableArgumentsAreInvalid(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		query string
		vars  vars
		path  string
	}{
		"time": {`mutation ($e: DateTime) { createToken(input: {name: "x", expiresAt: $e}) { plainText } }`,
			vars{"e": "soon"}, "expiresAt"},
		"event number":    {`query ($n: EventNumber!) { events(after: $n) { endNumber } }`, vars{"n": "x"}, "after"},
		"negative number": {`{ events(after: -1) { endNumber } }`, nil, "after"},
	} {
		t.Run(name, func(t *testing.T) {
			a := w.post(c.query, c.vars)
			if a.code() != "INVALID" || len(a.Errors[0].Extensions.Fields) != 1 || a.Errors[0].Extensions.Fields[0].Path != c.path {
				t.Errorf("got %s", a.body)
			}
		})
	}
	if log := w.log.String(); log != "" {
		t.Errorf("logged: %s", log)
	}
	for name, query := range map[string]string{
		"enum":            `{ queueEntries(filter: {statuses: [LOST]}) { totalCount } }`,
		"lower case":      `{ queueEntries(filter: {statuses: [open]}) { totalCount } }`,
		"number for text": `{ urls(filter: {search: 5}) { totalCount } }`, "missing": `{ group { id } }`,
		"unknown field": `{ group(id: "x") { secret } }`,
	} {
		if a := w.post(query, nil); name != "lower case" && a.code() != "GRAPHQL_VALIDATION_FAILED" {
			t.Errorf("%s: %s", name, a.body)
		}
	}
}

func TestSelectingURLs(t *testing.T) {
	w := newWorld(t)
	group, urls := w.group("selecting", "a.example.test", "b.example.test", "c.example.test")
	const add = `mutation ($g: ID!, $u: [GroupUrlInput!]!) { addUrlsToGroup(groupId: $g, urls: $u) { count group { urlsCount } } }`
	a := w.must(add, vars{"g": group, "u": []vars{{"id": urls[0], "mobile": false, "css": "x"}, {"id": urls[0], "css": "y"}}})
	want(t, "added again", a.at(t, "addUrlsToGroup"), "map[count:0 group:map[urlsCount:3]]")
	a = w.must(`mutation ($g: ID!, $u: ID!) { updateUrlInGroup(groupId: $g, urlId: $u, input: {desktop: false, threshold: 4}) {
		selection { urlId address desktop mobile css threshold url { id } group { id } } selectedUrlsCount selectedChecksCount } }`,
		vars{"g": group, "u": urls[0]})
	sel := a.at(t, "updateUrlInGroup", "selection").(map[string]any)
	for field, expected := range map[string]any{
		"urlId": urls[0], "address": "a.example.test", "desktop": false, "mobile": false, "css": "y", "threshold": 4,
		"url": "map[id:" + urls[0] + "]", "group": "map[id:" + group + "]",
	} {
		want(t, field, sel[field], expected)
	}
	want(t, "selected", a.at(t, "updateUrlInGroup", "selectedUrlsCount"), 2)
	want(t, "checks", a.at(t, "updateUrlInGroup", "selectedChecksCount"), 4)
	a = w.must(`mutation ($g: ID!) { selectAllUrls(groupId: $g, device: MOBILE, enabled: false) { selectedUrlsCount selectedChecksCount `+
		`group { selectedChecksCount } } }`,
		vars{"g": group})
	want(t, "all", a.at(t, "selectAllUrls"), "map[group:map[selectedChecksCount:2] selectedChecksCount:2 selectedUrlsCount:2]")
	a = w.must(`query ($g: ID!) { groupUrls(groupId: $g, page: 1, perPage: 2, orderBy: SELECTED) { nodes { urlId desktop }
		totalCount selectedUrlsCount selectedChecksCount }
		group(id: $g) { urls(first: 1) { nodes { urlId } selectedUrlsCount } } }`, vars{"g": group})
	want(t, "selected first", a.at(t, "groupUrls", "nodes", 0, "desktop"), true)
	want(t, "figures", a.at(t, "groupUrls", "selectedChecksCount"), 2)
	want(t, "newest first", a.at(t, "group", "urls", "nodes", 0, "urlId"), urls[2])
	if a := w.post(`query ($g: ID!) { groupUrls(groupId: $g, last: 2, orderBy: SELECTED) { totalCount } }`,
		vars{"g": group}); a.code() != "INVALID" {
		t.Errorf("another order with cursors: %s", a.body)
	}
	// What one field of a mutation changed, the next one sees.
	a = w.must(`mutation ($g: ID!, $u: [ID!]!) {
		a: removeUrlsFromGroup(groupId: $g, urls: $u) { count group { urlsCount } }
		b: addUrlsToGroup(groupId: $g, urls: [{id: "`+urls[1]+`"}]) { count group { urlsCount } } }`, vars{"g": group, "u": urls[:2]})
	want(t, "removed", a.at(t, "a"), "map[count:2 group:map[urlsCount:1]]")
	want(t, "added back", a.at(t, "b"), "map[count:1 group:map[urlsCount:2]]")
	for name, u := range map[string][]vars{"malformed": {{"id": urls[0]}, {"id": "x"}}, "unknown": {{"id": urls[0]}, {"id": group}}} {
		a := w.post(add, vars{"g": group, "u": u})
		if a.code() != "INVALID" || a.Errors[0].Extensions.Fields[0].Path != "urls.1.id" {
			t.Errorf("%s: %s", name, a.body)
		}
	}
}

func TestTakingScreenshots(t *testing.T) {
	w := newWorld(t)
	one, _ := w.group("one", "one.example.test")
	two, _ := w.group("two", "two.example.test")
	empty, _ := w.group("none")
	const take = `mutation ($in: TakeScreenshotsInput!) { takeScreenshots(input: $in) {
		batch { id groupNames source } batchId batches { id groupNames } batchIdsByGroup amountScreenshots groupIds } }`
	a := w.must(take, vars{"in": vars{"groupIds": []string{two, empty, one}, "scType": "PRE", "source": "AUTO_UPDATE"}})
	want(t, "groups", a.at(t, "takeScreenshots", "groupIds"), "["+two+" "+one+"]")
	want(t, "amount", a.at(t, "takeScreenshots", "amountScreenshots"), 4)
	want(t, "names", a.at(t, "takeScreenshots", "batch", "groupNames"), "[one two]")
	want(t, "source", a.at(t, "takeScreenshots", "batch", "source"), "AUTO_UPDATE")
	a = w.must(take, vars{"in": vars{"groupIds": []string{one, two}, "scType": "POST", "batchPerGroup": true}})
	want(t, "batches", a.at(t, "takeScreenshots", "batches", 1, "groupNames"), "[two]")
	want(t, "by group", a.at(t, "takeScreenshots", "batchIdsByGroup", one), a.at(t, "takeScreenshots", "batchId"))
	for name, c := range map[string]struct {
		in   vars
		path string
	}{
		"unknown group":   {vars{"groupIds": []string{one, "0190a1b2-0000-7000-8000-000000000001"}, "scType": "PRE"}, "groupIds.1"},
		"malformed group": {vars{"groupIds": []string{"x"}, "scType": "PRE"}, "groupIds.0"},
		"nothing to do":   {vars{"groupIds": []string{empty}, "scType": "PRE"}, "groupIds"},
		"no groups":       {vars{"groupIds": []string{}, "scType": "PRE"}, "groupIds"},
		"comparisons":     {vars{"groupIds": []string{one}, "scType": "COMPARE"}, "scType"},
	} {
		if a := w.post(take, vars{"in": c.in}); a.code() != "INVALID" || a.Errors[0].Extensions.Fields[0].Path != c.path {
			t.Errorf("%s: %s", name, a.body)
		}
	}
}

func TestTokensAndTheAccount(t *testing.T) {
	w := newWorld(t)
	a := w.must(`mutation { createToken(input: {name: "ci", expiresAt: "2026-03-02T00:00:00Z"}) { plainText token { id name prefix `+
		`expiresAt } } }`, nil)
	plain := a.text(t, "createToken", "plainText")
	want(t, "prefix", a.text(t, "createToken", "token", "prefix"), plain[:8])
	want(t, "end", a.text(t, "createToken", "token", "expiresAt"), "2026-03-02T00:00:00Z")
	a = w.as(plain).must(`{ viewer { tokenId lastEvent account { email } }
		account { nameFirst company plan isSubaccount canManageSubaccounts
		planFeatures { aiVerification browserConsole checksLeft } checksLeft status webhookSecret magicLoginSecret renewalAt } }`, nil)
	want(t, "account", a.at(t, "viewer", "account", "email"), "ada@example.com")
	want(t, "status", a.at(t, "account", "status"), "ACTIVE")
	want(t, "features", a.at(t, "account", "planFeatures", "aiVerification"), true)
	if secret := a.text(t, "account", "webhookSecret"); len(secret) != 40 || secret == a.text(t, "account", "magicLoginSecret") {
		t.Errorf("webhook secret %q", secret)
	}
	a = w.must(`mutation { updateAccount(input: {nameFirst: "Eve", company: "Example"}) { account { nameFirst nameLast company } } }`, nil)
	want(t, "changed", a.at(t, "updateAccount", "account"), "map[company:Example nameFirst:Eve nameLast:Example]")
}
