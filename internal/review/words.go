package review

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"afterimage/vcd"
)

// words are the texts of public pages and reports in one language. What captures and verification say of a page is in English in
// both.
type words struct {
	Language string // for the lang attribute, and in addresses
	Name     string // of the language, in itself

	Status  map[vcd.ComparisonStatus]string
	Verdict map[vcd.Category]string
	Device  map[vcd.Device]string
	Pages   func(n int) string
	percent func(text string) string
	date    func(t time.Time) string // without the time of day

	// A comparison.
	AllPages, NothingChanged, Before, After, Differs string
	PageBefore, PageAfter, PageDiffers, Cutoff       string
	PartlySeen                                       string
	Unseen                                           func(parts string) string
	Changed, Threshold, InPlace, WithoutShifts       func(percent string) string
	Area                                             func(width, height int) string

	// A batch.
	Running, Report, WhatChanged, See, PagesTitle, WithChange, ShowAll, None string
	Previous, Next, OnDesktop, OnMobile, OnBoth                              string
	Finished                                                                 func(when string) string
	Above, MoreChanges                                                       func(n int) string
	On                                                                       func(pages, devices string) string
	PageOf                                                                   func(page, pages int) string

	// A report.
	Kind, Compared, FigureChanged, Fine, ToFix, Open, NotThere, Gone string
	OtherChanges, Page, DeviceTitle, ChangedTitle, Decision, Decided string
	File                                                             string // name of its file
	MoreInReport, MorePages, StillOpen                               func(n int) string
	Approved                                                         func(rest string) string
	At                                                               func(when string) string
	Between                                                          func(from, to string) string

	// What cannot be.
	NothingHere, Unavailable, CannotShow, ReadOnly, NotSaved, BadName, BadText string
	TooManyChanges, TooManyReports, ReportBusy, NoBrowser                      string
}

// languages are those that there are words of, by the names that browsers use.
var languages = map[string]*words{english.Language: &english, german.Language: &german}

// languageParameter chooses a language in an address.
const languageParameter = "lang"

// maxLanguages is how many of the languages that a browser asks for are looked at.
const maxLanguages = 20

// wordsFor are the words for a request: those that its address chooses, else the language that the browser likes best of those there
// are, else English. Chosen tells that the address says so.
func wordsFor(r *http.Request) (w *words, chosen bool) {
	if w, ok := languages[r.URL.Query().Get(languageParameter)]; ok {
		return w, true
	}
	w, best := &english, 0.0
	for i, part := range strings.Split(r.Header.Get("Accept-Language"), ",") {
		if i == maxLanguages {
			break
		}
		name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		name, _, _ = strings.Cut(strings.ToLower(name), "-")
		if liked := languages[name]; liked != nil && quality(weight) > best {
			w, best = liked, quality(weight)
		}
	}
	return w, false
}

// textsFor are the words for a request.
func textsFor(r *http.Request) *words {
	w, _ := wordsFor(r)
	return w
}

// quality reads how much a language is liked: q=0.8; 1 when nothing is said.
func quality(text string) float64 {
	value, found := strings.CutPrefix(strings.TrimSpace(text), "q=")
	if !found {
		return 1
	}
	q, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return 0
	}
	return q
}

// Other is another language, to change to.
func (w *words) Other() *words {
	if w == &german {
		return &english
	}
	return &german
}

// moment is a time in a zone as people write it.
func (w *words) moment(t time.Time, zone *time.Location) string {
	t = in(t, zone)
	return w.date(t) + ", " + clock(t)
}

// captured says when screenshots were taken, between two times.
func (w *words) captured(from, to time.Time, zone *time.Location) string {
	first, last := w.moment(from, zone), w.moment(to, zone)
	if first == last {
		return w.At(first)
	}
	if from, to := in(from, zone), in(to, zone); w.date(from) == w.date(to) {
		last = clock(to)
	}
	return w.Between(first, last)
}

// clock is the time of day.
func clock(t time.Time) string {
	name := t.Format("MST")
	if strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") { // not every zone has letters
		name = "UTC" + name
	}
	return t.Format("15:04") + " " + name
}

func in(t time.Time, zone *time.Location) time.Time {
	if zone == nil {
		return t.UTC()
	}
	return t.In(zone)
}

// Percent writes a difference as people read it: what is not nothing never reads as 0.
func (w *words) Percent(p float64) string {
	if p > 0 && p < 0.01 {
		return "< " + w.percent("0.01")
	}
	return w.percent(fmt.Sprintf("%.2f", p))
}
