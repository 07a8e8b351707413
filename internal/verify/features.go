package verify

import (
	"math"
	"path"
	"strings"

	"afterimage/internal/page"
	"afterimage/internal/verify/dom"
	"afterimage/internal/verify/wording"
)

// feature is something about a finding that is a number. None names a kind of page or of damage: what a page is made of and
// what happened to it must be enough.
type feature struct {
	name string
	// words say in the reason of a verdict that the feature spoke for it; it is "" where nobody could make use of that.
	words string
	of    func(*evidence) float64
}

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// logOf is a logarithm, so that twice as large is as much more at any size.
func logOf(n int) float64 { return math.Log2(float64(max(n, 0)) + 1) }

// ratio compares two sizes, 0 for equal, 1 for twice as large.
func ratio(after, before int) float64 { return logOf(after) - logOf(before) }

func changed(kinds ...Change) func(*evidence) float64 {
	return func(e *evidence) float64 {
		for _, k := range kinds {
			if e.Change == k {
				return 1
			}
		}
		return 0
	}
}

func roles(names ...string) func(*evidence) float64 {
	return func(e *evidence) float64 {
		for _, name := range names {
			if e.Element != nil && (e.Element.Role == name || e.Element.Tag == name) {
				return 1
			}
		}
		return 0
	}
}

func inside(names ...string) func(*evidence) float64 {
	return func(e *evidence) float64 {
		for i := e.at; i >= 0; i = e.tree.Parent(i) {
			for _, name := range names {
				if el := e.tree.Element(i); el.Role == name || el.Tag == name {
					return 1
				}
			}
		}
		return 0
	}
}

// features are the inputs of the trained judge, in groups.
var features = func() []feature {
	var all []feature
	for _, group := range [][]feature{featuresOfChange, featuresOfText, featuresOfPlace, featuresOfNeighbours, featuresOfPixels} {
		all = append(all, group...)
	}
	return all
}()

var featuresOfChange = []feature{
	{"text changed", "", changed(TextChanged)},
	{"image replaced", "", changed(ImageReplaced)},
	{"style changed", "", changed(StyleChanged)},
	{"moved", "", changed(Moved, Shifted)},
	{"resized", "", changed(Resized)},
	{"reordered", "", changed(Reordered)},
	{"appeared", "", changed(Appeared)},
	{"vanished", "", changed(Vanished)},
	{"repainted", "", changed(Repainted)},
	{"blanked", "", changed(Blanked, Loading)},
	{"heading", "that it is a heading", roles("heading")},
	{"link", "", roles("link")},
	{"control", "that it is a control", func(e *evidence) float64 { return yes(e.Element != nil && dom.IsControl(e.Element.Role)) }},
	{"paragraph", "", roles("paragraph", "p")},
	{"list item", "", roles("listitem", "li")},
	{"cell", "", roles("cell", "td", "columnheader")},
	{"picture", "", roles("img", "image", "picture")},
	{"drawing", "that it is a drawing", roles("svg", "canvas")},
	{"plain element", "", roles("div", "span")},
	{"no element", "", func(e *evidence) float64 { return yes(e.Element == nil) }},
	{"texts in it", "", func(e *evidence) float64 { return logOf(e.inner.texts) }},
	{"pictures in it", "", func(e *evidence) float64 { return logOf(e.inner.pictures) }},
	{"controls in it", "the controls in it", func(e *evidence) float64 { return logOf(e.inner.controls) }},
	{"headings in it", "", func(e *evidence) float64 { return logOf(e.inner.headings) }},
	{"elements in it", "", func(e *evidence) float64 { return logOf(e.inner.elements) }},
}

