package e2e

import (
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// closing is a host with sites below its paths. Those that are closed answer 503 and ask for ten minutes, as CMSs do in maintenance
// however short it is.
type closing struct {
	mu     sync.Mutex
	closed map[string]bool        // by path or the first part of it
	asked  map[string][]time.Time // of closed sites
	served map[string]time.Time   // the first page of each site
}

func newClosing(closed ...string) *closing {
	c := &closing{closed: map[string]bool{}, asked: map[string][]time.Time{}, served: map[string]time.Time{}}
	for _, path := range closed {
		c.closed[path] = true
	}
	return c
}

func (c *closing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	site, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if c.closed[site] || c.closed[r.URL.Path] {
		c.asked[site] = append(c.asked[site], time.Now())
		w.Header().Set("Retry-After", "600")
		w.WriteHeader(http.StatusServiceUnavailable) // without a body, which a browser shows as an error of its own
		return
	}
	if c.served[site].IsZero() {
		c.served[site] = time.Now()
	}
	w.Header().Set("Content-Type", "text/html")
	_, _ = w.Write([]byte(`<!doctype html><link rel="icon" href="data:,"><title>` + r.URL.Path + `</title><h1>` + r.URL.Path + `</h1>`))
}

func (c *closing) open(site string) (at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.closed, site)
	return time.Now()
}

func (c *closing) firstServed(site string) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.served[site]
}

func (c *closing) lastAsked(site string) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.asked[site]) == 0 {
		return time.Time{}
	}
	return c.asked[site][len(c.asked[site])-1]
}

// account is the service for another account that an operator opens.
func (s *service) account(email string) *service {
	s.t.Helper()
	out, err := exec.CommandContext(s.t.Context(), binary, append([]string{"account", "create", email}, s.at()...)...).Output()
	if err != nil {
		s.t.Fatalf("create an account: %v", err)
	}
	other := *s
	other.token = strings.TrimSpace(string(out))
	return &other
}

// addresses are pages of a site.
func addresses(host, site string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = "http://" + host + "/" + site + "/" + itoa(i)
	}
	return list
}

// notices are what the open entries of a batch wait for, by REST.
func (s *service) notices(batch string) (notices []string) {
	s.t.Helper()
	for _, e := range s.entries(batch) {
		if e.Notice != nil && e.Status == "open" {
			notices = append(notices, *e.Notice)
		}
	}
	return notices
}

// soon is below the ten minutes that the answers ask for, and more than a busy machine adds to the seconds that looks at a host are
// apart. That these are ten is tested by the clock of package run.
const soon = 9 * time.Minute

// TestAHostInMaintenance has two worker processes and three accounts whose pages are at one host. One account's pages stay closed, one
// has a single closed page among others, and one site is closed for a while. Nobody waits for anybody else's pages, and the run of the
// site that is back goes on within seconds, though each answer asks for ten minutes.
func TestAHostInMaintenance(t *testing.T) {
	t.Parallel()
	count := sized(3, 4)
	site := newClosing("attacker", "shop", "/blog/2")
	host := pages(t, site)
	s := serve(t, []string{host}, "--no-work")
	for _, name := range []string{"work1", "work2"} {
		start(t, name, append(s.at(), "work", "--allow-hosts", host, "--captures=2")...)
	}
	attacker, blog, shop := s, s.account("blog@example.com"), s.account("shop@example.com")
	resting := func(s *service, batch string) func() bool {
		return func() bool {
			told := s.notices(batch)
			return len(told) > 0 && strings.HasPrefix(told[0], "The site has answered 503 (maintenance) since ") &&
				strings.Contains(told[0], "; next attempt ")
		}
	}
	bad := attacker.take(attacker.group(nil, addresses(host, "attacker", sized(4, 8))...), "pre")
	waitFor(t, "the attacker's pages to rest", resting(attacker, bad))

	closed := shop.take(shop.group(nil, addresses(host, "shop", count)...), "pre")
	began := time.Now()
	posts := blog.take(blog.group(nil, addresses(host, "blog", count)...), "pre")
	waitFor(t, "the open pages of the other account", func() bool {
		done := must[page[entry]](blog, http.MethodGet, "/queues?status=done&per_page=1&batch_id="+posts, nil)
		return done.Meta.Total == 2*(count-1) // on two devices
	})
	if took := time.Since(began); took > soon {
		t.Errorf("the open pages beside closed ones of the same host took %s", took)
	} else {
		t.Logf("the open pages beside closed ones of the same host took %s", took.Round(time.Millisecond))
	}
	waitFor(t, "the notice of the single closed page", func() bool {
		notices := blog.notices(posts)
		return len(notices) == 2 && strings.HasPrefix(notices[0], "The page has answered 503 (maintenance) since ")
	})

	waitFor(t, "the closed site to rest", resting(shop, closed))
	started := time.Now()
	again := shop.take(shop.group(nil, addresses(host, "shop", count)...), "pre") // begins with a look
	waitFor(t, "the look of the run that a person started", func() bool { return site.lastAsked("shop").After(started) })
	if took := site.lastAsked("shop").Sub(started); took > soon {
		t.Errorf("the run that a person started looked at its site after %s", took)
	}
	opened := site.open("shop")
	waitFor(t, "the first page of the site that is back", func() bool { return !site.firstServed("shop").IsZero() })
	if took := site.firstServed("shop").Sub(opened); took > soon {
		t.Errorf("the first page of the site that is back was captured after %s", took)
	}
	for _, batch := range []string{closed, again} {
		for _, e := range shop.await(batch) {
			if e.Status != "done" {
				t.Errorf("%s is %s: %s", e.URLLink, e.Status, deref(e.ErrorMsg))
			}
		}
	}
	t.Logf("the first page came %s after the site was back, both runs had ended after %s",
		site.firstServed("shop").Sub(opened).Round(time.Millisecond), time.Since(opened).Round(time.Millisecond))
	if quiet := time.Since(site.lastAsked("attacker")); quiet > soon {
		t.Errorf("nobody has looked at the closed pages for %s", quiet)
	}
	site.open("attacker")
	for _, e := range attacker.await(bad) {
		if e.Status != "done" {
			t.Errorf("%s is %s: %s", e.URLLink, e.Status, deref(e.ErrorMsg))
		}
	}
}
