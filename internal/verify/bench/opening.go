package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"afterimage/internal/verify"
	"afterimage/internal/verify/labelled/sites"
	"afterimage/internal/verify/trees"
)

// opened is a pair of the generated sites with all judgments of it.
type opened struct {
	specimen
	rulesAlone, judged bool    // alarms
	score              float64 // probability of harm of its worst finding
	examples           []trees.Example
	earlier            bool               // alarm of earlier rules
	withHistory        map[int]remembered // by number of earlier visits; nil when they are not there
}

// remembered are the alarms when earlier visits are known.
type remembered struct{ rulesAlone, judged bool }

// histories are the numbers of earlier visits that are measured.
var histories = []int{4, sites.History}

// openSites judges the pairs of a split with the built-in judge.
func (s *studio) openSites(ctx context.Context, split sites.Split) ([]opened, error) {
	specimens, err := s.specimens(ctx, sites.Pairs(split))
	if err != nil {
		return nil, err
	}
	judge, err := verify.BuiltIn()
	if err != nil {
		return nil, err
	}
	all := make([]opened, len(specimens))
	err = s.each(len(all), func(i int) error {
		o := opened{specimen: specimens[i]}
		o.rulesAlone = o.alarm || len(o.undecided) > 0
		o.score = o.worst(judge.Model)
		o.judged = o.alarm || len(o.undecided) > 0 && o.score > judge.Harmless
		for _, row := range o.rows() {
			o.examples = append(o.examples, trees.Example{Score: judge.Model.Probability(row.Values), Yes: row.Yes, Weight: row.Weight})
		}
		var err error
		o.withHistory, err = s.openHistories(ctx, o.specimen, judge)
		all[i] = o
		return err
	})
	return all, err
}

// openHistories judges a pair again with earlier visits known, if the folder has them.
func (s *studio) openHistories(ctx context.Context, sp specimen, judge *verify.Trained) (map[int]remembered, error) {
	if _, err := os.Stat(s.visitPath(sp.pair.Page, 0, nil)); err != nil {
		return nil, nil //nolint:nilnil // no history, no result
	}
	alarms := make(map[int]remembered)
	for _, visits := range histories {
		again := sp
		known := *sp.known
		again.known = &known
		if err := s.remember(ctx, &again, visits); err != nil {
			return nil, err
		}
		alarms[visits] = remembered{again.alarm || len(again.undecided) > 0,
			again.alarm || len(again.undecided) > 0 && again.worst(judge.Model) > judge.Harmless}
	}
	return alarms, nil
}

// tally counts pairs, and those of which something holds.
type tally struct{ pairs, counted int }

func (t *tally) add(holds bool) {
	if t.pairs++; holds {
		t.counted++
	}
}

// ways are the ways of judging that the table of an opening compares; known is false for a pair without its earlier visits.
var ways = []struct {
	name  string
	alarm func(*opened) (alarm, known bool)
}{
	{"Rules alone", func(o *opened) (bool, bool) { return o.rulesAlone, true }},
	{"and the judge", func(o *opened) (bool, bool) { return o.judged, true }},
	{"Rules after 4 visits", func(o *opened) (bool, bool) { r, ok := o.withHistory[4]; return r.rulesAlone, ok }},
	{"and the judge", func(o *opened) (bool, bool) { r, ok := o.withHistory[4]; return r.judged, ok }},
	{"Rules after 14 visits", func(o *opened) (bool, bool) { r, ok := o.withHistory[sites.History]; return r.rulesAlone, ok }},
	{"and the judge", func(o *opened) (bool, bool) { r, ok := o.withHistory[sites.History]; return r.judged, ok }},
}

// groups are the pairs that the table of an opening distinguishes.
var groups = []struct {
	name    string
	harmful bool
	of      func(*opened) bool
}{
	{"Harmful, elsewhere on the page", true, func(o *opened) bool { return o.pair.Damage != nil && !o.pair.Damage.Inside }},
	{"Harmful, inside the varying part", true, func(o *opened) bool { return o.pair.Damage != nil && o.pair.Damage.Inside }},
	{"Harmless", false, func(o *opened) bool { return o.pair.Damage == nil }},
}

// openingTable words the result for a split: harmful pairs kept, harmless pairs silenced.
func openingTable(title string, all []opened) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n| |", title)
	for _, way := range ways {
		b.WriteString(" " + way.name + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|", len(ways)) + "\n")
	for _, g := range groups {
		word := "kept"
		if !g.harmful {
			word = "silenced"
		}
		b.WriteString("| " + g.name + " |")
		for _, way := range ways {
			var t tally
			for i := range all {
				if alarm, known := way.alarm(&all[i]); known && g.of(&all[i]) {
					t.add(alarm == g.harmful)
				}
			}
			if t.pairs == 0 {
				b.WriteString(" – |")
			} else {
				fmt.Fprintf(&b, " %d of %d %s (%s) |", t.counted, t.pairs, word, percent(t.counted, t.pairs))
			}
		}
		b.WriteString("\n")
	}
	pairs, findings := make([][]trees.Example, len(all)), 0
	for i := range all {
		pairs[i] = all[i].examples
		findings += len(pairs[i])
	}
	found := reliabilityOf(pairs)
	fmt.Fprintf(&b, "\nThe expected calibration error of the judge's probabilities is %.1f %% (95 %% interval %.1f to %.1f), over %d "+
		"findings in %d bins. If every probability were right, it would be %.1f %% by chance.\n", 100*found.expected, 100*found.low,
		100*found.high, findings, calibrationBins, 100*found.floor)
	return b.String()
}

const calibrationBins = 10

// openSplit writes the result for a split, with both plots into a folder.
func (s *studio) openSplit(ctx context.Context, split sites.Split, plots, earlier string, verbose bool) (string, error) {
	all, err := s.openSites(ctx, split)
	if err != nil {
		return "", err
	}
	if earlier != "" {
		if err := recall(all, earlier); err != nil {
			return "", err
		}
	}
	if verbose {
		for i := range all {
			o := &all[i]
			if o.judged != o.pair.Harmful() {
				fmt.Printf("WRONG %s: rules alone %v, alarm of a rule %v, score %.3f, history %v\n", o.pair.Name(), o.rulesAlone, o.alarm,
					o.score,
					o.withHistory)
				o.explain(ctx)
			}
		}
	}
	if plots != "" {
		drawn := map[string]string{"judge-roc.svg": rocPlot(all, earlier != ""), "judge-calibration.svg": calibrationPlot(all)}
		for name, plot := range drawn {
			if err := os.WriteFile(filepath.Join(plots, name), []byte(plot), 0o600); err != nil {
				return "", err
			}
		}
	}
	return openingTable(string(split), all), nil
}

// recall reads the alarms of earlier rules.
func recall(all []opened, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	alarms := make(map[string]bool)
	if err := json.Unmarshal(text, &alarms); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for i := range all {
		name, known := all[i].pair.Key(), false
		if all[i].earlier, known = alarms[name]; !known {
			return fmt.Errorf("%s says nothing of %s", path, name)
		}
	}
	return nil
}

func (o *opened) explain(ctx context.Context) {
	o.known.Trained = true
	result, err := verify.Verify(ctx, o.known)
	if err != nil {
		return
	}
	for _, v := range result.Verdicts {
		for _, f := range v.Findings {
			if f.Ruling.Category != verify.AllGood {
				fmt.Printf("    %s %s %.2f %s %s — %s\n", f.Ruling.Category, v.Code, v.Confidence, f.Change, f.Description, v.Reason)
			}
		}
	}
}
