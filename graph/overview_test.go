package graph_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/db"
	"afterimage/db/seed"
	"afterimage/graph"
	"afterimage/internal/vcdtest"
	"afterimage/vcd/app"
)

// statementLog records the statements of a store, except those that begin and end transactions, and the one that finds the
// token, which is asked again when a request takes longer than half a second.
type statementLog struct {
	mu    sync.Mutex
	texts []string
}

func (l *statementLog) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	verb, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(data.SQL)), " ")
	if verb != "begin" && verb != "commit" && verb != "rollback" && !strings.Contains(data.SQL, "account_by_token") {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.texts = append(l.texts, data.SQL)
	}
	return ctx
}

func (l *statementLog) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// recording is the world's server on a store whose statements are recorded.
func (w *world) recording() (*site, *statementLog) {
	w.t.Helper()
	log := &statementLog{}
	store := vcdtest.OpenWith(w.t, db.Config{URL: w.dbURL, Queue: vcdtest.NewIdleQueue, Tracer: log, Logger: slog.New(slog.DiscardHandler)})
	s := serve(w.t, w.use.With(func(c *app.Config) { c.Store = store }), func(*graph.Config) {})
	s.token = w.token
	return s, log
}

const wholeOverview = `query ($sites: Int!) { account { checksLeft overview { sitesCount needsCount openAlarms failedCount
	runningCount nextRunAt runs(first: 20) { name queuesCount { open total } } missedRuns { name }
	sites(first: $sites) { name needs openAlarms failedCount nextRuns(first: 5) website { id domain }
		lastBatch { name finishedAt comparisonsCount { new ok } }
		lastComparison(device: DESKTOP) { previewLink differencePercent status }
		history(first: 5) { nodes { differencePercent status } } } } } }`

// A dashboard asks for everything with one request, whatever the number of sites. Among the statements are those that bind
// each transaction to its account; with the one that finds the token there are twelve.
func TestAWholeOverviewTakesTwelveStatements(t *testing.T) {
	w := newWorld(t)
	w.check(seed.Fill(t.Context(), w.store.Pool(), w.account.ID, seed.Size{Groups: 200, URLs: 1, Batches: 4}, false))
	s, log := w.recording()
	s.must("{ viewer { lastEvent } }", nil) // opens a connection
	log.texts = nil
	a := s.must(wholeOverview, vars{"sites": 200})
	want(t, "sites", a.at(t, "account", "overview", "sitesCount"), 200)
	last := a.at(t, "account", "overview", "sites", 199).(map[string]any)
	for _, name := range []string{"website", "lastBatch", "lastComparison"} {
		if last[name] == nil {
			t.Errorf("the last site has no %s: %v", name, last)
		}
	}
	if n := len(log.texts); n > 11 {
		t.Errorf("%d statements", n)
		for _, text := range log.texts {
			t.Logf("%.100s", text)
		}
	}
}

func TestAnOverviewTellsWhichSitesNeedSomebody(t *testing.T) {
	w := newWorld(t)
	quiet, _ := w.group("quiet", "quiet.example.test")
	changed, _ := w.group("changed", "changed.example.test")
	broken, _ := w.group("broken", "broken.example.test")
	w.group("new")
	w.work(w.take("PRE", quiet, changed), "before", 0)
	w.work(w.take("POST", quiet), "before", 0)
	w.work(w.take("POST", changed), "after", 3)
	w.must(`mutation ($id: ID!) { cancelBatch(id: $id) { batch { id } } }`, vars{"id": w.take("PRE", broken)})
	running := w.take("PRE", quiet)
	w.check(w.missed(changed))
	o := w.must(`{ account { overview { sitesCount needsCount openAlarms failedCount runningCount runs { id } missedRuns { id }
		sites { name needs openAlarms failedCount lastBatch { id type } lastComparison { device status } } } } }`, nil).
		at(t, "account", "overview").(map[string]any)
	want(t, "counts", fmt.Sprint(o["sitesCount"], o["needsCount"], o["openAlarms"], o["failedCount"], o["runningCount"]), "4 2 2 2 1")
	want(t, "runs", o["runs"], fmt.Sprintf("[map[id:%s]]", running))
	want(t, "missed", o["missedRuns"], fmt.Sprintf("[map[id:%s]]", changed))
	var lines []string
	for _, s := range o["sites"].([]any) {
		site := s.(map[string]any)
		line := fmt.Sprint(site["name"], site["needs"], site["openAlarms"], site["failedCount"])
		if b, ok := site["lastBatch"].(map[string]any); ok {
			line += fmt.Sprint(" ", b["type"])
		}
		if c, ok := site["lastComparison"].(map[string]any); ok {
			line += fmt.Sprint(" ", c["status"])
		}
		lines = append(lines, line)
	}
	want(t, "sites", strings.Join(lines, "; "),
		"broken[FAILURES] 0 2 PRE; changed[OPEN_ALARMS MISSED_RUN] 2 0 POST NEW; new[] 0 0; quiet[] 0 0 PRE OK")
	needy := w.must(`{ account { overview { a: sites(needy: true, offset: 1) { name } b: sites(needy: false, first: 1) { name } } } }`, nil)
	want(t, "a part", needy.at(t, "account", "overview"), "map[a:[map[name:changed]] b:[map[name:new]]]")
}

