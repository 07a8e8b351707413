package graph_test

import (
	"testing"
	"time"
)

func TestSubaccountsAndTheirTokens(t *testing.T) {
	w := newWorld(t)
	const create = `mutation ($in: CreateSubaccountInput!) { createSubaccount(input: $in) { apiToken subaccount {
		id nameFirst email checksDone checksLeft checksLimit timezone isSubaccount status } } }`
	in := vars{"nameFirst": "S", "nameLast": "T", "email": "sub@example.com", "limitChecks": 5}
	a := w.must(create, vars{"in": in})
	sub, token := a.text(t, "createSubaccount", "subaccount", "id"), a.text(t, "createSubaccount", "apiToken")
	want(t, "limit", a.at(t, "createSubaccount", "subaccount", "checksLeft"), 5)
	want(t, "kind", a.at(t, "createSubaccount", "subaccount", "isSubaccount"), true)
	if a := w.post(create, vars{"in": in}); a.code() != "INVALID" || a.Errors[0].Extensions.Fields[0].Path != "email" {
		t.Errorf("the same address again: %s", a.body)
	}
	below := w.as(token)
	a = below.must(`{ account { email isSubaccount plan company canManageSubaccounts } }`, nil)
	want(t, "seen from below", a.at(t, "account"),
		"map[canManageSubaccounts:false company:<nil> email:sub@example.com isSubaccount:true plan:<nil>]")
	for name, query := range map[string]string{
		"list": `{ subaccounts { nodes { id } } }`, "read": `{ subaccount(id: "` + sub + `") { id } }`,
		"delete":     `mutation { deleteSubaccount(id: "` + sub + `") { deletedSubaccountId } }`,
		"reactivate": `mutation { reactivateAccount { account { id } } }`,
	} {
		if a := below.post(query, nil); a.code() != "FORBIDDEN" {
			t.Errorf("%s from below: %s", name, a.body)
		}
	}
	a = w.must(`mutation ($s: ID!) { a: updateSubaccount(id: $s, input: {limitChecks: 9}) { subaccount { checksLimit nameLast } }
		b: createToken(input: {name: "ci", subaccountId: $s}) { plainText token { id prefix revokedAt lastUsedAt } } }`, vars{"s": sub})
	want(t, "changed", a.at(t, "a", "subaccount"), "map[checksLimit:9 nameLast:T]")
	second, id := a.text(t, "b", "plainText"), a.text(t, "b", "token", "id")
	w.as(second).must(`{ viewer { tokenId } }`, nil)
	a = w.must(`query ($s: ID!, $p: String) { tokens(subaccountId: $s, filter: {prefix: $p, live: true}) { totalCount nodes { name prefix
		} }
		node(id: $s) { ... on Subaccount { email } } subaccounts(filter: {search: "SUB@"}) { totalCount edges { cursor node { id } } } }`,
		vars{"s": sub, "p": second[:8]})
	want(t, "by prefix", a.at(t, "tokens"), "map[nodes:[map[name:ci prefix:"+second[:8]+"]] totalCount:1]")
	want(t, "node", a.at(t, "node", "email"), "sub@example.com")
	want(t, "found", a.at(t, "subaccounts", "edges", 0, "node", "id"), sub)
	if a := w.as(second).post(`query ($s: ID!) { node(id: $s) { __typename } }`, vars{"s": w.account.ID}); a.at(t, "node") != nil {
		t.Errorf("the owner seen from below: %s", a.body)
	}
	w.must(`mutation ($s: ID!, $t: ID!) { updateToken(id: $t, input: {subaccountId: $s, name: "old"}) { token { name } }
		revokeToken(id: $t, subaccountId: $s) { token { revokedAt } } }`, vars{"s": sub, "t": id})
	if a := w.as(second).post(`{ viewer { tokenId } }`, nil); a.status != 401 {
		t.Errorf("with a revoked token: %d %s", a.status, a.body)
	}
	w.must(`mutation ($s: ID!) { deleteSubaccount(id: $s) { deletedSubaccountId } }`, vars{"s": sub})
	if a := below.post(`{ viewer { tokenId } }`, nil); a.status != 401 {
		t.Errorf("with a token of a deleted account: %d %s", a.status, a.body)
	}
}

func TestAPausedAccountRunsNothing(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("g", "g.example.test")
	_, err := w.use.Accounts.PauseAccount(t.Context(), w.account.ID)
	w.check(err)
	take := `mutation { takeScreenshots(input: {groupIds: ["` + group + `"], scType: PRE}) { batchId } }`
	if a := w.post(take, nil); a.code() != "CONFLICT" {
		t.Errorf("a run while paused: %s", a.body)
	}
	a := w.must(`mutation { reactivateAccount { account { status } } }`, nil)
	want(t, "status", a.at(t, "reactivateAccount", "account", "status"), "ACTIVE")
	w.must(take, nil)
	_, err = w.use.Accounts.CancelAccount(t.Context(), w.account.ID)
	w.check(err)
	if a := w.post(`{ account { id } }`, nil); a.status != 403 || a.code() != "FORBIDDEN" {
		t.Errorf("cancelled: %d %s", a.status, a.body)
	}
}

func TestStatsAndTheTimezone(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("watched", "watched.example.test/a", "watched.example.test/b")
	w.must(`mutation ($g: ID!) { updateGroup(id: $g, input: {monitoring: true, hourOfDay: 23}) { group { nextRunAt } }
		updateAccount(input: {timezone: "Asia/Kathmandu"}) { account { timezone } } }`, vars{"g": group})
	a := w.must(`query ($g: ID!) { group(id: $g) { nextRunAt } accountStats { estimatedMonthlyChecks
		monitoring { websites urls estimatedMonthlyChecks nextRunAt nextRuns { name domain nextRunAt } triggerWebsites }
		manual { websites urls checksPerRun } autoUpdate { websitesEnabled missingEmail activeWeekdays estimatedMonthlyChecks nextRuns
			{ name } } } }`,
		vars{"g": group})
	next := a.text(t, "group", "nextRunAt")
	at, err := time.Parse(time.RFC3339, next)
	w.check(err)
	if want := time.Date(2026, 3, 1, 17, 15, 0, 0, time.UTC); at.Before(want) || at.After(want.Add(5*time.Minute)) {
		t.Errorf("runs at %s, not within five minutes from 23:00 in Kathmandu", next)
	}
	want(t, "monitoring", a.at(t, "accountStats", "monitoring"), "map[estimatedMonthlyChecks:120 nextRunAt:"+next+
		" nextRuns:[map[domain:watched.example.test name:watched nextRunAt:"+next+"]] triggerWebsites:0 urls:2 websites:0]")
	want(t, "manual", a.at(t, "accountStats", "manual"), "map[checksPerRun:0 urls:0 websites:0]")
	want(t, "auto-update", a.at(t, "accountStats", "autoUpdate"),
		"map[activeWeekdays:[] estimatedMonthlyChecks:0 missingEmail:0 nextRuns:[] websitesEnabled:0]")
}
