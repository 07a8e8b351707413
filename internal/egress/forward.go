package egress

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"strings"
	"time"
)

// hopByHop are the fields that concern one connection only (RFC 9110, section 7.6.1, and the historical ones).
var hopByHop = []string{
	"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade", "Proxy-Status",
}

// forward serves an absolute-form request with a fresh request to its target.
func (p *Proxy) forward(w http.ResponseWriter, r *http.Request, v *Visit) {
	ctx, cancel := visitContext(r, v)
	defer cancel()
	out := r.Clone(context.WithValue(ctx, labelKey{}, denialLabel(r)))
	out.RequestURI = ""
	out.Close = false
	stripHopByHop(out.Header)
	if _, ok := out.Header["User-Agent"]; !ok {
		out.Header.Set("User-Agent", "") // else the transport would add Go's own
	}
	response, err := v.transport.RoundTrip(out)
	if err != nil {
		sayWhy(w, err)
		return
	}
	defer func() { _ = response.Body.Close() }()
	stripHopByHop(response.Header)
	for name, values := range response.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(response.StatusCode)
	if err := stream(w, response.Body); err != nil {
		// The header is out, so the only honest way to tell the browser that the body is incomplete is to break the connection.
		panic(http.ErrAbortHandler)
	}
}

// newTransport makes the visit's connection pool: nothing is shared between visits. Bodies pass as they are, redirects too.
func newTransport(v *Visit) *http.Transport {
	return &http.Transport{
		DialContext: func(ctx context.Context, _, address string) (net.Conn, error) {
			label, ok := ctx.Value(labelKey{}).(string)
			if !ok {
				label = address
			}
			return v.dial(ctx, label, address)
		},
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxResponseHeader,
		MaxIdleConnsPerHost:    maxConnections,
		IdleConnTimeout:        idleTimeout,
		ExpectContinueTimeout:  time.Second,
	}
}

type labelKey struct{}

// denialLabel is what the deny log shows: no query, it may hold secrets.
func denialLabel(r *http.Request) string {
	return r.Method + " http://" + r.URL.Host + r.URL.EscapedPath()
}

// visitContext ends with the request or with the visit, whichever is first.
func visitContext(r *http.Request, v *Visit) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(r.Context())
	stop := context.AfterFunc(v.ctx, cancel)
	return ctx, func() { stop(); cancel() }
}

func stripHopByHop(header http.Header) {
	for _, list := range header["Connection"] {
		for name := range strings.SplitSeq(list, ",") {
			header.Del(textproto.TrimString(name))
		}
	}
	for _, name := range hopByHop {
		header.Del(name)
	}
}

// stream copies and flushes what has arrived, so that event streams and slow documents are seen as they come.
func stream(w http.ResponseWriter, body io.Reader) error {
	flusher := http.NewResponseController(w)
	buffer := make([]byte, 32<<10)
	for {
		n, err := body.Read(buffer)
		if n > 0 {
			if _, writeErr := w.Write(buffer[:n]); writeErr != nil {
				return writeErr
			}
			if flushErr := flusher.Flush(); flushErr != nil {
				return flushErr
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// ProxyStatus is the header that marks the proxy's own responses (RFC 9209). It is removed from the responses of
// targets.
const ProxyStatus = "Proxy-Status"

// sayWhy answers for a target that was not reached. The body is never shown to a client.
func sayWhy(w http.ResponseWriter, err error) {
	status, code := http.StatusBadGateway, "destination_unavailable"
	switch CauseOf(err) {
	case Refused:
		status, code = http.StatusForbidden, "destination_ip_prohibited"
	case Unresolved:
		code = "dns_error"
	case TimedOut:
		status, code = http.StatusGatewayTimeout, "connection_timeout"
	case ProxyFailed:
		code = "proxy_internal_error"
	case Untrusted:
		code = "tls_certificate_error"
	case Unreachable:
	}
	w.Header().Set(ProxyStatus, "afterimage; error="+code)
	w.Header().Set("Connection", "close")
	http.Error(w, code, status)
}
