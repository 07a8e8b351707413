package verify

import (
	"fmt"
	"image"
	"regexp"
	"strings"

	"afterimage/internal/page"
)

// errorMessage: an error printed by a server or framework.
func errorMessage(s *scene) string {
	if s.Change != TextChanged && s.Change != Appeared {
		return ""
	}
	if s.free(s.After) {
		return ""
	}
	i := newError(s.Before, s.After)
	if i < 0 || s.saidBefore(i) {
		return ""
	}
	return fmt.Sprintf("The text looks like %s.", errorSigns[i].what)
}

// brokenPicture: a picture that failed to load.
func brokenPicture(s *scene) string {
	if s.Element == nil || s.Change == Vanished || s.tree != s.afterTree {
		return ""
	}
	for i := s.at; i < len(s.tree.content) && i <= s.at+maxInside; i++ {
		e := s.tree.element(i)
		if shows[e.Tag] && e.Source != "" && s.tree.within(i, s.at) &&
			failed(&s.Pair.After, e.Source) && !failed(&s.Pair.Before, e.Source) {
			return fmt.Sprintf("The image %s did not load.", file(e.Source))
		}
	}
	return ""
}

// failed reports whether what an element shows is among the failed requests of a page.
func failed(p *Page, source string) bool {
	path, _, _ := strings.Cut(strings.TrimLeft(source, "./"), "#")
	for _, r := range p.FailedRequests {
		if path != "" && strings.HasSuffix(strings.TrimRight(r.URL, "/"), strings.TrimRight(path, "/")) {
			return true
		}
	}
	return false
}

// unreadableText: text in the colour of its background.
func unreadableText(s *scene) string {
	if s.Change != StyleChanged || s.elementBefore == nil {
		return ""
	}
	was := s.beforeTree
	for i := s.at; i < len(s.tree.content) && i <= s.at+maxInside; i++ {
		b := s.toBefore[i]
		if b < 0 || s.tree.element(i).Text == "" || shows[s.tree.element(i).Tag] || !s.tree.within(i, s.at) {
			continue
		}
		if now, before := s.tree.contrast(i), was.contrast(b); now > 0 && now < unreadable && before >= readable {
			return fmt.Sprintf("The text %s is barely legible: its contrast is now %.1f; it was %.1f.",
				quote(s.tree.element(i).Text), now, before)
		}
	}
	return ""
}

// lostAmount: an amount that has become zero, while the text around it stayed.
func lostAmount(s *scene) string {
	if s.Change != TextChanged || !money.MatchString(s.Before) || !valued.MatchString(s.Before) ||
		aroundAmounts(s.Before) != aroundAmounts(s.After) {
		return ""
	}
	if !valued.MatchString(s.After) {
		return "A price is now missing or zero."
	}
	return ""
}

// valued matches a number other than zero.
var valued = regexp.MustCompile(`[1-9]`)

// loadingSigns match texts of placeholders.
var loadingSigns = page.CompileWords(`^\W*(` + alternatives(func(l *language) []string { return l.loading }) + `)\b`)

var loadingNames = map[string]bool{
	"skeleton": true, "spinner": true, "loader": true, "loading": true, "shimmer": true, "preloader": true, "placeholder": true,
}

// stillLoading: a placeholder in place of content.
func stillLoading(s *scene) string {
	if s.Change != Appeared && s.Change != TextChanged || s.at < 0 {
		return ""
	}
	sign := loadingSigns.MatchString(s.After) && !loadingSigns.MatchString(s.Before)
	for i := s.at; i < len(s.tree.content) && i <= s.at+maxInside && !sign; i++ {
		if s.Change == Appeared && s.tree.within(i, s.at) {
			for _, name := range tokens(s.tree.element(i).Classes) {
				sign = sign || loadingNames[name]
			}
		}
	}
	if !sign {
		return ""
	}
	return "A part of the page was still loading when it was captured, or never loads."
}

