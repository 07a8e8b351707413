package graph_test

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"afterimage/graph"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
)

// stored parses and validates a document once, as the REST interface does at its start.
func stored(t testing.TB, server *graph.Server, text string) *ast.QueryDocument {
	t.Helper()
	doc, err := parser.ParseQuery(&ast.Source{Input: text})
	if err != nil {
		t.Fatal(err)
	}
	if errs := validator.ValidateWithRules(server.Schema(), doc, nil); len(errs) > 0 {
		t.Fatal(errs)
	}
	return doc
}

// signedIn is the context of the world's account.
func (w *world) signedIn() context.Context {
	w.t.Helper()
	ctx, err := w.graph.Authenticate(w.t.Context(), w.token)
	if err != nil {
		w.t.Fatal(err)
	}
	return ctx
}

func TestStoredOperationsSpeakTheRESTDialect(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("stored", "stored.example.test")
	w.work(w.take("PRE", group), "before", 0)
	post := w.take("POST", group)
	w.work(post, "after", 2)
	doc := stored(t, w.graph, `query Read($id: ID!, $first: Int) { batch(id: $id) { source finished_at: finishedAt
		comparisons(first: $first) { nodes { status device batch_source: batchSource created_at: createdAt } } } }`)
	r := w.graph.Execute(w.signedIn(), "Read", doc, map[string]any{"id": post, "first": int64(1)})
	if len(r.Errors) > 0 {
		t.Fatal(r.Errors)
	}
	form := regexp.MustCompile(`^\{"batch":\{"source":"manual","finished_at":"2026-03-01 12:00:0\d","comparisons":\{"nodes":\[` +
		`\{"status":"new","device":"(mobile|desktop)","batch_source":"manual","created_at":"2026-03-01 12:00:0\d"\}\]\}\}\}$`)
	if !form.Match(r.Data) {
		t.Errorf("got %s", r.Data)
	}
	if a := w.must(`query ($id: ID!) { batch(id: $id) { source } }`, vars{"id": post}); a.at(t, "batch", "source") != "MANUAL" {
		t.Errorf("GraphQL speaks REST: %s", a.body)
	}
}

func TestStoredMutationsAndTheirErrors(t *testing.T) {
	w := newWorld(t)
	doc := stored(t, w.graph, `mutation Create($input: CreateGroupInput!) { createGroup(input: $input) { data: group {
		name schedule_type: scheduleType schedule_days: scheduleDays proxy_type: proxyType triggers { type scope }
			alert_emails: alertEmailsText } } }`)
	ctx := w.signedIn()
	r := w.graph.Execute(ctx, "Create", doc, map[string]any{"input": map[string]any{
		"name": "stored", "monitoring": true, "scheduleType": "WEEKLY", "scheduleDays": []any{int64(1), "5"}, "css": nil,
		"triggers": []any{map[string]any{"type": "POST_SAVE"}},
	}})
	const expected = `{"createGroup":{"data":{"name":"stored","schedule_type":"weekly","schedule_days":[1,5],"proxy_type":"none",` +
		`"triggers":[{"type":"post_save","scope":"url"}],"alert_emails":"ada@example.com"}}}`
	if string(r.Data) != expected || len(r.Errors) > 0 {
		t.Errorf("got %s %v", r.Data, r.Errors)
	}
	r = w.graph.Execute(ctx, "Create", doc, map[string]any{"input": map[string]any{"name": "", "hourOfDay": int64(99)}})
	if len(r.Errors) != 1 || r.Errors[0].Extensions["code"] != "INVALID" {
		t.Fatalf("got %v", r.Errors)
	}
	encoded, err := json.Marshal(r.Errors[0].Extensions)
	if err != nil || !strings.Contains(string(encoded), `"path":"hourOfDay"`) || !strings.Contains(string(encoded),
		`"template":"The {field} field`) {
		t.Errorf("extensions %s", encoded)
	}
	if r := w.graph.Execute(context.Background(), "Create", doc, nil); len(r.Errors) != 1 ||
		r.Errors[0].Extensions["code"] != "UNAUTHENTICATED" {
		t.Errorf("without a caller: %v", r.Errors)
	}
	if r := w.graph.Execute(ctx, "Other", doc, nil); len(r.Errors) != 1 {
		t.Errorf("an unknown operation: %v", r.Errors)
	}
}

