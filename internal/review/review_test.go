package review_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"afterimage/internal/page"
	"afterimage/internal/review"
	"afterimage/vcd"
	use "afterimage/vcd/review"
)

// comparisons are public pages by their tokens. Nobody may review them.
type comparisons struct {
	review.Guests
	review.Logos
	byToken map[string]*vcd.Comparison
}

func (c comparisons) Review(_ context.Context, token string) (*use.SharedComparison, error) {
	switch found := c.byToken[token]; {
	case token == "away":
		return nil, vcd.Unavailable(io.ErrUnexpectedEOF)
	case found == nil:
		return nil, vcd.NotFound("Comparison", vcd.ID(token))
	default:
		return &use.SharedComparison{Comparison: found}, nil
	}
}

// Shared knows the batch "run" with as many comparisons as there are others, on numbered pages.
func (c comparisons) Shared(_ context.Context, token, change string, p vcd.Page) (*use.SharedBatch, error) {
	if token != "run" {
		return nil, vcd.NotFound("Batch", "")
	}
	finished := time.Date(2026, 3, 5, 15, 0, 0, 0, time.UTC)
	one, checkpoint := shown(), shown()
	one.ID = idOfComparison
	checkpoint.URLAddress = checkpointAddress
	items := []*vcd.Comparison{one, checkpoint}
	list := &vcd.ComparisonList{List: &vcd.List[*vcd.Comparison]{Items: items, Total: 61}, AboveThreshold: 1}
	if change == "f00d" {
		list.Total = 1
	}
	changes := &vcd.List[*vcd.BatchChange]{Total: 3, Items: []*vcd.BatchChange{
		{Fingerprint: "f00d", Description: "Text <i>changed</i>", Comparisons: 14, Desktop: 7, Verdicts: vcd.VerdictCounts{Alerts: 1}},
		{Fingerprint: "beef", Description: "A picture is new", Comparisons: 1, Desktop: 1},
	}}
	b := &vcd.Batch{Name: "Shop <b>· after", FinishedAt: &finished}
	return &use.SharedBatch{Batch: b, Comparisons: list, Changes: changes}, nil
}

func (c comparisons) SharedComparison(_ context.Context, token string, id vcd.ID) (*use.SharedComparison, error) {
	if token != "run" || id != idOfComparison {
		return nil, vcd.NotFound("Comparison", id)
	}
	return &use.SharedComparison{Comparison: shown()}, nil
}

// pages serves what reviews finds.
func pages(reviews review.Reviews, assets review.Assets) *review.Handler {
	return review.New(review.Config{Reviews: reviews, Assets: assets, Logger: slog.New(slog.DiscardHandler)})
}

func (c comparisons) Reported(context.Context, vcd.Actor, vcd.ID, vcd.Page) (*use.SharedBatch, error) {
	return nil, vcd.NotFound("Batch", "")
}

const checkpointAddress = "shop.example.com/#flow:Checkout/Signed%20in"

const idOfComparison = "0198c0de-0000-7000-8000-000000000009"

func TestThePageOfABatch(t *testing.T) {
	w := get(http.MethodGet, "/b/run")
	body := w.Body.String()
	for _, want := range []string{"Shop &lt;b&gt;· after", "61 pages", "1 above the threshold", `href="/b/run/` + idOfComparison + `"`,
		"/images/run-" + idOfComparison + "_differences_compressed.jpeg", "Page 1 of 2", `href="/b/run?page=2"`,
		"Prices &lt;script&gt;alert(1)&lt;/script&gt;", "12.35 % changed", "Checkout › Signed in"} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not on the page: %s", want, body)
		}
	}
	for _, bad := range []string{"<script>", "Secret", "maskToken", "abc", "<i>", "#flow"} {
		if strings.Contains(body, bad) {
			t.Errorf("%q is on the page", bad)
		}
	}
	one := get(http.MethodGet, "/b/run/"+idOfComparison).Body.String()
	for _, want := range []string{`<a href="/b/run">`, `"/images/run-` + idOfComparison + `_before.png"`} {
		if !strings.Contains(one, want) {
			t.Errorf("%q is not on the page of a comparison: %s", want, one)
		}
	}
	if strings.Contains(one, "/images/abc") {
		t.Error("the page of a comparison names its own link, which lasts longer than the batch's")
	}
}

