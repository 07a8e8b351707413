package review

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"image"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"afterimage/internal/ratelimit"
	"afterimage/vcd"
	"afterimage/vcd/review"
)

// reportEnding is the path below a batch's page at which its report is.
const reportEnding = "report.pdf"

// Limits of a report.
const (
	maxPictured     = 40      // changes that are shown with pictures
	maxReportPages  = 300     // comparisons that are listed
	reportChunk     = 100     // of them read at once
	maxPictureBytes = 8 << 20 // of all pictures
	reportTimeout   = time.Minute
	cropMargin      = 24 // pixels shown around a change
)

// ErrNoBrowser is the error of a Printer in a process that has no browser.
var ErrNoBrowser = errors.New("this process has no browser")

// Printer creates a PDF file from an HTML document that has everything in itself.
type Printer interface {
	Print(ctx context.Context, document, footer string) ([]byte, error)
}

// Cropper cuts parts of pictures out, as JPEG files.
type Cropper interface {
	Crop(ctx context.Context, img *vcd.Image, part image.Rectangle) ([]byte, error)
}

var (
	reportDocument = parse("report.html")
	footerDocument = template.Must(template.New("footer").Parse(`<div style="width:100%;margin:0 16mm;display:flex;
justify-content:space-between;font:8px sans-serif;color:#566074"><span>{{.Name}}{{with .Account}} · {{.}}{{end}}</span>
<span><span class="pageNumber"></span> /
<span class="totalPages"></span></span></div>`))
)

// reportView is what a report shows.
type reportView struct {
	Letterhead           letterhead
	Words                *words
	Account              string // its name
	Name, State, Summary string
	Period               string // when the pages were captured
	Figures              []figure
	Changes              []reportChange
	Plain                []reportChange // harmless ones, and those for which there is no picture or no room
	Unlisted             int            // changes
	Rows                 []batchRow
	UnlistedPages        int
	pictureBytes         int
}

// figure is a number that matters, with its words.
type figure struct{ Number, Words, Class string }

// reportChange is a change with parts of a page that shows it.
type reportChange struct {
	batchChange
	Standing      string
	Before, After template.URL
}

// reportSource reads what a report shows.
type reportSource struct {
	batch func(ctx context.Context, p vcd.Page) (*review.SharedBatch, error) // a numbered page of it
	logo  func(ctx context.Context) (*vcd.Logo, error)
}

// serveSharedReport answers GET /b/<token>/report.pdf.
func (h *Handler) serveSharedReport(w http.ResponseWriter, r *http.Request, token string) {
	h.serveReport(w, r, reportSource{
		batch: func(ctx context.Context, p vcd.Page) (*review.SharedBatch, error) {
			return h.reviews.Shared(ctx, token, "", p)
		},
		logo: func(ctx context.Context) (*vcd.Logo, error) { return h.reviews.SharedLogo(ctx, token) },
	})
}

// serveOwnReport answers GET /reports/<batch>.pdf for those who are signed in; for others, there is nothing.
func (h *Handler) serveOwnReport(w http.ResponseWriter, r *http.Request, name string) {
	raw, isPDF := strings.CutSuffix(name, ".pdf")
	batch, isID := vcd.ParseID(raw)
	if !isPDF || !isID {
		h.missing(w, r)
		return
	}
	actor, err := h.origin.SignedInReader(r)
	if code := vcd.CodeOf(err); err != nil && code != vcd.CodeUnavailable && code != vcd.CodeInternal {
		h.missing(w, r)
		return
	}
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	h.serveReport(w, r, reportSource{
		batch: func(ctx context.Context, p vcd.Page) (*review.SharedBatch, error) {
			return h.reviews.Reported(ctx, actor, batch, p)
		},
		logo: func(ctx context.Context) (*vcd.Logo, error) { return h.reviews.BrandLogo(ctx, actor) },
	})
}

