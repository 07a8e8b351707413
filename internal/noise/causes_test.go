package noise_test

import (
	"fmt"
	"testing"

	"afterimage/internal/noise"
	"afterimage/internal/page"
)

// entry is one of several elements alike that hold two texts, such as a comment or a match with its score.
type entry struct {
	name, text, font string
	width, height    int
}

// thread is a page with entries, and a fixed bar at its end if there is one.
func thread(bar string, entries ...entry) []page.Element {
	height := 0
	for _, x := range entries {
		height += x.height
	}
	all := []page.Element{
		{Parent: -1, Tag: "body", Selector: "html > body", Box: page.Box{Width: 1200, Height: 900 + height}},
		{Parent: 0, Number: 1, Tag: "h1", Selector: "html > body > h1", Text: "What people say", Box: page.Box{Width: 1200, Height: 60}},
		{Parent: 0, Number: 2, Tag: "div", Selector: "html > body > div", Box: page.Box{Y: 60, Width: 1200, Height: height}},
	}
	y := 60
	for i, x := range entries {
		of := fmt.Sprintf("html > body > div > div:nth-of-type(%d)", i+1)
		n, width := len(all), max(x.width, 40)
		all = append(all,
			page.Element{Parent: 2, Number: n, Tag: "div", Selector: of, Box: page.Box{Y: y, Width: 1200, Height: x.height}},
			page.Element{Parent: n, Number: n + 1, Tag: "b", Selector: of + " > b", Text: x.name, Font: "16px Arial",
				Box: page.Box{Y: y, Width: width, Height: 24}},
			page.Element{Parent: n, Number: n + 2, Tag: "p", Selector: of + " > p", Text: x.text, Font: x.font,
				Box: page.Box{Y: y + 24, Width: 1200, Height: x.height - 24}})
		y += x.height
	}
	if bar != "" {
		all = append(all, page.Element{Parent: 0, Number: len(all), Tag: "div", Selector: "html > body > div:nth-of-type(2)", Text: bar,
			Fixed: true, Background: "#ffffff", Box: page.Box{Y: 800, Width: 1200, Height: 60}})
	}
	return all
}

// said are n entries of a list that moves on, from one on.
func said(from, n int) []entry {
	entries := make([]entry, n)
	for i := range entries {
		entries[i] = entry{
			name: string(rune('A'+from+i)) + "nna", text: fmt.Sprintf("Opinion %c of somebody on roses", 'A'+from+i),
			font: "14px Arial", height: 60,
		}
	}
	return entries
}

// watch observes pages one after the other.
func watch(at func(visit int) []page.Element, visits int) *noise.Knowledge {
	k := &noise.Knowledge{}
	for i := range visits {
		k.Observe(&noise.Pair{Visit: noise.Visit{At: epoch.AddDate(0, 0, i)}, Before: at(i), After: at(i + 1)})
	}
	return k
}

const (
	secondEntry = "html > body > div > div:nth-of-type(2)"
	thirdEntry  = "html > body > div > div:nth-of-type(3)"
	bar         = "html > body > div:nth-of-type(2)"
)

// change is what the comparison says about elements, by their selectors; "" where one is absent.
func change(before, after []page.Element, was, is string) noise.Change {
	return noise.Change{Before: find(before, was), After: find(after, is)}
}