// missed notes that a due run of a group could not take place.
func (w *world) missed(group string) error {
	_, err := w.store.Pool().Exec(w.t.Context(), `WITH s AS MATERIALIZED (SELECT set_config('afterimage.account', $1, false))
		UPDATE groups SET missed_run = 'checks_exhausted' WHERE id = $2 AND (SELECT count(*) FROM s) = 1`,
		string(w.account.ID), group)
	return err
}

// What a group, a website and a URL show of their past is the same as what lists of their comparisons do.
func TestHistoriesAreTheListsOfTheirComparisons(t *testing.T) {
	w := newWorld(t)
	manual, urls := w.group("manual", "shop.example.test/a", "shop.example.test/b")
	auto, _ := w.group("auto", "shop.example.test/c")
	website := w.must(`mutation ($m: ID!, $a: ID!) { createWebsite(input: {domain: "shop.example.test", manualDetectionGroupId: $m,
		autoDetectionGroupId: $a}) { website { id } } }`, vars{"m": manual, "a": auto}).text(t, "createWebsite", "website", "id")
	w.work(w.take("PRE", manual, auto), "before", 0)
	for i := range 3 {
		w.work(w.take("POST", manual), fmt.Sprint("after", i), float64(i))
		w.clock.Advance(time.Minute)
		w.work(w.take("POST", auto), fmt.Sprint("after", i), float64(i))
	}
	const fields = `openAlarms lastBatch { id } lastComparison { id } onMobile: lastComparison(device: MOBILE) { id device }
		history(first: 3) { nodes { id } pageInfo { hasNextPage hasPreviousPage endCursor } totalCount aboveThresholdCount }`
	for name, c := range map[string]struct{ kind, id, filter string }{
		"group":   {"group", manual, "groupIds"},
		"website": {"website", website, "websiteIds"},
		"url":     {"url", urls[0], "urlIds"},
	} {
		shown := w.must(`query ($id: ID!) { `+c.kind+`(id: $id) { `+fields+` } }`, vars{"id": c.id}).at(t, c.kind).(map[string]any)
		list := w.must(`query ($id: ID!) { all: comparisons(first: 100, filter: {`+c.filter+`: [$id]}) { nodes { id device status }
			totalCount aboveThresholdCount } batches(first: 1, filter: {`+c.filter+`: [$id]}) { nodes { id } } }`, vars{"id": c.id})
		all := list.at(t, "all", "nodes").([]any)
		history := shown["history"].(map[string]any)
		opened, mobile := 0, ""
		for i, n := range all {
			node := n.(map[string]any)
			if node["status"] == "NEW" {
				opened++
			}
			if node["device"] == "MOBILE" && mobile == "" {
				mobile = node["id"].(string)
			}
			if i < 3 {
				want(t, name+" history", history["nodes"].([]any)[i].(map[string]any)["id"], node["id"].(string))
			}
		}
		want(t, name+" open alarms", shown["openAlarms"], opened)
		want(t, name+" last", shown["lastComparison"].(map[string]any)["id"], all[0].(map[string]any)["id"].(string))
		want(t, name+" last on mobile", shown["onMobile"].(map[string]any)["id"], mobile)
		want(t, name+" last batch", shown["lastBatch"].(map[string]any)["id"], list.text(t, "batches", "nodes", 0, "id"))
		want(t, name+" total", history["totalCount"], fmt.Sprint(list.at(t, "all", "totalCount")))
		want(t, name+" above", history["aboveThresholdCount"], fmt.Sprint(list.at(t, "all", "aboveThresholdCount")))
		var walked, numbered []any
		for after := any(nil); ; {
			page := w.must(`query ($id: ID!, $after: String) { `+c.kind+`(id: $id) { history(first: 2, after: $after) { nodes { id }
				pageInfo { hasNextPage endCursor } } } }`, vars{"id": c.id, "after": after}).at(t, c.kind, "history").(map[string]any)
			walked = append(walked, page["nodes"].([]any)...)
			info := page["pageInfo"].(map[string]any)
			if after = info["endCursor"]; info["hasNextPage"] == false {
				break
			}
		}
		for number := 1; number < 10; number++ {
			page := w.must(`query ($id: ID!, $page: Int) { `+c.kind+`(id: $id) { history(page: $page, perPage: 2) { nodes { id } } } }`,
				vars{"id": c.id, "page": number})
			numbered = append(numbered, page.at(t, c.kind, "history", "nodes").([]any)...)
		}
		var ids []string
		for _, n := range all {
			ids = append(ids, n.(map[string]any)["id"].(string))
		}
		want(t, name+" walked", walked, fmt.Sprint(nodesOf(ids)))
		want(t, name+" numbered", numbered, fmt.Sprint(nodesOf(ids)))
		backward := w.must(`query ($id: ID!) { `+c.kind+`(id: $id) { history(last: 2) { nodes { id } pageInfo { hasPreviousPage } } } }`,
			vars{"id": c.id}).at(t, c.kind, "history").(map[string]any)
		want(t, name+" backward", backward["nodes"], fmt.Sprint(nodesOf(ids[len(ids)-2:])))
	}
}

