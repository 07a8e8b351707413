package verify

import (
	"slices"
	"strings"
	"unicode"

	"afterimage/internal/page"
	"afterimage/internal/verify/css"
)

// What makes two changes the same wherever they are found: what happened, in full, and as much of the element as tells it from others of
// which the same could be said. Sentences are cut off and count elements; positions, paths and sizes differ between pages and devices.

// sameness is equal for groups that are the same change on whatever page and device; "" where only place and shape tell.
func (s *inspection) sameness(g *changeGroup) string {
	switch {
	case g.key == keySheet:
		return join(g.key, s.lostStyleSheet())
	case g.key == keyRestyled:
		return join(g.key, s.signatures(g))
	case g.loose:
		return join(g.key, s.shapes(g))
	case strings.HasPrefix(g.key, keyRow):
		return join(keyRow, g.before, g.after)
	}
	f := &s.own[g.members[0]]
	switch {
	case f.ofStyle():
		return s.samenessOfStyle(g)
	case f.Change == TextChanged && len(g.members) > 1:
		return join(string(f.Change), f.Element.Tag, f.Before, f.After, "", "")
	case f.Change == TextChanged:
		return join(string(f.Change), f.Element.Tag, f.Before, f.After, s.inlineWords(f), s.owner(f))
	case f.Change == ImageReplaced && page.WithoutQuery(f.Before) != page.WithoutQuery(f.After):
		return join(string(f.Change), page.WithoutQuery(f.Before), page.WithoutQuery(f.After))
	case f.Change == ImageReplaced && len(g.members) > 1:
		return join(string(f.Change), page.WithoutQuery(f.Before), s.shapes(g))
	case f.Change == Appeared && informs(f.After), f.Change == Vanished && informs(f.Before):
		return join(string(f.Change), f.Element.Tag, s.content(f))
	case f.Change == StyleChanged && f.Before+f.After != "": // a state
		return join(string(f.Change), f.Element.Tag, f.Before, f.After, s.owner(f))
	case f.Change == Reordered && len(f.members) > 0:
		return s.samenessOfOrder(f)
	}
	return ""
}

// join makes one key of several words.
func join(words ...string) string { return strings.Join(words, "\x00") }

// samenessOfStyle is that of properties with other values. Whatever the elements are: on one page, they are one change as well. An
// exchange of colours is the same whether a page has links, borders or both in that colour. What hides elements or shows them is the
// element's own.
func (s *inspection) samenessOfStyle(g *changeGroup) string {
	f := &s.own[g.members[0]]
	if slices.ContainsFunc(f.styles, func(c css.Change) bool { return c.Is(css.OfEffect) }) {
		return join("style", css.Signature(f.styles), f.Element.Tag, s.owner(f))
	}
	if exchanged := css.Colours(f.styles); len(exchanged) == 1 && g.before != "" {
		return join("colour", exchanged[0].Before, exchanged[0].After)
	}
	if g.before == "" {
		return join("style", newValue(s.toldTogether(g)))
	}
	return join("style", css.Signature(f.styles))
}

// samenessOfOrder is that of the parts of an element that stand in another order: which of them moved depends on their sizes, which
// differ between devices.
func (s *inspection) samenessOfOrder(f *Finding) string {
	parent := f.at
	if len(f.members) == 1 && f.members[0] == f.at {
		parent = s.AfterTree.Parent(f.at)
	}
	var kept []int
	if parent >= 0 {
		for _, child := range s.AfterTree.Children[parent] {
			if s.ToBefore[child] >= 0 {
				kept = append(kept, child)
			}
		}
	}
	words := []string{string(Reordered)}
	told := false
	for range 2 {
		for _, child := range kept {
			s.Steps.Take(1)
			e := s.AfterTree.Element(child)
			caption := s.AfterTree.Caption(child)
			told = told || caption != ""
			words = append(words, e.Tag, caption, page.WithoutQuery(e.Source))
		}
		slices.SortFunc(kept, func(a, b int) int { return s.ToBefore[a] - s.ToBefore[b] })
	}
	if !told {
		return ""
	}
	return join(words...)
}

// inlineWords are what changed within a line of text besides its own words.
func (s *inspection) inlineWords(f *Finding) string {
	var words []string
	for i := range f.inline {
		part := &f.inline[i]
		words = append(words, string(part.Change), part.Element.Tag, part.Before, part.After)
	}
	return join(words...)
}

// owner tells apart elements of which the same is said: by what names them, and by their path where nothing does.
func (s *inspection) owner(f *Finding) string {
	ofText := f.Change == TextChanged && f.Element.Value == ""
	if ofText && (informs(f.Before) || informs(f.After)) {
		return ""
	}
	words := f.tree.PlaceWords(f.at)
	if !ofText {
		words = join(words, f.Element.Text, s.AfterTree.Caption(f.at))
	}
	if informs(words) {
		return words
	}
	return join(words, s.identity(f))
}

// identifyingSteps is how many steps at the end of an element's path identify it: those further up differ from page to page.
const identifyingSteps = 4

// identity is the end of an element's path without positions among siblings.
func (s *inspection) identity(f *Finding) string {
	return join(f.Element.Role, page.WithoutQuery(f.Element.Source), page.PathEnd(f.Element.Selector, identifyingSteps))
}

// signatures are those of all members of a group, each once.
func (s *inspection) signatures(g *changeGroup) string {
	var all []string
	for _, i := range g.members {
		all = append(all, css.Signature(s.own[i].styles))
	}
	slices.Sort(all)
	return join(slices.Compact(all)...)
}

// shapes are what the pixels of all members of a group look like.
func (s *inspection) shapes(g *changeGroup) string {
	var all []string
	for _, i := range g.members {
		all = append(all, s.own[i].Shape)
	}
	return join(all...)
}

// content is all that can be read and seen within what came or went.
func (s *inspection) content(f *Finding) string {
	var all []string
	for i := f.at; i < len(f.tree.Content) && f.tree.Within(i, f.at); i++ {
		s.Steps.Take(1)
		if e := f.tree.Element(i); e.Text+e.Source+e.Value != "" {
			all = append(all, e.Text, e.Value, page.WithoutQuery(e.Source))
		}
	}
	return join(all...)
}

// fewestLetters is from how many letters a text identifies what it is said of.
const fewestLetters = 8

// informs reports whether a text is enough to know what is spoken of: a sentence does, a price does not.
func informs(text string) bool {
	letters := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			if letters++; letters >= fewestLetters {
				return true
			}
		}
	}
	return false
}
