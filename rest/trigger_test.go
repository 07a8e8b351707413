package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"afterimage/vcd"
	"afterimage/vcd/run"
)

var batchID = regexp.MustCompile(`"batch_id":"[-0-9a-f]{36}"`)

// The context of a triggered run, field by field: what was not reported is absent, moments have their offset.
func TestATriggeredBatchTellsItsContext(t *testing.T) {
	w := newWorld(t)
	ada := w.open("ada")
	group := w.create(ada, "/groups", `{"name":"shop","monitoring":true,"schedule_type":"off","triggers":[{"type":"post_save"}]}`)
	url := w.create(ada, "/urls", `{"url":"shop.test/a"}`)
	w.must(ada, http.MethodPost, "/groups/"+group+"/add-urls", `{"urls":[{"id":"`+url+`"}]}`)
	for _, c := range []struct{ name, request, answer, context string }{
		{"one", `"type":"manual_trigger","urls":[{"url":"shop.test/a"}]`, `{"data":{"accepted":1,"batch_id":"…"}}`,
			`{"type":"manual_trigger","first_triggered_at":"2026-03-01T12:00:00+00:00","pages":[{"url":"shop.test/a",` +
				`"triggered_at":"2026-03-01T12:00:00+00:00"}],"scope":"url"}`},
		{"all", `"type":"manual_trigger","scope":"all","editor":"Ada"`, `{"data":{"accepted":1,"batch_id":"…"}}`,
			`{"type":"manual_trigger","first_triggered_at":"2026-03-01T12:00:00+00:00","pages":[],"scope":"all","editor":"Ada"}`},
		{"saved", `"type":"post_save","urls":[{"url":"https://shop.test/a/","title":"A","post_id":7},{"url":"shop.test/b"}],"editor":"Ada"`,
			`{"data":{"accepted":1}}`,
			`{"type":"post_save","first_triggered_at":"2026-03-01T12:00:00+00:00","pages":[{"url":"https://shop.test/a/",` +
				`"triggered_at":"2026-03-01T12:00:00+00:00","title":"A","post_id":7,"editor":"Ada"}]}`},
	} {
		got := w.must(ada, http.MethodPost, "/monitoring/trigger", fmt.Sprintf(`{"group_id":"%s",%s}`, group, c.request))
		if body := batchID.ReplaceAllString(got.body, `"batch_id":"…"`); body != c.answer {
			t.Errorf("%s: %s", c.name, got.body)
		}
		if c.name == "saved" {
			w.clock.Advance(vcd.DefaultTriggerWindow)
			if ran, err := w.use.Runs.RunDueTrigger(t.Context()); err != nil || !ran {
				t.Fatalf("ran: %t, %v", ran, err)
			}
		}
		var list struct {
			Data []struct {
				Context json.RawMessage `json:"trigger_context"`
			} `json:"data"`
		}
		w.check(json.Unmarshal([]byte(w.must(ada, http.MethodGet, "/batches", ``).body), &list))
		found := false
		for _, b := range list.Data {
			found = found || string(b.Context) == c.context
		}
		if !found {
			t.Errorf("%s: no batch has the context %s among %s", c.name, c.context, list.Data)
		}
	}
	refused := w.create(ada, "/groups", `{"name":"manual"}`)
	got := w.ask(ada.token, http.MethodPost, BasePath+"/monitoring/trigger",
		`{"group_id":"`+refused+`","type":"post_save","urls":[{"url":"shop.test/a"}]}`, "application/json")
	var body map[string]any
	w.check(json.Unmarshal([]byte(got.body), &body))
	if got.status != http.StatusUnprocessableEntity || body["reason"] != run.ReasonTriggerNotEnabled || len(body) != 2 {
		t.Errorf("%d %s", got.status, got.body)
	}
	if diff := cmp.Diff([]string{"message", "reason"}, keys(body)); diff != "" {
		t.Error(diff)
	}
}
