package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// conformance runs a script of graph/conformance against the service, as a client that others wrote.
func (s *service) conformance(script string) []byte {
	s.t.Helper()
	folder, err := filepath.Abs("../graph/conformance")
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules")); err != nil {
		s.t.Fatalf("the packages of %s are not installed: run make setup: %v", folder, err)
	}
	node := exec.CommandContext(s.t.Context(), "node", script)
	node.Dir = folder
	node.Env = append(os.Environ(), "AFTERIMAGE_URL="+s.url+"/graphql", "AFTERIMAGE_TOKEN="+s.token)
	var said bytes.Buffer
	node.Stderr = &said
	out, err := node.Output()
	if err != nil {
		s.t.Fatalf("%s: %v\n%s%.4000s", script, err, out, said.String())
	}
	return out
}

// TestGraphQLOverHTTP runs the audits of the npm package graphql-http: no error, and few warnings.
func TestGraphQLOverHTTP(t *testing.T) {
	t.Parallel()
	const mostWarnings = 5
	s := lodge(t)
	findings := decode[[]struct {
		ID, Name, Status string
		Reason           json.RawMessage
	}](t, s.conformance("audit.mjs"))
	count := map[string]int{}
	for _, f := range findings {
		count[f.Status]++
		if f.Status != "ok" {
			t.Logf("%s %s: %s: %s", f.Status, f.ID, f.Name, f.Reason)
		}
	}
	t.Logf("%d audits: %v", len(findings), count)
	if len(findings) < 50 || count["error"] > 0 || count["warn"] > mostWarnings {
		t.Errorf("%d audits found %v; no error and at most %d warnings are allowed", len(findings), count, mostWarnings)
	}
}

// TestSubscriptionsWithTheClientOfGraphQLWS is a dashboard: its client is the npm package graphql-ws.
func TestSubscriptionsWithTheClientOfGraphQLWS(t *testing.T) {
	t.Parallel()
	s := lodge(t)
	t.Logf("\n%s", s.conformance("client.mjs"))
}
