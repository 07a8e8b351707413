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
// scripts, data, pictures and frames that the side after takes from the side before. If the release changes these, neither picture
// shows it.
func (r *run) unseen(before, after *capture.Shot) string {
	var clauses []string
	if none := page.WhatNoneShows(before.Manifest.Missing, after.Manifest.Missing); none != "" {
		clauses = append(clauses, none)
	}
	if r.before.site.host != r.after.site.host {
		clauses = append(clauses, borrowed(after.Content, r.before.site)...)
		clauses = append(clauses, borrowedData(after.Content, r.before.site)...)
		clauses = append(clauses, borrowedPictures(&after.Visit, r.before.site)...)
		clauses = append(clauses, borrowedFrames(&after.Visit, r.before.site)...)
	}
	return strings.Join(clauses, "; ")
}

// borrowed is a clause about the files that a page takes from the other side's host; empty for none.
func borrowed(content *page.Content, from Site) []string {
	var addresses []string
	for _, a := range content.Assets {
		addresses = append(addresses, a.URL)
	}
	return from.tell(addresses, "a style sheet or script", "style sheets and scripts")
}

// borrowedData is a clause about what scripts of a page read from the other side's host: texts, prices.
func borrowedData(content *page.Content, from Site) []string {
	return from.tell(content.Data, "data", "sets of data")
}

// borrowedPictures is a clause about the pictures and videos of the other side's host that a page shows.
func borrowedPictures(v *page.Visit, from Site) []string {
	base, err := url.Parse(v.FinalURL)
	if err != nil {
		return nil
	}
	known := make(map[string]bool)
	var addresses []string
	for i := range v.Content.Elements {
		e := &v.Content.Elements[i]
		if e.Tag != "img" && e.Tag != "video" && e.Tag != "input" {
			continue
		}
		if u, err := base.Parse(e.Source); err == nil && e.Source != "" && !known[u.String()] {
			known[u.String()], addresses = true, append(addresses, u.String())
		}
	}
	return from.tell(addresses, "a picture", "pictures")
}

// tell is a clause about the files of this site among those that a page of the other one loads; empty for none.
func (s Site) tell(addresses []string, one, many string) []string {
	var names []string
	count := 0
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil || !strings.EqualFold(u.Host, s.host) {
			continue
		}
		if count++; len(names) < mostBorrowed {
			names = append(names, path.Base(u.Path))
		}
	}
	if count == 0 {
		return nil
	}
	what := one
	if count > 1 {
		what = fmt.Sprintf("%d %s", count, many)
	}
	if count > len(names) {
		names = append(names, "…")
	}
	return []string{fmt.Sprintf("the page after loads %s from %s (%s)", what, s.host, strings.Join(names, ", "))}
}
