package hostile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"go.uber.org/goleak"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/capture/hostile"
	"afterimage/internal/assetcache"
	"afterimage/internal/egress"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shared lets all pages share assets, as those of one site do in a run.
var shared = assetcache.New(64 << 20)

const (
	grace = 5 * time.Second // beyond the deadline, or prompt
	lanes = 2

	// most is how often the usual time the control page may take after a hostile one: a browser that had to be killed is
	// started again, on a machine that may be busy. The table shows what it took.
	most = 25
	// prompt is how often the usual time a page may take that must not take its time, beyond crowd, for which a page is waited that
	// asks for too much.
	prompt = 6
	crowd  = 3 * time.Second
)

// everyday are the pages of the test's small form: one of each kind, and none that takes a browser long.
var everyday = []string{
	"endless-loop", "endless-microtasks", "busy-intervals", "debugger", "memory", "deep-tree", "picture-bomb", "svg-bomb", "never",
	"flood", "download", "credentials", "refreshes", "service-worker", "dialogs", "popups", "graphics-lost",
	"messages", "reloads", "navigates", "hanging-requests", "grows-by-itself", "half-a-million-matches",
}

// ending is what became of a page, and of the harmless one right after it in the same lane.
type ending struct {
	page    hostile.Page
	reason  capture.Reason
	cause   error
	took    time.Duration
	after   time.Duration
	control []byte
	failure error // of the control page
}

// TestHostilePages: each page ends by its deadline with an end that is documented, and the harmless page captured right
// after it, by the same lane, looks as it did before. AFTERIMAGE_SOAK=1 takes all of them.
func TestHostilePages(t *testing.T) {
	site := startSite(t)
	pages := hostile.Pages()
	if os.Getenv("AFTERIMAGE_SOAK") == "" {
		pages = slices.DeleteFunc(pages, func(p hostile.Page) bool { return !slices.Contains(everyday, p.Name) })
	}
	endings := make([]ending, len(pages))
	var all sync.WaitGroup
	var before []byte
	for lane := range lanes {
		pool := startPool(t, site)
		picture, err := takeControl(t.Context(), pool, site)
		if err != nil {
			t.Fatal(err)
		}
		if before != nil && !bytes.Equal(before, picture) {
			t.Error("two lanes take the control page differently")
		}
		before = picture
		all.Go(func() {
			for i := lane; i < len(pages); i += lanes {
				endings[i] = end(t.Context(), pool, site, pages[i])
			}
		})
	}
	all.Wait()
	usual := report(t, endings)
	for _, e := range endings {
		if e.after > most*usual {
			t.Errorf("after %s the control page took %s, usually %s", e.page.Name, e.after, usual)
		}
		if !slices.Contains(e.page.Ends, e.reason) {
			t.Errorf("%s ended as %s (%v), want %s", e.page.Name, hostile.Name(e.reason), e.cause, strings.Join(e.page.Endings(), " or "))
		}
		limit := e.page.Deadline + max(grace, prompt*usual)
		if e.page.Tall {
			limit += capture.MaxTallTime
		}
		if e.page.Soon && e.took > crowd+prompt*usual {
			t.Errorf("%s took %s, the control page usually %s", e.page.Name, e.took, usual)
		}
		if e.took > limit {
			t.Errorf("%s took %s with a deadline of %s", e.page.Name, e.took, e.page.Deadline)
		}
		if e.failure != nil || !bytes.Equal(e.control, before) {
			t.Errorf("after %s the control page has %d bytes instead of %d (%v)", e.page.Name, len(e.control), len(before), e.failure)
		}
	}
}

// report prints the table and returns what the control page usually took: the median.
func report(t *testing.T, endings []ending) time.Duration {
	var times []time.Duration
	for _, e := range endings {
		times = append(times, e.after)
	}
	slices.Sort(times)
	usual := times[len(times)/2]
	table := tabwriter.NewWriter(t.Output(), 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(table, "page\tended\tafter\tdocumented\tcontrol page right after (usually %d ms)\n", usual.Milliseconds())
	for _, e := range endings {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%.1f s\t%s\t%d ms, %.1f ×\n", e.page.Name, hostile.Name(e.reason), e.took.Seconds(),
			strings.Join(e.page.Endings(), ", "), e.after.Milliseconds(), float64(e.after)/float64(usual))
	}
	slow, _ := slices.BinarySearch(times, 2*usual+1)
	_, _ = fmt.Fprintf(table, "%d of %d control pages took at most twice the usual time, the slowest %.1f times\n", slow, len(times),
		float64(times[len(times)-1])/float64(usual))
	if err := table.Flush(); err != nil {
		t.Error(err)
	}
	return usual
}

// end captures a hostile page and then the harmless one.
func end(ctx context.Context, pool *chrome.Pool, site *httptest.Server, page hostile.Page) ending {
	e := ending{page: page}
	begin := time.Now()
	_, e.cause = pool.Capture(ctx, capture.Request{URL: site.URL + "/" + page.Name, Device: capture.Desktop, Deadline: page.Deadline,
		HideConsent: true, Hide: page.Hide, Shared: shared.Scope("all")})
	e.took = time.Since(begin)
	var failure *capture.Failure
	switch {
	case errors.As(e.cause, &failure):
		e.reason = failure.Reason
	case e.cause != nil:
		e.reason = "unknown"
	}
	begin = time.Now()
	e.control, e.failure = takeControl(ctx, pool, site)
	e.after = time.Since(begin)
	return e
}

func takeControl(ctx context.Context, pool *chrome.Pool, site *httptest.Server) ([]byte, error) {
	shot, err := pool.Capture(ctx, capture.Request{URL: site.URL + hostile.ControlPath, Device: capture.Desktop, HideConsent: true,
		Shared: shared.Scope("all"), Deadline: 5 * time.Minute})
	if err != nil {
		return nil, err
	}
	return shot.PNG, nil
}

func startSite(t *testing.T) *httptest.Server {
	t.Helper()
	site := httptest.NewUnstartedServer(hostile.Handler())
	site.Config.ErrorLog = log.New(io.Discard, "", 0)
	site.Start()
	t.Cleanup(func() {
		site.CloseClientConnections()
		site.Close()
	})
	return site
}

// startPool starts a pool of one lane.
func startPool(t *testing.T, site *httptest.Server) *chrome.Pool {
	t.Helper()
	pool, err := chrome.Start(t.Context(), poolConfig(t, site, 1, 0, os.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	return pool
}

// poolConfig is of a pool whose pages may reach the site, never ask a DNS server, and take less memory and network than by
// default, so that the tests are short.
func poolConfig(t *testing.T, site *httptest.Server, lanes, recycleAfter int, folder string) chrome.Config {
	t.Helper()
	policy, err := egress.NewPolicy(site.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return chrome.Config{
		Lanes: lanes, RecycleAfter: recycleAfter, Policy: policy, MaxPageBytes: 16 << 20, MaxMemory: 1 << 30, TempDir: folder,
		Resolver: &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, errors.New("tests ask no DNS server")
		}},
	}
}
