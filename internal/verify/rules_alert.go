package verify

import (
	"fmt"
	"image"
	"regexp"
	"strings"
)

// errorTextRule: what servers and frameworks print when they fail.
func errorTextRule(s *scene) *opinion {
	if s.Change != TextChanged && s.Change != Appeared {
		return nil
	}
	i := newError(s.Before, s.After)
	if i < 0 || s.saidBefore(i) {
		return nil
	}
	return &opinion{Alert, CodeError, fmt.Sprintf("The text reads like %s.", errorSigns[i].what), 0.97, true}
}

// brokenPictureRule: a picture that did not arrive.
func brokenPictureRule(s *scene) *opinion {
	if s.Element == nil || s.Change == Vanished || s.tree != s.view.after {
		return nil
	}
	for i := s.at; i < len(s.tree.content) && i <= s.at+maxInside; i++ {
		e := s.tree.element(i)
		if shows[e.Tag] && e.Source != "" && s.tree.within(i, s.at) && failed(&s.Pair.After, e.Source) && !failed(&s.Pair.Before, e.Source) {
			return &opinion{Alert, CodePicture, fmt.Sprintf("The image %s did not load.", file(e.Source)), 0.97, true}
		}
	}
	return nil
}

// maxInside bounds how many elements within another are looked at.
const maxInside = 200

// failed tells whether what an element shows is among the requests of a page that failed.
func failed(p *Page, source string) bool {
	path, _, _ := strings.Cut(strings.TrimLeft(source, "./"), "#")
	for _, r := range p.FailedRequests {
		if path != "" && strings.HasSuffix(r.URL, path) {
			return true
		}
	}
	return false
}

// contrastRule: text that has the colour of what is behind it.
func contrastRule(s *scene) *opinion {
	if s.Change != StyleChanged || s.before == nil {
		return nil
	}
	was := s.view.before
	for i := s.at; i < len(s.tree.content) && i <= s.at+maxInside; i++ {
		b := s.toBefore[i]
		if b < 0 || s.tree.element(i).Text == "" || shows[s.tree.element(i).Tag] || !s.tree.within(i, s.at) {
			continue
		}
		if now, before := s.tree.contrast(i), was.contrast(b); now > 0 && now < unreadable && before >= 2*unreadable {
			return &opinion{Alert, CodeContrast, fmt.Sprintf("The text %s is barely legible: its contrast is %.1f now and was %.1f before.", quote(s.tree.element(i).Text), now, before), 0.9, true}
		}
	}
	return nil
}

// priceRule: an amount that has become nothing.
func priceRule(s *scene) *opinion {
	if s.Change != TextChanged || !money.MatchString(s.Before) || !valued.MatchString(s.Before) {
		return nil
	}
	if !valued.MatchString(s.After) {
		return &opinion{Alert, CodePrice, "A price is missing or zero now.", 0.9, true}
	}
	return nil
}

// valued is a number other than zero.
var valued = regexp.MustCompile(`[1-9]`)

// loadingSigns are what placeholders of content say.
var loadingSigns = regexp.MustCompile(`(?i)^\W*(loading|please wait|wird geladen|lädt|chargement|cargando)\b`)

var loadingNames = map[string]bool{"skeleton": true, "spinner": true, "loader": true, "loading": true, "shimmer": true, "preloader": true, "placeholder": true}

// loadingRule: a placeholder where content was.
func loadingRule(s *scene) *opinion {
	if s.Change != Appeared && s.Change != TextChanged || s.at < 0 {
		return nil
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
		return nil
	}
	return &opinion{Alert, CodeLoading, "A part of the page was still loading during the capture, or never loads.", 0.8, false}
}

// largeArea is how many pixels that turn blank, or go, are alarming.
const largeArea = 20_000

// blankRule: nothing where something was.
func blankRule(s *scene) *opinion {
	c := s.cluster
	emptied := c.After.Known && c.After.Blank && c.Before.Known && !c.Before.Blank && s.Change != TextChanged && s.Change != Appeared
	if s.Change != Blanked && !emptied || area(c.Box) < largeArea {
		return nil
	}
	return &opinion{Alert, CodeBlank, "A large part of the page is empty now.", 0.9, true}
}

// distortedRule: a picture that is shown in other proportions.
func distortedRule(s *scene) *opinion {
	if s.before == nil || s.Element == nil || s.Element.Tag != "img" || s.before.Source != s.Element.Source || s.Change == Vanished {
		return nil
	}
	was, is := proportion(s.before.Box.Rect()), proportion(s.Element.Box.Rect())
	if was == 0 || is == 0 || is/was < 1.25 && was/is < 1.25 {
		return nil
	}
	return &opinion{Alert, CodeLayout, "The aspect ratio of the image changed.", 0.85, false}
}

func proportion(r image.Rectangle) float64 {
	if r.Dx() < 8 || r.Dy() < 8 {
		return 0
	}
	return float64(r.Dx()) / float64(r.Dy())
}