// serveReport answers with the report of a batch. An account has one made at a time.
func (h *Handler) serveReport(w http.ResponseWriter, r *http.Request, from reportSource) {
	if h.printer == nil {
		h.missing(w, r)
		return
	}
	t := textsFor(r)
	if _, wait := h.limits.Reports.Take(ratelimit.ClientOf(r)); wait > 0 {
		refuseForNow(w, wait, t.TooManyReports)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), reportTimeout)
	defer cancel()
	shared, err := wholeBatch(ctx, from)
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	if _, busy := h.reporting.LoadOrStore(shared.Batch.Account, true); busy {
		refuseForNow(w, time.Second, t.ReportBusy)
		return
	}
	defer h.reporting.Delete(shared.Batch.Account)
	pdf, err := h.report(ctx, t, shared, from)
	if errors.Is(err, ErrNoBrowser) {
		http.Error(w, t.NoBrowser, http.StatusNotImplemented)
		return
	}
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/pdf")
	w.Header().Set("Content-Disposition", `attachment; filename="`+t.File+`"`)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(pdf)
}

func refuseForNow(w http.ResponseWriter, wait time.Duration, words string) {
	w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	http.Error(w, words, http.StatusTooManyRequests)
}

// wholeBatch is a batch with as many of its comparisons as a report lists.
func wholeBatch(ctx context.Context, from reportSource) (*review.SharedBatch, error) {
	whole, err := from.batch(ctx, vcd.Page{Number: 1, Size: reportChunk, Total: true})
	if err != nil {
		return nil, err
	}
	last := min(whole.Comparisons.Total, maxReportPages)
	for number := 2; (number-1)*reportChunk < last; number++ {
		more, err := from.batch(ctx, vcd.Page{Number: number, Size: reportChunk})
		if err != nil {
			return nil, err
		}
		whole.Comparisons.Items = append(whole.Comparisons.Items, more.Comparisons.Items...)
	}
	return whole, nil
}

func (h *Handler) report(ctx context.Context, t *words, s *review.SharedBatch, from reportSource) ([]byte, error) {
	v, err := h.reportViewOf(ctx, t, s)
	if err != nil {
		return nil, err
	}
	if v.Letterhead, err = reportHead(ctx, s, from); err != nil {
		return nil, err
	}
	var document, footer bytes.Buffer
	if err := reportDocument.Execute(&document, v); err != nil {
		return nil, err
	}
	if err := footerDocument.Execute(&footer, v); err != nil {
		return nil, err
	}
	return h.printer.Print(ctx, document.String(), footer.String())
}

// reportHead is the letterhead of a report, with the logo itself.
func reportHead(ctx context.Context, s *review.SharedBatch, from reportSource) (letterhead, error) {
	if s.From.Brand.Logo == nil {
		return letterheadOf(&s.From.Brand, ""), nil
	}
	logo, err := from.logo(ctx)
	if err != nil {
		return letterhead{}, err
	}
	return letterheadOf(&s.From.Brand, dataAddress("image/png", logo.Content)), nil
}

