package verify

import (
	"image"

	"afterimage/internal/page"
	"afterimage/internal/verify/dom"
)

// unstablePlace: a place where the page moved by itself while the engine took the pictures, with its surroundings.
func unstablePlace(s *scene) string {
	if s.Change == Vanished || s.Change == Appeared ||
		s.Change == TextChanged && s.Before != "" && s.After != "" && s.cluster.Pixels > noisyText {
		return ""
	}
	for _, boxes := range [][]page.Box{s.Pair.Before.Unstable, s.Pair.After.Unstable} {
		for _, box := range boxes {
			if s.cluster.Box.In(box.Rect().Inset(-noiseReach)) {
				return "The page does not settle here: screenshots of the same visit differ."
			}
		}
	}
	return ""
}

// shiftedRows: rows that moved, or were inserted or deleted without showing anything.
func shiftedRows(s *scene) string {
	band := s.cluster.band
	if s.Change != Shifted {
		return ""
	}
	if band != nil {
		showsNothing := s.elementBefore != nil || band.Surface.Known && band.Surface.Blank || band.Rows <= thinBand
		if band.Rows > blankGap || !showsNothing {
			return ""
		}
	}
	return "Blank rows were inserted or removed."
}

// speck: a handful of pixels, without a known change of an element.
func speck(s *scene) string {
	if s.Change != Repainted || s.cluster.Pixels > speckPixels || s.cluster.SSIM < speckSSIM {
		return ""
	}
	return "Only a few pixels differ, and no element changed."
}

// textRendering: text that the browser has redrawn with an offset of a fraction of a pixel. The elements are the same,
// and so are the darkness and the amount of edges of the place.
func textRendering(s *scene) string {
	c := s.cluster
	if s.Change != Repainted || s.Element == nil || dom.ShowsPixels(s.Element.Tag) || len(s.shown[s.index]) > 1 ||
		c.MeanDelta > redrawnDelta || c.SSIM < redrawnSSIM || !s.redrawn() {
		return ""
	}
	// The smaller a place, the less its mean says and the more its structure does.
	if small := c.Pixels < smallPlace && c.MeanDelta < smallPlaceDelta && c.SSIM > smallPlaceSSIM; !small && !alike(c.Before, c.After) {
		return ""
	}
	if s.view.pictureIn(c.Box) {
		return ""
	}
	return "The same text was rendered at a different subpixel offset."
}

// redrawn reports whether there is a reason why letters were drawn anew: they moved by a fraction of a pixel. Where elements are not
// known well enough, the pixels must tell.
func (s *scene) redrawn() bool {
	m := s.movements
	return m == nil || s.tree == s.AfterTree && s.at >= 0 && s.ToBefore[s.at] >= 0 && m.fractional(s.at) && len(m.styles.All[s.at]) == 0
}

// pictureIn reports whether the after page has a picture in a box.
func (v *view) pictureIn(box image.Rectangle) bool {
	v.Steps.Take(len(v.AfterTree.Content))
	for i := range v.AfterTree.Content {
		if dom.ShowsPixels(v.AfterTree.Element(i).Tag) && v.AfterTree.Box(i).Overlaps(box) {
			return true
		}
	}
	return false
}
