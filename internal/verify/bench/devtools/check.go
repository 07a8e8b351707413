package devtools

import (
	"context"
	"fmt"
	"image"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Statement is what is said of a change.
type Statement struct {
	Change   string   // its kind
	Selector string   // of its element, in the later state; of one that is gone, in the earlier
	Members  []string // selectors of others that share it
	Before   string
	After    string
	Says     string
}

// Verdict is whether a statement holds.
type Verdict int

// The verdicts.
const (
	Holds    Verdict = iota
	False            // one of the pages contradicts it
	NoClaim          // it says of nothing what happened: pixels that nothing explains
	Unknown          // its element cannot be found, or is none of those that the browser lists
	verdicts         // their number
)

func (v Verdict) String() string { return [verdicts]string{"holds", "false", "no claim", "unknown"}[v] }

// Check reports whether a statement holds of both pages, and why not.
func (p *Pair) Check(ctx context.Context, s *Statement) (Verdict, string) {
	if missing := p.unquoted(s); missing != "" {
		return False, "neither page says “" + missing + "”"
	}
	switch s.Change {
	case "repainted", "unexplained", "shifted", "loading":
		return NoClaim, ""
	case "appeared":
		return p.cameOrWent(ctx, s, p.After, p.Before, p.toBefore, s.After)
	case "vanished":
		return p.cameOrWent(ctx, s, p.Before, p.After, p.toAfter, s.Before)
	}
	a := p.After.find(ctx, s.Selector)
	if a < 0 {
		return Unknown, "its element is not found"
	}
	b := p.toBefore[a]
	if b < 0 {
		b = p.Before.find(ctx, s.Selector)
	}
	if b < 0 {
		return Unknown, "it has no counterpart"
	}
	switch s.Change {
	case "text_changed":
		return p.retold(s, a, b)
	case "style_changed":
		return p.restyled(ctx, s, a, b)
	case "image_replaced":
		return p.repictured(ctx, a, b)
	case "moved":
		return p.moved(s, a, b)
	case "resized":
		return p.resized(s, a, b)
	case "blank":
		return p.blanked(ctx, a, b)
	case "reordered":
		return p.reordered(s, a, b)
	}
	return Unknown, "unknown kind"
}

// quotation is a text of the page in a sentence.
var quotation = regexp.MustCompile(`“([^“”]*)”`)

// unquoted is a quotation that is in neither page, "" if all are.
func (p *Pair) unquoted(s *Statement) string {
	if s.Change == "image_replaced" { // file names
		return ""
	}
	for _, quoted := range quotation.FindAllStringSubmatch(s.Says, -1) {
		text := strings.TrimSpace(strings.Trim(quoted[1], "… "))
		if text != "" && !p.Before.mentions(text) && !p.After.mentions(text) && !p.eachWord(text) {
			return text
		}
	}
	return ""
}

// eachWord reports whether all words of a text but the last, which may be cut off, are somewhere on the pages: a text may be that of
// several elements. Numbers may be counting up.
func (p *Pair) eachWord(text string) bool {
	words := strings.Fields(text)
	for i, word := range words {
		if word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); word == "" || i > 0 && i == len(words)-1 {
			continue
		}
		if !p.Before.mentions(word) && !p.After.mentions(word) {
			return false
		}
	}
	return true
}

// mentions reports whether a text is anywhere on the page, in whatever capitals.
func (p *Page) mentions(text string) bool {
	return p.count(text) > 0 || strings.Contains(plain(p.content.Everything), plain(text))
}

// count is how many elements say a text.
func (p *Page) count(text string) int {
	text = plain(text)
	found := 0
	for i := range p.content.Elements {
		e := &p.content.Elements[i]
		if strings.Contains(plain(e.All), text) || strings.Contains(plain(e.Text), text) ||
			strings.Contains(plain(e.Value+"\x00"+e.Placeholder+"\x00"+e.Alternative+"\x00"+e.Source), text) || p.generates(e, text) {
			found++
		}
	}
	return found
}

func (p *Page) generates(e *Element, text string) bool {
	whole := ""
	if e.Before >= 0 {
		whole = strings.Trim(p.content.Styles[e.Before][1], `"`) + " "
	}
	whole += e.All
	if e.After >= 0 {
		whole += " " + strings.Trim(p.content.Styles[e.After][1], `"`)
	}
	return (e.Before >= 0 || e.After >= 0) && strings.Contains(plain(whole), text)
}

