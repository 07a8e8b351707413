package compare

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"afterimage/capture"
	"afterimage/internal/page"
)

// mostBorrowed is how many files of the other side are named.
const mostBorrowed = 3

// unseen says what of a page was not compared, as a clause; "" for nothing: what its pictures do not show, and the style sheets,
// scripts and frames that the side after takes from the side before. If the release changes these, neither picture shows it.
func (r *run) unseen(before, after *capture.Shot) string {
	var clauses []string
	if none := page.WhatNoneShows(before.Manifest.Missing, after.Manifest.Missing); none != "" {
		clauses = append(clauses, none)
	}
	if r.before.site.host != r.after.site.host {
		clauses = append(clauses, borrowed(after.Content, r.before.site)...)
		clauses = append(clauses, borrowedFrames(&after.Visit, r.before.site)...)
	}
	return strings.Join(clauses, "; ")
}

// borrowed is a clause about the files that a page takes from the other side's host; empty for none.
func borrowed(content *page.Content, from Site) []string {
	var names []string
	count := 0
	for _, a := range content.Assets {
		u, err := url.Parse(a.URL)
		if err != nil || !strings.EqualFold(u.Host, from.host) {
			continue
		}
		if count++; len(names) < mostBorrowed {
			names = append(names, path.Base(u.Path))
		}
	}
	if count == 0 {
		return nil
	}
	what := "a style sheet or script"
	if count > 1 {
		what = fmt.Sprintf("%d style sheets and scripts", count)
	}
	if count > len(names) {
		names = append(names, "…")
	}
	return []string{fmt.Sprintf("the page after loads %s from %s (%s)", what, from.host, strings.Join(names, ", "))}
}
