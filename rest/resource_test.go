package rest

import (
	"encoding/json"
	"slices"
	"testing"

	"afterimage/graph"
)

// TestWebhooksAreToldNoSecrets is about checks_low: the account as its owner reads it has the secret that signs the request.
func TestWebhooksAreToldNoSecrets(t *testing.T) {
	w := newWorld(t)
	front, err := graph.New(graph.Config{Service: w.use, BaseURL: worldURL})
	w.check(err)
	t.Cleanup(front.Close)
	resources, err := NewResources(front)
	w.check(err)
	c := w.open("a")
	raw, err := resources.Checks(graph.WithActor(t.Context(), c.actor))
	w.check(err)
	var told map[string]any
	w.check(json.Unmarshal(raw, &told))
	for member := range told {
		if !slices.Contains([]string{"id", "checks_done", "checks_left", "checks_limit", "renewal_at"}, member) {
			t.Errorf("told of %s", member)
		}
	}
	if told["id"] != string(c.account.ID) || told["checks_limit"] == nil || told["renewal_at"] == "" {
		t.Errorf("told %s", raw)
	}
	for kind, path := range map[string]string{"account": "/api/v2/account", "group": "/api/v2/groups/x", "batch": "/api/v2/batches/x"} {
		if got := resources.PathOf(kind, "x"); got != path {
			t.Errorf("%s is at %s, want %s", kind, got, path)
		}
	}
}
