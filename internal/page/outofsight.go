package page

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// outOfSight is what an element holds out of sight on two visits, both of which have read it.
type outOfSight struct {
	element       string
	before, after string // see Missing.Holds
}

// pairOutOfSight pairs the elements that hold something out of sight on two visits, and returns the other missing parts of both.
func pairOutOfSight(before, after []Missing) (pairs []outOfSight, onlyBefore, onlyAfter []Missing) {
	left := slices.Clone(before)
	for _, m := range after {
		i := slices.IndexFunc(left, func(earlier Missing) bool {
			return earlier.Kind == m.Kind && earlier.Element == m.Element && earlier.Holds != "" && m.Holds != ""
		})
		if i < 0 {
			onlyAfter = append(onlyAfter, m)
			continue
		}
		pairs = append(pairs, outOfSight{m.Element, left[i].Holds, m.Holds})
		left = slices.Delete(left, i, i+1) // several elements may have one name: each in its turn
	}
	return pairs, left, onlyAfter
}

// pairOptions pairs the lists of two visits that show one of their entries only, and what holds parts that only a click shows.
func pairOptions(before, after *Content) (pairs []outOfSight) {
	if before == nil || after == nil {
		return nil
	}
	known := make(map[string]string)
	for i := range before.Elements {
		if e := &before.Elements[i]; e.Options != "" && e.Selector != "" {
			known[e.Selector] = e.Options
		}
	}
	for i := range after.Elements {
		e := &after.Elements[i]
		if was := known[e.Selector]; was != "" && e.Options != "" {
			pairs = append(pairs, outOfSight{PathEnd(e.Selector, 1), was + "\n", e.Options + "\n"})
		}
	}
	return pairs
}

// compareOutOfSight compares what elements hold beyond the part of them that pictures show, such as the other slides of a carousel or the
// other entries of a list.
func compareOutOfSight(before, after *Visit) *Change {
	pairs, _, _ := pairOutOfSight(before.Manifest.Missing, after.Manifest.Missing)
	pairs = append(pairs, pairOptions(before.Content, after.Content)...)
	var change *Change
	var clauses []string
	told := make(map[[2]heldLine]bool) // the panels of tabs may be read as slides, too
	for _, p := range pairs {
		if p.before == p.after {
			continue
		}
		was, is := p.differing()
		pair := [2]heldLine{was, is}
		if told[pair] && (was != "" || is != "") {
			continue
		}
		told[pair] = true
		if change == nil {
			change = &Change{Kind: ChangedOutOfSight, Before: was.words(), After: is.words(), Severity: SeverityWarning}
		}
		if clause := p.clause(was, is); len(clauses) < maxClauses && !slices.Contains(clauses, clause) {
			clauses = append(clauses, clause)
		}
	}
	if change != nil {
		change.Sentence = "Out of sight, " + strings.Join(clauses, "; ") + "."
	}
	return change
}

// differing are the first lines that only one visit has; "" for none.
func (p outOfSight) differing() (was, is heldLine) {
	before, after := linesOf(p.before), linesOf(p.after)
	return firstWithout(before, after), firstWithout(after, before)
}

// linesOf are the texts and pictures. The last line of what an element holds are checksums.
func linesOf(holds string) []string {
	lines := strings.Split(holds, "\n")
	return lines[:len(lines)-1]
}

func firstWithout(lines, others []string) heldLine {
	left := make(map[string]int)
	for _, line := range others {
		left[line]++
	}
	for _, line := range lines {
		if left[line]--; left[line] < 0 {
			return heldLine(line)
		}
	}
	return ""
}

// heldLine is a line of what an element holds: a text, or the name, size and checksum of a picture in brackets.
type heldLine string

var heldPicture = regexp.MustCompile(`^\[(.+) (\d+×\d+)( [0-9a-f]{12})?\]$`)

// picture is the name of a picture, "" for a text.
func (l heldLine) picture() string {
	if parts := heldPicture.FindStringSubmatch(string(l)); parts != nil {
		return Ellipsis(parts[1], maxPageTitle)
	}
	return ""
}

// broken tells that a picture has no size and no file.
func (l heldLine) broken() bool { return strings.HasSuffix(string(l), " 0×0]") }

// words are the line without what only machines compare.
func (l heldLine) words() string {
	if parts := heldPicture.FindStringSubmatch(string(l)); parts != nil {
		return fmt.Sprintf("[%s %s]", l.picture(), parts[2])
	}
	return Ellipsis(string(l), maxPageTitle)
}

// named is the line in a sentence.
func (l heldLine) named() string {
	if name := l.picture(); name != "" {
		return "the picture " + name
	}
	return "“" + l.words() + "”"
}

func (p outOfSight) clause(was, is heldLine) string {
	switch {
	case was == "" && is == "":
		return p.element + " looks different or is in another order"
	case was == "":
		return fmt.Sprintf("%s now has %s", p.element, is.named())
	case is == "":
		return fmt.Sprintf("%s no longer has %s", p.element, was.named())
	case is.picture() != "" && is.picture() == was.picture() && is.broken() != was.broken():
		if is.broken() {
			return fmt.Sprintf("the picture %s of %s no longer loads", is.picture(), p.element)
		}
		return fmt.Sprintf("the picture %s of %s loads again", is.picture(), p.element)
	case is.picture() != "" && is.picture() == was.picture():
		return fmt.Sprintf("%s shows another picture called %s", p.element, is.picture())
	}
	return fmt.Sprintf("%s has %s instead of %s", p.element, is.named(), was.named())
}
