package review_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"afterimage/internal/page"
	"afterimage/internal/ratelimit"
	"afterimage/internal/review"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// ownPages tells by the header alone whether a page of ours asks, and takes the cookie for the account; graph does better.
type ownPages struct{}

func (ownPages) SignedInReader(r *http.Request) (vcd.Actor, error) {
	if r.Header.Get("Cookie") == "" {
		return vcd.Actor{}, vcd.Unauthenticated()
	}
	return vcd.Actor{Account: vcd.ID(r.Header.Get("Cookie"))}, nil
}

func (ownPages) FromOwnPage(r *http.Request) bool { return r.Header.Get("X-Afterimage-Client") != "" }

// guestWorld is a batch of real use cases, shared with guests who may review it.
type guestWorld struct {
	*vcdtest.World
	handler *review.Handler
	page    string // address of the batch
	batch   vcd.ID
	first   *vcd.Comparison
}

func newGuestWorld(t *testing.T, byAddress, byLink int) *guestWorld {
	t.Helper()
	w := &guestWorld{World: vcdtest.New(t)}
	w.Verifying()
	g, _ := w.Group("shop", 1, inventory.GroupChange{})
	lamp := vcdtest.Found(1, vcd.CategoryNotSure, &page.ElementIdentity{Selector: "p", Tag: "p", Text: "7"},
		&page.ElementIdentity{Selector: "p", Tag: "p", Text: "8"})
	lamp.Description, lamp.Fingerprint = "Price: <b>text</b> changed", "f00d"
	var compared []*vcd.Comparison
	w.batch, compared = w.Round(g, false, 5, lamp)
	w.first = compared[0]
	w.handler = review.New(review.Config{
		Reviews: w.Service.Reviews, Origin: ownPages{}, Logger: slog.New(slog.DiscardHandler),
		Assets: review.Assets{Script: "/guest/x.js"},
		Limits: review.Limits{ByAddress: ratelimit.New(byAddress, time.Now), ByLink: ratelimit.New(byLink, time.Now)},
	})
	w.page = "/b/" + w.share(vcd.LinkReview)
	return w
}

func (w *guestWorld) share(permission vcd.LinkPermission) (token string) {
	w.T.Helper()
	_, err := w.Service.Reviews.ShareBatch(w.T.Context(), w.Actor, w.batch, nil, permission)
	vcdtest.Must(w.T, err)
	links, err := w.Service.Reviews.LinksOf(w.T.Context(), w.Actor, []vcd.ID{w.batch})
	vcdtest.Must(w.T, err)
	return links[w.batch].Token
}

func (w *guestWorld) post(path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("X-Afterimage-Client", "guest")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer := httptest.NewRecorder()
	w.handler.ServeHTTP(answer, r)
	return answer
}

func (w *guestWorld) see(path string) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	w.handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
	return answer
}

func TestAGuestDecidesAndComments(t *testing.T) {
	w := newGuestWorld(t, 100, 100)
	one := w.page + "/" + string(w.first.ID)
	if a := w.post(one+"/comment", `{"name":"Kim","text":"<script>alert(1)</script>"}`); a.Code != http.StatusOK ||
		!strings.Contains(a.Body.String(), `"author":"Kim","guest":true`) {
		t.Errorf("comment: %d %s", a.Code, a.Body)
	}
	a := w.post(w.page+"/accept", `{"name":"Kim","fingerprint":"f00d"}`)
	var verdict struct {
		Changed []vcd.ID
		Review  vcd.ID
	}
	if err := json.Unmarshal(a.Body.Bytes(), &verdict); err != nil || a.Code != http.StatusOK || len(verdict.Changed) != 2 {
		t.Fatalf("accept: %d %s %v", a.Code, a.Body, err)
	}
	seen := w.see(one)
	for _, want := range []string{`"status":"ok"`, `"guest":{"batch":"` + w.page, `id="guest"`, `id="status">OK`} {
		if !strings.Contains(seen.Body.String(), want) {
			t.Errorf("%q is not on the page: %s", want, seen.Body)
		}
	}
	if body := seen.Body.String(); strings.Contains(body, "<script>alert") {
		t.Errorf("a comment is markup: %s", body)
	}
	if policy := seen.Header().Get("Content-Security-Policy"); !strings.HasSuffix(policy, "; connect-src 'self'") {
		t.Errorf("policy %q", policy)
	}
	offered := `{"slot":"change-0-accept","fingerprint":"f00d","open":0,"accepted":true}`
	if batch := w.see(w.page).Body.String(); !strings.Contains(batch, offered) {
		t.Errorf("the page of the batch: %s", batch)
	}
	if a := w.post(w.page+"/undo", `{"name":"Kim","review":"`+string(verdict.Review)+`"}`); a.Code != http.StatusOK {
		t.Errorf("undo: %d %s", a.Code, a.Body)
	}
	if a := w.post(one+"/verdict", `{"name":"Kim","status":"to_fix"}`); a.Code != http.StatusOK {
		t.Errorf("verdict: %d %s", a.Code, a.Body)
	}
	if body := w.see(one).Body.String(); !strings.Contains(body, `id="status">To be fixed`) {
		t.Errorf("the page: %s", body)
	}
}

