package sitemap

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"afterimage/internal/egress"
	"afterimage/internal/page"
)

// Limits of one site.
const (
	MaxURLs     = 50_000
	maxFiles    = 1000
	maxDepth    = 3                // of index files within index files
	maxProblems = 20               // that are told
	readTime    = 10 * time.Minute // for the whole site
	fileTime    = 60 * time.Second // for one file, from dialling to its last byte
	maxHops     = 5                // redirects of one file
	maxBytes    = 50 << 20         // of one file, unpacked; the protocol's own limit
	maxTotal    = int64(500) << 20 // of all files, unpacked
	maxRobots   = int64(512) << 10 // of robots.txt; what search engines read
	chunk       = 1000             // URLs handed over at once
)

// usualPlaces are where sitemaps are when robots.txt names none.
var usualPlaces = []string{"/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml"}

// Reader reads sitemaps. It is safe for concurrent use.
type Reader struct {
	client *http.Client
	agent  string
}

// New returns a reader that connects through the dialer and uses agent as its user agent.
func New(dialer *egress.Dialer, agent string) *Reader {
	return &Reader{agent: agent, client: &http.Client{
		Timeout: fileTime,
		Transport: &http.Transport{
			DialContext: dialer.DialContext, DisableCompression: true, MaxResponseHeaderBytes: 64 << 10,
			TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: 30 * time.Second, MaxIdleConnsPerHost: 1,
			IdleConnTimeout: 10 * time.Second, ForceAttemptHTTP2: true, DialTLSContext: dialer.DialTLS(),
		},
		CheckRedirect: func(r *http.Request, before []*http.Request) error {
			if len(before) > maxHops {
				return errHops
			}
			if r.URL.Scheme != "https" && r.URL.Scheme != "http" {
				return errScheme
			}
			return nil
		},
	}}
}

// Close closes idle connections.
func (r *Reader) Close() { r.client.CloseIdleConnections() }

var (
	errHops   = errors.New("it has too many redirects")
	errScheme = errors.New("its scheme is neither http nor https")
)

// Result is the outcome of reading a site's sitemaps.
type Result struct {
	Files    int      // that were read
	URLs     int      // distinct URLs of the site itself
	Foreign  int      // URLs of other hosts, which are ignored
	NoPages  int      // listed URLs of files that are no pages, by their names, which are ignored
	Cut      bool     // a limit was reached: there may be more
	Problems []string // with single files, as sentences for the site's owner; at most 20
}

// Read reads the sitemaps of a domain, host[:port][/path], and passes its URLs to take, up to a thousand at a time.
// It stops with an error of take or of the context; errors do not concern the site.
func (r *Reader) Read(ctx context.Context, domain string, take func([]string) error) (Result, error) {
	return r.start(ctx, domain, false, take)
}

// ReadOrLinks is like Read, but of a site without a sitemap it takes the start page and the pages to which that links.
func (r *Reader) ReadOrLinks(ctx context.Context, domain string, take func([]string) error) (Result, error) {
	return r.start(ctx, domain, true, take)
}

func (r *Reader) start(ctx context.Context, domain string, orLinks bool, take func([]string) error) (Result, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, readTime, errTime)
	defer cancel()
	w := &walk{reader: r, take: take, orLinks: orLinks, seen: map[string]bool{}, files: map[string]bool{}, left: maxTotal}
	host, path, _ := strings.Cut(domain, "/")
	w.host, w.path = bareHost(host), "/"+path
	err := w.site(ctx, host, strings.TrimRight("/"+path, "/"))
	if err == nil {
		err = w.flush()
	}
	if errors.Is(context.Cause(ctx), errTime) {
		w.result.Cut = true
		w.problem("Reading the site took longer than ten minutes; URLs read until then are kept.")
		err = w.flush()
	}
	if err == nil {
		w.explainNothing(domain)
	}
	return w.result, err
}

var errTime = errors.New("the site takes too long")

// walk is the reading of one site.
type walk struct {
	reader  *Reader
	take    func([]string) error
	orLinks bool   // without a sitemap, the links of the start page are read
	host    string // whose URLs count
	path    string // below which they must lie
	left    int64  // bytes
	seen    map[string]bool
	files   map[string]bool
	broken  bool // a sitemap is there that cannot be read
	pending []string
	foreign []string // some of the other hosts that were named
	result  Result
}

