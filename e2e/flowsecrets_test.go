package e2e

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// What a flow types, what the page that it leads to keeps of it, and what was sent to be kept but refused.
const (
	flowPassword   = `Fl0w "pass" & wörd`
	flowSeed       = "totp:JBSWY3DPEHPK3PXPJBSWY3DPKRUGKIDD"
	flowSession    = "flow-session-8c1f0a52"
	flowRefused    = "Fl0w-refused-Word"
	toldOfFlow     = "what the interfaces tell of a flow"
	flowDefinition = `name: Members
start: http://%s/
devices: [desktop]
secrets: {password: %[1]s, code: %[1]s}
steps:
  - fill: {label: Password}
    secret: password
  - fill: {label: Code}
    secret: code
  - click: {role: button, name: Sign in}
  - checkpoint: Members
  - click: {role: button, name: Who am I}
  - %s
    deadline: 10s
`
)

// tellingSite repeats the password that was typed wherever a page can, and has a session that only its cookie knows.
type tellingSite struct{ visits atomic.Int32 }

func (s *tellingSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if r.URL.Path == "/sign-in" && r.FormValue("password") == flowPassword && len(r.FormValue("code")) == 6 {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: flowSession, Path: "/", HttpOnly: true})
		http.Redirect(w, r, "/members?with="+url.QueryEscape(flowPassword), http.StatusSeeOther)
		return
	}
	if cookie, err := r.Cookie("session"); err == nil && cookie.Value == flowSession {
		inAddress, encoded := url.QueryEscape(flowPassword), base64.StdEncoding.EncodeToString([]byte(flowPassword))
		fmt.Fprintf(w, `<!doctype html><link rel=icon href=data:,><title>%[1]s</title><meta name=description content="%[1]s">
<h1>%[1]s</h1><p id=told>Visit %[4]d with %[1]s<p><input value="%[1]s" aria-label="%[1]s"><img alt="%[1]s" src="/no?%[2]s">
<a href="/?%[2]s#%[3]s">%[3]s</a><button onclick="alert(document.title); console.error(document.title)">Who am I</button>
<button data-testid="%[1]s">Pay with %[1]s</button>
<script>console.log(document.title); localStorage.told = document.title; setTimeout(() => { throw new Error(document.title) })</script>`,
			html.EscapeString(flowPassword), inAddress, encoded, s.visits.Add(1))
		return
	}
	fmt.Fprint(w, `<!doctype html><link rel=icon href=data:,><title>Sign in</title><form method=post action=/sign-in>
<label>Password <input type=password name=password></label><label>Code <input name=code></label><button>Sign in</button></form>`)
}

// signInWithSecrets runs a flow against a page that tells its secrets: it fails, first because an element is not there, then because the
// page shows something else. It returns the secrets, and everything that the interfaces and a backup tell of it.
func (s *service) signInWithSecrets(host string) (secrets map[string]string, places map[string][]byte) {
	s.t.Helper()
	group, website := s.website(host)
	s.must200(http.MethodPut, "/groups/"+group, map[string]any{"alert_emails": []string{"owner@example.com"}})
	define := func(last string) string { return fmt.Sprintf(flowDefinition, host, last) }
	flow := must[data[struct{ ID string }]](s, http.MethodPost, "/flows", map[string]any{
		"website_id": website, "definition": define("click: {role: button, name: Pay}"), "secrets": []map[string]string{
			{"name": "password", "value": flowPassword}, {"name": "code", "value": flowSeed},
		},
	}).Data.ID
	var told bytes.Buffer
	for _, one := range []struct{ kind, last string }{
		{"pre", "click: {role: button, name: Leave}"}, {"post", "assert: text\n    on: {css: '#told'}\n    equals: nothing"},
	} {
		s.must200(http.MethodPut, "/flows/"+flow, map[string]any{"definition": define(one.last)})
		run := s.runFlow(group, one.kind, flow)
		if run.Status != "failed" || run.Steps[3].Checkpoint.Screenshot == nil || run.Steps[5].Error == nil {
			s.t.Fatalf("the flow that tells its secrets is %+v", run)
		}
	}
	_, _ = told.Write(s.tryFlow(map[string]any{"flowId": flow}, "FAILED"))
	s.refuseFlowSecrets(flow)
	s.readFlow(&told, flow)
	backups := filepath.Join(s.t.TempDir(), "backups")
	s.backup("create", `^Backup \S+ has \d+ rows`, backups)
	places = map[string][]byte{toldOfFlow: told.Bytes()}
	for name, content := range filesOf(s.t, backups) {
		places["the backup's file "+name] = content
	}
	return map[string]string{
		"password of a flow": flowPassword, "seed of a flow's one-time codes": flowSeed[len("totp:"):], "session of a flow": flowSession,
		"secret of a flow that was refused": flowRefused,
	}, places
}

// refuseFlowSecrets sends secrets that are refused: nothing repeats them.
func (s *service) refuseFlowSecrets(flow string) {
	s.t.Helper()
	for _, body := range []map[string]any{
		{"steps": []map[string]any{{"type": "click", "selector": "a", "value": flowRefused, "sensitive": true}}},
		{"secrets": []map[string]string{{"name": "code", "value": strings.Repeat(flowRefused, 100)}}},
		{"secrets": []map[string]string{{"name": "code", "value": "totp:" + flowRefused}}},
		{"steps": flowRefused},
	} {
		if a := s.call(http.MethodPut, "/flows/"+flow, body); a.status != http.StatusUnprocessableEntity ||
			bytes.Contains(a.body, []byte(flowRefused)) {
			s.t.Errorf("%v: %d %s", body, a.status, a.body)
		}
	}
}

// readFlow writes what REST and GraphQL tell of a flow and its runs.
func (s *service) readFlow(told io.Writer, flow string) {
	s.t.Helper()
	paths := []string{"/flows", "/flows/" + flow, "/flows/" + flow + "/runs", "/queues", "/comparisons", "/urls", "/batches"}
	for _, run := range must[page[struct{ ID string }]](s, http.MethodGet, "/flows/"+flow+"/runs", nil).Data {
		paths = append(paths, "/flow-runs/"+run.ID)
	}
	for _, c := range must[page[struct{ ID string }]](s, http.MethodGet, "/comparisons", nil).Data {
		paths = append(paths, "/comparisons/"+c.ID)
	}
	for _, path := range paths {
		_, _ = told.Write(s.call(http.MethodGet, path, nil).body)
	}
	a, err := s.try(http.MethodPost, "/graphql", map[string]any{"query": `query($id: ID!) {
		flow(id: $id) { definition steps { label selector value } }
		flowRuns(flowId: $id) { nodes { errorMsg steps { does error assertion { actual } checkpoint { screenshot {
			htmlTitle browserConsole { text } manifest { redirects failedRequests { url } } }
			comparison { findings { description } } } } } }
		mails { nodes { subject text } }
	}`, "variables": map[string]any{"id": flow}})
	if err != nil || bytes.Contains(a.body, []byte(`"errors"`)) {
		s.t.Fatalf("GraphQL answers %s (%v)", a.body, err)
	}
	_, _ = told.Write(a.body)
}

// checkTold requires that what is told of the flow speaks of the places where the secret was.
func checkTold(t *testing.T, told []byte) {
	t.Helper()
	for _, want := range []string{"[secret password]", "was not found; nearest", "Members", "with="} {
		if !bytes.Contains(told, []byte(want)) {
			t.Errorf("what is told of the flow does not have %q: the test shows nothing\n%s", want, told)
		}
	}
}
