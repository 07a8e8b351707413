package verify

import (
	"fmt"
	"image"
	"regexp"
	"strings"
)

// dynamicTextRule: dates, times, numbers and the like.
func dynamicTextRule(s *scene) *opinion {
	if s.Change != TextChanged || weighty(s.Before, s.After) || !onlyVolatile(s.Before, s.After) {
		return nil
	}
	return &opinion{AllGood, CodeDynamic, "Only dates, times or numbers in the text differ.", 0.95, false}
}

// noiseRule: what moves by itself, as the engine saw while it took the pictures, and its surroundings.
func noiseRule(s *scene) *opinion {
	if s.Change == Vanished || s.Change == Appeared || s.Change == TextChanged && s.Before != "" && s.After != "" && s.cluster.Pixels > 2000 {
		return nil
	}
	for _, boxes := range [][]image.Rectangle{s.Pair.Before.Unstable, s.Pair.After.Unstable} {
		for _, box := range boxes {
			if s.cluster.Box.In(box.Inset(-noiseReach)) {
				return &opinion{AllGood, CodeNoise, "The page does not hold still here: pictures of the same visit differ.", 0.85, false}
			}
		}
	}
	return nil
}

// noiseReach is how far beyond what was seen moving something may move, in pixels.
const noiseReach = 24

// shiftRule: rows moved, or came and went without showing anything.
func shiftRule(s *scene) *opinion {
	band := s.cluster.band
	if s.Change != Shifted || band != nil && s.before == nil && !(band.Surface.Known && band.Surface.Blank) && band.Rows > thinBand {
		return nil
	}
	return &opinion{AllGood, CodeShift, "Rows came or went, and they show nothing.", 0.8, false}
}

// thinBand is how many rows may come or go by the rounding of a layout.
const thinBand = 2

// hashedName is the part of a file name that changes with every build.
var hashedName = regexp.MustCompile(`[.-][0-9a-f]{6,}([.-])|[?#].*$`)

// sameFile tells whether two addresses lead to the same picture, perhaps in another edition.
func sameFile(before, after string) bool {
	was, is := hashedName.ReplaceAllString(before, "$1"), hashedName.ReplaceAllString(after, "$1")
	return was != "" && was == is
}

// pictureRule: the same picture at a new address, or encoded anew.
func pictureRule(s *scene) *opinion {
	c := s.cluster
	if s.Change != ImageReplaced || !sameFile(s.Before, s.After) || c.MeanDelta > 0.25 {
		return nil
	}
	if few := 50*c.Pixels < area(s.Box); !few && !alike(c.Before, c.After) {
		return nil
	}
	return &opinion{AllGood, CodeEncoding, "It is the same picture, encoded anew: its colours hardly differ.", 0.85, false}
}

// speckPixels is how many pixels nobody sees when their structure stays.
const speckPixels = 12

// speckRule: a handful of pixels, and nothing that is known of the elements.
func speckRule(s *scene) *opinion {
	if s.Change != Repainted || s.cluster.Pixels > speckPixels || s.cluster.SSIM < 0.8 {
		return nil
	}
	return &opinion{AllGood, CodeNoise, "Only a handful of pixels differ, and nothing of the elements does.", 0.7, false}
}

// renderingRule: text that the browser has drawn anew at a fraction of a pixel beside. The elements are the same, and so is
// how dark and how rich in edges the place is.
func renderingRule(s *scene) *opinion {
	c := s.cluster
	if s.Change != Repainted || s.Element == nil || shows[s.Element.Tag] || len(s.shown[s.index]) > 1 || c.MeanDelta > 0.45 || c.SSIM < 0.4 {
		return nil
	}
	// The smaller a place, the less its mean tells and the more its structure does.
	if small := c.Pixels < smallPlace && c.MeanDelta < 0.3 && c.SSIM > 0.8; !small && !alike(c.Before, c.After) {
		return nil
	}
	if s.view.pictureIn(c.Box) {
		return nil
	}
	return &opinion{AllGood, CodeNoise, "The same text was drawn at a fraction of a pixel beside.", 0.7, false}
}

// smallPlace is how many pixels a few letters have.
const smallPlace = 200

// pictureIn tells whether the after page has a picture in a box.
func (v *view) pictureIn(box image.Rectangle) bool {
	for i := range v.after.content {
		if shows[v.after.element(i).Tag] && v.after.box(i).Overlaps(box) {
			return true
		}
	}
	return false
}

// alike tells whether two surfaces show about the same.
func alike(a, b Surface) bool {
	if !a.Known || !b.Known || a.Blank != b.Blank {
		return false
	}
	near := func(x, y, most float64) bool { return x-y <= most && y-x <= most }
	for i := range a.Mean {
		if !near(a.Mean[i], b.Mean[i], 0.03) {
			return false
		}
	}
	return near(a.Deviation, b.Deviation, 0.05) && near(a.Edges, b.Edges, 0.1)
}

