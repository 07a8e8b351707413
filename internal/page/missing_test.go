package page

import "testing"

func TestWhatIsMissingInWords(t *testing.T) {
	strip := Missing{Kind: MissingScrolled, Element: ".main", Side: "below", Pixels: 2868}
	for want, parts := range map[string][]Missing{
		"":                                   nil,
		"2,868 px of .main are not shown":    {strip},
		"1,200,000 px below are cut off":     {{Kind: MissingCut, Side: "below", Pixels: 1_200_000}},
		"9,999 px to the left are not shown": {{Kind: MissingAside, Side: "left", Pixels: 9999}},
		"the animation of img.hero could not be stopped": {{Kind: MissingPlaying, Element: "img.hero"}},
		"9,000 px below are visible only at some scroll positions, and not all of them are in the picture": {
			{Kind: MissingHidden, Side: "below", Pixels: 9000},
		},
		"no font has the characters 日 本":                                                {{Kind: MissingGlyphs, Text: "日 本"}},
		"fonts, images were still loading":                                              {{Kind: MissingLoading, Text: "fonts, images"}},
		"the content of #map outside its visible area is unknown":                       {{Kind: MissingFrame, Element: "#map"}},
		strip.String() + ", " + strip.String() + ", " + strip.String() + ", and 2 more": {strip, strip, strip, strip, strip},
	} {
		if got := WhatIsMissing(parts); got != want {
			t.Errorf("%+v is %q, want %q", parts, got, want)
		}
	}
}

func TestWhatNoneShows(t *testing.T) {
	strip, frame := []Missing{{Kind: MissingScrolled, Element: "#a", Pixels: 9}}, []Missing{{Kind: MissingFrame, Element: "#b"}}
	read := []Missing{{Kind: MissingScrolled, Element: "#a", Pixels: 9, Holds: "Tea\n0 1"}}
	for _, test := range []struct {
		before, after []Missing
		want          string
	}{
		{nil, nil, ""},
		{strip, strip, "9 px of #a are not shown"},
		{strip, nil, "9 px of #a are not shown (before)"},
		{read, read, ""},
		{read, strip, "9 px of #a are not shown"},
		{read, nil, "9 px of #a are not shown (before)"},
		{append(frame, read...), read, "the content of #b outside its visible area is unknown (before)"},
		{nil, strip, "9 px of #a are not shown (after)"},
		{frame, strip, "9 px of #a are not shown; before: the content of #b outside its visible area is unknown"},
	} {
		if got := WhatNoneShows(test.before, test.after); got != test.want {
			t.Errorf("%v and %v: %q, want %q", test.before, test.after, got, test.want)
		}
	}
}
