package sitemap

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"afterimage/internal/egress"
)

// maxNesting is how deep the elements of a sitemap may be nested; the protocol needs three, its extensions some more.
const maxNesting = 16

// file reads one file and, of an index, those that it names. What is wrong with it is noted; an error ends the reading.
func (w *walk) file(ctx context.Context, address string, depth int) error {
	if w.files[address] || w.result.Cut {
		return nil
	}
	if len(w.files) >= maxFiles || depth > maxDepth || w.left <= 0 {
		w.result.Cut = true
		return nil
	}
	w.files[address] = true
	named, err := w.read(ctx, address)
	var ours *takeError
	switch {
	case errors.As(err, &ours):
		return ours.error
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, errFull):
		return nil
	case err != nil:
		w.problem("%s: %s.", shown(address), explain(err))
		w.broken = w.broken || isThere(err)
	default:
		w.result.Files++
	}
	for _, next := range named {
		if err := w.file(ctx, next, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// read takes the URLs of a file and returns the files that it names, if it is an index.
func (w *walk) read(ctx context.Context, address string) (named []string, err error) {
	body, err := w.reader.open(ctx, address, min(maxBytes, w.left))
	if err != nil {
		return nil, err
	}
	defer func() {
		w.left -= body.read
		body.Close()
	}()
	text, known, err := utf8Text(body, body.kind)
	if err != nil {
		return nil, err
	}
	start, _ := text.Peek(1024)
	if !bytes.HasPrefix(bytes.TrimSpace(start), []byte("<")) {
		return nil, w.lines(text)
	}
	decoder := xml.NewDecoder(text)
	decoder.CharsetReader = declared(known)
	return w.document(decoder, body.from)
}

// lines reads a sitemap of plain text: a URL a line. Some have notes.
func (w *walk) lines(text io.Reader) error {
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !strings.HasPrefix(line, "http") {
			return errKind
		}
		if err := w.list(line); err != nil {
			return err
		}
	}
	return lines.Err()
}

var (
	errKind = errors.New("it is not a sitemap")
	errDeep = errors.New("its elements are nested too deeply")
)

// document reads a sitemap, a feed in its place or an index that was loaded from base. The decoder knows no entities but XML's own
// five, so that none can multiply.
func (w *walk) document(decoder *xml.Decoder, base *url.URL) (named []string, err error) {
	var path steps
	var location strings.Builder
	for {
		token, err := decoder.Token()
		switch {
		case errors.Is(err, io.EOF) && len(path) == 0:
			return named, nil
		case err != nil:
			return named, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			path = append(path, token.Name)
			location.Reset()
			if len(path) > maxNesting {
				return named, errDeep
			}
			if len(path) == 1 && !path.isKnown() {
				return nil, errKind
			}
			location.WriteString(hrefOf(token))
		case xml.CharData:
			if path.isLocation() && location.Len()+len(token) <= 8192 {
				location.Write(token)
			}
		case xml.EndElement:
			switch {
			case !path.isLocation() || path[0].Local != "urlset" && location.Len() == 0: // a link of a feed to something else
			case path[0].Local == "sitemapindex" && len(named) < maxFiles:
				named = append(named, resolve(base, location.String()))
			case path[0].Local != "sitemapindex":
				if err := w.list(resolve(base, location.String())); err != nil {
					return named, err
				}
			}
			path = path[:len(path)-1]
		}
	}
}

// resolve is an address that a file names. The protocol wants it absolute; many are not.
func resolve(base *url.URL, location string) string {
	location = strings.TrimSpace(location)
	if u, err := base.Parse(location); err == nil && location != "" {
		return u.String()
	}
	return location
}

// steps are the names of an element and of those around it, from the outside.
type steps []xml.Name

func (s steps) are(names ...string) bool {
	return slices.EqualFunc(s, names, func(step xml.Name, name string) bool { return step.Local == name })
}

// isKnown reports whether a document is one that the protocol has.
func (s steps) isKnown() bool {
	return s.are("urlset") || s.are("sitemapindex") || s.are("rss") || s.are("feed")
}

// isLocation reports whether an element has the address of a page or of a sitemap. Extensions have addresses of pictures, which belong to
// other namespaces.
func (s steps) isLocation() bool {
	switch {
	case s.are("urlset", "url", "loc"), s.are("sitemapindex", "sitemap", "loc"), s.are("urlset", "sitemap", "loc"),
		s.are("sitemapindex", "url", "loc"):
		return s[2].Space == s[0].Space
	}
	return s.are("rss", "channel", "item", "link") || s.are("feed", "entry", "link")
}

// hrefOf is the address of the page that an entry of an Atom feed is about, which it has as an attribute; "" for none.
func hrefOf(element xml.StartElement) string {
	href := ""
	for _, a := range element.Attr {
		switch {
		case element.Name.Local != "link" || a.Name.Local == "rel" && a.Value != "alternate":
			return ""
		case a.Name.Local == "href":
			href = a.Value
		}
	}
	return href
}

// isThere tells of a file that could not be read whether a sitemap seems to be there at all. Many sites answer with a page of theirs
// when there is no such file.
func isThere(err error) bool { return !errors.Is(err, errKind) && !errors.As(err, new(*statusError)) }

// statusError is an answer other than success.
type statusError struct{ code int }

func (e *statusError) Error() string {
	return fmt.Sprintf("the site answered with status %d", e.code)
}

// open fetches a file, unpacked, of which at most limit bytes can be read.
func (r *Reader) open(ctx context.Context, address string, limit int64) (*content, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return nil, errScheme
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", r.agent)
	request.Header.Set("Accept-Encoding", "gzip")
	answer, err := r.client.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		return nil, &statusError{answer.StatusCode}
	}
	unpacked, err := unpack(io.LimitReader(answer.Body, limit))
	if err != nil {
		answer.Body.Close()
		return nil, err
	}
	kind := answer.Header.Get("Content-Type")
	return &content{from: answer.Request.URL, kind: kind, unpacked: unpacked, body: answer.Body, limit: limit}, nil
}

