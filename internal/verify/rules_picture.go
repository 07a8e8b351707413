package verify

import (
	"regexp"

	"afterimage/internal/verify/dom"
)

// hashedName matches the part of a file name that changes with every build.
var hashedName = regexp.MustCompile(`[.-][0-9a-f]{6,}([.-])|[?#].*$`)

// sameFile reports whether two addresses lead to the same picture, perhaps in another version.
func sameFile(before, after string) bool {
	was, is := hashedName.ReplaceAllString(before, "$1"), hashedName.ReplaceAllString(after, "$1")
	return was != "" && was == is
}

// reencodedPicture: the same picture at a new address, encoded again: there are two files.
func reencodedPicture(s *scene) string {
	c := s.cluster
	if s.Change != ImageReplaced || s.Before == s.After || !sameFile(s.Before, s.After) || c.MeanDelta > reencodedDelta {
		return ""
	}
	if few := reencodedFew*c.Pixels < dom.Area(s.Box); !few && !alike(c.Before, c.After) {
		return ""
	}
	return "It is the same image, re-encoded: its colours hardly differ."
}

// alike reports whether two surfaces look about the same.
func alike(a, b Surface) bool {
	if !a.Known || !b.Known || a.Blank != b.Blank {
		return false
	}
	near := func(x, y, most float64) bool { return x-y <= most && y-x <= most }
	for i := range a.Mean {
		if !near(a.Mean[i], b.Mean[i], alikeMean) {
			return false
		}
	}
	return near(a.Deviation, b.Deviation, alikeDeviation) && near(a.Edges, b.Edges, alikeEdges)
}

// videoFrame: a video that shows another frame.
func videoFrame(s *scene) string {
	if s.Change != ImageReplaced || s.Element.Tag != "video" || s.Before != s.After || s.cluster.After.Blank {
		return ""
	}
	return "It is a different frame of a video."
}

// asBusy reports whether there is about as much to see in a place as there was.
func (c *cluster) asBusy() bool {
	was, is := c.Before, c.After
	return was.Known && is.Known && !was.Blank && !is.Blank && is.Uniform <= was.Uniform+drawnEven &&
		drawnLike*is.Edges >= was.Edges && drawnLike*is.Deviation >= was.Deviation
}
