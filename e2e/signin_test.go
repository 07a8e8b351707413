package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
)

// What the sign-in flow of a group types, and what the site leaves in the browser.
const (
	clubPassword = "Cl0ub pass-word"
	clubCookie   = "club-cookie-5f2c91d0"
	clubStored   = "club-stored-77ab3e14"
)

// club shows its pages to those only who have its cookie, to whom it has also left a card in the local storage.
type club struct {
	after, forgets, locked atomic.Bool // the release is out; it knows no session any more; the password was changed
	signIns                atomic.Int32
	asked                  atomic.Bool   // for the news
	held                   chan struct{} // until the news may be shown
}

func (c *club) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if r.URL.Path == "/enter" && r.FormValue("password") == clubPassword && !c.locked.Load() {
		c.signIns.Add(1)
		http.SetCookie(w, &http.Cookie{Name: "session", Value: clubCookie, Path: "/", HttpOnly: true})
		http.Redirect(w, r, "/welcome", http.StatusSeeOther)
		return
	}
	cookie, err := r.Cookie("session")
	if err != nil || cookie.Value != clubCookie || c.forgets.Load() && r.URL.Path != "/welcome" {
		fmt.Fprint(w, `<!doctype html><link rel=icon href=data:,><title>Sign in</title><h1>Sign in</h1><form method=post action=/enter>
<label>Name <input name=name></label><label>Password <input type=password name=password></label><button>Sign in</button></form>`)
		return
	}
	price := "12 €"
	switch {
	case r.URL.Path == "/welcome":
		fmt.Fprintf(w, `<!doctype html><link rel=icon href=data:,><title>Club</title><h1>Welcome</h1>
<script>localStorage.card = %q</script>`, clubStored)
		return
	case r.URL.Path == "/news":
		c.asked.Store(true)
		<-c.held
	case c.after.Load():
		price = "1,200 €"
	}
	fmt.Fprintf(w, `<!doctype html><link rel=icon href=data:,><title>Club</title><h1>For members</h1><p>Oak table: %s</p>
<p id=card>No card</p><script>if (localStorage.card) card.textContent = 'Your card is known'</script>`, price)
}

// TestAGroupThatSignsIn captures and compares pages behind a door. The flow signs in once in each run; a door that stays closed is told
// as such and never as a change; and what is typed and kept is nowhere to be read, also while the pages are being captured.
func TestAGroupThatSignsIn(t *testing.T) {
	t.Parallel()
	site := &club{held: make(chan struct{})}
	host := pages(t, site)
	release := sync.OnceFunc(func() { close(site.held) })
	t.Cleanup(release)
	s := serveAlone(t, dataDir(t), []string{host}, "--captures=1", "--log-level=debug", "--retry-delay=100ms")
	group, flow := s.door(host, "/prices", "/news")
	run := s.take(group, "pre")
	waitFor(t, "the page that is held", func() bool { return site.asked.Load() })
	whileRunning := s.holdsSession()
	release()
	s.wantEntries(s.await(run), "done", "")
	if n := site.signIns.Load(); n != 1 {
		t.Errorf("the flow signed in %d times for two pages", n)
	}

	site.after.Store(true)
	run = s.take(group, "post")
	s.wantEntries(s.await(run), "done", "")
	var told bytes.Buffer
	s.wantPrice(&told, run)

	site.forgets.Store(true)
	before := site.signIns.Load()
	run = s.take(group, "post")
	s.wantEntries(s.await(run), "failed", "asks to sign in although the sign-in flow has passed, also after it was repeated")
	if n := site.signIns.Load() - before; n != 2 {
		t.Errorf("the flow signed in %d times while the site forgot its sessions, want twice", n)
	}
	site.locked.Store(true)
	second := s.take(group, "post")
	s.wantEntries(s.await(second), "failed", "Step 4")
	for _, batch := range []string{run, second} {
		if c := s.comparisons(batch); len(c) != 0 {
			t.Errorf("pages behind a closed door were compared: %+v", c)
		}
	}

	s.readFlow(&told, flow)
	backups := filepath.Join(t.TempDir(), "backups")
	s.backup("create", `^Backup \S+ has \d+ rows`, backups)
	places := filesOf(t, backups)
	places["the database while pages were captured"], places["the database"] = whileRunning, dumpDatabase(t, s.dir)
	s.stop()
	places["what the interfaces tell"], places["the log"] = told.Bytes(), []byte(s.text())
	for name, content := range filesOf(t, s.dir) {
		places[name] = content
	}
	checkSecrets(t, map[string]string{"password": clubPassword, "cookie": clubCookie, "stored value": clubStored}, places)
}

