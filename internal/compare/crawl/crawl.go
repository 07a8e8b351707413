// Package crawl finds the pages of a site by following its links, as far as they are in the HTML that its server sends.
package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/sync/errgroup"

	"afterimage/capture"
	"afterimage/internal/compare"
	"afterimage/internal/egress"
	"afterimage/internal/hyperlink"
)

// Limits of a crawl.
const (
	MaxPages    = 1000
	maxRequests = 5 * MaxPages // for addresses that turn out to be no pages
	maxDocument = 10 << 20     // bytes
	requestTime = 30 * time.Second
	atOnce      = 4
	maxHops     = 5
	maxLinks    = 5000 // of one page
)

// Crawler follows the links of a site.
type Crawler struct {
	Dialer      *egress.Dialer
	Agent       string
	Headers     []capture.Header
	Cookies     []capture.Cookie
	Credentials *capture.Credentials // nil for none
}

// crawl is one crawl in progress.
type crawl struct {
	*Crawler
	site   compare.Site
	client *http.Client
}

// Find returns the paths of at most n pages: the one at which the site begins, those that it links to, and so on, in the order
// of the links.
func (c *Crawler) Find(ctx context.Context, site compare.Site, n int) ([]string, error) {
	if n < 1 || n > MaxPages {
		return nil, fmt.Errorf("the number of pages must be from 1 to %d, not %d", MaxPages, n)
	}
	w := c.on(site)
	defer w.client.CloseIdleConnections()
	return w.breadthFirst(ctx, n)
}

// on is a crawler of one site, which leaves it nowhere.
func (c *Crawler) on(site compare.Site) *crawl {
	transport := &http.Transport{
		DialContext: c.Dialer.DialContext, MaxResponseHeaderBytes: 64 << 10, TLSHandshakeTimeout: 10 * time.Second,
		MaxIdleConnsPerHost: atOnce, ForceAttemptHTTP2: true, DialTLSContext: c.Dialer.DialTLS(),
	}
	return &crawl{Crawler: c, site: site, client: &http.Client{
		Timeout: requestTime, Transport: transport,
		CheckRedirect: func(r *http.Request, before []*http.Request) error {
			if _, ours := site.Path(r.URL.String()); !ours || len(before) > maxHops {
				return errElsewhere
			}
			c.identify(r)
			return nil
		},
	}}
}

var errElsewhere = errors.New("it leads to another site")

// breadthFirst reads level by level, each level at once. The order does not depend on who answers first.
func (w *crawl) breadthFirst(ctx context.Context, n int) ([]string, error) {
	var pages compare.Pages
	asked := map[string]bool{"/": true}
	for level, requests := []string{"/"}, 0; len(level) > 0 && len(pages.List()) < n && requests < maxRequests; {
		level = level[:min(len(level), maxRequests-requests)]
		requests += len(level)
		answers, err := w.readAll(ctx, level)
		if err != nil {
			return nil, err
		}
		level = nil
		for _, a := range answers {
			if a.path == "" || len(pages.List()) == n {
				continue
			}
			if err := pages.Add(a.path); err != nil {
				return nil, err
			}
			asked[a.path] = true
			for _, link := range a.links {
				if !asked[link] {
					asked[link] = true
					level = append(level, link)
				}
			}
		}
	}
	return pages.List(), nil
}

// answer is what a path led to: the path of a page with its links, or nothing.
type answer struct {
	path  string
	links []string
}

func (w *crawl) readAll(ctx context.Context, paths []string) ([]answer, error) {
	answers := make([]answer, len(paths))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, path := range paths {
		group.Go(func() (err error) {
			if answers[i], err = w.read(ctx, path); err != nil && path == "/" {
				return fmt.Errorf("%s cannot be read: %w", w.site.Address(path), err)
			}
			return ctx.Err() // a page that cannot be read is passed over
		})
	}
	return answers, group.Wait()
}

func (w *crawl) read(ctx context.Context, path string) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, w.site.Address(path), http.NoBody)
	if err != nil {
		return answer{}, err
	}
	w.identify(request)
	response, err := w.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	switch {
	case response.StatusCode >= http.StatusBadRequest:
		return answer{}, fmt.Errorf("the server answers with HTTP status %d", response.StatusCode)
	case kind != "text/html" && kind != "application/xhtml+xml":
		return answer{}, fmt.Errorf("it is not a page but %q", kind)
	}
	final, ours := w.site.Path(response.Request.URL.String())
	if !ours {
		return answer{}, errElsewhere
	}
	return answer{final, w.links(response.Request.URL, io.LimitReader(response.Body, maxDocument))}, nil
}

// identify adds what the captures of the site send as well.
func (c *Crawler) identify(r *http.Request) {
	r.Header.Set("User-Agent", c.Agent)
	for _, h := range c.Headers {
		r.Header.Set(h.Name, h.Value)
	}
	r.Header.Del("Cookie")
	for _, cookie := range c.Cookies {
		r.AddCookie(&http.Cookie{Name: cookie.Name, Value: cookie.Value}) //nolint:gosec // attributes are for responses
	}
	if c.Credentials != nil {
		r.SetBasicAuth(c.Credentials.User, c.Credentials.Password)
	}
}

// links lists the paths below the site to which a document links, in its order.
func (w *crawl) links(base *url.URL, document io.Reader) []string {
	var paths []string
	for target := range hyperlink.All(base, document) {
		if path, ours := w.site.Path(target.String()); ours && compare.CheckPath(path) == nil {
			paths = append(paths, path)
		}
		if len(paths) == maxLinks {
			break
		}
	}
	return paths
}
