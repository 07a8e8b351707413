package assetcache

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// Asset is a complete response with status 200. It is immutable.
type Asset struct {
	Headers  Headers // without those that are about the transfer
	Body     []byte  // without content encoding
	Wire     int64   // bytes that the response took on the network
	Received time.Time
	Until    time.Time // it is not used later
}

// transfer are header fields about how a body travelled, which is over, and Age, which is counted anew.
var transfer = []string{
	"age", "connection", "content-encoding", "content-length", "keep-alive", "proxy-authenticate", "proxy-connection", "proxy-status",
	"te", "trailer", "transfer-encoding", "upgrade",
}

// NewAsset describes a response. Fields that are not valid are left out: their sender has no use of them.
func NewAsset(h Headers, body []byte, received time.Time, lifetime time.Duration) *Asset {
	a := &Asset{Body: body, Received: received, Until: received.Add(lifetime)}
	for _, field := range h {
		value := strings.TrimSpace(field.Value)
		if httpguts.ValidHeaderFieldName(field.Name) && isASCII(value) && !slices.Contains(transfer, strings.ToLower(field.Name)) {
			a.Headers = append(a.Headers, Header{field.Name, value})
		}
	}
	a.Headers = slices.Clip(a.Headers)
	return a
}

func isASCII(value string) bool {
	return !strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c > '~' })
}

// HeadersAt are the headers with the Age that RFC 9111 asks for.
func (a *Asset) HeadersAt(now time.Time) Headers {
	age := max(0, int64(now.Sub(a.Received)/time.Second))
	return append(a.Headers, Header{"Age", strconv.FormatInt(age, 10)})
}

// entryOverhead is what an entry takes besides its texts, in bytes, roughly.
const entryOverhead = 1 << 10

// cost is the memory that an asset takes, in bytes.
func (a *Asset) cost() int64 {
	total := int64(len(a.Body)) + entryOverhead
	for _, h := range a.Headers {
		total += int64(len(h.Name) + len(h.Value))
	}
	return total
}
