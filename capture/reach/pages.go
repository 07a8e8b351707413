// Package reach is a site of small pages of which a picture easily shows too little: their content scrolls in an element, is
// written from right to left, is painted relative to the window, or is there only while it is on the screen. Tests of the capture pipeline
// and the reach test capture them.
package reach

import (
	"fmt"
	"image/color"
	"strings"
)

// Page is one page. It ends with a bar in the colour [End], which a whole picture has, and one price in it can be changed.
type Page struct {
	Name   string
	Family string
	Shows  string   // what is special, in a few words
	Mobile bool     // it is taken as on a telephone
	Tall   bool     // it is as high as a picture can be, and takes long
	Told   bool     // the end is out of reach of a picture: the manifest has to say so
	Tells  []string // elements, each of which it has to name
	Misses string   // the one element of which the picture does not show all
	Held   bool     // what it says is read where no picture shows it: another price is told
	Looks  bool     // how it looks is read where no picture shows it: another price is told as another look
	Inside bool     // most of its elements are in what is told as missing
	Fades  bool     // its end may be in a picture that lacks what is above
	Drawn  bool     // a script draws its texts anew
	Keeps  string   // a text that the picture shows, of a page that shows others meanwhile
	Ends   int      // pixels of the bar at least; 0 = endPixels

	html func(price string) string
}

// End is the colour of the last part of every page. No other part of any page has it.
var End = color.RGBA{138, 31, 111, 255}

const endPixels = 10_000 // of the bar, unless a page says otherwise

// LeastEnd is how many pixels of [End] a whole picture of the page has at least.
func (p Page) LeastEnd() int {
	if p.Ends > 0 {
		return p.Ends
	}
	return endPixels
}

// HTML is the document, with a price far from the beginning.
func (p Page) HTML(price string) string {
	return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>` + p.Name + `</title>` +
		`<style>*{box-sizing:border-box}body{margin:0;font:16px/1.5 sans-serif;color:#222}h3{margin:0}.row{height:90px;padding:10px}` +
		`.end{height:60px;min-width:200px;background:#8a1f6f}header,footer{background:#234;color:#fff;padding:20px}</style>` + p.html(price)
}

// rows are so many parts of 90 pixels and the end; the price is in the last but two.
func rows(n int, price string) string {
	var b strings.Builder
	for i := range n {
		value := "19.50"
		if i == n-3 {
			value = price
		}
		fmt.Fprintf(&b, `<div class="row"><h3>Tea number %d</h3><p style="margin:0">Picked on hill %d. Price: € %s</p></div>`,
			i+1, i+1, value)
	}
	return b.String() + `<div class="end"></div>`
}

// filled makes a page of a text in which ROWS stands for thirty rows.
func filled(text string) func(price string) string {
	return func(price string) string { return strings.ReplaceAll(text, "ROWS", rows(30, price)) }
}

// Families of pages of which a part may be missing in the middle.
const (
	byTheWindow     = "painted by the window"
	onlyOnTheScreen = "there only on the screen"
	byTheWheel      = "moved by the wheel"
	hiddenAgain     = "hidden where nobody looks"
	movesOn         = "moves without an end"
	byTheFrame      = "moved once per frame"
	afterAWhile     = "there after a while"
)

// Pages are all pages, family by family.
func Pages() []Page {
	var all []Page
	for _, family := range []struct {
		name  string
		pages []Page
	}{
		{"inner scrollers", scrollerPages}, {"boxes above the page", overlayPages}, {"writing modes", writingPages},
		{byTheWindow, windowPages}, {onlyOnTheScreen, passingPages}, {byTheWheel, wheelPages},
		{hiddenAgain, hidingPages}, {hiddenAgain, drawingPages}, {byTheFrame, framePages}, {afterAWhile, latePages},
		{movesOn, tickerPages}, {onlyOnTheScreen, exchangedPages}, {onlyOnTheScreen, gonePages},
		{"hard to scroll", hardPages}, {"out of reach", toldPages},
	} {
		for _, p := range family.pages {
			p.Family = family.name
			p.Drawn = p.Drawn || p.Family == onlyOnTheScreen || p.Family == byTheWheel || p.Family == hiddenAgain ||
				p.Family == movesOn || p.Family == byTheFrame || p.Family == afterAWhile
			p.Fades = !p.Told && (p.Family == onlyOnTheScreen || p.Family == byTheWindow)
			all = append(all, p)
		}
	}
	return all
}
