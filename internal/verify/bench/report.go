package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"afterimage/internal/page"
	"afterimage/internal/verify"
	"afterimage/internal/verify/labelled"
)

// score counts outcomes.
type score struct{ pairs, alarms int }

var sets = []struct {
	set   labelled.Set
	title string
}{{labelled.Development, "Development half"}, {labelled.HeldOut, "Held-out half"}, {labelled.SecondSet, "Second held-out set"},
	{labelled.ThirdSet, "Third held-out set"}, {labelled.FourthSet, "Fourth held-out set"}, {labelled.FifthSet, "Fifth held-out set"}}

// tables words the outcomes.
func tables(outcomes []outcome) string {
	var b strings.Builder
	for _, set := range sets {
		if chosen := slices.DeleteFunc(slices.Clone(outcomes),
			func(o outcome) bool { return o.pair.Kind.Set != set.set }); len(chosen) > 0 {
			fmt.Fprintf(&b, "### %s\n\n", set.title)
			setTable(&b, chosen)
		}
	}
	b.WriteString(descriptions(outcomes))
	b.WriteString(cost(outcomes))
	return b.String()
}

func setTable(b *strings.Builder, outcomes []outcome) {
	var harmless, harmful score
	kinds := make(map[*labelled.Kind]*score)
	var order []*labelled.Kind
	for _, o := range outcomes {
		total := &harmless
		if o.pair.Kind.Harmful {
			total = &harmful
		}
		if kinds[o.pair.Kind] == nil {
			kinds[o.pair.Kind] = &score{}
			order = append(order, o.pair.Kind)
		}
		for _, s := range []*score{total, kinds[o.pair.Kind]} {
			s.pairs++
			if !o.result.Harmless() {
				s.alarms++
			}
		}
	}
	fmt.Fprintf(b, "| | Pairs | Alarms | |\n|---|--:|--:|---|\n")
	fmt.Fprintf(b, "| Harmful | %d | %d | **%s kept as alarms** (recall) |\n", harmful.pairs, harmful.alarms,
		percent(harmful.alarms, harmful.pairs))
	fmt.Fprintf(b, "| Harmless | %d | %d | **%s silenced** |\n", harmless.pairs, harmless.alarms, percent(harmless.pairs-harmless.alarms,
		harmless.pairs))
	fmt.Fprintf(b, "| All | %d | %d | %s of the alarms are harmful (precision) |\n\n", harmful.pairs+harmless.pairs,
		harmful.alarms+harmless.alarms, percent(harmful.alarms, harmful.alarms+harmless.alarms))
	b.WriteString("| Kind | | Correct | Of |\n|---|---|--:|--:|\n")
	for _, k := range order {
		label, right := "harmless", kinds[k].pairs-kinds[k].alarms
		if k.Harmful {
			label, right = "harmful", kinds[k].alarms
		}
		fmt.Fprintf(b, "| %s | %s | %d | %d |\n", k.Name, label, right, kinds[k].pairs)
	}
	b.WriteString("\n")
}

func percent(n, of int) string {
	if of == 0 {
		return "none"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

// descriptions counts the pairs whose element and change are named rightly.
func descriptions(outcomes []outcome) string {
	type count struct{ right, of int }
	counts, total := make(map[labelled.Set]*count), count{}
	for _, set := range sets {
		counts[set.set] = &count{}
	}
	for i := range outcomes {
		o := &outcomes[i]
		if o.pair.Kind.Expect == nil {
			continue
		}
		for _, c := range []*count{&total, counts[o.pair.Kind.Set]} {
			c.of++
			if o.namedRightly() {
				c.right++
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "### Descriptions\n\nElement and kind of change are described correctly in %s of the %d pairs with a known expected "+
		"description:", percent(total.right, total.of), total.of)
	for _, set := range sets {
		fmt.Fprintf(&b, " %s %d of %d.", set.title, counts[set.set].right, counts[set.set].of)
	}
	return b.String() + "\n\n"
}

// namedRightly reports whether the deciding finding of some region is about the element that changed, and says what happened
// to it.
func (o *outcome) namedRightly() bool {
	for i := range o.result.Verdicts {
		found := o.result.Verdicts[i].Findings
		if len(found) > 0 && slices.Contains(o.pair.Kind.Expect.Changes, string(found[0].Change)) && o.meant(found[0].Element) {
			return true
		}
	}
	return false
}

// meant reports whether the element has the expected class, or lies in one that has.
func (o *outcome) meant(e *page.Element) bool {
	if e == nil {
		return false
	}
	for _, side := range []*verify.Page{&o.known.Before, &o.known.After} {
		i := slices.IndexFunc(side.Elements, func(other page.Element) bool { return other.Selector == e.Selector && other.Box == e.Box })
		for ; i >= 0; i = side.Elements[i].Parent {
			for _, words := range o.pair.Kind.Expect.Words {
				if classes := side.Elements[i].Classes; labelled.Has(classes, words) || slices.Contains(strings.Fields(classes), words) {
					return true
				}
			}
		}
	}
	return false
}

func cost(outcomes []outcome) string {
	took := make([]time.Duration, len(outcomes))
	for i, o := range outcomes {
		took[i] = o.took
	}
	slices.Sort(took)
	return fmt.Sprintf("### Cost\n\nJudging a pair took %.1f ms (median) and at most %.1f ms on the machine of this run.\n",
		ms(took[len(took)/2]), ms(took[len(took)-1]))
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// explain prints the verdicts.
func explain(w io.Writer, outcomes []outcome) {
	for i := range outcomes {
		o := &outcomes[i]
		state := "right"
		if o.result.Harmless() == o.pair.Kind.Harmful {
			state = "WRONG"
		}
		named := ""
		if o.pair.Kind.Expect != nil && !o.namedRightly() {
			named = " MISNAMED"
		}
		_, _ = fmt.Fprintf(w, "%s%s %s (harmful %v): %d regions, %d remaining, %d bands %s\n", state, named, o.pair.Name(),
			o.pair.Kind.Harmful, len(o.known.Regions), len(o.known.Remaining), len(o.known.Bands), o.result.CaptureIssue)
		for _, v := range o.result.Verdicts {
			_, _ = fmt.Fprintf(w, "    %s %s certain=%v: %s — %s\n", v.Category, v.Code, v.Certain, v.Description, v.Reason)
			for _, f := range v.Findings {
				_, _ = fmt.Fprintf(w, "        %s %v %s\n", f.Change, f.Box, f.Description)
			}
		}
		for _, f := range o.result.Findings {
			if len(f.Regions) == 0 {
				_, _ = fmt.Fprintf(w, "    %s %s beside all regions: %s %v %s\n", f.Ruling.Category, f.Ruling.Code, f.Change, f.Box,
					f.Description)
			}
		}
	}
}

// Marks between which the report stands in the document.
const (
	marksBegin = "<!-- bench -->\n"
	marksEnd   = "<!-- /bench -->\n"
)

// replaceTables puts the tables into a document, between its marks.
func replaceTables(path, report string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	head, rest, ok := strings.Cut(string(text), marksBegin)
	_, tail, closed := strings.Cut(rest, marksEnd)
	if !ok || !closed {
		return fmt.Errorf("%s has no marks %q and %q", path, marksBegin, marksEnd)
	}
	return os.WriteFile(path, []byte(head+marksBegin+"\n"+report+"\n"+marksEnd+tail), 0o600) //nolint:gosec // the file that the flag names
}
