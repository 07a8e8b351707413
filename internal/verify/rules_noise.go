package verify

import (
	"image"

	"afterimage/internal/page"
)

// noiseRule: what moves by itself, as the engine saw while it took the pictures, and its surroundings.
func noiseRule(s *scene) *opinion {
	if s.Change == Vanished || s.Change == Appeared || s.Change == TextChanged && s.Before != "" && s.After != "" && s.cluster.Pixels > 2000 {
		return nil
	}
	for _, boxes := range [][]page.Box{s.Pair.Before.Unstable, s.Pair.After.Unstable} {
		for _, box := range boxes {
			if s.cluster.Box.In(box.Rect().Inset(-noiseReach)) {
				return &opinion{AllGood, CodeNoise, "The page does not settle here: screenshots of the same visit differ.", 0.85, false}
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
	return &opinion{AllGood, CodeShift, "Blank rows were inserted or removed.", 0.8, false}
}

// thinBand is how many rows may come or go by the rounding of a layout.
const thinBand = 2

// speckPixels is how many pixels nobody sees when their structure stays.
const speckPixels = 12

// speckRule: a handful of pixels, and nothing that is known of the elements.
func speckRule(s *scene) *opinion {
	if s.Change != Repainted || s.cluster.Pixels > speckPixels || s.cluster.SSIM < 0.8 {
		return nil
	}
	return &opinion{AllGood, CodeNoise, "Only a few pixels differ, and no element changed.", 0.7, false}
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
	return &opinion{AllGood, CodeNoise, "The same text was rendered at a different subpixel offset.", 0.7, false}
}

// smallPlace is how many pixels a few letters have.
const smallPlace = 200

// pictureIn tells whether the after page has a picture in a box.
func (v *view) pictureIn(box image.Rectangle) bool {
	v.steps.take(len(v.after.content))
	for i := range v.after.content {
		if shows[v.after.element(i).Tag] && v.after.box(i).Overlaps(box) {
			return true
		}
	}
	return false
}
