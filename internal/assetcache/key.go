package assetcache

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"net/url"
	"slices"
	"strings"
)

// Key identifies requests that a site cannot tell apart, but for the path of their Referer.
type Key [sha256.Size]byte

// Request is a request of a page for an asset, as the browser is about to send it.
type Request struct {
	Site    string // the origin of the page
	Kind    string // the browser's word for what the asset is used as
	Method  string
	URL     string // without a fragment
	Headers Headers
}

// unshared are request headers with which a browser asks for something else than the asset as such.
var unshared = []string{
	"authorization", "cache-control", "pragma", "range", "if-range",
	"if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
	"purpose", "sec-purpose", "service-worker",
}

// maxURL bounds addresses that are shared, in bytes. A data: address never gets here.
const maxURL = 8 << 10

// Key returns the request's key, and false for a request that is not shared. The key contains all headers: what a site is not
// told it cannot depend on, whatever its Vary says. Cookies are part of it, so visitors share only with those who have the same cookies. Of
// the Referer, which is another for each page, it contains the origin.
func (r *Request) Key() (Key, bool) {
	if r.Method != "GET" || r.Site == "" || len(r.URL) > maxURL ||
		!strings.HasPrefix(r.URL, "http://") && !strings.HasPrefix(r.URL, "https://") {
		return Key{}, false
	}
	fields := make([]string, 0, len(r.Headers))
	for _, h := range r.Headers {
		name, value := strings.ToLower(h.Name), h.Value
		if slices.Contains(unshared, name) {
			return Key{}, false
		}
		if name == "referer" {
			from, err := url.Parse(value)
			if err != nil {
				return Key{}, false
			}
			value = from.Scheme + "://" + from.Host
		}
		fields = append(fields, name+": "+value)
	}
	slices.Sort(fields)
	sum := sha256.New()
	for _, part := range append([]string{r.Site, r.Kind, r.URL}, fields...) {
		write(sum, part)
	}
	return Key(sum.Sum(nil)), true
}

// write adds a text in a way that two lists of texts never look alike.
func write(sum hash.Hash, text string) {
	_, _ = sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text)))) // never fails
	_, _ = sum.Write([]byte(text))
}
