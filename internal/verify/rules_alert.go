package verify

import (
	"fmt"
	"image"
	"strings"

	"afterimage/internal/verify/dom"
	"afterimage/internal/verify/wording"
)

// errorMessage: an error printed by a server or framework.
func errorMessage(s *scene) string {
	if s.Change != TextChanged && s.Change != Appeared {
		return ""
	}
	if s.ErrorFree(s.After) {
		return ""
	}
	sign := wording.NewError(s.Before, s.After)
	if sign == nil || s.saidBefore(sign) {
		return ""
	}
	return fmt.Sprintf("The text looks like %s.", sign.Kind)
}

// brokenPicture: a picture that failed to load.
func brokenPicture(s *scene) string {
	if s.Element == nil || s.Change == Vanished || s.tree != s.AfterTree {
		return ""
	}
	for i := s.at; i < len(s.tree.Content) && i <= s.at+dom.MaxInside; i++ {
		e := s.tree.Element(i)
		if dom.ShowsPixels(e.Tag) && e.Source != "" && s.tree.Within(i, s.at) &&
			failed(&s.Pair.After, e.Source) && !failed(&s.Pair.Before, e.Source) {
			return fmt.Sprintf("The image %s did not load.", wording.FileName(e.Source))
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
	was := s.BeforeTree
	for i := s.at; i < len(s.tree.Content) && i <= s.at+dom.MaxInside; i++ {
		b := s.ToBefore[i]
		if b < 0 || s.tree.Element(i).Text == "" || dom.ShowsPixels(s.tree.Element(i).Tag) || !s.tree.Within(i, s.at) {
			continue
		}
		if now, before := s.tree.Contrast(i), was.Contrast(b); now > 0 && now < unreadable && before >= readable {
			return fmt.Sprintf("The text %s is barely legible: its contrast is now %.1f; it was %.1f.",
				wording.Quote(s.tree.Element(i).Text), now, before)
		}
	}
	return ""
}

// lostAmount: an amount that has become zero, while the text around it stayed.
func lostAmount(s *scene) string {
	if s.Change != TextChanged || !wording.Money.MatchString(s.Before) || !wording.NonZero.MatchString(s.Before) ||
		wording.AroundAmounts(s.Before) != wording.AroundAmounts(s.After) {
		return ""
	}
	if !wording.NonZero.MatchString(s.After) {
		return "A price is now missing or zero."
	}
	return ""
}

var loadingNames = map[string]bool{
	"skeleton": true, "spinner": true, "loader": true, "loading": true, "shimmer": true, "preloader": true, "placeholder": true,
}

// stillLoading: a placeholder in place of content.
func stillLoading(s *scene) string {
	if s.Change != Appeared && s.Change != TextChanged || s.at < 0 {
		return ""
	}
	sign := wording.LoadingSigns.MatchString(s.After) && !wording.LoadingSigns.MatchString(s.Before)
	for i := s.at; i < len(s.tree.Content) && i <= s.at+dom.MaxInside && !sign; i++ {
		if s.Change == Appeared && s.tree.Within(i, s.at) {
			for _, name := range wording.Tokens(s.tree.Element(i).Classes) {
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
	if s.Change != Blanked && !emptied || dom.Area(c.Box) < largeArea {
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
	s.Steps.Take(len(s.tree.Content))
	for i := range s.tree.Content {
		other := s.tree.Element(i)
		b := s.ToBefore[i]
		if b < 0 || other.Text == "" || other.Fixed ||
			s.tree.Within(i, s.at) || s.tree.Within(s.at, i) || !upon(s.Element.Box.Rect(), other.Box.Rect()) {
			continue
		}
		if !upon(s.elementBefore.Box.Rect(), s.BeforeTree.Box(b)) {
			return fmt.Sprintf("It now covers %s.", wording.Quote(other.Text))
		}
	}
	return ""
}

// upon reports whether two boxes overlap by more than their borders.
func upon(a, b image.Rectangle) bool {
	common := a.Intersect(b)
	return common.Dx() > overlapSide && common.Dy() > overlapSide && overlapPart*dom.Area(common) > min(dom.Area(a), dom.Area(b))
}

// onePictureForSeveral: several pictures were replaced by one, as missing pictures are by a placeholder.
func onePictureForSeveral(s *scene) string {
	if s.Change != ImageReplaced || s.Before == s.After || s.After == "" {
		return ""
	}
	n := 0
	s.Steps.Take(len(s.tree.Content))
	for i := range s.tree.Content {
		if b := s.ToBefore[i]; b >= 0 && s.tree.Element(i).Source == s.After && s.BeforeTree.Element(b).Source != s.After {
			n++
		}
	}
	if n < severalPictures {
		return ""
	}
	return fmt.Sprintf("%d different images were replaced by the same one.", n)
}

// missingPart: a part that a page does not lose intentionally, or a large one.
func missingPart(s *scene) string {
	e := s.Element
	if s.Change != Vanished {
		return ""
	}
	landmark := dom.IsLandmark(e.Role) || e.Tag == "footer" || e.Tag == "header"
	if !landmark && dom.Area(s.Box) < largeArea || (!landmark || e.Role == "heading") && s.replaced() {
		return ""
	}
	return "A part of the page is missing."
}

// replaced reports whether as many of its kind came where the element went: then something else is there, and nothing is missing.
func (s *scene) replaced() bool {
	parent := s.tree.Parent(s.at)
	if parent < 0 || s.ToAfter[parent] < 0 || s.losesControl() {
		return false
	}
	_, gone := s.entries(s.tree, parent, s.ToAfter)
	_, came := s.entries(s.AfterTree, s.ToAfter[parent], s.ToBefore)
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
	if s.Change != Vanished || !dom.ShowsPixels(s.Element.Tag) || dom.Area(s.Box) < smallPicture || s.replaced() {
		return ""
	}
	return "An image is missing."
}

// duplicatePart: content that appears twice now and appeared once before.
func duplicatePart(s *scene) string {
	if s.Change != Appeared || s.at < 0 || len(s.After) < minDuplicate {
		return ""
	}
	parent := s.tree.Parent(s.at)
	if parent < 0 {
		return ""
	}
	for _, sibling := range s.tree.Children[parent] {
		if sibling != s.at && s.tree.Content[sibling] == s.tree.Content[s.at] && s.ToBefore[sibling] >= 0 {
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
	for up := s.tree.Parent(s.at); up >= 0 && !s.tree.TooLarge(up); up = s.tree.Parent(up) {
		a := s.ToAfter[up]
		if a < 0 {
			continue
		}
		was, is := substance(s.tree, up), substance(s.AfterTree, a)
		if was >= minSubstance && emptiedTo*is < was {
			return "Almost all content here is gone."
		}
	}
	return ""
}

// substance is the amount of content of an element: its bytes of text, and for each picture as many as for some words.
func substance(t *dom.Tree, i int) int {
	total := 0
	for j := i; j < len(t.Content) && j <= i+dom.MaxInside; j++ {
		if t.Within(j, i) {
			e := t.Element(j)
			total += len(e.Text)
			if dom.ShowsPixels(e.Tag) && e.Tag != "svg" {
				total += minSubstance
			}
		}
	}
	return total
}

// coveredTexts: something new that covers text. What it covers decides: a small box at the edge of the screen may lie upon
// paragraphs, but not upon controls.
func coveredTexts(s *scene) string {
	if s.Change != Appeared || s.at < 0 || dom.Area(s.Box) < largeArea {
		return ""
	}
	texts, used := s.covers()
	width := s.tree.Size.X
	screenful := 10*s.Box.Dx() >= screenTenths*width && s.Box.Dy() >= screenHeight
	small := s.Element.Fixed && !screenful && smallOverlay*dom.Area(s.Box) <= width*screenHeight
	h, known := s.tree.Habit(s.at)
	expected := known && h.OfOverlay() && s.Element.Fixed && !screenful
	switch {
	case used > 0 && !expected:
		return fmt.Sprintf("It covers %s of the page.", wording.Counted(used, "control", "controls"))
	case texts < coveredSeveral || small || expected:
		return ""
	}
	return fmt.Sprintf("It covers %d texts of the page.", texts)
}

// covers counts the texts and controls of the page that lie below the element.
func (s *scene) covers() (texts, used int) {
	s.Steps.Take(len(s.tree.Content))
	for i := range s.tree.Content {
		e := s.tree.Element(i)
		if e.Fixed || !e.Box.Rect().In(s.Box) || s.ToBefore[i] < 0 || s.tree.Within(i, s.at) || s.tree.Within(s.at, i) {
			continue
		}
		if e.Text != "" {
			texts++
		}
		if dom.IsControl(e.Role) {
			used++
		}
	}
	return texts, used
}
