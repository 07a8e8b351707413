package page

import (
	"cmp"
	"regexp"
	"strings"
	"unicode"
)

// survey is what tells a wall from a page.
type survey struct {
	title, text string // in one line
	lines       []string
	heading     string   // the first
	headings    []string // all
	words       int      // of the text
	answers     []string // on what can be clicked
	links       int
	menu        int      // links of menus
	fields      int      // to write into
	labels      []string // in fields
	media       int      // pictures, films, drawings
	pictures    int      // of any size
	articles    int
	code        int  // pieces of it
	topic       bool // the title or first heading announces an explanation of something
	sells       bool // there is something to buy
	scripts     string
}

// mostWordsOfWall is how much the longest walls say: lists of files.
const mostWordsOfWall = 400

func (v *Visit) survey() survey {
	text := v.Content.Text
	if frame := v.frame(); frame != nil {
		text = frame.Value
	}
	s := survey{title: CollapseSpace(v.Title), text: CollapseSpace(text)}
	s.words = countWords(s.text)
	for line := range strings.Lines(text) {
		if line = CollapseSpace(line); line != "" {
			s.lines = append(s.lines, line)
		}
	}
	s.menu = menuLinks(v.Content.Elements)
	for i := range v.Content.Elements {
		s.count(&v.Content.Elements[i])
	}
	var scripts strings.Builder
	for _, a := range v.Content.Assets {
		scripts.WriteString(a.URL + "\n")
	}
	s.scripts = scripts.String()
	s.topic = isTopic(s.heading) || isTopic(s.title)
	s.sells = s.words <= mostWordsOfWall && forSale.MatchString(s.text)
	return s
}

var headingTag = regexp.MustCompile(`^h[1-3]$`)

func (e *Element) isHeading() bool { return e.Role == "heading" || headingTag.MatchString(e.Tag) }

// iconSize is the width and height up to which a picture is a logo or a symbol.
const iconSize = 160

func (s *survey) count(e *Element) {
	switch e.Tag {
	case "a":
		s.links++
		s.answers = append(s.answers, CollapseSpace(e.Text))
	case "button":
		s.answers = append(s.answers, CollapseSpace(e.Text))
	case "input", "textarea", "select":
		if e.Role == "button" {
			s.answers = append(s.answers, e.answer())
		} else if e.Role != "checkbox" && e.Role != "radio" {
			s.fields++
			s.labels = append(s.labels, CollapseSpace(e.Text+" "+e.Hint))
		}
	case "img", "svg", "canvas", "video", "picture":
		if e.Tag != "svg" {
			s.pictures++
		}
		if e.Box.Width > iconSize && e.Box.Height > iconSize {
			s.media++
		}
	case "article":
		s.articles++
	case "pre":
		s.code++
	}
	if e.isHeading() {
		s.headings = append(s.headings, CollapseSpace(e.Text))
		s.heading = cmp.Or(s.heading, s.headings[len(s.headings)-1])
	}
}

// countWords counts the words of a text. Scripts without spaces between words have about two characters in one.
func countWords(text string) int {
	words, unspaced := 0, 0
	for _, field := range strings.Fields(text) {
		before := unspaced
		for _, c := range field {
			if unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				unspaced++
			}
		}
		if unspaced == before {
			words++
		}
	}
	return words + (unspaced+1)/2
}