// unpack takes gzip off, once for the transport and once for the file itself.
func unpack(raw io.Reader) (io.Reader, error) {
	for range 2 {
		buffered := bufio.NewReader(raw)
		raw = buffered
		if magic, _ := buffered.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
			return raw, nil
		}
		unpacked, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, err
		}
		raw = unpacked
	}
	return raw, nil
}

// content is a file that ends with an error where it is longer than allowed.
type content struct {
	from     *url.URL // after redirects
	kind     string   // its content type; "" for none
	unpacked io.Reader
	body     io.Closer
	read     int64
	limit    int64
}

var errLong = errors.New("it is longer than 50 MB, or all files together are longer than 500 MB")

func (c *content) Read(p []byte) (int, error) {
	if c.read >= c.limit {
		return 0, errLong
	}
	n, err := c.unpacked.Read(p[:min(int64(len(p)), c.limit-c.read)])
	c.read += int64(n)
	return n, err
}

func (c *content) Close() { _ = c.body.Close() } // a failing close after reading tells nothing new

// explain says what was wrong with a file, without what our resolver or network know.
func explain(err error) string {
	var status *statusError
	var syntax *xml.SyntaxError
	var network *url.Error
	switch {
	case errors.As(err, &status):
		return status.Error()
	case errors.As(err, &syntax) && syntax.Msg == "invalid UTF-8":
		return "it is not in UTF-8, and its XML declaration names no other character encoding"
	case errors.As(err, &syntax):
		return fmt.Sprintf("it is not well-formed XML (line %d)", syntax.Line)
	case errors.Is(err, errLong), errors.Is(err, errHops), errors.Is(err, errScheme), errors.Is(err, errKind), errors.Is(err, errDeep),
		errors.Is(err, errEncoding):
		for _, known := range []error{errLong, errHops, errScheme, errKind, errDeep, errEncoding} {
			if errors.Is(err, known) {
				return known.Error()
			}
		}
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return "it is not a valid gzip file"
	case errors.As(err, &network) && egress.CauseOf(err) == egress.Refused:
		return "its address may not be called: it is internal, or its port is not allowed"
	}
	return "it could not be read: the connection failed or broke off"
}

// shown is an address as it is told, cut where it is long.
func shown(address string) string {
	const longest = 200
	if len(address) > longest {
		address = strings.ToValidUTF8(address[:longest], "") + "…"
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return utf8.RuneError
		}
		return r
	}, address)
}