func TestThePagesOfALinkThatOnlyShows(t *testing.T) {
	w := newGuestWorld(t, 100, 100)
	w.post(w.page+"/"+string(w.first.ID)+"/comment", `{"name":"Kim","text":"Between us"}`)
	shows := "/b/" + w.share(vcd.LinkRead)
	for _, path := range []string{shows, shows + "/" + string(w.first.ID)} {
		seen := w.see(path)
		body := seen.Body.String()
		if seen.Code != http.StatusOK || strings.Contains(body, `"guest":`) || strings.Contains(body, "Between us") ||
			strings.Contains(seen.Header().Get("Content-Security-Policy"), "connect-src") {
			t.Errorf("%s: %d %s", path, seen.Code, body)
		}
	}
	unknown := w.post("/b/unknown/"+string(w.first.ID)+"/verdict", `{"name":"Kim","status":"ok"}`)
	for why, path := range map[string]string{"a link that only shows": shows, "a renewed link": w.page} {
		a := w.post(path+"/"+string(w.first.ID)+"/verdict", `{"name":"Kim","status":"ok"}`)
		if a.Code != http.StatusNotFound || a.Body.String() != unknown.Body.String() {
			t.Errorf("%s: %d %s, unlike an unknown one: %s", why, a.Code, a.Body, unknown.Body)
		}
	}
}

func TestRequestsOfGuestsAreChecked(t *testing.T) {
	w := newGuestWorld(t, 1000, 1000)
	one, good := w.page+"/"+string(w.first.ID), `{"name":"Kim","status":"ok"}`
	if a := w.post(one+"/verdict", good, "X-Afterimage-Client", ""); a.Code != http.StatusForbidden {
		t.Errorf("without the header: %d %s", a.Code, a.Body)
	}
	for path, want := range map[string]int{
		"/b/": 404, "/b/a%00b/undo": 404, w.page: 404, w.page + "/": 404, w.page + "/delete": 404, one: 404, one + "/delete": 404,
		w.page + "/x/verdict": 404, w.page + "/0198c0de-0000-7000-8000-000000000001/verdict": 404, "/c/abc": 405,
	} {
		if a := w.post(path, good); a.Code != want {
			t.Errorf("%s: %d %s, want %d", path, a.Code, a.Body, want)
		}
	}
	for body, says := range map[string]string{
		``: "JSON object", `[]`: "JSON object", `{"name":"Kim","status":"ok","account":"x"}`: "known fields",
		`{"name":"` + strings.Repeat("n", 70_000) + `"}`: "64 KiB", `{"name":"Kim","status":"new"}`: "status", `{"status":"ok"}`: "name",
	} {
		if a := w.post(one+"/verdict", body); a.Code != http.StatusUnprocessableEntity || !strings.Contains(a.Body.String(), says) {
			t.Errorf("%.40s: %d %s", body, a.Code, a.Body)
		}
	}
	if a := w.post(w.page+"/undo", `{"name":"Kim","review":"x"}`); a.Code != http.StatusUnprocessableEntity {
		t.Errorf("a review that is none: %d %s", a.Code, a.Body)
	}
}

func TestGuestsAreLimited(t *testing.T) {
	for name, limits := range map[string][2]int{"by address": {2, 100}, "by link": {100, 2}} {
		t.Run(name, func(t *testing.T) {
			w := newGuestWorld(t, limits[0], limits[1])
			path, ask := w.page+"/"+string(w.first.ID)+"/verdict", `{"name":"Kim","status":"ok"}`
			for range 2 {
				if a := w.post(path, ask); a.Code != http.StatusOK {
					t.Fatalf("%d %s", a.Code, a.Body)
				}
			}
			if a := w.post(path, ask); a.Code != http.StatusTooManyRequests || a.Header().Get("Retry-After") == "" {
				t.Errorf("one too many: %d %s", a.Code, a.Body)
			}
		})
	}
}
