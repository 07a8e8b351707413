package web

import (
	"net/http"
	"strings"
)

// signInPolicy allows the page's own script and style sheet and a form post to
// the same origin. The icon is a data: address.
var signInPolicy = strings.Join([]string{
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"connect-src 'self'",
	"form-action 'self'",
	"base-uri 'none'",
	"frame-ancestors 'none'",
}, "; ")

// appPolicy keeps every load on the same origin, and lets no text become code: nothing of a captured page, which may be
// hostile, ever reaches an innerHTML. Pictures are also made in the page (blob:).
var appPolicy = strings.Join([]string{
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' blob:",
	"font-src 'self'",
	"connect-src 'self'",
	"form-action 'self'",
	"base-uri 'none'",
	"frame-ancestors 'none'",
	"require-trusted-types-for 'script'",
	"trusted-types 'none'",
}, "; ")

// graphiQLPolicy keeps every load on the same origin. Monaco, the editor
// inside GraphiQL, needs three relaxations:
//
//   - style-src 'unsafe-inline': it places lines, carets and colours with
//     style attributes and style elements made at run time;
//   - img-src data:: its squiggles and cursors are SVG data addresses;
//   - font-src data:: GraphiQL's style sheet carries its fonts inside.
//
// Scripts need none: no eval, no inline code, and the workers are files of
// ours rather than blobs.
var graphiQLPolicy = strings.Join([]string{
	"default-src 'none'",
	"script-src 'self'",
	"worker-src 'self'",
	"style-src 'self' 'unsafe-inline'",
	"img-src 'self' data:",
	"font-src 'self' data:",
	"connect-src 'self'",
	"form-action 'none'",
	"base-uri 'none'",
	"frame-ancestors 'none'",
}, "; ")

// setSecurityHeaders writes the headers that every answer carries, errors
// included.
func setSecurityHeaders(header http.Header, policy string) {
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
}