// door makes a group of pages with a flow that signs in before them.
func (s *service) door(host string, paths ...string) (group, flow string) {
	s.t.Helper()
	group, website := s.website(host)
	var items []map[string]any
	for _, path := range paths {
		u := must[data[struct{ ID string }]](s, http.MethodPost, "/urls", map[string]any{"url": "http://" + host + path})
		items = append(items, map[string]any{"id": u.Data.ID, "desktop": true, "mobile": false})
	}
	s.must200(http.MethodPost, "/groups/"+group+"/add-urls", map[string]any{"urls": items})
	flow = must[data[struct{ ID string }]](s, http.MethodPost, "/flows", map[string]any{
		"website_id": website, "name": "Door", "url": "http://" + host + "/", "enabled_manual": false, "enabled_monitoring": false,
		"steps": []map[string]any{
			{"type": "fill", "selector": "label=Name", "value": "member"},
			{"type": "fill", "selector": "label=Password", "value": clubPassword, "sensitive": true},
			{"type": "click", "selector": `role=button[name="Sign in"]`},
			{"type": "assert", "assertion": map[string]any{"kind": "address", "operator": "equals", "expected": "/welcome"}},
			{"type": "checkpoint", "label": "Welcome"},
		}}).Data.ID
	set := query[struct {
		UpdateGroup struct {
			Group struct{ SignInFlow *struct{ Name string } }
		}
	}](s, `mutation($id: ID!, $input: UpdateGroupInput!) { updateGroup(id: $id, input: $input) { group { signInFlow { name } } } }`,
		map[string]any{"id": group, "input": map[string]any{"signInFlowId": flow}})
	if f := set.UpdateGroup.Group.SignInFlow; f == nil || f.Name != "Door" {
		s.t.Fatalf("the group signs in with %+v", f)
	}
	return group, flow
}

// holdsSession is a dump of the database while a run has a session.
func (s *service) holdsSession() []byte {
	s.t.Helper()
	conn, err := pgx.Connect(s.t.Context(), superuser(s.t, s.dir))
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = conn.Close(s.t.Context()) }()
	sealed := 0
	const kept = `select count(*) from page_sessions where sealed is not null`
	if err := conn.QueryRow(s.t.Context(), kept).Scan(&sealed); err != nil || sealed != 1 {
		s.t.Fatalf("the run keeps %d sessions (%v): the test shows nothing", sealed, err)
	}
	return dumpDatabase(s.t, s.dir)
}

// wantEntries requires that all entries have a status, and words in their sentences.
func (s *service) wantEntries(entries []entry, status, words string) {
	s.t.Helper()
	if len(entries) == 0 {
		s.t.Fatal("the run has no entries")
	}
	for _, e := range entries {
		if e.Status != status || !strings.Contains(deref(e.ErrorMsg), words) {
			s.t.Errorf("%s is %s: %s", e.URLLink, e.Status, deref(e.ErrorMsg))
		}
	}
}

// wantPrice requires that one page of a run differs, by its price, and that the site knew the visitor's card.
func (s *service) wantPrice(told io.Writer, run string) {
	s.t.Helper()
	differ := 0
	for _, c := range s.comparisons(run) {
		answer := query[json.RawMessage](s, `query($id: ID!) { comparison(id: $id) { findings { description }
			after { content { text } manifest { redirects } } } }`, map[string]any{"id": c.ID})
		_, _ = told.Write(answer)
		if c.DifferencePercent > 0 {
			differ++
		}
		if bytes.Contains(answer, []byte("1,200")) != (c.DifferencePercent > 0) || !bytes.Contains(answer, []byte("Your card is known")) {
			s.t.Errorf("%s differs by %v %%: %s", c.URL, c.DifferencePercent, answer)
		}
	}
	if differ != 1 {
		s.t.Errorf("%d pages differ", differ)
	}
}
