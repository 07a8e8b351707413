package demo

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// answers is a server that knows the lists of two runs.
func answers(t *testing.T, lists map[string]string) *demonstration {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/graphql" {
			page := map[string]any{"nodes": json.RawMessage("[" + lists["comparisons"] + "]"), "pageInfo": map[string]any{}}
			_ = json.NewEncoder(w).Encode(map[string]any{"data": map[string]any{"comparisons": page}})
			return
		}
		query := r.URL.Query()
		list, known := lists[strings.TrimPrefix(r.URL.Path, restPath)+" "+query.Get("status")+" "+query.Get("batches")]
		if !known {
			t.Errorf("unexpected request %s", r.URL)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": json.RawMessage("[" + list + "]"), "links": map[string]any{"next": nil}})
	}))
	t.Cleanup(server.Close)
	return &demonstration{
		config: Config{Pages: []Page{{URL: "http://example.com/a"}, {URL: "http://example.com/b"}, {URL: "http://example.com/c"}}},
		api:    &client{server: server.URL},
		names:  map[string]string{"A": "Page A"},
	}
}

// TestEveryFailureHasARow is named after pages that vanished from the table because their first screenshot had failed.
func TestEveryFailureHasARow(t *testing.T) {
	const (
		beforeA  = `{"url": "A", "url_link": "https://example.com/a", "device": "desktop", "sc_type": "pre", "error_msg": "before"}`
		compareA = `{"url": "A", "url_link": "https://example.com/a", "device": "desktop", "sc_type": "compare", ` +
			`"error_msg": "nothing to compare"}`
		compareB = `{"url": "B", "url_link": "https://example.com/b", "device": "mobile", "sc_type": "compare", ` +
			`"error_msg": "without an after"}`
		afterB    = `{"url": "B", "url_link": "https://example.com/b", "device": "mobile", "sc_type": "post", "error_msg": "after"}`
		compareC  = `{"url": "C", "url_link": "https://example.com/c", "device": "desktop", "sc_type": "compare", "error_msg": "too large"}`
		comparedC = `{"address": "example.com/c", "urlId": "C", "device": "MOBILE", "status": "OK"}`
	)
	d := answers(t, map[string]string{
		"/queues failed 1": beforeA,
		"/queues failed 2": strings.Join([]string{compareB, compareA, afterB, compareC}, ","),
		"comparisons":      comparedC,
	})
	rows, err := d.collect(t.Context(), "1", "2")
	if !errors.Is(err, ErrFailed) {
		t.Errorf("error %v, want ErrFailed", err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, strings.Join([]string{r.URL, r.Name, r.Device, r.Status, r.Error, r.Batch}, "|"))
	}
	want := []string{
		"example.com/a|Page A|desktop|failed|before|1",
		"example.com/b||mobile|failed|after|2",
		"example.com/c||desktop|failed|too large|2",
		"example.com/c||mobile|ok||",
	}
	if !slices.Equal(got, want) {
		t.Errorf("rows:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAServerThatDoesNotAcceptIsQuoted(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		upgrader := websocket.Upgrader{Subprotocols: []string{"graphql-transport-ws"}}
		socket, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer socket.Close()
		var greeting message
		if err := errors.Join(socket.ReadJSON(&greeting), socket.WriteJSON(message{Type: "ping"})); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	err := watch(t.Context(), server.URL, "token", "batch", func(counts) {})
	if err == nil || !strings.Contains(err.Error(), `"ping"`) || strings.Contains(err.Error(), "%!") {
		t.Errorf("error %v, want one that quotes the answer", err)
	}
}
