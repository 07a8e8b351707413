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

type comparisons map[string]*vcd.Comparison

func (c comparisons) Review(_ context.Context, token string) (*vcd.Comparison, error) {
	switch found := c[token]; {
	case token == "away":
		return nil, vcd.Unavailable(io.ErrUnexpectedEOF)
	case found == nil:
		return nil, vcd.NotFound("Comparison", vcd.ID(token))
	default:
		return found, nil
	}
}

// Shared knows the batch "run" with as many comparisons as there are others, on numbered pages.
func (c comparisons) Shared(_ context.Context, token string, p vcd.Page) (*use.SharedBatch, error) {
	if token != "run" {
		return nil, vcd.NotFound("Batch", "")
	}
	finished := time.Date(2026, 3, 5, 15, 0, 0, 0, time.UTC)
	one := shown()
	one.ID = idOfComparison
	items := []*vcd.Comparison{one}
	list := &vcd.ComparisonList{List: &vcd.List[*vcd.Comparison]{Items: items, Total: 61}, AboveThreshold: 1}
	return &use.SharedBatch{Batch: &vcd.Batch{Name: "Shop <b>· after", FinishedAt: &finished}, Comparisons: list}, nil
}

func (c comparisons) SharedComparison(_ context.Context, token string, id vcd.ID) (*vcd.Comparison, error) {
	if token != "run" || id != idOfComparison {
		return nil, vcd.NotFound("Comparison", id)
	}
	return shown(), nil
}

const idOfComparison = "0198c0de-0000-7000-8000-000000000009"

func TestThePageOfABatch(t *testing.T) {
	w := get(http.MethodGet, "/b/run")
	body := w.Body.String()
	for _, want := range []string{"Shop &lt;b&gt;· after", "61 comparisons", "1 changed", `href="/b/run/` + idOfComparison + `"`,
		"/images/run-" + idOfComparison + "_differences_compressed.jpeg", "Page 1 of 2", `href="/b/run?page=2"`,
		"Prices &lt;script&gt;alert(1)&lt;/script&gt;", "12.35 % changed"} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not on the page: %s", want, body)
		}
	}
	for _, bad := range []string{"<script>", "Secret", "maskToken", "abc"} {
		if strings.Contains(body, bad) {
			t.Errorf("%q is on the page", bad)
		}
	}
	one := get(http.MethodGet, "/b/run/"+idOfComparison).Body.String()
	for _, want := range []string{`<a href="/b/run">`, "/images/run-" + idOfComparison + "_before.png"} {
		if !strings.Contains(one, want) {
			t.Errorf("%q is not on the page of a comparison: %s", want, one)
		}
	}
	if strings.Contains(one, "/images/abc") {
		t.Error("the page of a comparison names its own link, which lasts longer than the batch's")
	}
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
		review.New(comparisons{"abc": c}, slog.New(slog.DiscardHandler)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/c/abc", nil))
		if said := strings.Contains(w.Body.String(), "was cut off"); said != c.Truncated {
			t.Errorf("cut off %t: %s", c.Truncated, w.Body)
		}
		c.Truncated = true
		for _, want := range []string{"1 of 1 change needs attention.",
			"<strong>Fault</strong> Text &lt;b&gt;changed&lt;/b&gt;. It is an error."} {
			if strings.Contains(w.Body.String(), want) != feature {
				t.Errorf("with the feature %t, %q: %s", feature, want, w.Body)
			}
		}
	}
}

func get(method, path string, header ...string) *httptest.ResponseRecorder {
	handler := review.New(comparisons{"abc": shown(), "plain": {Status: vcd.ComparisonOK}}, slog.New(slog.DiscardHandler))
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
	for _, want := range []string{"12.35 % changed", "&lt; 0.01 % without shifts", "threshold 0.10 %", "1 changed region<",
		"/images/abc_before.png", "/images/abc_after.png", "/images/abc_differences.png", `viewBox="0 0 390 2000"`,
		`<g class="old regions"><rect class="region" x="11" y="5" width="30" height="40"/>`,
		`<g class="new regions"><rect class="region" x="10" y="20" width="30" height="40"`, "05 Mar 2026 14:30:00"} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	for _, bad := range []string{"<script>", "<img", "Secret", "0198c0de"} {
		if strings.Contains(body, bad) {
			t.Errorf("%q is on the page", bad)
		}
	}
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	for _, path := range []string{
		"/b/run", "/b/run/" + idOfComparison, "/b/other", "/c/abc", "/c/plain", "/c/nothing", "/c/review.css", "/c/away",
	} {
		header := get(http.MethodGet, path).Header()
		policy := header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
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
		"/c/review.js": 200, "/c/review.css": 200, "/c/away": 503,
	} {
		if w := get(http.MethodGet, path); w.Code != status {
			t.Errorf("%s: %d, want %d", path, w.Code, status)
		}
	}
	if w := get(http.MethodPost, "/c/abc"); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d, Allow %q", w.Code, w.Header().Get("Allow"))
	}
}

func TestFilesAreNotSentTwice(t *testing.T) {
	tag := get(http.MethodGet, "/c/review.js").Header().Get("ETag")
	if w := get(http.MethodGet, "/c/review.js", "If-None-Match", tag); w.Code != http.StatusNotModified || w.Body.Len() != 0 {
		t.Errorf("%d with %d bytes", w.Code, w.Body.Len())
	}
}