// plain is a text without what style does to it: capitals, spaces, and signs that nobody sees.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\u200b' || r == '\u00ad' || r == ' ' || r == '\u00a0' || r == '\t' || r == '\n' || r >= 0xe000 && r <= 0xf8ff {
			return -1
		}
		return r
	}, strings.ToLower(text))
}

// cameOrWent reports whether an element is in one state only, or more often there.
func (p *Pair) cameOrWent(ctx context.Context, s *Statement, in, other *Page, partner []int, text string) (Verdict, string) {
	at := in.find(ctx, s.Selector)
	if at < 0 {
		return Unknown, "its element is not found"
	}
	e := &in.content.Elements[at]
	if partner[at] < 0 || text != "" && in.count(text) > other.count(text) {
		return Holds, ""
	}
	kin := func(page *Page) int {
		n := 0
		for i := range page.content.Elements {
			if o := &page.content.Elements[i]; o.Tag == e.Tag && o.Classes == e.Classes && o.All == e.All {
				n++
			}
		}
		return n
	}
	if kin(in) > kin(other) {
		return Holds, ""
	}
	return False, "it is in both states"
}

func (p *Pair) retold(s *Statement, a, b int) (Verdict, string) {
	is, was := &p.After.content.Elements[a], &p.Before.content.Elements[b]
	says := func(e *Element, page *Page, text string) bool {
		text = plain(text)
		return strings.Contains(plain(strings.Join([]string{e.Text + e.All, e.Value, e.Alternative, e.Placeholder}, "\x00")), text) ||
			page.generates(e, text)
	}
	switch {
	case s.Before == s.After:
		return Unknown, "it does not say what the text was"
	case !says(is, p.After, s.After):
		return False, fmt.Sprintf("the text is “%s”", shorten(is.All, 80))
	case !says(was, p.Before, s.Before):
		return False, fmt.Sprintf("the text was “%s”", shorten(was.All, 80))
	case is.All == was.All && is.Value == was.Value && is.Alternative == was.Alternative && is.Placeholder == was.Placeholder:
		return False, "the text is as it was"
	}
	return Holds, ""
}

// styleNames are the properties by the words for them.
var styleNames = map[string][]string{
	"background": {"background-color"}, "text colour": {"color"}, "background picture": {"background-image"}, "font": {"font-family"},
	"text size": {"font-size"}, "weight": {"font-weight"}, "slant": {"font-style"},
	"border width":  {"border-top-width", "border-right-width", "border-bottom-width", "border-left-width"},
	"border style":  {"border-top-style", "border-right-style", "border-bottom-style", "border-left-style"},
	"border colour": {"border-top-color", "border-right-color", "border-bottom-color", "border-left-color"},
	"corner radius": {"border-radius"}, "shadow": {"box-shadow"}, "outline width": {"outline-width", "outline-style"},
	"outline colour": {"outline-color"}, "opacity": {"opacity"}, "filter": {"filter"}, "filter behind it": {"backdrop-filter"},
	"blending": {"mix-blend-mode"}, "outline cut": {"clip-path"}, "transformation": {"transform"}, "visibility": {"visibility"},
	"padding": {"padding"}, "margin": {"margin"}, "gap": {"gap"}, "line height": {"line-height"}, "letter spacing": {"letter-spacing"},
	"word spacing": {"word-spacing"}, "capitals": {"text-transform"}, "decoration": {"text-decoration-line"},
	"alignment": {"text-align", "align-items"}, "text shadow": {"text-shadow"}, "indent": {"text-indent"}, "line breaks": {"white-space"},
	"vertical alignment": {"vertical-align"}, "direction": {"direction"}, "direction of lines": {"writing-mode"},
	"size of the background picture": {"background-size"}, "place of the background picture": {"background-position"},
	"repetition of the background picture": {"background-repeat"}, "fit": {"object-fit"},
	"list mark": {"list-style-type", "list-style-image"},
	"fill":      {"fill"}, "line colour": {"stroke"}, "display": {"display"}, "float": {"float"}, "position": {"position"},
	"offset":               {"inset"},
	"direction of the row": {"flex-direction"}, "distribution": {"justify-content"}, "columns": {"grid-template-columns"},
	"order": {"order"}, "largest width": {"max-width"}, "overflow": {"overflow"}, "level": {"z-index"},
}

