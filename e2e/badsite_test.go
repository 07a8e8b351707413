package e2e

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// badSite serves ordinary pages and some that have broken services: they never end, are out of service, or differ in a way
// that once kept the alignment of two pictures from ending.
type badSite struct {
	host  string
	paths []string
	after atomic.Bool // the second release
}

// The pages that are not ordinary.
const (
	endlessPage = "/endless" // its script does not come to an end
	heldPath    = "/held"    // never answers
	closedPage  = "/closed"  // answers 503
	hangPair    = "/pair/hang"
	panicPair   = "/pair/panic"
)

func newBadSite(t *testing.T, ordinary int) *badSite {
	t.Helper()
	s := &badSite{paths: append([]string{endlessPage, closedPage, hangPair, panicPair}, ordinaryPages(ordinary)...)}
	s.host = pages(t, s)
	return s
}

// endlessScript keeps a page busy for ever: with waiting, and with AFTERIMAGE_SOAK=1 by computing, which takes a processor from all
// other tests.
func endlessScript() string {
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		return "for (;;);"
	}
	return "const held = new XMLHttpRequest(); held.open('GET', '" + heldPath + "', false); held.send();"
}

func ordinaryPages(n int) (paths []string) {
	for i := range n {
		paths = append(paths, "/page/"+strconv.Itoa(i))
	}
	return paths
}

func (s *badSite) addresses() []string {
	all := make([]string, len(s.paths))
	for i, path := range s.paths {
		all[i] = "http://" + s.host + path
	}
	return all
}

// ending is the status that an entry has to end with.
func (s *badSite) ending(e entry) string {
	if strings.HasSuffix(e.URLLink, endlessPage) {
		return "failed" // and so there is nothing to compare
	}
	return "done"
}

func (s *badSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	release := "before"
	if s.after.Load() {
		release = "after"
	}
	if name, ok := strings.CutPrefix(r.URL.Path, "/picture/"); ok {
		http.ServeFile(w, r, "../imgdiff/testdata/align/"+name+"/"+release+".png")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch r.URL.Path {
	case endlessPage:
		fmt.Fprintf(w, `<!doctype html><title>endless</title><script>%s</script>`, endlessScript())
	case heldPath:
		<-r.Context().Done()
	case closedPage:
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, `<!doctype html><title>closed</title><h1>Back soon</h1>`)
	case hangPair, panicPair:
		name := strings.TrimPrefix(r.URL.Path, "/pair/")
		fmt.Fprintf(w, `<!doctype html><meta name="viewport" content="width=device-width"><title>%[1]s</title>
<style>body{margin:0}img{display:block}</style><img src="/picture/%[1]s" alt="">`, name)
	default:
		fmt.Fprintf(w, `<!doctype html><meta name="viewport" content="width=device-width"><title>%[1]s</title><h1>%[1]s</h1>`+
			`<p>The words of %[2]s.</p>`,
			r.URL.Path, release)
	}
}