// dataAddress is the address of a picture that has the picture in itself.
func dataAddress(mediaType string, content []byte) template.URL {
	return template.URL("data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(content)) //nolint:gosec // of base64 only
}

func (h *Handler) reportViewOf(ctx context.Context, t *words, s *review.SharedBatch) (*reportView, error) {
	page := batchViewOf(frame{Words: t, Zone: s.From.Zone}, s, batchAddress{page: 1})
	for i, c := range s.Comparisons.Items {
		if c.Status == vcd.ComparisonNew {
			page.Rows[i].Status = t.Open
		}
	}
	v := &reportView{
		Words: t, Name: page.Name, Account: s.From.Account, State: page.State, Period: t.period(s), Summary: page.Summary,
		Figures: figuresOf(t, s), Rows: page.Rows, Unlisted: page.Unlisted, UnlistedPages: max(0, s.Comparisons.Total-len(page.Rows)),
	}
	examples := examplesOf(s.Comparisons.Items)
	for _, i := range gravestFirst(s.Changes.Items) {
		c := s.Changes.Items[i]
		shown := reportChange{batchChange: page.Changes[i], Standing: t.standing(s.Standings[c.ID], s.Accepted(c.Fingerprint))}
		if c.Category() != vcd.CategoryAllGood { // the report is about what is not harmless
			if err := h.picture(ctx, v, &shown, examples[c.Fingerprint]); err != nil {
				return nil, err
			}
		}
		if shown.Before == "" && shown.After == "" {
			v.Plain = append(v.Plain, shown)
		} else {
			v.Changes = append(v.Changes, shown)
		}
	}
	return v, nil
}

// gravestFirst are the positions of changes, those with the worst verdict first.
func gravestFirst(changes []*vcd.BatchChange) []int {
	order := make([]int, len(changes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		of, other := changes[a].Category(), changes[b].Category()
		switch {
		case of == other:
			return 0
		case of.Worse(other) == of:
			return -1
		}
		return 1
	})
	return order
}

// picture cuts out what shows a change, unless the report has enough pictures. A picture that is lost is left out.
func (h *Handler) picture(ctx context.Context, v *reportView, shown *reportChange, e example) error {
	if e.comparison == nil || len(v.Changes) >= maxPictured || v.pictureBytes >= maxPictureBytes {
		return nil
	}
	for _, side := range []struct {
		shot vcd.ScreenshotRef
		part *box
		into *template.URL
	}{{e.comparison.Before, e.before, &shown.Before}, {e.comparison.After, e.after, &shown.After}} {
		if side.part == nil || side.shot.Image == nil {
			continue
		}
		at := image.Rect(side.part.X, side.part.Y, side.part.X+side.part.Width, side.part.Y+side.part.Height).Inset(-cropMargin)
		content, err := h.crops.Crop(ctx, side.shot.Image, at)
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("render the pictures of a report: %w", err)
		}
		if err != nil {
			h.logger.WarnContext(ctx, "a report lacks a picture", "picture", side.shot.Image.ID, "cause", err)
			continue
		}
		v.pictureBytes += len(content)
		*side.into = dataAddress("image/jpeg", content)
	}
	return nil
}

// figuresOf are the numbers at the head of a report, those of the comparisons that it lists.
func figuresOf(t *words, s *review.SharedBatch) []figure {
	counts := map[vcd.ComparisonStatus]int{}
	for _, c := range s.Comparisons.Items {
		counts[c.Status]++
	}
	return []figure{
		newFigure(s.Comparisons.Total, t.Compared, ""),
		newFigure(s.Comparisons.AboveThreshold, t.FigureChanged, ""),
		newFigure(counts[vcd.ComparisonOK]+counts[vcd.ComparisonFalsePositive], t.Fine, "good"),
		newFigure(counts[vcd.ComparisonToFix], t.ToFix, "alert"),
		newFigure(counts[vcd.ComparisonNew], t.Open, ""),
	}
}

// newFigure has the colour of a class unless there is nothing.
func newFigure(n int, words, class string) figure {
	if n == 0 {
		class = ""
	}
	return figure{strconv.Itoa(n), words, class}
}

// standing says what has become of a change.
func (w *words) standing(s vcd.ChangeStanding, accepted bool) string {
	switch {
	case s.Open == 0:
		return w.Decided
	case accepted:
		return w.Approved(w.StillOpen(s.Open))
	}
	return w.StillOpen(s.Open)
}

// period says when the pages that a report lists were captured; "" without any.
func (w *words) period(s *review.SharedBatch) string {
	var from, to time.Time
	for _, c := range s.Comparisons.Items {
		if first := c.Before.CreatedAt; !first.IsZero() && (from.IsZero() || first.Before(from)) {
			from = first
		}
		if last := c.After.CreatedAt; last.After(to) {
			to = last
		}
	}
	if from.IsZero() || to.IsZero() {
		return ""
	}
	return w.captured(from, to, s.From.Zone)
}