func TestACheckpointIsShownByItsNames(t *testing.T) {
	checkpoint := shown()
	checkpoint.URLAddress, checkpoint.HTMLTitle = checkpointAddress, ""
	w := httptest.NewRecorder()
	pages(comparisons{byToken: map[string]*vcd.Comparison{"abc": checkpoint}}, review.Assets{}).
		ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/c/abc", nil))
	if body := w.Body.String(); strings.Count(body, "Checkout › Signed in") < 2 || strings.Contains(body, "#flow") {
		t.Errorf("the page of a checkpoint: %s", body)
	}
}

func TestTheChangesOfABatch(t *testing.T) {
	body := get(http.MethodGet, "/b/run?change=f00d").Body.String()
	for _, want := range []string{`<span class="verdict alert">Alert</span>`, "Text &lt;i&gt;changed&lt;/i&gt;",
		`<a href="/b/run?change=f00d" aria-current="true">on 14 pages, desktop and mobile</a>`,
		`<a href="/b/run?change=beef">on 1 page, desktop</a>`,
		"1 more change on the pages below", `with this change: <span lang="en">Text &lt;i&gt;changed&lt;/i&gt;</span>`,
		`<a href="/b/run">Show all pages</a>`} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not on the page: %s", want, body)
		}
	}
	if strings.Contains(body, "Page 1 of 2") {
		t.Error("the pages of a change are those of the batch")
	}
	if w := get(http.MethodGet, "/b/run?page=2&change=beef"); !strings.Contains(w.Body.String(), `href="/b/run?change=beef" rel="prev"`) {
		t.Errorf("turning the page forgets the change: %s", w.Body)
	}
	for _, bad := range []string{"%3Cscript%3E", strings.Repeat("a", 201), "a%00"} {
		if w := get(http.MethodGet, "/b/run?change="+bad); w.Code != http.StatusNotFound {
			t.Errorf("change=%.20s: status %d, want 404", bad, w.Code)
		}
	}
}

func TestAChangeShowsPartsOfAPage(t *testing.T) {
	c := shown()
	c.ID, c.Features.AIVerification = idOfComparison, true
	c.Verification = &vcd.Verification{Status: vcd.VerificationVerified, Findings: []vcd.Finding{{
		FoundChange: vcd.FoundChange{Fingerprint: "f00d"}, BoxAfter: &page.Box{X: 1, Y: 2, Width: 30, Height: 40},
		BoxBefore: &page.Box{Width: 9000, Height: 1},
	}}}
	v := batchOf(t, c)
	if !strings.Contains(v, `<div id="change-0-after">`) || strings.Contains(v, `<div id="change-0-before">`) ||
		!strings.Contains(v, `"box":{"x":1,"y":2,"width":30,"height":40}`) ||
		!strings.Contains(v, `<a href="/b/run/`+idOfComparison+`">View on a page</a>`) {
		t.Errorf("the page of the batch: %s", v)
	}
	c.Features.AIVerification = false
	if v := batchOf(t, c); strings.Contains(v, `change-0-after`) {
		t.Errorf("without the feature: %s", v)
	}
}

// one is a batch with one comparison.
type one struct {
	comparisons
	*vcd.Comparison
}

func (o one) Shared(ctx context.Context, token, change string, p vcd.Page) (*use.SharedBatch, error) {
	batch, err := o.comparisons.Shared(ctx, token, change, p)
	batch.Comparisons.Items[0] = o.Comparison
	return batch, err
}

