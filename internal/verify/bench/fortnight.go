package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"afterimage/internal/noise"
	"afterimage/internal/verify"
	"afterimage/internal/verify/labelled/sites"
)

// Days of a simulated fortnight of monitoring.
const (
	days = sites.History
	// knownFrom is the day from which a page counts as known.
	knownFrom = 4
)

// damageDays are the days on which one of the pages is damaged; the damage stays.
var damageDays = []int{6, 9, 12}

// watched is a page that is monitored.
type watched struct {
	sites.Page
	damage *sites.Damage
	since  int // day of the damage
}

// on is the damage that the page has on a day.
func (w *watched) on(day int) *sites.Damage {
	if w.damage != nil && day >= w.since {
		return w.damage
	}
	return nil
}

// fortnight is the outcome of a simulation: alarms by day, from day 1.
type fortnight struct {
	pages          int
	plain, learned [days + 1]int // alarms by the rules alone, and with what was learned
	reported       int           // damages that raised an alarm on their day
	processor      time.Duration // for judging and learning
	loud           []string      // the false alarms from day knownFrom
}

// watchedPages are n pages of kinds as different as possible, three of them with a damage inside the varying part. The held-out
// sites stay closed.
func watchedPages(n int) []*watched {
	var pairs []sites.Pair
	for _, split := range []sites.Split{sites.Train, sites.Validation} {
		pairs = append(pairs, sites.Pairs(split)...)
	}
	var pages []*watched
	round := make(map[*sites.Kind]int)
	for turn := 1; len(pages) < n && turn < 10; turn++ {
		for _, p := range pairs {
			taken := slices.ContainsFunc(pages, func(w *watched) bool { return w.Page == p.Page })
			if p.Damage == nil && len(pages) < n && round[p.Kind] < turn && !taken {
				round[p.Kind]++
				pages = append(pages, &watched{Page: p.Page})
			}
		}
	}
	planted := 0
	for i := range pages {
		at := slices.IndexFunc(pairs, func(p sites.Pair) bool { return p.Page == pages[i].Page && p.Damage != nil && p.Damage.Inside })
		if planted < len(damageDays) && at >= 0 && i >= planted*n/len(damageDays) {
			pages[i].damage, pages[i].since = pairs[at].Damage, damageDays[planted]
			planted++
		}
	}
	return pages
}

// simulate captures the pages once a day and judges each day against the one before.
func (s *studio) simulate(ctx context.Context, pages []*watched) (*fortnight, error) {
	f := &fortnight{pages: len(pages)}
	for _, w := range pages {
		if err := s.follow(ctx, w, f); err != nil {
			return nil, fmt.Errorf("%s: %w", w.Name(), err)
		}
	}
	return f, nil
}

// follow monitors one page.
func (s *studio) follow(ctx context.Context, w *watched, f *fortnight) error {
	before, err := s.visit(ctx, w.Page, 0, w.on(0))
	if err != nil {
		return err
	}
	known := &noise.Knowledge{}
	for day := 1; day <= days; day++ {
		after, err := s.visit(ctx, w.Page, day, w.on(day))
		if err != nil {
			return err
		}
		pair, err := measure(ctx, before, after)
		if err != nil {
			return err
		}
		if known, err = f.compare(ctx, w, day, pair, known); err != nil {
			return err
		}
		before = after
	}
	return nil
}

// compare judges a day without and with what is known, and returns what is known afterwards.
func (f *fortnight) compare(
	ctx context.Context, w *watched, day int, pair *verify.Pair, known *noise.Knowledge,
) (*noise.Knowledge, error) {
	plain, err := verify.Verify(ctx, pair)
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	pair.Noise = known
	result, err := verify.Verify(ctx, pair)
	if err != nil {
		return nil, err
	}
	learned := pair.Learn(noise.Visit{At: time.Unix(0, 0).AddDate(0, 0, day), Source: noise.FromMonitoring}, result)
	f.processor += time.Since(begun)
	if !plain.Harmless() {
		f.plain[day]++
	}
	if result.Harmless() {
		return learned, nil
	}
	f.learned[day]++
	switch {
	case w.damage != nil && day == w.since:
		f.reported++
	case day >= knownFrom:
		f.hear(w, day, result)
	}
	return learned, nil
}

// hear notes what a false alarm is about.
func (f *fortnight) hear(w *watched, day int, result *verify.Result) {
	for i := range result.Findings {
		if found := &result.Findings[i]; found.Ruling.Category != verify.AllGood {
			f.loud = append(f.loud, fmt.Sprintf("%s, day %d: %s %s: %s %s", w.Name(), day, found.Ruling.Category, found.Ruling.Code,
				found.Description, found.Ruling.Reason))
		}
	}
}

// table is the outcome in words.
func (f *fortnight) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d pages, %d days, %d damages\n\n| Day | Alarms by rules alone | Alarms with what was learned |\n|---:|---:|---:|\n",
		f.pages, days, len(damageDays))
	var plain, learned int
	for day := 1; day <= days; day++ {
		fmt.Fprintf(&b, "| %d | %d | %d |\n", day, f.plain[day], f.learned[day])
		if day >= knownFrom {
			plain += f.plain[day]
			learned += f.learned[day]
		}
	}
	per := func(n int) float64 { return float64(n) / float64(len(damageDays)) }
	fmt.Fprintf(&b, "\nFrom day %d on: %.1f alarms per damage by rules alone, %.1f with what was learned; %d of %d damages reported.\n",
		knownFrom, per(plain), per(learned), f.reported, len(damageDays))
	fmt.Fprintf(&b, "Judging and learning took %.1f ms a comparison.\n", ms(f.processor)/float64(f.pages*days))
	return b.String()
}