// blankPart: blank where there was content.
func blankPart(s *scene) string {
	c := s.cluster
	overlay := s.Change == Vanished && s.Element.Fixed // what is gone lay upon the page
	emptied := c.After.Known && c.After.Blank && c.Before.Known && !c.Before.Blank &&
		s.Change != TextChanged && s.Change != Appeared && !overlay && s.mayEmpty()
	if s.Change != Blanked && !emptied || area(c.Box) < largeArea {
		return ""
	}
	return "A large part of the page is now empty."
}

// mayEmpty reports whether the finding can be why a place is empty. Where causes are known, other colours and what moved are not.
func (s *scene) mayEmpty() bool {
	if s.movements == nil {
		return true
	}
	switch s.Change {
	case Vanished, ImageReplaced, Blanked, Loading:
		return true
	}
	return false
}

// distortedPicture: a picture with changed proportions.
func distortedPicture(s *scene) string {
	if s.elementBefore == nil || s.Element == nil || s.Change == Vanished ||
		s.Element.Tag != "img" || s.elementBefore.Source != s.Element.Source {
		return ""
	}
	was, is := proportion(s.elementBefore.Box.Rect()), proportion(s.Element.Box.Rect())
	if was == 0 || is == 0 || is/was < distortion && was/is < distortion {
		return ""
	}
	return "The aspect ratio of the image changed."
}

func proportion(r image.Rectangle) float64 {
	if r.Dx() < proportionSide || r.Dy() < proportionSide {
		return 0
	}
	return float64(r.Dx()) / float64(r.Dy())
}

// overlappingTexts: texts that overlap now and did not before.
func overlappingTexts(s *scene) string {
	if s.Change != Moved && s.Change != Resized || s.at < 0 || s.Element.Fixed || s.elementBefore == nil {
		return ""
	}
	s.steps.take(len(s.tree.content))
	for i := range s.tree.content {
		other := s.tree.element(i)
		b := s.toBefore[i]
		if b < 0 || other.Text == "" || other.Fixed ||
			s.tree.within(i, s.at) || s.tree.within(s.at, i) || !upon(s.Element.Box.Rect(), other.Box.Rect()) {
			continue
		}
		if !upon(s.elementBefore.Box.Rect(), s.beforeTree.box(b)) {
			return fmt.Sprintf("It now covers %s.", quote(other.Text))
		}
	}
	return ""
}

// upon reports whether two boxes overlap by more than their borders.
func upon(a, b image.Rectangle) bool {
	common := a.Intersect(b)
	return common.Dx() > overlapSide && common.Dy() > overlapSide && overlapPart*area(common) > min(area(a), area(b))
}

// onePictureForSeveral: several pictures were replaced by one, as missing pictures are by a placeholder.
func onePictureForSeveral(s *scene) string {
	if s.Change != ImageReplaced || s.Before == s.After || s.After == "" {
		return ""
	}
	n := 0
	s.steps.take(len(s.tree.content))
	for i := range s.tree.content {
		if b := s.toBefore[i]; b >= 0 && s.tree.element(i).Source == s.After && s.beforeTree.element(b).Source != s.After {
			n++
		}
	}
	if n < severalPictures {
		return ""
	}
	return fmt.Sprintf("%d different images were replaced by the same one.", n)
}

// landmarks are parts that a page does not lose intentionally.
var landmarks = map[string]bool{
	"navigation": true, "main": true, "form": true, "heading": true, "button": true, "table": true, "textbox": true,
}

// missingPart: a part that a page does not lose intentionally, or a large one.
func missingPart(s *scene) string {
	e := s.Element
	if s.Change != Vanished {
		return ""
	}
	landmark := landmarks[e.Role] || e.Tag == "footer" || e.Tag == "header"
	if !landmark && area(s.Box) < largeArea || (!landmark || e.Role == "heading") && s.replaced() {
		return ""
	}
	return "A part of the page is missing."
}

