package review

import (
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"afterimage/vcd"
	"afterimage/vcd/review"
)

const (
	pageSize = 60 // comparisons on one page of a batch
	maxPages = 1000
)

var (
	//go:embed batch.html
	batchSource string

	batchDocument = template.Must(template.New("batch").Parse(batchSource))
)

// batchView is what the page of a batch shows.
type batchView struct {
	Name, State, Total, Above, Summary string
	AnyAbove                           bool
	Rows                               []batchRow
	Page, Pages                        int
	Previous, Next                     string // addresses; "" for none
}

// batchRow is one comparison on it.
type batchRow struct {
	Link, Picture, Title, Address, Device, Changed, Status string
	Above                                                  bool
}

// serveShared answers for /b/<token> and /b/<token>/<comparison>.
func (h *Handler) serveShared(w http.ResponseWriter, r *http.Request, path string) {
	token, rest, below := strings.Cut(path, "/")
	if !isToken(token) {
		h.missing(w)
		return
	}
	if !below {
		h.serveBatch(w, r, token)
		return
	}
	id, ok := vcd.ParseID(rest)
	if !ok {
		h.missing(w)
		return
	}
	c, err := h.reviews.SharedComparison(r.Context(), token, id)
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	v := viewOf(c, pictureLink(token, id))
	v.Back = BatchPrefix + token
	h.write(w, r, document, v)
}

func (h *Handler) serveBatch(w http.ResponseWriter, r *http.Request, token string) {
	number := 1
	if raw := r.URL.Query().Get("page"); raw != "" {
		n, err := strconv.Atoi(raw)
		if err != nil || n < 1 || n > maxPages {
			h.missing(w)
			return
		}
		number = n
	}
	shared, err := h.reviews.Shared(r.Context(), token, vcd.Page{Number: number, Size: pageSize, Total: true})
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	h.write(w, r, batchDocument, batchViewOf(shared, token, number))
}

func batchViewOf(s *review.SharedBatch, token string, number int) batchView {
	v := batchView{
		Name: s.Batch.Name, State: "running", Page: number, Pages: (s.Comparisons.Total + pageSize - 1) / pageSize,
		Total: vcd.Plural(s.Comparisons.Total, "comparison"), Above: fmt.Sprintf("%d changed", s.Comparisons.AboveThreshold),
		AnyAbove: s.Comparisons.AboveThreshold > 0,
	}
	if s.Batch.FinishedAt != nil {
		v.State = "finished " + s.Batch.FinishedAt.Format(http.TimeFormat)
	}
	if s.Batch.Summary != nil {
		v.Summary = s.Batch.Summary.Summary
	}
	for _, c := range s.Comparisons.Items {
		v.Rows = append(v.Rows, batchRowOf(c, token))
	}
	if number > 1 {
		v.Previous = turnTo(token, number-1)
	}
	if number < v.Pages {
		v.Next = turnTo(token, number+1)
	}
	return v
}

func turnTo(token string, number int) string {
	return fmt.Sprintf("%s%s?page=%d", BatchPrefix, token, number)
}

func batchRowOf(c *vcd.Comparison, token string) batchRow {
	picture := "_after_compressed.jpeg"
	if c.Image != nil && c.Image.Over != "" {
		picture = "_differences_compressed.jpeg"
	}
	row := batchRow{
		Link: BatchPrefix + token + "/" + string(c.ID), Picture: address(pictureLink(token, c.ID), picture), Title: c.HTMLTitle,
		Address: c.URLAddress, Device: string(c.Device), Changed: percent(c.JudgedPercent()), Status: statusWords[c.Status],
		Above: c.AboveThreshold(),
	}
	if row.Title == "" {
		row.Title = row.Address
	}
	return row
}

// pictureLink is what the addresses of a comparison's pictures begin with on the pages of its batch.
func pictureLink(token string, comparison vcd.ID) string { return token + "-" + string(comparison) }
