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

// TestDashboardSpeed measures the dashboard in a browser, and limits what does not depend on the machine: the size of its script and
// the requests of a screen. At full size the pages are taller, and every time is measured nine times.
func TestDashboardSpeed(t *testing.T) {
	t.Parallel()
	small, tall, rounds := 2, []int{10_000}, 1
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		small, tall, rounds = 10, []int{20_000, 100_000}, 9
	}
	site := &tallSite{}
	host := pages(t, site)
	s := lodge(t)
	var urls []string
	for i := range small {
		urls = append(urls, fmt.Sprintf("http://%s/700/%d", host, i))
	}
	for _, rows := range tall {
		urls = append(urls, fmt.Sprintf("http://%s/%d", host, rows))
	}
	group := s.group(nil, urls...)
	s.await(s.take(group, "pre"))
	site.after.Store(true)
	run := s.take(group, "post")
	s.await(run)
	s.inBrowser("speed", "RUN="+run, "GROUP="+group, "PAGE="+urls[0], "ROUNDS="+strconv.Itoa(rounds),
		"HEIGHTS="+strings.Trim(fmt.Sprint(tall), "[]"))
}

// tallSite has pages of as many rows as their path begins with; in its second release every fifth part of them is another.
type tallSite struct {
	after atomic.Bool
}

func (s *tallSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const part = 100 // rows
	first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	rows, err := strconv.Atoi(first)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><title>%d rows</title><meta name="viewport" content="width=device-width"><style>
body{margin:0;font:20px sans-serif}p{box-sizing:border-box;height:%dpx;margin:0;padding:20px;overflow:hidden}</style>`, rows, part)
	for i := range rows / part {
		words := "Nothing happens here"
		if s.after.Load() && i%50 == 3 {
			words = "Something happens here"
		}
		fmt.Fprintf(w, `<p style="background:hsl(%d 60%% 85%%)">Part %d of %s: %s`, i*47%360, i, r.URL.Path, words)
	}
}
