package compare

import (
	"testing"

	"afterimage/capture"
	"afterimage/internal/page"
)

// TestWhatWasNotSeenIsTold: two equal pictures of which each lacks a part are equal as far as seen, and no more where all is wanted.
func TestWhatWasNotSeenIsTold(t *testing.T) {
	shot := &capture.Shot{}
	shot.Manifest.Missing = []page.Missing{{Kind: page.MissingScrolled, Element: "#strip", Side: "right", Pixels: 700}}
	pair := Pair{Path: "/", Unseen: unseen(shot, shot)}
	result := Collect("a", "b", "", []Pair{pair, {Path: "/whole", Unseen: unseen(&capture.Shot{}, &capture.Shot{})}})
	const strip = "700 px of #strip are not shown"
	if p := result.Pairs[0]; p.Outcome != Equal || p.Unseen != strip || result.Pairs[1].Unseen != "" || result.Unseen() != 1 {
		t.Errorf("outcome %s, unseen %q, %q", p.Outcome, p.Unseen, result.Pairs[1].Unseen)
	}
	if code := result.ExitCode(FailOnUnsure); code != ExitEqual {
		t.Errorf("the exit code is %d", code)
	}
	result.RequireComplete = true
	if code := result.ExitCode(FailOnUnsure); code != ExitUnknown {
		t.Errorf("with all required the exit code is %d", code)
	}
}
