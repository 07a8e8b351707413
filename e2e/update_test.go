package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// shop is a site with two plugins. After an update one of them breaks the cart, the other only has a new version; and a page
// that looks as before asks not to be listed, as a maintenance mode does.
type shop struct{ updated atomic.Bool }

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	updated := s.updated.Load()
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/cart.js"):
		w.Header().Set("Content-Type", "text/javascript")
		if updated {
			fmt.Fprint(w, "window.missingCart.render();")
			return
		}
		fmt.Fprint(w, "document.querySelector('.cartwheel-total').textContent = 'Three things in the cart';")
	case strings.HasSuffix(path, ".js"):
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprintf(w, "console.log('ready after %d ms');", time.Now().UnixNano()%100_000)
	case path == "/cart" || path == "/about":
		s.page(w, path, updated)
	default:
		http.NotFound(w, r)
	}
}

func (s *shop) page(w http.ResponseWriter, path string, updated bool) {
	cart, forms, robots := "1.4.0", "5.8", ""
	if updated {
		cart, forms = "2.0.0", "5.9"
		if path == "/about" {
			robots = `<meta name="robots" content="noindex, nofollow">`
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>Shop</title>%s<link rel="icon" href="data:,">
<style>body{margin:40px;font:20px sans-serif}.cartwheel-total{background:#fc0;padding:30px;min-height:60px}</style></head><body>`+
		`<h1>Shop</h1>`, robots)
	fmt.Fprintf(w, `<script src="/wp-content/plugins/simple-forms/forms.js?ver=%s"></script>`, forms)
	if path == "/cart" {
		fmt.Fprintf(w, `<div class="cartwheel-total"></div><script src="/wp-content/plugins/cartwheel/cart.js?ver=%s"></script>`, cart)
	}
	fmt.Fprint(w, `<p>Open from nine to five.</p></body></html>`)
}

const updateDocument = `query($id: ID!) { batch(id: $id) {
  browserConsoleCount { added removed mixed unchanged }
  culprits { slug score sentence success evidence { kind comparisonId } }
  comparisons(first: 10) { nodes { address status aboveThreshold pageAlarm browserConsoleChange browserConsoleAdded { text source }
    browserConsoleRemoved { text } pageChanges { kind severity } culprits { slug }
    after { content { assets { kind url } } } } } } }`

type updateOutcome struct {
	Batch struct {
		BrowserConsoleCount struct{ Added, Removed, Mixed, Unchanged int }
		Culprits            []struct {
			Slug, Sentence string
			Score          float64
			Evidence       []struct {
				Kind         string
				ComparisonID *string
			}
		}
		Comparisons struct{ Nodes []updatedPage }
	}
}

type updatedPage struct {
	Address, Status, BrowserConsoleChange string
	AboveThreshold, PageAlarm             bool
	BrowserConsoleAdded                   []struct{ Text, Source string }
	BrowserConsoleRemoved                 []struct{ Text string }
	PageChanges                           []struct{ Kind, Severity string }
	Culprits                              []struct{ Slug string }
	After                                 struct {
		Content struct{ Assets []struct{ Kind, URL string } }
	}
}

// TestAnUpdateThatBreaksThingsIsFound: real captures before and after an update; the service tells what broke, on which page,
// and which plugin did it.
func TestAnUpdateThatBreaksThingsIsFound(t *testing.T) {
	t.Parallel()
	site := &shop{}
	host := pages(t, site)
	s := lodge(t)
	s.operator("account", "set-plan", s.email, "--browser-console=true")
	group := s.group(map[string]any{"alarm_page_changes": true}, "http://"+host+"/cart", "http://"+host+"/about")
	s.await(s.take(group, "pre"))
	site.updated.Store(true)
	taken := must[struct {
		BatchID string `json:"batch_id"`
	}](s, http.MethodPost, "/screenshots/take", map[string]any{"group_ids": []string{group}, "sc_type": "post", "source": "auto_update"})
	s.await(taken.BatchID)
	variables := map[string]any{"id": taken.BatchID}
	if early := query[updateOutcome](s, updateDocument, variables); early.Batch.Culprits != nil {
		t.Errorf("culprits without an update: %+v", early.Batch.Culprits)
	}
	s.storeUpdate(taken.BatchID)
	got := query[updateOutcome](s, updateDocument, variables)
	if n := got.Batch.BrowserConsoleCount; n.Added != 2 || n.Unchanged != 2 {
		t.Errorf("consoles of the batch: %+v", n)
	}
	checkCulprits(t, got)
	if len(got.Batch.Comparisons.Nodes) != 4 {
		t.Fatalf("%d comparisons", len(got.Batch.Comparisons.Nodes))
	}
	for _, c := range got.Batch.Comparisons.Nodes {
		checkUpdated(t, c)
	}
	s.check()
}

func (s *service) storeUpdate(batch string) {
	s.t.Helper()
	plugin := func(slug, name, from, to string) map[string]any {
		return map[string]any{"slug": slug, "name": name, "from_version": from, "to_version": to, "success": true}
	}
	results := map[string]any{
		"timestamp": 1, "summary": map[string]any{"total_attempted": 2, "successful": 2, "failed": 0, "status": "completed"},
		"updates": map[string]any{"core": nil, "themes": []any{}, "plugins": []any{
			plugin("simple-forms", "Simple Forms", "5.8", "5.9"), plugin("cartwheel/cartwheel.php", "Cartwheel", "1.4.0", "2.0.0"),
		}},
	}
	if a := s.call(http.MethodPut, "/batches/"+batch+"/update-results", results); a.status != http.StatusOK {
		s.t.Fatalf("store the results: %d %s", a.status, a.body)
	}
}

func checkCulprits(t *testing.T, got updateOutcome) {
	t.Helper()
	if len(got.Batch.Culprits) != 2 {
		t.Fatalf("culprits %+v", got.Batch.Culprits)
	}
	first, second := got.Batch.Culprits[0], got.Batch.Culprits[1]
	if first.Slug != "cartwheel" || first.Score < 0.75 || second.Score > 0.4 || first.Evidence[0].Kind != "CONSOLE" ||
		first.Evidence[0].ComparisonID == nil {
		t.Errorf("culprits %+v", got.Batch.Culprits)
	}
	for _, words := range []string{"Cartwheel (1.4.0 → 2.0.0) very likely caused changes in 2 of 4",
		"plugins/cartwheel/cart.js stopped with an error", "TypeError"} {
		if !strings.Contains(first.Sentence, words) {
			t.Errorf("%q is not in %q", words, first.Sentence)
		}
	}
}

func checkUpdated(t *testing.T, c updatedPage) {
	t.Helper()
	changes := fmt.Sprint(c.PageChanges)
	if strings.HasSuffix(c.Address, "/about") {
		if c.Status != "NEW" || c.AboveThreshold || !c.PageAlarm || changes != "[{ROBOTS ALARM}]" || c.BrowserConsoleChange != "UNCHANGED" {
			t.Errorf("a page that asks not to be listed: %+v", c)
		}
		return
	}
	if c.Status != "NEW" || !c.AboveThreshold || c.PageAlarm || changes != "[{TEXT NOTICE}]" || len(c.Culprits) == 0 ||
		c.Culprits[0].Slug != "cartwheel" {
		t.Errorf("the cart: %+v", c)
	}
	if c.BrowserConsoleChange != "ADDED" || len(c.BrowserConsoleAdded) != 1 || !strings.Contains(c.BrowserConsoleAdded[0].Source,
		"/plugins/cartwheel/cart.js?ver=2.0.0") {
		t.Errorf("the console: %+v", c.BrowserConsoleAdded)
	}
	if n := len(c.After.Content.Assets); n != 2 {
		t.Errorf("%d assets: %+v", n, c.After.Content.Assets)
	}
}
