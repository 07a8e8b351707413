package review_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"image"
	"image/png"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"afterimage/internal/ratelimit"
	"afterimage/internal/review"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	use "afterimage/vcd/review"
)

// branded gives the account of a world a name, a logo and a colour.
func (w *guestWorld) branded(color string) {
	w.T.Helper()
	var logo bytes.Buffer
	vcdtest.Must(w.T, png.Encode(&logo, image.NewGray(image.Rect(0, 0, 90, 30))))
	_, err := w.Service.Accounts.UpdateAccount(w.T.Context(), w.Actor, account.Change{Company: vcd.Some("Agency <b> & Co")})
	vcdtest.Must(w.T, err)
	_, err = w.Service.Reviews.UpdateBrand(w.T.Context(), w.Actor, use.BrandChange{
		Logo: vcd.Some(base64.StdEncoding.EncodeToString(logo.Bytes())), Color: vcd.Some(color),
	})
	vcdtest.Must(w.T, err)
}

var (
	styles    = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	allowed   = regexp.MustCompile(`style-src 'self' 'sha256-([^']*)'`)
	logoImage = regexp.MustCompile(`<img src="([^"]*/logo\.png)" width="90" height="30" alt="Agency &lt;b&gt; &amp; Co">`)
)

// TestPagesHaveTheBrandOfTheirAccount: with the policy naming just the colours that the page has in itself, and the logo below the
// page's own link.
func TestPagesHaveTheBrandOfTheirAccount(t *testing.T) {
	w := newGuestWorld(t, 10, 10)
	for _, path := range []string{w.page, w.page + "/" + string(w.first.ID), "/c/" + w.first.Token} {
		if seen := w.see(path); strings.Contains(seen.Body.String(), "letterhead") || strings.Contains(seen.Body.String(), "<style>") ||
			strings.Contains(seen.Header().Get("Content-Security-Policy"), "sha256") {
			t.Errorf("%s without a brand: %s", path, seen.Body)
		}
	}
	w.branded("#ffd800")
	for path, logo := range map[string]string{
		w.page: w.page + "/logo.png", w.page + "/" + string(w.first.ID): w.page + "/logo.png",
		"/c/" + w.first.Token: "/c/" + w.first.Token + "/logo.png",
	} {
		seen := w.see(path)
		style, policy := styles.FindStringSubmatch(seen.Body.String()), seen.Header().Get("Content-Security-Policy")
		if style == nil || !strings.HasPrefix(style[1], ":root{--brand:#ffd800;--brand-ink:#000000;") {
			t.Fatalf("%s: %s", path, seen.Body)
		}
		hash := sha256.Sum256([]byte(style[1]))
		if named := allowed.FindStringSubmatch(policy); named == nil || named[1] != base64.StdEncoding.EncodeToString(hash[:]) ||
			strings.Contains(policy, "unsafe") || strings.Contains(policy, "data:") {
			t.Errorf("%s: policy %q for %q", path, policy, style[1])
		}
		if shown := logoImage.FindStringSubmatch(seen.Body.String()); shown == nil || shown[1] != logo {
			t.Errorf("%s: no logo in %s", path, seen.Body)
		}
		w.checkLogo(logo)
	}
}

func (w *guestWorld) checkLogo(path string) {
	w.T.Helper()
	seen := w.see(path)
	header := seen.Header()
	size, err := png.DecodeConfig(bytes.NewReader(seen.Body.Bytes()))
	if err != nil || size.Width != 90 || header.Get("Content-Type") != "image/png" || header.Get("X-Content-Type-Options") != "nosniff" ||
		!strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") ||
		header.Get("Cache-Control") != "private, max-age=30, must-revalidate" {
		w.T.Errorf("%s: %d %v %v", path, seen.Code, header, err)
	}
	again := httptest.NewRequest(http.MethodGet, path, nil)
	again.Header.Set("If-None-Match", header.Get("ETag"))
	answer := httptest.NewRecorder()
	if w.handler.ServeHTTP(answer, again); answer.Code != http.StatusNotModified {
		w.T.Errorf("%s again: %d", path, answer.Code)
	}
}

// TestLogosEndWithTheirLink: a renewed link leaves nothing behind by which the old one can be told from an unknown one.
func TestLogosEndWithTheirLink(t *testing.T) {
	w := newGuestWorld(t, 10, 10)
	old := w.page
	for _, path := range []string{old + "/logo.png", "/c/" + w.first.Token + "/logo.png"} {
		if seen := w.see(path); seen.Code != http.StatusNotFound {
			t.Errorf("%s without a logo: %d", path, seen.Code)
		}
	}
	w.branded("#1a5fb4")
	w.share(vcd.LinkRead)
	_, err := w.Service.Reviews.RenewPublicLink(t.Context(), w.Actor, w.first.ID)
	vcdtest.Must(t, err)
	unknown := w.see("/b/unknown/logo.png")
	for _, path := range []string{old + "/logo.png", "/c/" + w.first.Token + "/logo.png", "/c/unknown/logo.png", old + "/logo.svg"} {
		if seen := w.see(path); seen.Code != http.StatusNotFound || seen.Body.String() != unknown.Body.String() {
			t.Errorf("%s: %d %s", path, seen.Code, seen.Body)
		}
	}
}

func TestReportsHaveTheBrandOfTheirAccount(t *testing.T) {
	w, printer := newGuestWorld(t, 10, 10), &printed{}
	w.branded("#1a5fb4")
	h := review.New(review.Config{
		Reviews: w.Service.Reviews, Origin: ownPages{}, Printer: printer, Crops: noPictures{}, Logger: slog.New(slog.DiscardHandler),
		Limits: review.Limits{Reports: ratelimit.New(10, time.Now)},
	})
	own := httptest.NewRequest(http.MethodGet, "/reports/"+string(w.batch)+".pdf", nil)
	own.Header.Set("Cookie", string(w.Account.ID))
	for _, r := range []*http.Request{own, httptest.NewRequest(http.MethodGet, w.page+"/report.pdf", nil)} {
		answer := httptest.NewRecorder()
		if h.ServeHTTP(answer, r); answer.Code != http.StatusOK {
			t.Fatalf("%d %s", answer.Code, answer.Body)
		}
	}
	for _, document := range printer.documents {
		for _, want := range []string{
			"--brand:#1a5fb4;--brand-ink:#ffffff;", `<img src="data:image/png;base64,`, `alt="Agency &lt;b&gt; &amp; Co"`,
		} {
			if !strings.Contains(document, want) {
				t.Errorf("%q is not in the report: %.4000s", want, document)
			}
		}
	}
}

// TestALostLogoIsAFault: a report without the logo that it should have is not handed out.
func TestALostLogoIsAFault(t *testing.T) {
	s, printer := fewStates(t), &printed{}
	h := reporting(t, lost{s}, s, printer, 10)
	if w := askForReport(h, "/b/run/report.pdf"); w.Code != http.StatusServiceUnavailable || len(printer.documents) != 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// lost is a batch whose account has a logo that cannot be read.
type lost struct{ *states }

func (l lost) Shared(ctx context.Context, token, change string, p vcd.Page) (*use.SharedBatch, error) {
	shared, err := l.states.Shared(ctx, token, change, p)
	if err == nil {
		shared.From.Brand.Logo = &vcd.Logo{Width: 1, Height: 1}
	}
	return shared, err
}

func (l lost) SharedLogo(context.Context, string) (*vcd.Logo, error) {
	return nil, vcd.Unavailable(context.Canceled)
}