// Whoever runs a stored operation names the request, and finds its id in the log and in the error.
func TestFaultsOfStoredOperationsAreLoggedWithTheirRequest(t *testing.T) {
	s := newSite(t)
	ctx, err := s.graph.Authenticate(graph.WithRequestID(t.Context(), "request-7"), goodToken)
	if err != nil {
		t.Fatal(err)
	}
	r := s.graph.Execute(ctx, "Read", stored(t, s.graph, `query Read { account { id } }`), nil)
	if len(r.Errors) != 1 || r.Errors[0].Extensions["requestId"] != "request-7" {
		t.Errorf("got %v", r.Errors)
	}
	s.keeper.leave()
	_, err = s.graph.Authenticate(graph.WithRequestID(t.Context(), "request-8"), goodToken)
	var refused *gqlerror.Error
	if !errors.As(err, &refused) || refused.Extensions["requestId"] != "request-8" {
		t.Errorf("got %v", err)
	}
	for _, id := range []string{"request_id=request-7 ", "request_id=request-8 "} {
		if strings.Count(s.log.String(), id) != 1 {
			t.Errorf("%s is not once in the log: %s", id, s.log)
		}
	}
}

func TestRefusedTokensSayWhy(t *testing.T) {
	w := newWorld(t)
	_, err := w.graph.Authenticate(t.Context(), strings.Repeat("x", 40))
	var refused *gqlerror.Error
	if !errors.As(err, &refused) || refused.Extensions["code"] != "UNAUTHENTICATED" {
		t.Errorf("got %v", err)
	}
}

// Documents are shared by all requests.
func TestOneDocumentServesManyAtOnce(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"a", "b", "c"} {
		w.group(name)
	}
	doc := stored(t, w.graph, `query List($perPage: Int!) { data: groups(page: 1, perPage: $perPage) { nodes { ...G } total: totalCount } }
		fragment G on Group { id name urls(first: 1) { totalCount } }`)
	ctx := w.signedIn()
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			size := int64(i%3 + 1)
			r := w.graph.Execute(ctx, "List", doc, map[string]any{"perPage": size})
			if len(r.Errors) > 0 || strings.Count(string(r.Data), `"name"`) != int(size) || !strings.Contains(string(r.Data), `"total":3`) {
				t.Errorf("%d: %s %v", size, r.Data, r.Errors)
			}
		})
	}
	all.Wait()
}

// listOfGroups is a REST list with all fields of a group.
const listOfGroups = `query List { data: groups(page: 1, perPage: 15) { nodes { id name monitoring enabled hourOfDay intervalInH
	scheduleType scheduleDays quietHoursStart quietHoursEnd triggers { type scope } alertEmailsText css js cms threshold urlsCount
	selectedUrlsCount basicAuthUser hasBasicAuth proxyType proxyCountry screenshotRegion screenshotDelay defaultDesktop defaultMobile
		hideConsent
	selectedChecksCount estimatedMonthlyChecks } total: totalCount } }`

// shelf is a store that has the groups of a list at hand.
type shelf struct {
	doorkeeper
	inventory.Tx
	groups vcd.List[*vcd.Group]
}

func (s *shelf) ForInventory() inventory.Store {
	return keptInventory{handing: handing[inventory.Tx]{&s.doorkeeper, s}}
}

func (s *shelf) Groups(context.Context, vcd.GroupFilter, vcd.Page) (*vcd.List[*vcd.Group], error) {
	return &s.groups, nil
}

// BenchmarkExecute measures what a stored operation costs besides its use case: the store answers at once.
func BenchmarkExecute(b *testing.B) {
	store := &shelf{}
	for range 15 {
		store.groups.Items = append(store.groups.Items, &vcd.Group{ID: "0190a1b2-0000-7000-8000-000000000001", Name: "group"})
	}
	s := serve(b, app.New(app.Config{Store: store, Config: vcd.Config{Clock: vcdtest.NewClock(), Sealer: vcdtest.OpenBox{}}}))
	ctx, err := s.graph.Authenticate(b.Context(), goodToken)
	if err != nil {
		b.Fatal(err)
	}
	for name, query := range map[string]string{"one field": `query List { viewer { tokenId } }`, "15 groups": listOfGroups} {
		doc := stored(b, s.graph, query)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if r := s.graph.Execute(ctx, "List", doc, nil); len(r.Errors) > 0 {
					b.Fatal(r.Errors)
				}
			}
		})
	}
}

// BenchmarkListOfGroups measures a REST list of 15 groups with all their fields, the database included.
func BenchmarkListOfGroups(b *testing.B) {
	w := newWorld(b)
	for range 15 {
		w.group("benchmark", "benchmark.example.test")
	}
	doc := stored(b, w.graph, listOfGroups)
	ctx := w.signedIn()
	b.ReportAllocs()
	for b.Loop() {
		if r := w.graph.Execute(ctx, "List", doc, nil); len(r.Errors) > 0 {
			b.Fatal(r.Errors)
		}
	}
}
