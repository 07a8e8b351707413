package rest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestAGroupsURLsComeOnOnePage: clients read a single page of a group's URLs, and one of other lists ends at 100.
func TestAGroupsURLsComeOnOnePage(t *testing.T) {
	w := newWorld(t)
	c := w.open("owner")
	group := w.create(c, "/groups", `{"name":"large"}`)
	const n = 120
	items := make([]string, n)
	for i := range items {
		items[i] = `{"id":"` + w.create(c, "/urls", fmt.Sprintf(`{"url":"large.example.test/%d"}`, i)) + `"}`
	}
	w.must(c, http.MethodPost, "/groups/"+group+"/add-urls", `{"urls":[`+strings.Join(items, ",")+`]}`)
	for target, want := range map[string]string{
		"/groups/" + group + "/urls?per_page=1000":       "120 of 120, 1000 per page, 1 pages",
		"/groups/" + group + "/urls?per_page=1001":       "120 of 120, 1000 per page, 1 pages",
		"/groups/" + group + "/urls?per_page=101&page=2": "19 of 120, 101 per page, 2 pages",
		"/groups/" + group + "/urls":                     "15 of 120, 15 per page, 8 pages",
		"/urls?per_page=1000":                            "100 of 120, 100 per page, 2 pages",
	} {
		body := gjson.Parse(w.must(c, http.MethodGet, target, "").body)
		got := fmt.Sprintf("%d of %d, %d per page, %d pages", len(body.Get("data").Array()), body.Get("meta.total").Int(),
			body.Get("meta.per_page").Int(), body.Get("meta.last_page").Int())
		if got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
	stranger := w.open("stranger")
	if answer := w.ask(stranger.token, http.MethodGet, BasePath+"/groups/"+group+"/urls?per_page=1000", "", ""); answer.status != 404 {
		t.Errorf("another account's group: %d %s", answer.status, answer.body)
	}
}