func (w *walk) problem(format string, args ...any) {
	if len(w.result.Problems) < maxProblems {
		w.result.Problems = append(w.result.Problems, fmt.Sprintf(format, args...))
	}
}

// site reads what robots.txt names, else the first of the usual places that there is. Https goes before http.
func (w *walk) site(ctx context.Context, host, path string) error {
	named, base, err := w.robots(ctx, host)
	if err != nil {
		return err
	}
	if base == "" {
		w.problem("The site %s could not be reached.", host)
		return nil
	}
	for _, address := range named {
		if err := w.file(ctx, address, 0); err != nil {
			return err
		}
	}
	if len(named) > 0 {
		return nil
	}
	places := usualPlaces
	if path != "" {
		places = append([]string{path + "/sitemap.xml", path + "/wp-sitemap.xml"}, places...)
	}
	before := w.result.Problems
	for _, place := range places {
		if err := w.file(ctx, base+place, 0); err != nil {
			return err
		}
		if w.result.Files > 0 {
			w.result.Problems = before
			return nil
		}
	}
	if !w.broken {
		w.result.Problems = before
	}
	switch {
	case w.orLinks:
		return w.links(ctx, base+path+"/")
	case w.broken:
		return nil
	}
	w.problem("The site has no sitemap: robots.txt lists none, and there is none at the usual locations.")
	return nil
}

// robots reads the sitemaps that robots.txt names, and tells by which scheme the site was reached; empty when by none.
func (w *walk) robots(ctx context.Context, host string) (named []string, base string, err error) {
	for _, scheme := range []string{"https://", "http://"} {
		body, err := w.reader.open(ctx, scheme+host+"/robots.txt", maxRobots)
		if ctx.Err() != nil {
			return nil, "", context.Cause(ctx)
		}
		var status *statusError
		if errors.As(err, &status) {
			return nil, scheme + host, nil // it is there, without a robots.txt
		}
		if err != nil {
			continue
		}
		named = robotsSitemaps(body)
		body.Close()
		return named, scheme + host, nil
	}
	return nil, "", nil
}

// robotsSitemaps reads the sitemaps that a robots.txt names. One that is cut off names those before.
func robotsSitemaps(text io.Reader) (named []string) {
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		if strings.EqualFold(strings.TrimSpace(name), "sitemap") && len(named) < maxFiles {
			named = append(named, strings.TrimSpace(value))
		}
	}
	return named
}

// list takes a URL that a sitemap lists.
func (w *walk) list(raw string) error {
	if u, err := url.Parse(strings.TrimSpace(raw)); err == nil && !isPage(u) {
		w.result.NoPages++
		return nil
	}
	return w.add(raw)
}

// add takes a URL of the site.
func (w *walk) add(raw string) error {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		w.result.Foreign++
		return nil
	}
	if host := bareHost(u.Host); host != w.host || !strings.HasPrefix(u.Path+"/", strings.TrimRight(w.path, "/")+"/") {
		w.result.Foreign++
		w.noteHost(host)
		return nil
	}
	if !page.IsRoute(u.Fragment) {
		u.Fragment, u.RawFragment = "", ""
	}
	address := u.String()
	_, bare, _ := strings.Cut(address, "://")
	if w.seen[bare] {
		return nil
	}
	if w.result.URLs >= MaxURLs {
		w.result.Cut = true
		return errFull
	}
	w.seen[bare] = true
	w.result.URLs++
	w.pending = append(w.pending, address)
	if len(w.pending) < chunk {
		return nil
	}
	return w.flush()
}

var errFull = errors.New("there are enough URLs")

func (w *walk) flush() error {
	if len(w.pending) == 0 {
		return nil
	}
	pending := w.pending
	w.pending = nil
	if err := w.take(pending); err != nil {
		return &takeError{err}
	}
	return nil
}

// takeError is an error of whom the URLs are for.
type takeError struct{ error }

func (e *takeError) Unwrap() error { return e.error }

// bareHost is a host without a www, which is the same site, and without the usual ports.
func bareHost(host string) string {
	host = strings.TrimPrefix(strings.ToLower(host), "www.")
	return strings.TrimSuffix(strings.TrimSuffix(host, ":443"), ":80")
}
