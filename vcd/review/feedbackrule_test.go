package review_test

import (
	"context"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"afterimage/internal/page"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/review"
)

func (w *world) rules(f vcd.FeedbackRuleFilter) []vcd.ID {
	w.T.Helper()
	list, err := w.Service.Reviews.FeedbackRules(w.T.Context(), w.Actor, f, vcd.Page{Size: 100, Number: 1, Total: true})
	must(w.T, err)
	found := []vcd.ID{}
	for _, r := range list.Items {
		found = append(found, r.ID)
	}
	if list.Total != len(found) {
		w.T.Errorf("%d rules of %d", len(found), list.Total)
	}
	return found
}

func TestAFeedbackRuleComesBackAsItWasMade(t *testing.T) {
	w := newWorld(t)
	_, c := w.Seen("shop")
	made := w.Rule(review.FeedbackRuleInput{RegionID: vcdtest.Number(1), ConsoleEntry: &c.Token})
	want := &vcd.FeedbackRule{
		ID: made.ID, Account: w.Account.ID, Type: vcd.RuleVisual, Scope: vcd.ScopeURL, URLID: c.URLID, GroupID: c.GroupID,
		ComparisonID: &c.ID,
		Device:       c.Device, Description: "Region 1 of shop.test/0: 4 × 5 pixels at 2, 3", IsActive: true,
		Region:     &vcd.RuleRegion{Box: page.Box{X: 2, Y: 3, Width: 4, Height: 5}, Fingerprint: "f1"},
		URLAddress: "shop.test/0", GroupName: "shop", CreatedAt: w.Clock.Now(), UpdatedAt: w.Clock.Now(),
	}
	if diff := cmp.Diff(want, made); diff != "" {
		t.Errorf("made (-want +got):\n%s", diff)
	}
	off, err := w.Service.Reviews.UpdateFeedbackRule(t.Context(), w.Actor, made.ID, review.FeedbackRuleChange{IsActive: vcd.Some(false)})
	must(t, err)
	got, err := w.Service.Reviews.FeedbackRule(t.Context(), w.Actor, made.ID)
	must(t, err)
	if diff := cmp.Diff(off, got); diff != "" || got.IsActive || got.Scope != vcd.ScopeURL {
		t.Errorf("switched off %+v, and read:\n%s", off, diff)
	}
	source := "https://shop.test/a.js"
	console := w.Rule(
		review.FeedbackRuleInput{Type: vcd.RuleConsole, ConsoleEntry: &source, ConsoleSource: &source, RegionID: vcdtest.Number(7)},
	)
	if console.Region != nil || console.ConsoleEntry != source || *console.ConsoleSource != source || console.Description != source {
		t.Errorf("of the console: %+v", console)
	}
	yes := true
	for name, test := range map[string]struct {
		filter vcd.FeedbackRuleFilter
		want   []vcd.ID
	}{
		"all":      {vcd.FeedbackRuleFilter{}, []vcd.ID{console.ID, made.ID}},
		"active":   {vcd.FeedbackRuleFilter{IsActive: &yes}, []vcd.ID{console.ID}},
		"visual":   {vcd.FeedbackRuleFilter{Types: &[]vcd.RuleType{vcd.RuleVisual}}, []vcd.ID{made.ID}},
		"of group": {vcd.FeedbackRuleFilter{GroupIDs: &[]vcd.ID{c.GroupID}}, []vcd.ID{console.ID, made.ID}},
		"of URL":   {vcd.FeedbackRuleFilter{URLIDs: &[]vcd.ID{c.GroupID}}, []vcd.ID{}},
		"wide":     {vcd.FeedbackRuleFilter{Scopes: &[]vcd.RuleScope{vcd.ScopeGroup, vcd.ScopeWebsite}}, []vcd.ID{}},
	} {
		if diff := cmp.Diff(test.want, w.rules(test.filter)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	stranger := vcd.Actor{Account: w.NewAccount("bob@example.com", 0).ID}
	_, err = w.Service.Reviews.UpdateFeedbackRule(t.Context(), stranger, made.ID,
		review.FeedbackRuleChange{Reach: vcd.Some(review.ReachURL)})
	wantCode(t, err, vcd.CodeNotFound)
	wantCode(t, w.Service.Reviews.DeleteFeedbackRule(t.Context(), stranger, made.ID), vcd.CodeNotFound)
	must(t, w.Service.Reviews.DeleteFeedbackRule(t.Context(), w.Actor, made.ID))
	wantCode(t, w.Service.Reviews.DeleteFeedbackRule(t.Context(), w.Actor, made.ID), vcd.CodeNotFound)
	w.CheckInvariants()
}

func TestTheServiceTellsTheScopeOfAFeedbackRule(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Seen("shop")
	wide := w.Rule(review.FeedbackRuleInput{RegionID: vcdtest.Number(1), Reach: review.ReachGroupOrWebsite})
	if wide.Scope != vcd.ScopeGroup || wide.WebsiteID != nil || wide.WebsiteName != nil {
		t.Errorf("without a website: %+v", wide)
	}
	other, _ := w.Group("other", 0, inventory.GroupChange{})
	site := w.Website("shop.test", g, other)
	of := vcd.FeedbackRuleFilter{WebsiteIDs: &[]vcd.ID{site.ID}}
	if diff := cmp.Diff([]vcd.ID{wide.ID}, w.rules(of)); diff != "" {
		t.Errorf("a rule for a group is not found by the website of that group:\n%s", diff)
	}
	update := func(reach review.RuleReach) *vcd.FeedbackRule {
		r, err := w.Service.Reviews.UpdateFeedbackRule(t.Context(), w.Actor, wide.ID, review.FeedbackRuleChange{Reach: vcd.Some(reach)})
		must(t, err)
		return r
	}
	if r := update(review.ReachGroupOrWebsite); r.Scope != vcd.ScopeWebsite || *r.WebsiteID != site.ID || *r.WebsiteName != "shop.test" {
		t.Errorf("with a website: %+v", r)
	}
	if r := update(review.ReachURL); r.Scope != vcd.ScopeURL || *r.WebsiteID != site.ID {
		t.Errorf("for the URL: %+v", r)
	}
	update(review.ReachGroupOrWebsite)
	w.Rule(review.FeedbackRuleInput{RegionID: vcdtest.Number(1), Reach: review.ReachGroupOrWebsite})
	before, err := w.Service.Outbound.LastEvent(t.Context(), w.Actor)
	must(t, err)
	_, err = w.Service.Inventory.DeleteWebsite(t.Context(), w.Actor, site.ID)
	must(t, err)
	narrowed := w.rules(vcd.FeedbackRuleFilter{Scopes: &[]vcd.RuleScope{vcd.ScopeGroup}})
	if len(narrowed) != 2 || len(w.rules(of)) != 0 {
		t.Errorf("after the website was deleted: %v for the group", narrowed)
	}
	events, err := w.Service.Outbound.EventsAfter(t.Context(), w.Actor, before, nil, 10)
	must(t, err)
	if len(events) != 3 || events[0].Kind != vcd.EventFeedbackRuleUpdated || events[2].Kind != vcd.EventWebsiteDeleted {
		t.Errorf("events: %+v", events)
	}
	must(t, w.Service.Inventory.DeleteGroup(t.Context(), w.Actor, g.ID))
	if r := update(review.ReachGroupOrWebsite); r.Scope != vcd.ScopeGroup || r.GroupName != "shop" {
		t.Errorf("of a deleted group: %+v", r)
	}
	w.CheckInvariants()
}

// shelf is a blob store with one file.
type shelf struct {
	hash string
	file []byte
}

func (s shelf) Get(_ context.Context, hash string) ([]byte, error) {
	if hash != s.hash {
		return nil, fs.ErrNotExist
	}
	return s.file, nil
}

func TestAFeedbackRuleKnowsTheElementOfItsRegion(t *testing.T) {
	w := newWorld(t)
	_, c := w.Seen("shop")
	content := page.Content{Elements: []page.Element{
		{Box: page.Box{Width: 1280, Height: 800}, Selector: "main", Tag: "main"},
		{Box: page.Box{Width: 10, Height: 10}, Selector: "main > p", Tag: "p", Role: "paragraph", Text: "Today \x00"},
		{Box: page.Box{X: 3, Y: 3, Width: 10, Height: 10}, Selector: "i", Tag: "i"},
	}}
	file, err := content.Encode()
	must(t, err)
	hash := strings.Repeat("ab", 32)
	must(t, w.DB.ReserveBlob(t.Context(), hash, len(file)))
	w.AsSystem("UPDATE screenshots SET elements_hash = $2 WHERE id = $1", string(c.AfterID), hash)
	w.Service = w.Service.With(func(c *app.Config) { c.Files = shelf{} })
	if r := w.Rule(review.FeedbackRuleInput{RegionID: vcdtest.Number(1)}); r.Region.Element != nil {
		t.Errorf("without the file: %+v", r.Region.Element)
	}
	w.Service = w.Service.With(func(c *app.Config) { c.Files = shelf{hash, file} })
	r := w.Rule(review.FeedbackRuleInput{RegionID: vcdtest.Number(1)})
	if diff := cmp.Diff(&vcd.RuleElement{Selector: "main > p", Role: "paragraph", Text: "Today \uFFFD"}, r.Region.Element); diff != "" {
		t.Errorf("element (-want +got):\n%s", diff)
	}
}

func TestFeedbackRulesAreRefusedFieldByField(t *testing.T) {
	w := newWorld(t)
	_, c := w.Seen("shop")
	mine, long, empty, nul := string(c.ID), strings.Repeat("é", 501), " ", "a\x00"
	full := long[:2*500]
	stranger := vcd.Actor{Account: w.NewAccount("bob@example.com", 0).ID}
	for name, test := range map[string]struct {
		in          review.FeedbackRuleInput
		field, rule string
	}{
		"no region": {review.FeedbackRuleInput{ComparisonID: mine, Reach: review.ReachURL}, "regionId", "required"},
		"unknown region": {review.FeedbackRuleInput{ComparisonID: mine, Reach: review.ReachURL, RegionID: vcdtest.Number(2)},
			"regionId", "exists"},
		"no comparison": {review.FeedbackRuleInput{ComparisonID: "x", Reach: review.ReachURL, RegionID: vcdtest.Number(1)},
			"comparisonId", "uuid"},
		"unknown one": {review.FeedbackRuleInput{ComparisonID: string(c.URLID), Reach: review.ReachURL, RegionID: vcdtest.Number(1)},
			"comparisonId", "exists"},
		"no scope":      {review.FeedbackRuleInput{ComparisonID: mine, RegionID: vcdtest.Number(1)}, "scope", "in"},
		"another scope": {review.FeedbackRuleInput{ComparisonID: mine, Reach: "website", RegionID: vcdtest.Number(1)}, "scope", "in"},
		"another type": {review.FeedbackRuleInput{Type: "text", ComparisonID: mine, Reach: review.ReachURL,
			RegionID: vcdtest.Number(1)}, "type", "in"},
		"no entry": {review.FeedbackRuleInput{Type: vcd.RuleConsole, ComparisonID: mine, Reach: review.ReachURL},
			"consoleEntry", "required"},
		"an empty entry": {review.FeedbackRuleInput{Type: vcd.RuleConsole, ComparisonID: mine, Reach: review.ReachURL,
			ConsoleEntry: &empty}, "consoleEntry", "required"},
		"a long entry": {review.FeedbackRuleInput{Type: vcd.RuleConsole, ComparisonID: mine, Reach: review.ReachURL,
			ConsoleEntry: &long}, "consoleEntry", "max"},
		"an entry of NUL": {review.FeedbackRuleInput{Type: vcd.RuleConsole, ComparisonID: mine, Reach: review.ReachURL, ConsoleEntry: &nul},
			"consoleEntry", "string"},
		"a source of NUL": {review.FeedbackRuleInput{
			Type: vcd.RuleConsole, ComparisonID: mine, Reach: review.ReachURL, ConsoleEntry: &full, ConsoleSource: &nul,
		}, "consoleSource", "string"},
	} {
		_, err := w.Service.Reviews.CreateFeedbackRule(t.Context(), w.Actor, test.in)
		t.Log(name)
		vcdtest.WantField(t, err, test.field, test.rule)
	}
	w.Rule(review.FeedbackRuleInput{Type: vcd.RuleConsole, ComparisonID: mine, ConsoleEntry: &full})
	_, err := w.Service.Reviews.CreateFeedbackRule(t.Context(), stranger, review.FeedbackRuleInput{ComparisonID: mine,
		Reach: review.ReachURL, RegionID: vcdtest.Number(1)})
	vcdtest.WantField(t, err, "comparisonId", "exists")
	_, err = w.Service.Reviews.UpdateFeedbackRule(t.Context(), w.Actor, c.ID,
		review.FeedbackRuleChange{Reach: vcd.Some(review.RuleReach("group"))})
	vcdtest.WantField(t, err, "scope", "in")
}

func TestAnAccountHasAThousandFeedbackRulesAtMost(t *testing.T) {
	w := newWorld(t)
	_, c := w.Seen("shop")
	r := w.Rule(review.FeedbackRuleInput{RegionID: vcdtest.Number(1)})
	w.AsSystem(`INSERT INTO ai_feedback_rules
		SELECT (r).* FROM (SELECT jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid())) AS r
			FROM ai_feedback_rules AS a, generate_series(1, 994) WHERE a.id = $1) AS copies`, string(r.ID))
	var refused atomic.Int64
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			_, err := w.Service.Reviews.CreateFeedbackRule(t.Context(), w.Actor, review.FeedbackRuleInput{ComparisonID: string(c.ID),
				Reach: review.ReachURL, RegionID: vcdtest.Number(1)})
			if vcd.CodeOf(err) == vcd.CodeInvalid {
				refused.Add(1)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if refused.Load() != 5 {
		t.Errorf("%d of 10 were refused, want 5", refused.Load())
	}
}