func nodesOf(ids []string) []any {
	var nodes []any
	for _, id := range ids {
		nodes = append(nodes, map[string]any{"id": id})
	}
	return nodes
}

func TestNextRunsFollowTheSchedule(t *testing.T) {
	w := newWorld(t) // it is noon
	id := w.must(`mutation { createGroup(input: {name: "hourly", monitoring: true, scheduleType: INTERVAL, intervalInH: 6}) {
		group { id } } }`, nil).text(t, "createGroup", "group", "id")
	a := w.must(`query ($id: ID!) { group(id: $id) { nextRunAt nextRuns(first: 3) } }`, vars{"id": id})
	runs := a.at(t, "group", "nextRuns").([]any)
	if len(runs) != 3 || runs[0] != a.at(t, "group", "nextRunAt") {
		t.Fatalf("next runs: %s", a.body)
	}
	first, _ := time.Parse(time.RFC3339, runs[0].(string))
	third, _ := time.Parse(time.RFC3339, runs[2].(string))
	if third.Sub(first) != 12*time.Hour {
		t.Errorf("next runs: %v", runs)
	}
}

func TestOverviewsRefuseWhatIsOutOfRange(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("shop", "shop.example.test")
	for query, field := range map[string]string{
		`{ account { overview { sites(first: 501) { name } } } }`:                                 "first",
		`{ account { overview { sites(first: 0) { name } } } }`:                                   "first",
		`{ account { overview { sites(offset: -1) { name } } } }`:                                 "offset",
		`{ account { overview { runs(first: 101) { id } } } }`:                                    "first",
		`{ account { overview { sites { nextRuns(first: 21) } } } }`:                              "first",
		`{ group(id: "` + group + `") { nextRuns(first: 0) } }`:                                   "first",
		`{ group(id: "` + group + `") { nextRuns(first: 101) } }`:                                 "first",
		`{ group(id: "` + group + `") { history(after: "x") { nodes { id } } } }`:                 "after",
		`{ account { overview { sites { history(page: 100, perPage: 11) { nodes { id } } } } } }`: "page",
	} {
		a := w.post(query, nil)
		if a.code() != "INVALID" || len(a.Errors[0].Extensions.Fields) != 1 || a.Errors[0].Extensions.Fields[0].Path != field {
			t.Errorf("%s: %s", query, a.body)
		}
	}
}
