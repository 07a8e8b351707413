package graph_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"afterimage/vcd"
)

const completionOf = `query ($id: ID!) { batch(id: $id) { type name completion { planned done ahead estimatedFinishAt } } }`

func TestABatchTellsHowFarItIs(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("shop", "shop.example.test/a", "shop.example.test/b")
	first := w.take("PRE", group)
	w.work(first, "before", 0)
	second := w.take("POST", group)
	w.clock.Advance(time.Minute)
	third := w.take("POST", group)
	stage := func(id string) map[string]any {
		t.Helper()
		return w.must(completionOf, vars{"id": id}).at(t, "batch", "completion").(map[string]any)
	}
	want(t, "finished", fmt.Sprint(stage(first)), "map[ahead:0 done:4 estimatedFinishAt:<nil> planned:4]")
	want(t, "waiting", fmt.Sprint(stage(third)), "map[ahead:8 done:0 estimatedFinishAt:<nil> planned:8]")
	want(t, "type", w.must(completionOf, vars{"id": second}).at(t, "batch", "type"), "POST")
	name := w.must(completionOf, vars{"id": second}).at(t, "batch", "name").(string)
	if !strings.HasPrefix(name, "shop · after · 2026-") || name == w.must(completionOf, vars{"id": third}).at(t, "batch", "name") {
		t.Errorf("name %q", name)
	}
	w.work(second, "after", 3)
	want(t, "after the second", fmt.Sprint(stage(third)), "map[ahead:0 done:0 estimatedFinishAt:<nil> planned:8]")
	compared := w.must(`query ($id: ID!) { batch(id: $id) { comparedWith { id } groupCounts { group { name } comparisonsCount { new }
		queuesCount { done } } websiteCounts { websiteId comparisonsCount { new } } } }`, vars{"id": second})
	want(t, "compared with", compared.at(t, "batch", "comparedWith", "id"), first)
	want(t, "by group", compared.at(t, "batch", "groupCounts"),
		"[map[comparisonsCount:map[new:4] group:map[name:shop] queuesCount:map[done:8]]]")
	want(t, "by website", compared.at(t, "batch", "websiteCounts"), "[map[comparisonsCount:map[new:4] websiteId:<nil>]]")
}

const share = `mutation ($id: ID!, $at: DateTime) { shareBatch(id: $id, expiresAt: $at) { batch { publicLink { url expiresAt } } } }`

func TestTheLinkOfABatchIsRenewedExpiresAndIsTakenBack(t *testing.T) {
	w := newWorld(t)
	batch, _ := w.reviewed(1)
	link := func() any {
		return w.must(`query ($id: ID!) { batch(id: $id) { publicLink { url } } }`, vars{"id": batch}).at(t, "batch", "publicLink")
	}
	open := func(url any) error {
		token := url.(string)[strings.LastIndex(url.(string), "/")+1:]
		_, err := w.use.Reviews.Shared(t.Context(), token, "", vcd.Page{Number: 1, Size: 10})
		return err
	}
	want(t, "before", link(), "<nil>")
	at := w.clock.Now().Add(time.Hour)
	old := w.must(share, vars{"id": batch, "at": at.Format(time.RFC3339)}).at(t, "shareBatch", "batch", "publicLink", "url")
	w.check(open(old))
	renewed := w.must(share, vars{"id": batch, "at": at.Format(time.RFC3339)}).at(t, "shareBatch", "batch", "publicLink", "url")
	if w.check(open(renewed)); open(old) == nil {
		t.Error("the old link still works")
	}
	w.clock.Advance(2 * time.Hour)
	if want(t, "expired", link(), "<nil>"); open(renewed) == nil {
		t.Error("the link works after its end")
	}
	if a := w.post(share, vars{"id": batch, "at": at.Format(time.RFC3339)}); a.code() != "INVALID" {
		t.Errorf("a link that has ended already: %s", a.body)
	}
	forever := w.must(share, vars{"id": batch}).at(t, "shareBatch", "batch", "publicLink", "url")
	w.check(open(forever))
	w.must(`mutation ($id: ID!) { unshareBatch(id: $id) { batch { id } } }`, vars{"id": batch})
	if want(t, "taken back", link(), "<nil>"); open(forever) == nil {
		t.Error("the link works after it was taken back")
	}
}

const deleteBatch = `mutation ($id: ID!) { deleteBatch(id: $id) { deletedBatchId } }`