var featuresOfText = []feature{
	{"length before", "", func(e *evidence) float64 { return logOf(e.before.Runes) }},
	{"length after", "", func(e *evidence) float64 { return logOf(e.after.Runes) }},
	{"length ratio", "the length of its text", func(e *evidence) float64 { return ratio(e.after.Runes, e.before.Runes) }},
	{"words ratio", "the length of its text", func(e *evidence) float64 { return ratio(e.after.Words, e.before.Words) }},
	{"same form", "the form of its text", func(e *evidence) float64 { return yes(e.before.Form == e.after.Form) }},
	{"shared words", "how many of its words stayed", func(e *evidence) float64 { return e.before.Shared(&e.after) }},
	{"digits before", "", func(e *evidence) float64 { return e.before.Digits }},
	{"digits after", "the digits in its text", func(e *evidence) float64 { return e.after.Digits }},
	{"digits lost", "digits that were lost", func(e *evidence) float64 { return e.before.Digits - e.after.Digits }},
	{"capitals after", "", func(e *evidence) float64 { return e.after.Capitals }},
	{"capitals more", "", func(e *evidence) float64 { return e.after.Capitals - e.before.Capitals }},
	{"signs more", "other punctuation", func(e *evidence) float64 { return e.after.Signs - e.before.Signs }},
	{"code after", "characters of code in its text", func(e *evidence) float64 { return e.after.Code - e.before.Code }},
	{"nothing after", "a value that is none", func(e *evidence) float64 { return yes(e.after.Nothing && !e.before.Nothing) }},
	{"ends otherwise", "", func(e *evidence) float64 { return yes(e.after.Ends) - yes(e.before.Ends) }},
	{"starts otherwise", "", func(e *evidence) float64 { return yes(e.after.Starts) - yes(e.before.Starts) }},
	{"repeats a word", "", func(e *evidence) float64 { return yes(e.after.Repeated) - yes(e.before.Repeated) }},
	{"only numbers", "that only numbers in it differ", func(e *evidence) float64 {
		return yes(e.Change == TextChanged && e.OnlyNumbers(e.Before, e.After))
	}},
	{"moving form", "that its text says that it changes", func(e *evidence) float64 {
		return yes(e.Change == TextChanged && e.OnlyNumbers(e.Before, e.After) && e.Moves(e.Before, e.After))
	}},
	{"weighty number", "an amount or a number that must be right", func(e *evidence) float64 {
		return yes((e.Change == TextChanged || e.Change == Vanished) && e.Weighs(e.Before, e.After))
	}},
	{"loading", "", func(e *evidence) float64 {
		return yes(wording.LoadingSigns.MatchString(e.After) && !wording.LoadingSigns.MatchString(e.Before))
	}},
	{"known elsewhere", "that its text was on the page before", func(e *evidence) float64 {
		return yes(e.after.Runes > 3 && e.Change != StyleChanged && strings.Contains(e.Pair.Before.Text, e.After))
	}},
	{"still elsewhere", "that its old text is still on the page", func(e *evidence) float64 {
		return yes(e.before.Runes > 3 && e.Change != StyleChanged && strings.Contains(e.Pair.After.Text, e.Before))
	}},
	{"same text again", "that the same text is there several times now", func(e *evidence) float64 {
		if e.after.Runes < 3 {
			return 0
		}
		return logOf(strings.Count(e.Pair.After.Text, e.After)) - logOf(strings.Count(e.Pair.Before.Text, e.After))
	}},
}

