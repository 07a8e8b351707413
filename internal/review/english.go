package review

import (
	"fmt"
	"time"

	"afterimage/vcd"
)

var english = words{
	Language: "en",
	Name:     "English",

	Status: map[vcd.ComparisonStatus]string{
		vcd.ComparisonNew: "To review", vcd.ComparisonOK: "OK", vcd.ComparisonFalsePositive: "False positive",
		vcd.ComparisonToFix: "To be fixed",
	},
	Verdict: map[vcd.Category]string{
		vcd.CategoryAllGood: "Harmless", vcd.CategoryNotSure: "Not sure", vcd.CategoryAlert: "Alert",
	},
	Device:  map[vcd.Device]string{vcd.Desktop: "desktop", vcd.Mobile: "mobile"},
	Pages:   func(n int) string { return vcd.Plural(n, "page") },
	percent: func(text string) string { return text + " %" },
	date:    func(t time.Time) string { return t.Format("2 January 2006") },

	AllPages:       "All pages of this run",
	NothingChanged: "No changes found.",
	PartlySeen:     "not fully captured",
	Before:         "Before",
	After:          "After",
	Differs:        "Differences",
	PageBefore:     "The page before",
	PageAfter:      "The page after",
	PageDiffers:    "Differences between before and after",
	Cutoff:         vcd.TruncationWords,
	Changed:        func(percent string) string { return percent + " changed" },
	Threshold:      func(percent string) string { return "threshold " + percent },
	InPlace:        func(percent string) string { return percent + " without alignment" },
	WithoutShifts:  func(percent string) string { return percent + " aligned" },
	Unseen:         vcd.UnseenWords,
	Area: func(width, height int) string {
		return fmt.Sprintf("Pixels changed in an area of %d × %d", width, height)
	},

	Running:     "running",
	Report:      "Report (PDF)",
	WhatChanged: "What changed",
	See:         "View on a page",
	PagesTitle:  "Pages",
	WithChange:  "with this change:",
	ShowAll:     "Show all pages",
	None:        "This run has no comparisons.",
	Previous:    "Previous",
	Next:        "Next",
	OnDesktop:   "desktop",
	OnMobile:    "mobile",
	OnBoth:      "desktop and mobile",
	Finished:    func(when string) string { return "finished " + when },
	Above:       func(n int) string { return fmt.Sprintf("%d above the threshold", n) },
	MoreChanges: func(n int) string { return vcd.Plural(n, "more change") + " on the pages below." },
	On:          func(pages, devices string) string { return "on " + pages + ", " + devices },
	PageOf:      func(page, pages int) string { return fmt.Sprintf("Page %d of %d", page, pages) },

	Kind:          "Visual changes",
	Compared:      "compared",
	FigureChanged: "changed",
	Fine:          "OK",
	ToFix:         "to be fixed",
	Open:          "open",
	NotThere:      "Not present before.",
	Gone:          "No longer present.",
	OtherChanges:  "Other changes",
	Page:          "Page",
	DeviceTitle:   "Device",
	ChangedTitle:  "Changed",
	Decision:      "Decision",
	Decided:       "reviewed",
	File:          "report.pdf",
	MoreInReport:  func(n int) string { return vcd.Plural(n, "more change") + " on these pages." },
	MorePages:     func(n int) string { return vcd.Plural(n, "more page") + " with smaller differences." },
	StillOpen:     func(n int) string { return vcd.Plural(n, "page") + " open" },
	Approved:      func(rest string) string { return "approved, " + rest },
	At:            func(when string) string { return "Screenshots of " + when },
	Between:       func(from, to string) string { return "Screenshots from " + from + " to " + to },

	NothingHere:    "There is nothing at this URL. The link may have been replaced or have expired: ask for a new one.",
	Unavailable:    "The service is temporarily unavailable. Please try again.",
	CannotShow:     "The page cannot be displayed.",
	ReadOnly:       "This page is read-only.",
	NotSaved:       "This could not be saved. Please try again later.",
	BadName:        "Please enter a name of at most 60 visible characters.",
	BadText:        "Please enter a comment of at most 10,000 characters.",
	TooManyChanges: "Too many changes in a short time. Please wait a moment.",
	TooManyReports: "Too many reports in a short time. Please wait a moment.",
	ReportBusy:     "Another report is being created. Please try again in a moment.",
	NoBrowser:      "This server cannot create reports: it runs without a browser.",
}