// A list of three or four entries that moves on by two at a time: what comes and goes is quiet, unless it is empty or faulty, or
// nearly everything has gone.
func TestAListThatMovesOnAndGrows(t *testing.T) {
	at := func(visit int) []page.Element { return thread("", said(2*visit, 3+visit%2)...) }
	k := watch(at, 6)
	before := at(6)
	faulty, empty := said(14, 4), said(14, 4)
	faulty[0].text, empty[1] = "[object Object]", entry{height: 60}
	for name, c := range map[string]struct {
		after []page.Element
		was   string
		is    string
		quiet bool
	}{
		"a new entry":             {at(7), "", secondEntry, true},
		"an entry that is gone":   {at(7), thirdEntry, "", true},
		"two more than ever":      {thread("", said(12, 9)...), "", thirdEntry, false},
		"a new entry with faults": {thread("", faulty...), "", "html > body > div > div:nth-of-type(1)", false},
		"a new entry without any": {thread("", empty...), "", secondEntry, false},
		"all but one entry gone":  {thread("", said(12, 1)...), thirdEntry, "", false},
		"the list is empty now":   {thread(""), thirdEntry, "", false},
	} {
		if got := k.On(before, c.after).Explain(change(before, c.after, c.was, c.is)); got.Quiet != c.quiet {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestABarThatComesAndGoes(t *testing.T) {
	at := func(visit int) []page.Element { return thread([]string{"", "We use cookies"}[visit%2], said(0, 3)...) }
	k := watch(at, 4)
	for name, c := range map[string]struct {
		before, after []page.Element
		was, is       string
		quiet         bool
	}{
		"gone":              {at(1), at(2), bar, "", true},
		"here":              {at(0), at(1), "", bar, true},
		"here with a fault": {at(0), thread("undefined", said(0, 3)...), "", bar, false},
		"here with a key":   {at(0), thread("cookie.notice.text", said(0, 3)...), "", bar, false},
	} {
		if got := k.On(c.before, c.after).Explain(change(c.before, c.after, c.was, c.is)); got.Quiet != c.quiet {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Values that vary in size, number and font are quiet a little beyond what has been seen, and not far beyond it.
func TestMeasuresOfWhatVaries(t *testing.T) {
	sizes := []int{120, 300, 210, 60, 180, 240}
	scores := []string{"2 : 3", "0 : 1", "4 : 2", "1 : 1", "3 : 0", "2 : 2"}
	fonts := []int{14, 22, 18, 13, 25, 16}
	at := func(visit int) []page.Element {
		entries := said(0, 3)
		for i := range entries {
			n := (visit + 2*i) % 6
			entries[i].name, entries[i].width, entries[i].font = scores[n], sizes[n], fmt.Sprintf("%dpx Arial", fonts[n])
		}
		return thread("", entries...)
	}
	k := watch(at, 5)
	before := at(5)
	next := func(damage func(*entry)) []page.Element {
		entries := said(0, 3)
		for i := range entries {
			entries[i].name, entries[i].width, entries[i].font = "1 : 2", 150, "17px Arial"
		}
		damage(&entries[1])
		return thread("", entries...)
	}
	for name, c := range map[string]struct {
		damage  func(*entry)
		element string
		quiet   bool
	}{
		"a wider one":         {func(x *entry) { x.width = 360 }, " > b", true},
		"beyond the page":     {func(x *entry) { x.width = 2400 }, " > b", false},
		"a goal less":         {func(x *entry) { x.name = "0 : 2" }, " > b", true},
		"no number":           {func(x *entry) { x.name = "NaN : NaN" }, " > b", false},
		"out of reach":        {func(x *entry) { x.name = "4711 : 2" }, " > b", false},
		"another size":        {func(x *entry) { x.font = "27px Arial" }, " > p", true},
		"another font":        {func(x *entry) { x.font = "17px Courier" }, " > p", false},
		"letters without end": {func(x *entry) { x.font = "90px Arial" }, " > p", false},
	} {
		after := next(c.damage)
		if got := k.On(before, after).Explain(change(before, after, secondEntry+c.element, secondEntry+c.element)); got.Quiet != c.quiet {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Pixels between parts that vary are theirs, and so are rows that come or go there.
func TestPixelsAndRowsAmongPartsThatVary(t *testing.T) {
	at := func(visit int) []page.Element { return thread("", said(3*visit, 3)...) }
	k := watch(at, 4)
	before, after := at(4), at(5)
	among := page.Box{X: 30, Y: 70, Width: 900, Height: 100}
	for name, c := range map[string]struct {
		change noise.Change
		quiet  bool
	}{
		"pixels among them":     {noise.Change{Before: 2, After: 2, Repainted: true, Box: among}, true},
		"pixels of the heading": {noise.Change{Before: 1, After: 1, Repainted: true, Box: page.Box{Width: 90, Height: 20}}, false},
		"rows of an entry":      {rows(page.Box{}, page.Box{Y: 150, Width: 1200, Height: 10}), true},
		"rows of the heading":   {rows(page.Box{}, page.Box{Y: 10, Width: 1200, Height: 10}), false},
		"rows below":            {rows(page.Box{Y: 500, Width: 1200, Height: 10}, page.Box{}), false},
	} {
		if got := k.On(before, after).Explain(c.change); got.Quiet != c.quiet {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func rows(inserted, removed page.Box) noise.Change {
	return noise.Change{Before: -1, After: -1, Rows: true, Box: inserted, BeforeBox: removed}
}

func TestCodesOfMachines(t *testing.T) {
	codes := []string{"Ref fc8cb0-718e", "Ref 1a70ff-02bc", "Ref 9e0c11-aa31", "Ref bb01c2-4e5f"}
	looks := series(func(l *look, i int) { l.text = codes[i%4] }, 5)
	k := learn(&noise.Knowledge{}, looks...)
	for text, quiet := range map[string]bool{
		"Ref 706c69-2a66": true, "Ref 706169-2166": true, "Ref null": false, "undefined": false, "": false,
	} {
		next := usual()
		next.text = text
		if got := explain(k, looks[4], next, words); got.Quiet != quiet {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
