package review_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	_ "image/jpeg"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"afterimage/internal/gallery"
	"afterimage/internal/ratelimit"
	"afterimage/internal/review"
	"afterimage/vcd"
	use "afterimage/vcd/review"
)

// printed keeps the documents that are to be printed. That they become PDF files is tested in capture/chrome and e2e.
type printed struct {
	documents []string
	meanwhile func()
}

func (p *printed) Print(_ context.Context, document, _ string) ([]byte, error) {
	p.documents = append(p.documents, document)
	if p.meanwhile != nil {
		p.meanwhile()
	}
	return []byte("%PDF-"), nil
}

// fewStates are comparisons with changes in both pictures, and in one of them.
func fewStates(t *testing.T) *states {
	t.Helper()
	s := noStates(t)
	s.shifted("shifted", 1440, "Prices and plans")
	return s
}

func reporting(t *testing.T, reviews review.Reviews, s *states, printer review.Printer, perMinute int) *review.Handler {
	t.Helper()
	logger := slog.New(slog.DiscardHandler)
	pictures := gallery.New(s, s, s.files, logger)
	t.Cleanup(pictures.Wait)
	return review.New(review.Config{
		Reviews: reviews, Printer: printer, Crops: pictures, Logger: logger,
		Limits: review.Limits{Reports: ratelimit.New(perMinute, time.Now)},
	})
}

func askForReport(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

var inlined = regexp.MustCompile(`src="data:image/jpeg;base64,([^"]*)"`)

// TestAReportHasEverythingInItself: the browser that prints it may not load anything, and nothing in it may be markup.
func TestAReportHasEverythingInItself(t *testing.T) {
	s, printer := fewStates(t), &printed{}
	w := askForReport(reporting(t, s, s, printer, 10), "/b/run/report.pdf")
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/pdf" || len(printer.documents) != 1 {
		t.Fatalf("%d %s: %s", w.Code, w.Header(), w.Body)
	}
	document := printer.documents[0]
	for _, want := range []string{"Example shop · after the update", "A banner of 64 rows is new below the title.",
		"&lt;b&gt;The footer&lt;/b&gt; &amp; everything below moved up.", "No longer present.", "Not present before."} {
		if !strings.Contains(document, want) {
			t.Errorf("%q is not in the report", want)
		}
	}
	if pictures := inlined.FindAllStringSubmatch(document, -1); len(pictures) != 2 {
		t.Errorf("%d pictures", len(pictures))
	} else {
		content, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(pictures[0][1], "&#43;", "+"))
		if err != nil {
			t.Fatal(err)
		}
		if shown, _, err := image.Decode(bytes.NewReader(content)); err != nil || shown.Bounds().Dx() > 1440 || shown.Bounds().Dy() > 900 {
			t.Errorf("the first picture: %v %v", shown.Bounds(), err)
		}
	}
	for _, bad := range []string{"<script", "src=", "href=", "url(", "/images/", "<b>"} {
		if strings.Contains(inlined.ReplaceAllString(document, ""), bad) {
			t.Errorf("%q is in the report", bad)
		}
	}
}

func TestReportsAreLimited(t *testing.T) {
	s, printer := fewStates(t), &printed{}
	h := reporting(t, s, s, printer, 3)
	printer.meanwhile = func() {
		printer.meanwhile = nil
		if w := askForReport(h, "/b/run/report.pdf"); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
			t.Errorf("a second one at the same time: %d %s", w.Code, w.Body)
		}
	}
	for _, want := range []int{http.StatusOK, http.StatusOK, http.StatusTooManyRequests} {
		if w := askForReport(h, "/b/run/report.pdf"); w.Code != want {
			t.Errorf("%d %s, want %d", w.Code, w.Body, want)
		}
	}
}

func TestReportsThatThereAreNot(t *testing.T) {
	s := fewStates(t)
	if w := askForReport(reporting(t, s, s, &printed{}, 10), "/b/other/report.pdf"); w.Code != http.StatusNotFound {
		t.Errorf("of an unknown batch: %d", w.Code)
	}
	if w := askForReport(reporting(t, s, s, noBrowser{}, 10), "/b/run/report.pdf"); w.Code != http.StatusNotImplemented {
		t.Errorf("without a browser: %d", w.Code)
	}
	if w := askForReport(pages(s, review.Assets{}), "/b/run/report.pdf"); w.Code != http.StatusNotFound {
		t.Errorf("where none are made: %d", w.Code)
	}
}

type noBrowser struct{}

func (noBrowser) Print(context.Context, string, string) ([]byte, error) {
	return nil, review.ErrNoBrowser
}

// large has more comparisons than a report lists.
type large struct {
	*states
	asked []int
}

func (l *large) Shared(ctx context.Context, token, change string, p vcd.Page) (*use.SharedBatch, error) {
	l.asked = append(l.asked, p.Number)
	found, err := l.states.Shared(ctx, token, change, p)
	if err != nil {
		return nil, err
	}
	one := found.Comparisons.Items[0]
	found.Comparisons.Items, found.Comparisons.Total = nil, 10_000
	for range p.Size {
		found.Comparisons.Items = append(found.Comparisons.Items, one)
	}
	return found, nil
}

func TestALargeReportSaysWhatItLeavesOut(t *testing.T) {
	s, printer := fewStates(t), &printed{}
	l := &large{states: s}
	if w := askForReport(reporting(t, l, s, printer, 10), "/b/run/report.pdf"); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if document := printer.documents[0]; strings.Count(document, "<tr>") != 301 || !strings.Contains(document, "9700 more pages") {
		t.Errorf("%d rows after asking for %d", strings.Count(document, "<tr>"), l.asked)
	}
}

// TestReportsOfABatchAreForItsAccount: neither strangers nor other accounts get the report of a batch that is not shared.
func TestReportsOfABatchAreForItsAccount(t *testing.T) {
	w, printer := newGuestWorld(t, 10, 10), &printed{}
	other := w.NewAccount("other@example.test", 100)
	h := review.New(review.Config{
		Reviews: w.Service.Reviews, Origin: ownPages{}, Printer: printer, Crops: noPictures{}, Logger: slog.New(slog.DiscardHandler),
		Limits: review.Limits{Reports: ratelimit.New(10, time.Now)},
	})
	for _, c := range []struct {
		who  vcd.ID
		path string
		want int
	}{
		{w.Account.ID, string(w.batch) + ".pdf", 200}, {other.ID, string(w.batch) + ".pdf", 404}, {"", string(w.batch) + ".pdf", 404},
		{w.Account.ID, string(w.batch), 404}, {w.Account.ID, "x.pdf", 404}, {w.Account.ID, "", 404},
	} {
		r := httptest.NewRequest(http.MethodGet, "/reports/"+c.path, nil)
		r.Header.Set("Cookie", string(c.who))
		answer := httptest.NewRecorder()
		if h.ServeHTTP(answer, r); answer.Code != c.want {
			t.Errorf("%q as %q: %d %s, want %d", c.path, c.who, answer.Code, answer.Body, c.want)
		}
	}
	if len(printer.documents) != 1 || !strings.Contains(printer.documents[0], "Price: &lt;b&gt;text&lt;/b&gt; changed") {
		t.Errorf("printed: %q", printer.documents)
	}
}

type noPictures struct{}

func (noPictures) Crop(context.Context, *vcd.Image, image.Rectangle) ([]byte, error) {
	return nil, fs.ErrNotExist
}