// restyled reports whether the properties that a sentence names differ, on each of the elements that it is about.
func (p *Pair) restyled(ctx context.Context, s *Statement, a, b int) (Verdict, string) {
	was, is := p.Before.content.Elements[b], p.After.content.Elements[a]
	for _, state := range []struct {
		words   string
		changed bool
	}{{"ticked", was.Checked != is.Checked}, {"disabled", was.Disabled != is.Disabled}} {
		if strings.Contains(s.Says, state.words) {
			return verdictOf(state.changed, "its state is as it was")
		}
	}
	if strings.Contains(s.Says, "generated content") {
		return verdictOf(p.generated(p.Before, was.Before) != p.generated(p.After, is.Before) ||
			p.generated(p.Before, was.After) != p.generated(p.After, is.After), "its generated content is as it was")
	}
	claims := p.claims(s.Says)
	if len(claims) == 0 {
		return Unknown, "no property is named"
	}
	elements := [][2]int{{a, b}}
	for _, selector := range s.Members {
		if at := p.After.find(ctx, selector); at >= 0 && p.toBefore[at] >= 0 {
			elements = append(elements, [2]int{at, p.toBefore[at]})
		}
	}
	for _, pair := range elements {
		if why := p.contradicted(claims, pair[0], pair[1], len(elements) == 1); why != "" {
			return False, p.After.content.Elements[pair[0]].name() + ": " + why
		}
	}
	return Holds, ""
}

func verdictOf(holds bool, why string) (Verdict, string) {
	if holds {
		return Holds, ""
	}
	return False, why
}

// claims lists the properties that a sentence says to have changed, with their values now.
func (p *Pair) claims(says string) [][2]string {
	var found [][2]string
	says = strings.Replace(says, "everywhere: ", "everywhere: text size ", 1)
	parts := strings.Split(strings.TrimSuffix(says, "."), "→")
	for i := range len(parts) - 1 {
		for _, words := range wordsBefore(parts[i]) {
			if _, known := styleNames[words]; known {
				found = append(found, [2]string{words, valueAfter(parts[i+1], i == len(parts)-2)})
				break
			}
		}
	}
	return found
}

// wordsBefore are the beginnings of what a sentence says of a property, behind the last comma or colon, the longest first.
func wordsBefore(part string) []string {
	best := ""
	for name := range styleNames {
		for _, before := range []string{", ", ": "} {
			if at := strings.LastIndex(part, before+name+" "); at >= 0 && (best == "" || len(name) > len(best)) {
				best = name
			}
		}
	}
	return []string{best}
}

func valueAfter(part string, last bool) string {
	part = strings.TrimSpace(part)
	if at := strings.Index(part, " (was"); at >= 0 {
		return part[:at]
	}
	if last {
		return part
	}
	if at := strings.LastIndex(part, ", "); at >= 0 {
		return part[:at]
	}
	return part
}

// contradicted is why none of the claims about an element can be right, "" if they may be.
func (p *Pair) contradicted(claims [][2]string, a, b int, only bool) string {
	changed := false
	why := ""
	for _, claim := range claims {
		differs := false
		now := ""
		for _, property := range styleNames[claim[0]] {
			before, after := p.Before.style(b, property), p.After.style(a, property)
			differs = differs || before != after
			now = after
		}
		if !differs {
			why = claim[0] + " is as it was: " + shorten(now, 60)
			if only {
				return why
			}
			continue
		}
		changed = true
		if strings.HasPrefix(claim[1], "#") && len(styleNames[claim[0]]) == 1 && !sameColour(claim[1], now) {
			return claim[0] + " is " + now
		}
		if n, ok := pixels(claim[1]); ok && len(styleNames[claim[0]]) == 1 {
			if m, ok := pixels(now); ok && math.Abs(n-m) > 0.6 {
				return claim[0] + " is " + now
			}
		}
	}
	if !changed {
		return why
	}
	return ""
}

func pixels(value string) (float64, bool) {
	number, ok := strings.CutSuffix(value, "px")
	n, err := strconv.ParseFloat(number, 64)
	return n, ok && err == nil
}

// numbers in a colour.
var numbers = regexp.MustCompile(`[0-9.]+`)

