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

// fortnight is the outcome of a simulation.
type fortnight struct {
	pages     int
	ways      [3]outcomes   // by the rules alone, with what was learned, and with what was learned with probes
	processor time.Duration // for judging and learning with what was learned
	loud      []string      // its false alarms from day knownFrom
}

// outcomes are the alarms of one way to judge.
type outcomes struct {
	alarms   [days + 1]int // by day, from day 1
	reported int           // damages that raised an alarm on their day
}

// The ways to judge.
const (
	byRules = iota
	byVisits
	byProbes
)

// daily are the kinds whose server shows the same for a day: there probes find nothing. On the others each visit differs.
var daily = map[string]bool{
	"news that move on": true, "posts with ages": true, "comments": true, "list of bids": true, "date of today": true,
	"cookie bar": true,
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
	known, probed := &noise.Knowledge{}, &noise.Knowledge{}
	if !daily[w.Kind.Name] {
		if probed, err = s.probe(ctx, w, before); err != nil {
			return err
		}
	}
	for day := 1; day <= days; day++ {
		after, err := s.visit(ctx, w.Page, day, w.on(day))
		if err != nil {
			return err
		}
		pair, err := measure(ctx, before, after)
		if err != nil {
			return err
		}
		if _, err = f.compare(ctx, w, day, pair, byRules, nil); err != nil {
			return err
		}
		if known, err = f.compare(ctx, w, day, pair, byVisits, known); err != nil {
			return err
		}
		if probed, err = f.compare(ctx, w, day, pair, byProbes, probed); err != nil {
			return err
		}
		before = after
	}
	return nil
}

// probe is what is known after the first visit and probes of the page, minutes later.
func (s *studio) probe(ctx context.Context, w *watched, first *visited) (*noise.Knowledge, error) {
	known := &noise.Knowledge{}
	for number := sites.After + 1; number <= sites.Last; number++ {
		seen, err := s.visit(ctx, w.Page, number, w.on(0))
		if err != nil {
			return nil, err
		}
		pair, err := measure(ctx, first, seen)
		if err != nil {
			return nil, err
		}
		pair.Noise = known
		result, err := verify.Verify(ctx, pair)
		if err != nil {
			return nil, err
		}
		known = pair.Learn(noise.Visit{At: time.Unix(0, 0), Source: noise.FromProbe}, result)
	}
	return known, nil
}

// compare judges a day in one way, with what is known, and returns what is known afterwards.
func (f *fortnight) compare(
	ctx context.Context, w *watched, day int, pair *verify.Pair, way int, known *noise.Knowledge,
) (*noise.Knowledge, error) {
	begun := time.Now()
	pair.Noise = known
	result, err := verify.Verify(ctx, pair)
	if err != nil {
		return nil, err
	}
	if known != nil {
		known = pair.Learn(noise.Visit{At: time.Unix(0, 0).AddDate(0, 0, day), Source: noise.FromMonitoring}, result)
	}
	if way == byVisits {
		f.processor += time.Since(begun)
	}
	if result.Harmless() {
		return known, nil
	}
	f.ways[way].alarms[day]++
	switch {
	case w.damage != nil && day == w.since:
		f.ways[way].reported++
	case way != byRules && day >= knownFrom:
		f.hear(w, day, result)
	}
	return known, nil
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
	fmt.Fprintf(&b, "%d pages, %d days, %d damages\n\n| Alarms on day | By rules alone | With what was learned | And with probes |\n"+
		"|---:|---:|---:|---:|\n", f.pages, days, len(damageDays))
	var later [len(f.ways)]int
	for day := 1; day <= days; day++ {
		fmt.Fprintf(&b, "| %d |", day)
		for way := range f.ways {
			n := f.ways[way].alarms[day]
			fmt.Fprintf(&b, " %d |", n)
			if day >= knownFrom {
				later[way] += n
			}
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\nAlarms per damage from day %d on, damages reported:", knownFrom)
	for way := range f.ways {
		fmt.Fprintf(&b, " %.1f, %d;", float64(later[way])/float64(len(damageDays)), f.ways[way].reported)
	}
	fmt.Fprintf(&b, "\nJudging and learning took %.1f ms a comparison.\n", ms(f.processor)/float64(f.pages*days))
	return b.String()
}