var featuresOfPlace = []feature{
	{"area", "its size", func(e *evidence) float64 { return logOf(dom.Area(e.Box)) }},
	{"share of the page", "its size", func(e *evidence) float64 {
		return float64(dom.Area(e.Box)) / float64(max(1, e.Pair.After.Width*e.Pair.After.Height))
	}},
	{"width share", "", func(e *evidence) float64 { return float64(e.Box.Dx()) / float64(max(1, e.Pair.After.Width)) }},
	{"height", "", func(e *evidence) float64 { return logOf(e.Box.Dy()) }},
	{"top", "", func(e *evidence) float64 { return logOf(e.Box.Min.Y) }},
	{"place on the page", "", func(e *evidence) float64 { return float64(e.Box.Min.Y) / float64(max(1, e.Pair.After.Height)) }},
	{"fixed", "that it keeps its place on scrolling", func(e *evidence) float64 { return yes(e.Element != nil && e.Element.Fixed) }},
	{"in header", "that it is in the header", inside("banner", "header")},
	{"in footer", "that it is in the footer", inside("contentinfo", "footer")},
	{"in navigation", "that it is in the navigation", inside("navigation", "nav")},
	{"in side column", "", inside("complementary", "aside")},
	{"in main", "", inside("main")},
	{"in form", "that it is in a form", inside("form")},
	{"in table", "", inside("table")},
	{"in list", "", inside("list", "ul", "ol")},
	{"in live part", "that it is marked as live", inside("status", "timer", "log", "marquee", "alert", "progressbar", "meter", "time")},
	{"depth", "", func(e *evidence) float64 {
		if e.at < 0 {
			return 0
		}
		return float64(e.tree.Depth[e.at])
	}},
	{"habit", "the habit of the part around it", func(e *evidence) float64 {
		if e.at < 0 {
			return 0
		}
		_, ok := e.tree.Habit(e.at)
		return yes(ok)
	}},
	{"heading of a habit", "the heading before it", func(e *evidence) float64 { _, ok := wording.HabitIn(e.heading()); return yes(ok) }},
	{"wider", "that it has another width", func(e *evidence) float64 { return e.grown(e.is.Dx(), e.was.Dx()) }},
	{"higher", "that it has another height", func(e *evidence) float64 { return e.grown(e.is.Dy(), e.was.Dy()) }},
	{"parent higher", "that the part around it has another height", func(e *evidence) float64 { return e.parentGrown() }},
	{"page higher", "that the page has another height", func(e *evidence) float64 {
		return ratio(e.Pair.After.Height, e.Pair.Before.Height)
	}},
	{"page wider", "", func(e *evidence) float64 { return float64(e.Pair.After.Width - e.Pair.Before.Width) }},
	{"covers", "what it covers", func(e *evidence) float64 { return logOf(e.covered) }},
	{"font ratio", "another size of its letters", func(e *evidence) float64 { return e.fontGrown() }},
	{"contrast after", "its contrast", func(e *evidence) float64 {
		if e.at < 0 {
			return 0
		}
		return e.tree.Contrast(e.at)
	}},
	{"background", "", func(e *evidence) float64 { return yes(e.Element != nil && e.Element.Background != "") }},
}

// grown is by how much an element that both pages have is larger.
func (e *evidence) grown(is, was int) float64 {
	if e.elementBefore == nil || e.Element == nil || e.Change == Vanished {
		return 0
	}
	return ratio(is, was)
}

func (e *evidence) parentGrown() float64 {
	if e.at < 0 {
		return 0
	}
	parent := e.tree.Parent(e.at)
	if parent < 0 || e.partners(e.tree)[parent] < 0 {
		return 0
	}
	here, there := e.tree.Box(parent).Dy(), e.otherTree().Box(e.partners(e.tree)[parent]).Dy()
	if e.tree == e.AfterTree {
		return ratio(here, there)
	}
	return ratio(there, here)
}

func (e *evidence) fontGrown() float64 {
	if e.elementBefore == nil || e.Element == nil {
		return 0
	}
	return ratio(fontSize(e.Element), fontSize(e.elementBefore))
}

// fontSize reads the size that a font begins with, in pixels.
func fontSize(e *page.Element) int {
	n := 0
	for _, r := range e.Font {
		if r < '0' || r > '9' || n > 1000 {
			break
		}
		n = 10*n + int(r-'0')
	}
	return n
}