// sameColour reports whether a colour in hexadecimal digits is the computed one. Those in other spaces count as the same.
func sameColour(hex, computed string) bool {
	if !strings.HasPrefix(computed, "rgb") {
		return true
	}
	channels := numbers.FindAllString(computed, -1)
	for i := range 3 {
		told, err := strconv.ParseUint(hex[1+2*i:min(len(hex), 3+2*i)], 16, 8)
		is, err2 := strconv.ParseFloat(channels[i], 64)
		if err != nil || err2 != nil || math.Abs(float64(told)-is) > 1 {
			return false
		}
	}
	return true
}

func (p *Pair) repictured(ctx context.Context, a, b int) (Verdict, string) {
	is, was := &p.After.content.Elements[a], &p.Before.content.Elements[b]
	const background = "background-image"
	if pathOf(is.Source) != pathOf(was.Source) || hostless(p.After.style(a, background)) != hostless(p.Before.style(b, background)) {
		return Holds, ""
	}
	now, err := p.After.picture(ctx, is.Box)
	if err != nil {
		return Unknown, err.Error()
	}
	before, err := p.Before.picture(ctx, was.Box)
	if err != nil {
		return Unknown, err.Error()
	}
	return verdictOf(!samePicture(now, before), "it shows what it showed")
}

func samePicture(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				return false
			}
		}
	}
	return true
}

// distance is what a sentence says of how far something moved.
var distance = regexp.MustCompile(`(\d+) px (to the right|to the left|down|up)`)

func (p *Pair) moved(s *Statement, a, b int) (Verdict, string) {
	is, was := &p.After.content.Elements[a], &p.Before.content.Elements[b]
	x, y := is.Box[0]-was.Box[0], is.Box[1]-was.Box[1]
	var around [2]float64
	if pa, pb := is.Parent, was.Parent; pa >= 0 && pb >= 0 {
		to, from := p.After.content.Elements[pa].Box, p.Before.content.Elements[pb].Box
		around = [2]float64{to[0] - from[0], to[1] - from[1]}
	}
	claims := distance.FindAllStringSubmatch(s.Says, -1)
	if len(claims) == 0 {
		return verdictOf(math.Abs(x)+math.Abs(y) > 0.5 || math.Abs(x-around[0])+math.Abs(y-around[1]) > 0.5, "it stands where it stood")
	}
	for _, claim := range claims {
		n, _ := strconv.ParseFloat(claim[1], 64)
		if claim[2] == "to the left" || claim[2] == "up" {
			n = -n
		}
		is := [2]float64{y, y - around[1]}
		if strings.HasPrefix(claim[2], "to the") {
			is = [2]float64{x, x - around[0]}
		}
		if math.Abs(is[0]-n) > 1.5 && math.Abs(is[1]-n) > 1.5 {
			return False, fmt.Sprintf("it moved by %.1f, %.1f, what is around it by %.1f, %.1f", x, y, around[0], around[1])
		}
	}
	return Holds, ""
}

func (p *Pair) resized(s *Statement, a, b int) (Verdict, string) {
	is, was := p.After.content.Elements[a].Box, p.Before.content.Elements[b].Box
	return verdictOf(math.Abs(is[2]-was[2]) > 0.5 || math.Abs(is[3]-was[3]) > 0.5, "it is as large as it was: "+s.After)
}

func (p *Pair) blanked(ctx context.Context, a, b int) (Verdict, string) {
	now, err := p.After.picture(ctx, p.After.content.Elements[a].Box)
	if err != nil {
		return Unknown, err.Error()
	}
	before, err := p.Before.picture(ctx, p.Before.content.Elements[b].Box)
	if err != nil {
		return Unknown, err.Error()
	}
	return verdictOf(even(now) && !even(before), "it is not blank, or was before")
}

func even(picture image.Image) bool {
	at := picture.Bounds()
	for y := at.Min.Y; y < at.Max.Y; y++ {
		for x := at.Min.X; x < at.Max.X; x++ {
			if picture.At(x, y) != picture.At(at.Min.X, at.Min.Y) {
				return false
			}
		}
	}
	return true
}

// reordered reports whether an element, or its children, stand in another order or in another element.
func (p *Pair) reordered(_ *Statement, a, b int) (Verdict, string) {
	is, was := &p.After.content.Elements[a], &p.Before.content.Elements[b]
	switch {
	case is.Parent < 0 || was.Parent < 0:
		return Unknown, ""
	case p.toBefore[is.Parent] != was.Parent || p.shuffled(is.Parent) || p.shuffled(a):
		return Holds, ""
	}
	return False, "its order is as it was"
}
