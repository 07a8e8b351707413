package review

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"afterimage/vcd"
	"afterimage/vcd/review"
)

const (
	pageSize             = 60 // comparisons on one page of a batch
	maxPages             = 1000
	maxFingerprintLength = 200
)

var batchDocument = parse("batch.html")

// batchView is what the page of a batch shows.
type batchView struct {
	frame
	Name, State, Total, Above, Summary string
	AnyAbove                           bool
	Changes                            []batchChange
	Unlisted                           int    // changes
	Only                               string // the change whose pages are shown; "" for all pages
	All                                string // address of all pages
	Rows                               []batchRow
	Page, Pages                        int
	Previous, Next                     string // addresses; "" for none
	Report                             string // address of the report; "" for none
}

// batchChange is one change of the batch.
type batchChange struct {
	ID                              string // of its element
	Description, Where, Link        string
	Slot                            string // id of the place for its button, for visitors who may review
	Verdict, VerdictClass           string
	Current                         bool // its pages are shown
	BeforeCrop, AfterCrop, ShownOne string
}

// batchRow is one comparison on it.
type batchRow struct {
	ID                                                     vcd.ID
	Link, Picture, Title, Address, Device, Changed, Status string
	Seen                                                   string // that it does not show the whole page; "" if it does
	Above                                                  bool
}

// serveShared answers for /b/<token> and what lies below it: a comparison's page, the report and the logo.
func (h *Handler) serveShared(w http.ResponseWriter, r *http.Request, path string) {
	token, rest, below := strings.Cut(path, "/")
	if !isToken(token) {
		h.missing(w, r)
		return
	}
	if !below {
		h.serveBatch(w, r, token)
		return
	}
	switch rest {
	case reportEnding:
		h.serveSharedReport(w, r, token)
		return
	case logoEnding:
		logo, err := h.reviews.SharedLogo(r.Context(), token)
		h.serveLogo(w, r, logo, err)
		return
	}
	id, ok := vcd.ParseID(rest)
	if !ok {
		h.missing(w, r)
		return
	}
	c, err := h.reviews.SharedComparison(r.Context(), token, id)
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	v := viewOf(h.frameOf(r, &c.From, BatchPrefix+token), c.Comparison, pictureLink(token, id))
	v.Back, v.Data.Guest = v.link(BatchPrefix+token), guestDataOf(token, c)
	h.write(w, r, document, v)
}

func (h *Handler) serveBatch(w http.ResponseWriter, r *http.Request, token string) {
	number := 1
	if raw := r.URL.Query().Get("page"); raw != "" {
		n, err := strconv.Atoi(raw)
		if err != nil || n < 1 || n > maxPages {
			h.missing(w, r)
			return
		}
		number = n
	}
	change := r.URL.Query().Get("change")
	if len(change) > maxFingerprintLength || strings.ContainsFunc(change, notTokenRune) {
		h.missing(w, r)
		return
	}
	shared, err := h.reviews.Shared(r.Context(), token, change, vcd.Page{Number: number, Size: pageSize, Total: true})
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	f := h.frameOf(r, &shared.From, BatchPrefix+token)
	at := batchAddress{token, change, f.Language, number}
	f.Switch = batchAddress{token, change, f.Words.Other().Language, number}.String()
	v := batchViewOf(f, shared, at)
	if h.printer != nil {
		v.Report = v.link(BatchPrefix + token + "/" + reportEnding)
	}
	h.write(w, r, batchDocument, v)
}

// batchAddress is what the address of a page of a batch says.
type batchAddress struct {
	token, change, language string
	page                    int
}

func (a batchAddress) String() string {
	query := url.Values{}
	if a.change != "" {
		query.Set("change", a.change)
	}
	if a.page > 1 {
		query.Set("page", strconv.Itoa(a.page))
	}
	if a.language != "" {
		query.Set(languageParameter, a.language)
	}
	address := BatchPrefix + a.token
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

func batchViewOf(f frame, s *review.SharedBatch, at batchAddress) *batchView {
	t := f.Words
	v := &batchView{
		frame: f, Name: s.Batch.Name, State: t.Running, Page: at.page, Pages: (s.Comparisons.Total + pageSize - 1) / pageSize,
		Total: t.Pages(s.Comparisons.Total), Above: t.Above(s.Comparisons.AboveThreshold),
		AnyAbove: s.Comparisons.AboveThreshold > 0, All: batchAddress{token: at.token, language: at.language}.String(),
	}
	if s.Batch.FinishedAt != nil {
		v.State = t.Finished(t.moment(*s.Batch.FinishedAt, f.Zone))
	}
	if s.Batch.Summary != nil && t == &english { // it is in English, and the figures say the same
		v.Summary = s.Batch.Summary.Summary
	}
	for _, c := range s.Comparisons.Items {
		v.Rows = append(v.Rows, f.rowOf(c, at.token))
	}
	v.addChanges(s, at)
	if at.page > 1 {
		v.Previous = batchAddress{at.token, at.change, at.language, at.page - 1}.String()
	}
	if at.page < v.Pages {
		v.Next = batchAddress{at.token, at.change, at.language, at.page + 1}.String()
	}
	return v
}

func (f *frame) rowOf(c *vcd.Comparison, token string) batchRow {
	picture := "_after_compressed.jpeg"
	if c.Image != nil && c.Image.Over != "" {
		picture = "_differences_compressed.jpeg"
	}
	row := batchRow{
		ID:   c.ID,
		Link: f.link(BatchPrefix + token + "/" + string(c.ID)), Picture: address(pictureLink(token, c.ID), picture), Title: c.HTMLTitle,
		Address: vcd.ShownAddress(c.URLAddress), Device: f.Words.Device[c.Device], Changed: f.Words.Percent(c.JudgedPercent()),
		Status: f.Words.Status[c.Status],
		Above:  c.AboveThreshold(),
	}
	if row.Title == "" {
		row.Title = row.Address
	}
	if c.NotSeen != "" {
		row.Seen = f.Words.PartlySeen
	}
	return row
}

// pictureLink is what the addresses of a comparison's pictures begin with on the pages of its batch.
func pictureLink(token string, comparison vcd.ID) string { return token + "-" + string(comparison) }
