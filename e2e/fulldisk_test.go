package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// TestAFullDiskIsToldAndPasses fills the disk of the private database. Changes must be refused with a sentence that
// says so and what there is must stay readable; once there is room all goes on, without a restart.
func TestAFullDiskIsToldAndPasses(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	disk := newSmallDisk(t, dir)
	s := serveAlone(t, dir, nil, "--no-work")
	s.allowed = []string{"a GraphQL operation could not be carried out", "request failed"}
	id := s.group(nil, "https://example.test/")
	free := disk.fill()
	if disk.dir != "" {
		refused := s.changeUntilRefused()
		var told struct{ Message string }
		if err := json.Unmarshal(refused.body, &told); err != nil || refused.status != http.StatusServiceUnavailable ||
			!strings.Contains(told.Message, "disk is full") || refused.header.Get("Retry-After") != "60" {
			t.Errorf("on a full disk: %d %v %s, want 503 with a sentence", refused.status, refused.header, refused.body)
		}
		s.must200(http.MethodGet, "/groups/"+id, nil)
		graphql, err := s.raw(http.MethodPost, "/graphql",
			map[string]any{"query": `mutation ($css: String!) { createGroup(input: {name: "g", css: $css}) { group { id } } }`,
				"variables": map[string]any{"css": incompressible(60_000)}})
		if err != nil || !strings.Contains(string(graphql.body), `"reason":"DISK_FULL"`) {
			t.Errorf("over GraphQL: %s, %v", graphql.body, err)
		}
	}
	free()
	waitFor(t, "the first change", func() bool { return s.change().status < 300 })
	s.check()
}

// change stores more than fits into what the database has in reserve.
func (s *service) change() answer {
	s.t.Helper()
	a, err := s.try(http.MethodPost, "/api/v2/groups", map[string]any{"name": "large", "css": incompressible(60_000)})
	if err != nil {
		s.t.Fatal(err)
	}
	return a
}

// changeUntilRefused uses up what the database had reserved before the disk was full.
func (s *service) changeUntilRefused() answer {
	s.t.Helper()
	for range 200 {
		if a := s.change(); a.status >= 300 {
			return a
		}
	}
	s.t.Fatal("changes go on being taken on a full disk")
	return answer{}
}

// incompressible is a text of so many characters, a comment of CSS.
func incompressible(size int) string {
	text := strings.Builder{}
	text.WriteString("/*")
	state := uint32(1)
	for text.Len() < size {
		state = state*1664525 + 1013904223 // Numerical Recipes
		text.WriteByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[state>>26])
	}
	text.WriteString("*/")
	return text.String()
}
