package verify

import (
	"image"
	"strings"
	"unicode"
)

// tokens splits a name into words: adSlot-top_1 yields ad, slot, top, 1. Adjacent words are also joined, for adslot.
func tokens(name string) []string {
	var words []string
	start := 0
	runes := []rune(name)
	cut := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(string(runes[start:end])))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			start = i + 1
		case i > 0 && unicode.IsUpper(r) && unicode.IsLower(runes[i-1]):
			cut(i)
		}
	}
	cut(len(runes))
	return words
}

func habitIn(text string) (habit, bool) {
	words := tokens(text)
	for i, w := range words {
		if h, ok := habitOf[w]; ok {
			return h, true
		}
		if i > 0 {
			if h, ok := habitOf[words[i-1]+w]; ok {
				return h, true
			}
		}
	}
	return "", false
}

// habitOf finds the habit of an element of a tree from its name and the names of its ancestors.
func (t *tree) habit(i int) (habit, bool) {
	for up := 0; i >= 0 && up < maxUp; i, up = t.parent(i), up+1 {
		if h, ok := t.ownHabit(i); ok {
			return h, true
		}
	}
	return "", false
}

func (t *tree) ownHabit(i int) (habit, bool) {
	e := t.element(i)
	if t.tooLarge(i) {
		return "", false
	}
	for _, name := range []string{e.Classes, id(e.Selector), e.Source} {
		if h, ok := habitIn(name); ok {
			return h, true
		}
	}
	if e.Tag == "img" || e.Tag == "iframe" {
		if h, ok := habitIn(e.Text); ok { // alternative text or label
			return h, true
		}
	}
	if e.Tag == "img" || e.Tag == "iframe" || e.Tag == "video" {
		for off := range 4 { // boxes are rounded outwards to whole pixels
			if standardAds[e.Box.Rect().Size().Sub(image.Pt(off&1, off>>1))] {
				return habitAd, true
			}
		}
	}
	return t.headed(i)
}

// standardAds are the fixed sizes of the Interactive Advertising Bureau that other elements do not have by chance.
var standardAds = map[image.Point]bool{
	{X: 728, Y: 90}: true, {X: 970, Y: 90}: true, {X: 970, Y: 250}: true, {X: 468, Y: 60}: true, {X: 300, Y: 250}: true,
	{X: 336, Y: 280}: true, {X: 300, Y: 600}: true, {X: 160, Y: 600}: true, {X: 120, Y: 600}: true,
	{X: 320, Y: 50}: true, {X: 320, Y: 100}: true,
}

// headed examines the heading at the beginning of an element.
func (t *tree) headed(i int) (habit, bool) {
	for n, child := range t.children[i] {
		if n > 1 {
			break
		}
		e := t.element(child)
		if h, ok := habitOf[strings.ToLower(e.Text)]; ok && h == habitAd {
			return h, true // a label
		}
		if e.Role != "heading" || e.Text == "" || len(e.Text) > maxQuoted {
			continue
		}
		text := strings.ToLower(e.Text)
		for _, p := range phrases {
			if strings.Contains(text, p.words) {
				return p.habit, true
			}
		}
		return habitIn(text)
	}
	return "", false
}

// structural are the elements that hold a page's content; their names describe the page.
var structural = map[string]bool{"html": true, "body": true, "main": true, "article": true}

func (t *tree) tooLarge(i int) bool {
	e := t.element(i)
	return structural[e.Tag] || e.Role == "main" || float64(area(e.Box.Rect())) > maxShare*float64(t.page.Width*t.page.Height)
}

// id returns the id of a selector that consists of an id only.
func id(selector string) string {
	if strings.HasPrefix(selector, "#") && isSimple(selector) {
		return selector[1:]
	}
	return ""
}