// words of reasons.
var habitReasons = map[habit]string{
	habitAd: "Advertisements change with every visit.", habitRotation: "It is a carousel or another part that shows things in turn.",
	habitConsent: "It is a consent banner.", habitChat: "It is the window of a chat.", habitPopup: "It is a pop-up.",
	habitCaptcha: "A captcha is different each time.", habitFeed: "It is a list that is made anew from the newest or from related content.",
	habitControl: "It is a button that comes with scrolling.",
	habitWidget:  "It is a widget that shows live data.",
}

var habitCodes = map[habit]Code{
	habitAd: CodeAd, habitRotation: CodeRotation, habitConsent: CodeConsent, habitChat: CodeOverlay, habitPopup: CodeOverlay, habitCaptcha: CodeCaptcha,
	habitFeed: CodeFeed, habitWidget: CodeWidget, habitControl: CodeOverlay,
}

// overlays come and go as a whole; the others change within a frame that stays.
var overlays = map[habit]bool{habitConsent: true, habitChat: true, habitPopup: true, habitControl: true}

// habitRule: parts of the page that are known to change by themselves.
func habitRule(s *scene) *opinion {
	if s.at < 0 || s.Change == Blanked || s.Change == Loading || s.Change == Shifted {
		return nil
	}
	h, ok := s.tree.habit(s.at)
	if !ok && (s.Change == Appeared || s.Change == Vanished) {
		h, ok = s.overlayByText()
	}
	comes := s.Change == Appeared || s.Change == Vanished
	switch {
	case !ok:
		return nil
	case overlays[h]:
		if !s.Element.Fixed || !comes && s.Change != TextChanged {
			return nil
		}
	case comes && !s.within(h):
		// What has the habit came or went itself: only an advertisement does that.
		if h != habitAd {
			return nil
		}
	}
	return &opinion{AllGood, habitCodes[h], habitReasons[h], 0.8, false}
}

// within tells whether the habit is that of something around the element, which stayed.
func (s *scene) within(h habit) bool {
	parent := s.tree.parent(s.at)
	if parent < 0 {
		return false
	}
	around, ok := s.tree.habit(parent)
	return ok && around == h
}

// overlaySigns are what overlays say.
var overlaySigns = []struct {
	habit habit
	form  *regexp.Regexp
}{
	{habitConsent, regexp.MustCompile(`(?i)\b(we use cookies|cookie (policy|settings|preferences)|uses cookies|consent|gdpr|verwendet cookies|verwenden cookies|utilise des cookies|usa cookies)\b`)},
	{habitPopup, regexp.MustCompile(`(?i)\b(subscribe|newsletter|sign up (for|and)|join our|abonnieren)\b`)},
}

// overlayByText knows consent banners and pop-ups by what they say.
func (s *scene) overlayByText() (habit, bool) {
	if !s.Element.Fixed {
		return "", false
	}
	for _, sign := range overlaySigns {
		if sign.form.MatchString(s.Before + s.After) {
			return sign.habit, true
		}
	}
	return "", false
}

// reorderRule: the same things in another order. The order of a navigation is meant.
func reorderRule(s *scene) *opinion {
	if s.Change != Reordered || s.inside("navigation") {
		return nil
	}
	return &opinion{AllGood, CodeReordered, "The same things stand here in another order.", 0.75, false}
}

// inside tells whether the element is in one of a role.
func (s *scene) inside(role string) bool {
	for i := s.at; i >= 0; i = s.tree.parent(i) {
		if s.tree.element(i).Role == role {
			return true
		}
	}
	return false
}

// badgeArea is the size of a badge at most, in pixels.
const badgeArea = 2500

// badgeRule: a small number that comes and goes.
func badgeRule(s *scene) *opinion {
	if s.Change != Appeared && s.Change != Vanished || area(s.Box) > badgeArea {
		return nil
	}
	if text := strings.TrimSpace(s.Before + s.After); !strings.ContainsAny(text, "0123456789") || template(text) != "#" || weighty(text, text) {
		return nil
	}
	return &opinion{AllGood, CodeDynamic, "It is a badge with a number.", 0.8, false}
}

// gaugeRule: bars that show how far something is, whether they say so or only stand beside a number that changed.
func gaugeRule(s *scene) *opinion {
	if s.Change != Resized {
		return nil
	}
	e := s.Element
	good := &opinion{AllGood, CodeDynamic, "It is a bar that shows how far something is.", 0.8, false}
	if e.Role == "progressbar" || e.Role == "meter" || e.Tag == "progress" || e.Tag == "meter" {
		return good
	}
	if s.before == nil || e.Text != "" || e.Source != "" || e.Background == "" || len(s.tree.children[s.at]) > 0 {
		return nil
	}
	if differ(e.Box.Dx(), s.before.Box.Dx()) == differ(e.Box.Dy(), s.before.Box.Dy()) || !s.besideNumber(3) {
		return nil
	}
	return good
}