func batchOf(t *testing.T, c *vcd.Comparison) string {
	t.Helper()
	w := httptest.NewRecorder()
	pages(one{Comparison: c}, review.Assets{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/b/run", nil))
	return w.Body.String()
}

func shown() *vcd.Comparison {
	taken := time.Date(2026, 3, 5, 14, 30, 0, 0, time.UTC)
	return &vcd.Comparison{
		Token: "abc", HTMLTitle: "Prices <script>alert(1)</script>", URLAddress: `example.com/"><img src=x>`, Device: vcd.Mobile,
		Status:    vcd.ComparisonNew,
		Threshold: 0.1, Image: &vcd.Image{Token: "maskToken", Over: "h"},
		Difference: vcd.Difference{
			Percent: 12.3456, AlignedPercent: 0.001, Width: 390, Height: 2000,
			Regions: []vcd.ChangedRegion{
				{ID: 1, X: 10, Y: 20, Width: 30, Height: 40, Before: &page.Box{X: 11, Y: 5, Width: 30, Height: 40}},
			},
		},
		Before:    vcd.ScreenshotRef{CreatedAt: taken, Image: &vcd.Image{Token: "beforeToken", Width: 390, Height: 1900}},
		After:     vcd.ScreenshotRef{CreatedAt: taken.Add(time.Hour), Image: &vcd.Image{Token: "afterToken", Width: 390, Height: 2000}},
		GroupName: "Secret group", BatchName: "Secret batch", Account: "0198c0de-0000-7000-8000-000000000001",
	}
}

func TestThePageShowsWhatVerificationFound(t *testing.T) {
	c := shown()
	c.Verification = &vcd.Verification{
		Status: vcd.VerificationVerified, Summary: "1 of 1 change needs attention.",
		Findings: []vcd.Finding{{FoundChange: vcd.FoundChange{Category: vcd.CategoryAlert}, Regions: []int{1},
			Description: "Text <b>changed</b>.", Reason: "It is an error."}},
	}
	for _, feature := range []bool{true, false} {
		c.Features.AIVerification = feature
		w := httptest.NewRecorder()
		pages(comparisons{byToken: map[string]*vcd.Comparison{"abc": c}}, review.Assets{}).
			ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/c/abc", nil))
		if said := strings.Contains(w.Body.String(), "was cut off"); said != c.Truncated {
			t.Errorf("cut off %t: %s", c.Truncated, w.Body)
		}
		c.Truncated = true
		for _, want := range []string{"1 of 1 change needs attention.", "<li>Text &lt;b&gt;changed&lt;/b&gt;. It is an error.</li>",
			`"title":"Text \u003cb\u003echanged\u003c/b\u003e.","reason":"It is an error.","verdict":"alert"`} {
			if strings.Contains(w.Body.String(), want) != feature {
				t.Errorf("with the feature %t, %q: %s", feature, want, w.Body)
			}
		}
	}
}

// TestPagesSayWhatWasNotSeen: once, whether verification says so or not.
func TestPagesSayWhatWasNotSeen(t *testing.T) {
	const strip = "700 px of #strip are not shown (after)"
	c := shown()
	c.ID, c.Status, c.Difference, c.NotSeen = idOfComparison, vcd.ComparisonOK, vcd.Difference{}, strip
	if body := batchOf(t, c); !strings.Contains(body, `<span class="status">not fully captured</span>`) {
		t.Errorf("the page of the batch: %s", body)
	}
	for _, summary := range []string{"", "The difference is not above the threshold.", "Nothing changed, but " + strip + "."} {
		c.Features.AIVerification, c.Verification = summary != "", &vcd.Verification{Status: vcd.VerificationSkipped, Summary: summary}
		w := httptest.NewRecorder()
		pages(comparisons{byToken: map[string]*vcd.Comparison{"abc": c}}, review.Assets{}).
			ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/c/abc", nil))
		text, _, _ := strings.Cut(w.Body.String(), "application/json")
		if strings.Count(text, strip) != 1 || !strings.Contains(text, "No changes found.") {
			t.Errorf("with the summary %q: %s", summary, text)
		}
	}
}

func get(method, path string, header ...string) *httptest.ResponseRecorder {
	handler := pages(comparisons{byToken: map[string]*vcd.Comparison{"abc": shown(), "plain": {Status: vcd.ComparisonOK}}},
		review.Assets{Script: "/guest/assets/index-1.js", Style: "/guest/assets/index-2.css"})
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

func TestThePageShowsTheComparison(t *testing.T) {
	w := get(http.MethodGet, "/c/abc")
	body := w.Body.String()
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, body)
	}
	for _, want := range []string{"12.35 % changed", "&lt; 0.01 % aligned", "threshold 0.10 %",
		`<script type="module" src="/guest/assets/index-1.js">`, `<link rel="stylesheet" href="/guest/assets/index-2.css">`,
		`<img src="/images/abc_before.png" width="390" height="1900"`, `<img src="/images/abc_after.png"`,
		`"mask":{"width":390,"height":2000,"url":"/images/abc_differences.png"}`, "5 March 2026, 14:30 UTC",
		`"before":{"x":11,"y":5,"width":30,"height":40},"after":{"x":10,"y":20,"width":30,"height":40}`} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	for _, bad := range []string{"<script>", "<img src=x", "alert(1)<", "Secret", "0198c0de"} {
		if strings.Contains(body, bad) {
			t.Errorf("%q is on the page", bad)
		}
	}
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	for _, path := range []string{
		"/b/run", "/b/run/" + idOfComparison, "/b/other", "/c/abc", "/c/plain", "/c/nothing", "/c/away",
	} {
		header := get(http.MethodGet, path).Header()
		policy := header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "trusted-types 'none'") ||
			strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", path, policy)
		}
		for field, want := range map[string]string{"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
			"X-Robots-Tag": "noindex, nofollow"} {
			if got := header.Get(field); got != want {
				t.Errorf("%s: %s %q, want %q", path, field, got, want)
			}
		}
	}
}