// overlapRule: texts that lie upon each other and did not before.
func overlapRule(s *scene) *opinion {
	if s.Change != Moved && s.Change != Resized || s.at < 0 || s.Element.Fixed || s.toBefore[s.at] < 0 {
		return nil
	}
	s.steps.take(len(s.tree.content))
	for i := range s.tree.content {
		other := s.tree.element(i)
		b := s.toBefore[i]
		if b < 0 || other.Text == "" || other.Fixed || s.tree.within(i, s.at) || s.tree.within(s.at, i) || !upon(s.Element.Box.Rect(), other.Box.Rect()) {
			continue
		}
		if !upon(s.before.Box.Rect(), s.view.before.box(b)) {
			return &opinion{Alert, CodeLayout, fmt.Sprintf("It now covers %s.", quote(other.Text)), 0.85, false}
		}
	}
	return nil
}

// upon tells whether two boxes share more than borders do.
func upon(a, b image.Rectangle) bool {
	common := a.Intersect(b)
	return common.Dx() > 8 && common.Dy() > 8 && 4*area(common) > min(area(a), area(b))
}

// repeatedPictureRule: several pictures have given way to one, as missing ones do to a placeholder.
func repeatedPictureRule(s *scene) *opinion {
	if s.Change != ImageReplaced || s.Before == s.After || s.After == "" {
		return nil
	}
	n := 0
	s.steps.take(len(s.tree.content))
	for i := range s.tree.content {
		if b := s.toBefore[i]; b >= 0 && s.tree.element(i).Source == s.After && s.view.before.element(b).Source != s.After {
			n++
		}
	}
	if n < 2 {
		return nil
	}
	return &opinion{Alert, CodePicture, fmt.Sprintf("%d different pictures gave way to the same one.", n), 0.85, false}
}

// landmarks are the parts that a page does not lose by design.
var landmarks = map[string]bool{"navigation": true, "main": true, "form": true, "heading": true, "button": true, "table": true, "textbox": true}

// goneRule: a part of the page is missing.
func goneRule(s *scene) *opinion {
	if s.Change != Vanished {
		return nil
	}
	e := s.Element
	switch {
	case landmarks[e.Role], e.Tag == "footer", e.Tag == "header", area(s.Box) >= largeArea:
		return &opinion{Alert, CodeGone, "A part of the page is missing.", 0.8, false}
	case e.Role == "link" && e.Background != "":
		return &opinion{Alert, CodeGone, "A link that looks like a button is missing.", 0.75, false}
	case shows[e.Tag] && area(s.Box) >= smallPicture:
		return &opinion{Alert, CodeGone, "An image is missing.", 0.75, false}
	}
	return nil
}

// smallPicture is how many pixels a picture has that somebody would miss.
const smallPicture = 2000

// duplicateRule: what stands there twice now, and stood there once.
func duplicateRule(s *scene) *opinion {
	if s.Change != Appeared || s.at < 0 || len(s.After) < minDuplicate {
		return nil
	}
	parent := s.tree.parent(s.at)
	if parent < 0 {
		return nil
	}
	for _, sibling := range s.tree.children[parent] {
		if sibling != s.at && s.tree.content[sibling] == s.tree.content[s.at] && s.toBefore[sibling] >= 0 {
			return &opinion{Alert, CodeLayout, "The same part is on the page twice now.", 0.85, false}
		}
	}
	return nil
}

// minDuplicate is how long a text is that does not stand twice by chance, in bytes.
const minDuplicate = 60

// emptiedRule: what holds the element has lost nearly all that could be read and seen in it.
func emptiedRule(s *scene) *opinion {
	if s.Change != Vanished || s.at < 0 || s.Element.Fixed {
		return nil
	}
	for up := s.tree.parent(s.at); up >= 0 && !s.tree.tooLarge(up); up = s.tree.parent(up) {
		a := s.toAfter[up]
		if a < 0 {
			continue
		}
		was, is := s.tree.substance(up), s.view.after.substance(a)
		if was >= minSubstance && 4*is < was {
			return &opinion{Alert, CodeGone, "Almost all content is gone here.", 0.8, false}
		}
	}
	return nil
}

// minSubstance is how much something has to hold before it can be emptied.
const minSubstance = 30

// substance is how much an element holds: bytes of text, and as much for a picture as for some words.
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

// screenHeight is how high something is that leaves little to see of a screen, in pixels.
const screenHeight = 600

// coverRule: something new that lies upon what is to be read.
func coverRule(s *scene) *opinion {
	if s.Change != Appeared || s.at < 0 || area(s.Box) < largeArea {
		return nil
	}
	screenful := 10*s.Box.Dx() >= 9*s.tree.page.Width && s.Box.Dy() >= screenHeight
	if h, ok := s.tree.habit(s.at); ok && overlays[h] && s.Element.Fixed && !screenful {
		return nil
	}
	covered := 0
	s.steps.take(len(s.tree.content))
	for i := range s.tree.content {
		e := s.tree.element(i)
		if e.Text != "" && !e.Fixed && e.Box.Rect().In(s.Box) && s.toBefore[i] >= 0 && !s.tree.within(i, s.at) && !s.tree.within(s.at, i) {
			covered++
		}
	}
	if covered < 3 {
		return nil
	}
	return &opinion{Alert, CodeLayout, fmt.Sprintf("It covers %d texts of the page.", covered), 0.85, false}
}
