package culprit

import (
	"cmp"
	"fmt"
	"slices"

	"afterimage/vcd"
)

// tally counts the occurrences of one kind of sign.
type tally struct {
	best    sign
	page    vcd.ID // the one that shows it best
	changed int    // changed pages that show it
	quiet   int    // unchanged pages that show it
}

// accuse gathers the evidence against one package.
func accuse(p *updatedPackage, all []updatedPackage, pages []*vcd.TracedPage, changed int) *Culprit {
	tallies, shown := make(map[Kind]*tally), 0
	for _, page := range pages {
		seen, any := noticed(page), false
		for _, s := range p.signsOn(page, all) {
			t := tallies[s.kind]
			if t == nil {
				t = &tally{}
				tallies[s.kind] = t
			}
			if !seen {
				t.quiet++
				continue
			}
			t.changed++
			any = true
			if s.strength > t.best.strength {
				t.best, t.page = s, page.ComparisonID
			}
		}
		if any {
			shown++
		}
	}
	c := &Culprit{
		Kind: p.kind, Slug: p.slug, Name: p.name, FromVersion: p.outcome.FromVersion, ToVersion: p.outcome.ToVersion, Success: p.success,
		Comparisons: shown,
	}
	c.weigh(p, tallies, len(all) == 1, changed, len(pages)-changed)
	c.Sentence = c.sentence(changed)
	return c
}

// weigh computes the score and the evidence from the tallies.
func (c *Culprit) weigh(p *updatedPackage, tallies map[Kind]*tally, alone bool, changed, quiet int) {
	type weighed struct {
		evidence Evidence
		weight   float64
	}
	var found []weighed
	for kind, t := range tallies {
		if t.changed == 0 {
			continue
		}
		weight := t.best.strength * (0.6 + 0.4*float64(t.changed)/float64(changed))
		if kind == Asset && quiet > 0 {
			weight *= 1 - 0.5*float64(t.quiet)/float64(quiet)
		}
		found = append(found, weighed{Evidence{kind, &t.page, t.changed, capital(t.best.sentence) + "."}, weight})
	}
	if !p.success {
		sentence := "Its update failed."
		if p.outcome.Error != nil && *p.outcome.Error != "" {
			sentence = "Its update failed: " + quoted(*p.outcome.Error) + "."
		}
		found = append(found, weighed{Evidence{Failure, nil, 0, sentence}, strengthFailure})
	}
	if alone {
		found = append(found, weighed{Evidence{Alone, nil, 0, "Nothing else was updated."}, strengthAlone})
	}
	slices.SortFunc(found, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.evidence.Kind, b.evidence.Kind))
	})
	doubt := 1.0
	for _, e := range found {
		doubt *= 1 - e.weight
		c.Evidence = append(c.Evidence, e.evidence)
	}
	c.Score = 1 - doubt
}

// sentence describes the culprit in a self-contained sentence.
func (c *Culprit) sentence(changed int) string {
	if len(c.Evidence) == 0 {
		return ""
	}
	surely := "may have"
	switch {
	case c.Score >= 0.75:
		surely = "very likely"
	case c.Score >= 0.5:
		surely = "likely"
	}
	where := ""
	if c.Comparisons > 0 {
		where = fmt.Sprintf(" in %d of %s", c.Comparisons, vcd.Plural(changed, "changed comparison"))
	}
	return fmt.Sprintf("%s %s caused changes%s. %s", c.title(), surely, where, c.Evidence[0].Sentence)
}

// title is the name with the versions.
func (c *Culprit) title() string {
	if c.FromVersion == nil || c.ToVersion == nil || *c.FromVersion == "" || *c.ToVersion == "" {
		return c.Name
	}
	return fmt.Sprintf("%s (%s → %s)", c.Name, *c.FromVersion, *c.ToVersion)
}

// capital capitalises a text unless its first word is a file name.
func capital(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' || !isWord(text) {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}

func isWord(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ':
			return true
		case c < 'a' || c > 'z':
			return false
		}
	}
	return true
}