func TestABatchIsDeletedWithAllThatItHolds(t *testing.T) {
	w := newWorld(t)
	batch, ids := w.reviewed(2)
	w.must(setByIDs, vars{"ids": ids, "s": "OK"})
	w.must(addComment, vars{"id": ids[0], "text": "Gone soon."})
	w.must(share, vars{"id": batch})
	var before string
	for _, n := range w.must(`{ batches(first: 10) { nodes { id type } } }`, nil).at(t, "batches", "nodes").([]any) {
		if n.(map[string]any)["type"] == "PRE" {
			before = n.(map[string]any)["id"].(string)
		}
	}
	if a := w.post(deleteBatch, vars{"id": before}); a.code() != "INVALID" || !strings.Contains(a.body, "baseline of 1 other batch") {
		t.Errorf("a batch that another one is compared with: %s", a.body)
	}
	group := w.must(`{ groups(first: 1) { nodes { id } } }`, nil).at(t, "groups", "nodes").([]any)[0].(map[string]any)["id"].(string)
	running := w.take("POST", group)
	if a := w.post(deleteBatch, vars{"id": running}); a.code() != "INVALID" || !strings.Contains(a.body, "cancel it first") {
		t.Errorf("a running batch: %s", a.body)
	}
	w.must(`mutation ($id: ID!) { cancelBatch(id: $id) { batch { id } } }`, vars{"id": running})
	w.must(deleteBatch, vars{"id": running})
	want(t, "deleted", w.must(deleteBatch, vars{"id": batch}).at(t, "deleteBatch", "deletedBatchId"), batch)
	w.must(deleteBatch, vars{"id": before})
	if a := w.post(deleteBatch, vars{"id": batch}); a.code() != "NOT_FOUND" {
		t.Errorf("deleted twice: %s", a.body)
	}
	left := w.must(`{ batches(first: 1) { totalCount } comparisons(first: 1) { totalCount } screenshots(first: 1) { totalCount }
		queueEntries(first: 1) { totalCount } }`, nil)
	for _, list := range []string{"batches", "comparisons", "screenshots", "queueEntries"} {
		want(t, list, left.at(t, list, "totalCount"), 0)
	}
	deleted := 0
	for _, e := range w.must(`{ events(first: 500) { nodes { kind subject { id } } } }`, nil).at(t, "events", "nodes").([]any) {
		if e.(map[string]any)["kind"] == "BATCH_DELETED" {
			deleted++
		}
	}
	want(t, "events", deleted, 3)
	w.sound()
}

func TestScreenshotsOfChosenURLsAndDevices(t *testing.T) {
	w := newWorld(t)
	group, urls := w.group("shop", "shop.example.test/a", "shop.example.test/b")
	const take = `mutation ($in: TakeScreenshotsInput!) { takeScreenshots(input: $in) { amountScreenshots batchId } }`
	input := func(more vars) vars {
		in := vars{"groupIds": []string{group}, "scType": "PRE"}
		for k, v := range more {
			in[k] = v
		}
		return vars{"in": in}
	}
	w.must(`mutation ($ids: [ID!]!) { tagUrls(ids: $ids, add: ["Smoke"]) { changedIds } }`, vars{"ids": urls[:1]})
	for name, one := range map[string]struct {
		more vars
		want int
	}{
		"one tag":            {vars{"tags": []string{"smoke"}}, 2},
		"one tag and device": {vars{"tags": []string{"smoke"}, "devices": []string{"MOBILE"}}, 1},
		"one URL":            {vars{"urlIds": urls[:1]}, 2}, "one device": {vars{"devices": []string{"MOBILE"}}, 2},
		"both": {vars{"urlIds": urls[:1], "devices": []string{"MOBILE"}}, 1}, "all": {vars{"urlIds": nil, "devices": nil}, 4},
	} {
		want(t, name, w.must(take, input(one.more)).at(t, "takeScreenshots", "amountScreenshots"), one.want)
	}
	for name, more := range map[string]vars{
		"unknown tag": {"tags": []string{"smoke", "unknown"}}, "no tag": {"tags": []string{}},
		"no URL": {"urlIds": []string{}}, "no device": {"devices": []string{}}, "malformed": {"urlIds": []string{"x"}},
		"not in the group": {"urlIds": []string{urls[0], "0190a1b2-0000-7000-8000-000000000001"}},
	} {
		if a := w.post(take, input(more)); a.code() != "INVALID" {
			t.Errorf("%s: %s", name, a.body)
		}
	}
}
