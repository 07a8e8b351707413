package verify

import (
	"image"

	"afterimage/internal/page"
)

// unstablePlace: what moves by itself, as the engine saw while it took the pictures, and its surroundings.
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

// shiftedRows: rows moved, or came and went without showing anything.
func shiftedRows(s *scene) string {
	band := s.cluster.band
	if s.Change != Shifted || band != nil && s.elementBefore == nil && !(band.Surface.Known && band.Surface.Blank) && band.Rows > thinBand {
		return ""
	}
	return "Blank rows were inserted or removed."
}

// speck: a handful of pixels, and nothing that is known of the elements.
func speck(s *scene) string {
	if s.Change != Repainted || s.cluster.Pixels > speckPixels || s.cluster.SSIM < speckSSIM {
		return ""
	}
	return "Only a few pixels differ, and no element changed."
}

// textRendering: text that the browser has drawn anew at a fraction of a pixel beside. The elements are the same, and so is
// how dark and how rich in edges the place is.
func textRendering(s *scene) string {
	c := s.cluster
	if s.Change != Repainted || s.Element == nil || shows[s.Element.Tag] || len(s.shown[s.index]) > 1 ||
		c.MeanDelta > redrawnDelta || c.SSIM < redrawnSSIM {
		return ""
	}
	// The smaller a place, the less its mean tells and the more its structure does.
	if small := c.Pixels < smallPlace && c.MeanDelta < smallPlaceDelta && c.SSIM > smallPlaceSSIM; !small && !alike(c.Before, c.After) {
		return ""
	}
	if s.view.pictureIn(c.Box) {
		return ""
	}
	return "The same text was rendered at a different subpixel offset."
}

// pictureIn tells whether the after page has a picture in a box.
func (v *view) pictureIn(box image.Rectangle) bool {
	v.steps.take(len(v.afterTree.content))
	for i := range v.afterTree.content {
		if shows[v.afterTree.element(i).Tag] && v.afterTree.box(i).Overlaps(box) {
			return true
		}
	}
	return false
}