// replaced reports whether as many of its kind came where the element went: then something else is there, and nothing is missing.
func (s *scene) replaced() bool {
	parent := s.tree.parent(s.at)
	if parent < 0 || s.toAfter[parent] < 0 || s.losesControl() {
		return false
	}
	_, gone := s.entries(s.tree, parent, s.toAfter)
	_, came := s.entries(s.afterTree, s.toAfter[parent], s.toBefore)
	return came >= gone && came > 0
}

// missingButton: a missing link with a background of its own.
func missingButton(s *scene) string {
	if s.Change != Vanished || s.Element.Role != "link" || s.Element.Background == "" {
		return ""
	}
	return "A link that looks like a button is missing."
}

// missingPicture: a missing picture that is large enough to matter.
func missingPicture(s *scene) string {
	if s.Change != Vanished || !shows[s.Element.Tag] || area(s.Box) < smallPicture || s.replaced() {
		return ""
	}
	return "An image is missing."
}

// duplicatePart: content that appears twice now and appeared once before.
func duplicatePart(s *scene) string {
	if s.Change != Appeared || s.at < 0 || len(s.After) < minDuplicate {
		return ""
	}
	parent := s.tree.parent(s.at)
	if parent < 0 {
		return ""
	}
	for _, sibling := range s.tree.children[parent] {
		if sibling != s.at && s.tree.content[sibling] == s.tree.content[s.at] && s.toBefore[sibling] >= 0 {
			return "The same part now appears twice on the page."
		}
	}
	return ""
}

// emptiedPart: the container of the element has lost nearly all of its text and pictures.
func emptiedPart(s *scene) string {
	if s.Change != Vanished || s.at < 0 || s.Element.Fixed {
		return ""
	}
	for up := s.tree.parent(s.at); up >= 0 && !s.tree.tooLarge(up); up = s.tree.parent(up) {
		a := s.toAfter[up]
		if a < 0 {
			continue
		}
		was, is := s.tree.substance(up), s.afterTree.substance(a)
		if was >= minSubstance && emptiedTo*is < was {
			return "Almost all content here is gone."
		}
	}
	return ""
}

// substance is the amount of content of an element: its bytes of text, and for each picture as many as for some words.
func (t *tree) substance(i int) int {
	total := 0
	for j := i; j < len(t.content) && j <= i+maxInside; j++ {
		if t.within(j, i) {
			e := t.element(j)
			total += len(e.Text)
			if shows[e.Tag] && e.Tag != "svg" {
				total += minSubstance
			}
		}
	}
	return total
}

// coveredTexts: something new that covers text. What it covers decides: a small box at the edge of the screen may lie upon
// paragraphs, but not upon controls.
func coveredTexts(s *scene) string {
	if s.Change != Appeared || s.at < 0 || area(s.Box) < largeArea {
		return ""
	}
	texts, used := s.covers()
	width := s.tree.page.Width
	screenful := 10*s.Box.Dx() >= screenTenths*width && s.Box.Dy() >= screenHeight
	small := s.Element.Fixed && !screenful && smallOverlay*area(s.Box) <= width*screenHeight
	h, known := s.tree.habit(s.at)
	expected := known && overlays[h] && s.Element.Fixed && !screenful
	switch {
	case used > 0 && !expected:
		return fmt.Sprintf("It covers %s of the page.", counted(used, "control", "controls"))
	case texts < coveredSeveral || small || expected:
		return ""
	}
	return fmt.Sprintf("It covers %d texts of the page.", texts)
}

// covers counts the texts and controls of the page that lie below the element.
func (s *scene) covers() (texts, used int) {
	s.steps.take(len(s.tree.content))
	for i := range s.tree.content {
		e := s.tree.element(i)
		if e.Fixed || !e.Box.Rect().In(s.Box) || s.toBefore[i] < 0 || s.tree.within(i, s.at) || s.tree.within(s.at, i) {
			continue
		}
		if e.Text != "" {
			texts++
		}
		if controls[e.Role] {
			used++
		}
	}
	return texts, used
}