var featuresOfNeighbours = []feature{
	{"kin", "", func(e *evidence) float64 { return logOf(e.around.kin) }},
	{"kin changed", "that its neighbours of the same kind also changed", func(e *evidence) float64 {
		return float64(e.around.kinChanged) / float64(max(1, e.around.kin))
	}},
	{"kin more", "how many of its kind there are", func(e *evidence) float64 {
		more := ratio(e.around.kin, e.around.kinBefore)
		if e.tree == e.BeforeTree {
			return -more
		}
		return more
	}},
	{"without counterparts", "", func(e *evidence) float64 { return logOf(e.around.alone) }},
	{"comings and goings", "whether as much came as went", func(e *evidence) float64 {
		balance := logOf(e.around.alone) - logOf(e.around.aloneBefore)
		if e.tree == e.BeforeTree {
			return -balance
		}
		return balance
	}},
	{"replaced", "that something of its kind took its place", func(e *evidence) float64 {
		return yes(e.around.alone > 0 && e.around.aloneBefore > 0)
	}},
	{"place among siblings", "", func(e *evidence) float64 { return logOf(e.around.place) }},
	{"texts beside", "texts that changed beside it", func(e *evidence) float64 { return logOf(e.around.texts) }},
	{"texts beside of same form", "texts beside it whose form stayed", func(e *evidence) float64 {
		return float64(e.around.sameForm) / float64(max(1, e.around.texts))
	}},
	{"pictures beside", "pictures that changed beside it", func(e *evidence) float64 { return logOf(e.around.pictures) }},
	{"styles beside", "a highlight beside it that moved on", func(e *evidence) float64 { return logOf(e.around.styles) }},
	{"swapped styles", "two that exchanged their looks", func(e *evidence) float64 { return yes(e.around.swapped) }},
	{"moves beside", "what moved beside it", func(e *evidence) float64 { return logOf(e.around.moves) }},
	{"comings beside", "", func(e *evidence) float64 { return logOf(e.around.comings) }},
	{"goings beside", "what went beside it", func(e *evidence) float64 { return logOf(e.around.goings) }},
	{"findings", "how much of the page changed", func(e *evidence) float64 { return logOf(e.page.findings) }},
	{"texts of the page", "", func(e *evidence) float64 { return logOf(e.page.texts) }},
	{"pictures of the page", "", func(e *evidence) float64 { return logOf(e.page.pictures) }},
	{"styles of the page", "", func(e *evidence) float64 { return logOf(e.page.styles) }},
	{"moves of the page", "how much of the page moved", func(e *evidence) float64 { return logOf(e.page.moves) }},
	{"comings of the page", "", func(e *evidence) float64 { return logOf(e.page.comings) }},
	{"goings of the page", "", func(e *evidence) float64 { return logOf(e.page.goings) }},
	{"repaints of the page", "", func(e *evidence) float64 { return logOf(e.page.repaints) }},
	{"size of the page", "", func(e *evidence) float64 { return logOf(e.page.size) }},
	{"bands", "", func(e *evidence) float64 { return logOf(len(e.Bands)) }},
}

var featuresOfPixels = []feature{
	{"changed pixels", "how many pixels differ", func(e *evidence) float64 { return logOf(e.cluster.Pixels) }},
	{"density", "", func(e *evidence) float64 { return float64(e.cluster.Pixels) / float64(max(1, dom.Area(e.cluster.Box))) }},
	{"colour difference", "how much the colours differ", func(e *evidence) float64 { return e.cluster.MeanDelta }},
	{"structure", "how much of the structure stayed", func(e *evidence) float64 { return e.cluster.SSIM }},
	{"band", "", func(e *evidence) float64 { return yes(e.cluster.band != nil) }},
	{"brighter", "", func(e *evidence) float64 { return brightness(e.cluster.After) - brightness(e.cluster.Before) }},
	{"other mean", "", func(e *evidence) float64 { return math.Abs(brightness(e.cluster.After) - brightness(e.cluster.Before)) }},
	{"deviation after", "", func(e *evidence) float64 { return e.cluster.After.Deviation }},
	{"deviation more", "how much there is to see", func(e *evidence) float64 {
		return e.cluster.After.Deviation - e.cluster.Before.Deviation
	}},
	{"edges after", "", func(e *evidence) float64 { return e.cluster.After.Edges }},
	{"edges more", "how much there is to see", func(e *evidence) float64 { return e.cluster.After.Edges - e.cluster.Before.Edges }},
	{"uniform after", "how even its surface is", func(e *evidence) float64 { return e.cluster.After.Uniform }},
	{"uniform more", "how even its surface is", func(e *evidence) float64 { return e.cluster.After.Uniform - e.cluster.Before.Uniform }},
	{"blank after", "that it is blank", func(e *evidence) float64 {
		return yes(e.cluster.After.Known && e.cluster.After.Blank) - yes(e.cluster.Before.Known && e.cluster.Before.Blank)
	}},
	{"source of the same folder", "where its picture comes from", func(e *evidence) float64 {
		return yes(e.Change == ImageReplaced && path.Dir(e.Before) == path.Dir(e.After))
	}},
	{"same source", "", func(e *evidence) float64 { return yes(e.Change == ImageReplaced && e.Before == e.After) }},
	{"failed requests", "requests that failed", func(e *evidence) float64 {
		return float64(len(e.Pair.After.FailedRequests) - len(e.Pair.Before.FailedRequests))
	}},
}

func brightness(s Surface) float64 { return (s.Mean[0] + s.Mean[1] + s.Mean[2]) / 3 }