func TestWhatIsNotThere(t *testing.T) {
	for path, status := range map[string]int{
		"/c/": 404, "/c/nothing": 404, "/c/abc/": 404, "/c/../abc": 404, "/c/a%00b": 404, "/c/" + strings.Repeat("a", 65): 404,
		"/b/": 404, "/b/other": 404, "/b/run/": 404, "/b/run/x": 404, "/b/other/" + idOfComparison: 404, "/b/run?page=0": 404,
		"/b/run?page=x": 404, "/b/run?page=1001": 404, "/b/run?page=2": 200,
		"/c/review.js": 404, "/c/away": 503,
	} {
		if w := get(http.MethodGet, path); w.Code != status {
			t.Errorf("%s: %d, want %d", path, w.Code, status)
		}
	}
	if w := get(http.MethodPost, "/c/abc"); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d, Allow %q", w.Code, w.Header().Get("Allow"))
	}
}

func TestTallPicturesComeInStrips(t *testing.T) {
	c := shown()
	c.After.Image.Height = 100_000
	w := httptest.NewRecorder()
	pages(comparisons{byToken: map[string]*vcd.Comparison{"abc": c}}, review.Assets{Script: "/x.js"}).
		ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/c/abc", nil))
	body := w.Body.String()
	for _, want := range []string{`"strips":{"rows":1024,"address":"/images/abc_after_strip-{n}.png"}`, `"url":"/images/abc_before.png"`} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not on the page: %s", want, body)
		}
	}
	plain, _, ok := strings.Cut(body, "<noscript>")
	if !ok || strings.Contains(plain, "<img") {
		t.Error("the whole picture is loaded although the script shows its strips")
	}
}

func TestWithoutABuildThePageShowsItsPictures(t *testing.T) {
	w := httptest.NewRecorder()
	pages(comparisons{byToken: map[string]*vcd.Comparison{"abc": shown()}}, review.Assets{}).
		ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/c/abc", nil))
	if body := w.Body.String(); strings.Contains(body, "<noscript>") || strings.Contains(body, `type="module"`) ||
		!strings.Contains(body, `<img src="/images/abc_after.png"`) {
		t.Errorf("the page: %s", body)
	}
}
