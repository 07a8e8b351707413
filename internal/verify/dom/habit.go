package dom

import (
	"image"
	"strings"

	"afterimage/internal/verify/wording"
)

// Habit finds the habit of an element of a tree from its name and the names of its ancestors.
func (t *Tree) Habit(i int) (wording.Habit, bool) {
	for up := 0; i >= 0 && up < MaxUp; i, up = t.Parent(i), up+1 {
		if h, ok := t.ownHabit(i); ok {
			return h, true
		}
	}
	return "", false
}

func (t *Tree) ownHabit(i int) (wording.Habit, bool) {
	e := t.Element(i)
	if t.TooLarge(i) {
		return "", false
	}
	for _, name := range []string{e.Classes, id(e.Selector), e.Source} {
		if h, ok := wording.HabitIn(name); ok {
			return h, true
		}
	}
	if e.Tag == "img" || e.Tag == "iframe" {
		if h, ok := wording.HabitIn(e.Text); ok { // alternative text or label
			return h, true
		}
	}
	if e.Tag == "img" || e.Tag == "iframe" || e.Tag == "video" {
		for off := range 4 { // boxes are rounded outwards to whole pixels
			if standardAds[e.Box.Rect().Size().Sub(image.Pt(off&1, off>>1))] {
				return wording.HabitAd, true
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
func (t *Tree) headed(i int) (wording.Habit, bool) {
	for n, child := range t.Children[i] {
		if n > 1 {
			break
		}
		e := t.Element(child)
		if wording.LabelsAd(e.Text) {
			return wording.HabitAd, true
		}
		if e.Role != "heading" || e.Text == "" || len(e.Text) > wording.MaxQuoted {
			continue
		}
		return wording.HabitOfHeading(e.Text)
	}
	return "", false
}

// structural are the elements that hold a page's content; their names describe the page.
var structural = map[string]bool{"html": true, "body": true, "main": true, "article": true}

// TooLarge reports whether an element holds so much of the page that its name describes the page.
func (t *Tree) TooLarge(i int) bool {
	e := t.Element(i)
	return structural[e.Tag] || e.Role == "main" || float64(Area(e.Box.Rect())) > maxShare*float64(t.Size.X*t.Size.Y)
}

// id returns the id of a selector that consists of an id only.
func id(selector string) string {
	if strings.HasPrefix(selector, "#") && isSimple(selector) {
		return selector[1:]
	}
	return ""
}
