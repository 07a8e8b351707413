package verify

import (
	"regexp"
)

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
	return &opinion{AllGood, CodeEncoding, "It is the same image, re-encoded: its colours hardly differ.", 0.85, false}
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

// videoRule: a film shows another of its pictures.
func videoRule(s *scene) *opinion {
	if s.Change != ImageReplaced || s.Element.Tag != "video" || s.Before != s.After || s.cluster.After.Blank {
		return nil
	}
	return &opinion{AllGood, CodeWidget, "It is a video at another frame.", 0.75, false}
}