// besideNumber tells whether something near, below a common ancestor so many levels up, is a text of which only numbers
// changed.
func (s *scene) besideNumber(levels int) bool {
	top := s.at
	for range levels {
		if parent := s.tree.parent(top); parent >= 0 && !s.tree.tooLarge(parent) {
			top = parent
		}
	}
	for i := range s.shown {
		for f := range s.shown[i] {
			other := &s.shown[i][f]
			if other.tree == s.tree && other.at >= 0 && s.tree.within(other.at, top) && dynamicTextRule(&scene{s.view, other, s.cluster, s.index}) != nil {
				return true
			}
		}
	}
	return false
}

// videoRule: a film shows another of its pictures.
func videoRule(s *scene) *opinion {
	if s.Change != ImageReplaced || s.Element.Tag != "video" || s.Before != s.After || s.cluster.After.Blank {
		return nil
	}
	return &opinion{AllGood, CodeWidget, "It is a film that shows another of its pictures.", 0.75, false}
}

// rollRule: a list that lost some of its entries and got as many new ones, most being the same.
func rollRule(s *scene) *opinion {
	if s.Change != Appeared && s.Change != Vanished || s.at < 0 || s.inside("navigation") || s.inside("form") {
		return nil
	}
	parent, other := s.tree.parent(s.at), s.view.after
	if parent < 0 {
		return nil
	}
	partner := s.toAfter
	if s.tree == s.view.after {
		other, partner = s.view.before, s.toBefore
	}
	if partner[parent] < 0 {
		return nil
	}
	here, alone := s.entries(s.tree, parent, partner)
	there, aloneThere := s.entries(other, partner[parent], s.partners(other))
	if here != there || alone != aloneThere || here < 3 || 2*alone > here {
		return nil
	}
	return &opinion{AllGood, CodeFeed, fmt.Sprintf("The list got %d new of its %d entries and lost as many.", alone, here), 0.75, false}
}

// partners are the elements of the other page that those of a tree are the same as.
func (v *view) partners(t *tree) []int {
	if t == v.after {
		return v.toBefore
	}
	return v.toAfter
}

// entries counts the children of an element that are of the kind of the finding's, and those that have no partner.
func (s *scene) entries(t *tree, parent int, partner []int) (all, alone int) {
	for _, child := range t.children[parent] {
		if t.kin(child) != s.tree.kin(s.at) {
			continue
		}
		if all++; partner[child] < 0 {
			alone++
		}
	}
	return all, alone
}

// valueColourRule: a number in another colour, since it rose and had fallen.
func valueColourRule(s *scene) *opinion {
	if s.Change != StyleChanged || s.before == nil || !strings.HasPrefix(s.Before, "text colour") || s.before.Text == s.Element.Text {
		return nil
	}
	if weighty(s.before.Text, s.Element.Text) || !onlyVolatile(s.before.Text, s.Element.Text) {
		return nil
	}
	return &opinion{AllGood, CodeDynamic, "A number changed, and its colour with it.", 0.8, false}
}

// highlightRule: a mark that goes from one number to another, as today does in a calendar.
func highlightRule(s *scene) *opinion {
	if s.Change != StyleChanged || template(s.Element.Text) != "#" || s.tree.parent(s.at) < 0 {
		return nil
	}
	for i := range s.shown {
		for f := range s.shown[i] {
			other := &s.shown[i][f]
			if other.Change == StyleChanged && other.Element != s.Element && other.Element.Tag == s.Element.Tag && other.Before == s.After && other.After == s.Before {
				return &opinion{AllGood, CodeDynamic, "A mark went from one number to another, as today does in a calendar.", 0.8, false}
			}
		}
	}
	return nil
}

// nudge is how far something may be pushed aside by a text beside it that changes by itself, in pixels.
const nudge = 16

// nudgeRule: what is pushed aside a little by a number that has become wider.
func nudgeRule(s *scene) *opinion {
	if s.Change != Moved && s.Change != Resized || s.before == nil {
		return nil
	}
	off := func(a, b image.Rectangle) int {
		return max(abs(a.Min.X-b.Min.X), abs(a.Dx()-b.Dx()), abs(a.Min.Y-b.Min.Y-s.shift(b.Min)), abs(a.Dy()-b.Dy()))
	}
	if off(s.Element.Box, s.before.Box) > nudge {
		return nil
	}
	if s.besideNumber(1) {
		return &opinion{AllGood, CodeDynamic, "It was pushed aside by a text beside it that changes by itself.", 0.8, false}
	}
	return nil
}
