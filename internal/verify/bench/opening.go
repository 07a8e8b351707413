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
	earlier            bool         // alarm of earlier rules
	withHistory        map[int]bool // alarms by number of earlier visits; nil when they are not there
}

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
func (s *studio) openHistories(ctx context.Context, sp specimen, judge *verify.Trained) (map[int]bool, error) {
	if _, err := os.Stat(s.visitPath(sp.pair.Page, 0, nil)); err != nil {
		return nil, nil //nolint:nilnil // no history, no result
	}
	alarms := make(map[int]bool)
	for _, visits := range histories {
		again := sp
		known := *sp.known
		again.known = &known
		if err := s.remember(ctx, &again, visits); err != nil {
			return nil, err
		}
		alarms[visits] = again.alarm || len(again.undecided) > 0 && again.worst(judge.Model) > judge.Harmless
	}
	return alarms, nil
}

// tally counts pairs and alarms.
type tally struct{ pairs, alarms int }

func (t *tally) add(alarm bool) {
	if t.pairs++; alarm {
		t.alarms++
	}
}

// openingTable words the result for a split.
func openingTable(title string, all []opened) string {
	groups := []struct {
		name    string
		harmful bool
		of      func(*opened) bool
	}{
		{"Harmful, elsewhere on the page", true, func(o *opened) bool { return o.pair.Damage != nil && !o.pair.Damage.Inside }},
		{"Harmful, inside the varying part", true, func(o *opened) bool { return o.pair.Damage != nil && o.pair.Damage.Inside }},
		{"Harmless", false, func(o *opened) bool { return o.pair.Damage == nil }},
	}
	var b strings.Builder
	fmt.Fprintf(&b,
		"### %s\n\n| | Pairs | Rules alone | With the trained judge | after 4 visits | after 14 visits |\n|---|--:|--:|--:|--:|--:|\n",
		title)
	for _, g := range groups {
		var rules, judged tally
		remembered := map[int]*tally{4: {}, sites.History: {}}
		for i := range all {
			o := &all[i]
			if !g.of(o) {
				continue
			}
			rules.add(o.rulesAlone)
			judged.add(o.judged)
			for visits, alarm := range o.withHistory {
				remembered[visits].add(alarm)
			}
		}
		fmt.Fprintf(&b, "| %s | %d |", g.name, rules.pairs)
		for _, t := range []*tally{&rules, &judged, remembered[4], remembered[sites.History]} {
			n, word := t.alarms, "kept"
			if !g.harmful {
				n, word = t.pairs-t.alarms, "silenced"
			}
			switch {
			case t.pairs == 0:
				b.WriteString(" – |")
			case t.pairs < rules.pairs:
				fmt.Fprintf(&b, " %d of %d %s (%s) |", n, t.pairs, word, percent(n, t.pairs))
			default:
				fmt.Fprintf(&b, " %d %s (%s) |", n, word, percent(n, t.pairs))
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
	fmt.Fprintf(&b, "\nThe expected calibration error of the judge's probabilities is %.1f %% (95 %% interval %.1f to %.1f), over %d findings in "+
		"%d bins. If every probability were right, it would be %.1f %% by chance.\n", 100*found.expected, 100*found.low, 100*found.high,
		findings, calibrationBins, 100*found.floor)
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
		for name, plot := range map[string]string{"judge-roc.svg": rocPlot(all, earlier != ""), "judge-calibration.svg": calibrationPlot(all)} {
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
