package review

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"html/template"
	"net/http"
	"strings"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/review"
)

// logoEnding is the path below a page's link at which the logo on it is.
const logoEnding = "logo.png"

// Logos finds the logo on a page; where there is none, it is vcd.CodeNotFound.
type Logos interface {
	ReviewLogo(ctx context.Context, token string) (*vcd.Logo, error)
	SharedLogo(ctx context.Context, token string) (*vcd.Logo, error)
	BrandLogo(ctx context.Context, actor vcd.Actor) (*vcd.Logo, error) // nil where there is none
}

// letterhead is the head of a page or report in the look of the account; the zero one is Afterimage's own look.
type letterhead struct {
	Name          string
	Logo          template.URL // its address; "" for none
	Width, Height int
	Style         template.CSS // the colours, for a style element; "" for Afterimage's own
}

// letterheadOf shows the brand of a page whose logo is at an address.
func letterheadOf(b *review.ShownBrand, logo template.URL) letterhead {
	if b.Empty() {
		return letterhead{}
	}
	l := letterhead{Name: b.Name, Style: styleOf(b.Color)}
	if b.Logo != nil {
		l.Logo, l.Width, l.Height = logo, b.Logo.Width, b.Logo.Height
	}
	return l
}

// Shown reports whether there is anything to show.
func (l letterhead) Shown() bool { return l != letterhead{} }

// styleOf makes the colours of a brand known to the style sheets. What lies under the pointer is mixed with the opposite of the
// text's colour, so that the text becomes no harder to read.
func styleOf(c vcd.Color) template.CSS {
	if !c.Valid() {
		return ""
	}
	ink, opposite := vcd.White, vcd.Black
	if c.Ink() == vcd.Black {
		ink, opposite = opposite, ink
	}
	return template.CSS(":root{--brand:" + string(c) + ";--brand-ink:" + string(ink) + //nolint:gosec // of colours that were checked
		";--brand-strong:color-mix(in srgb," + string(c) + " 85%," + string(opposite) + ")}")
}

// policyOf is the content security policy of a page: of styles in the page itself, only the given one counts.
func policyOf(style template.CSS, mayReview bool) string {
	text := policy
	if style != "" {
		hash := sha256.Sum256([]byte(style))
		text = strings.Replace(text, "style-src 'self'", "style-src 'self' 'sha256-"+base64.StdEncoding.EncodeToString(hash[:])+"'", 1)
	}
	if mayReview {
		text += "; connect-src 'self'"
	}
	return text
}

// serveLogo answers with a logo. Like the pictures of captures, a browser may show it again for half a minute without asking
// whether the link still works.
func (h *Handler) serveLogo(w http.ResponseWriter, r *http.Request, logo *vcd.Logo, err error) {
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	hash := sha256.Sum256(logo.Content)
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "private, max-age=30, must-revalidate")
	w.Header().Set("ETag", `"`+hex.EncodeToString(hash[:16])+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(logo.Content))
}
