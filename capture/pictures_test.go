package capture

import "testing"

// TestFilesThatMoveAreRecognised: the names of elements in an SVG file are spelled in small letters, style sheets in any.
func TestFilesThatMoveAreRecognised(t *testing.T) {
	for text, moves := range map[string]bool{
		`<svg><style>@keyframes a{}</style></svg>`:         true,
		`<svg><STYLE>@KEYFRAMES a{}</STYLE></svg>`:         true,
		`<svg><style>@-WebKit-KeyFrames a{}</style></svg>`: true,
		`<svg><animateTransform/></svg>`:                   true,
		`<svg:svg><svg:set/></svg:svg>`:                    true,
		`<svg><title>An animated set</title></svg>`:        false,
		`<svg><ANIMATE/></svg>`:                            false,
	} {
		if _, got := new(drawings).toStill("a.svg", text); got != moves {
			t.Errorf("%s moves: %t, want %t", text, got, moves)
		}
	}
}
