package capture

import (
	"strings"
	"testing"
)

// TestLongTextsAreKeptWhileThereIsRoom: a long text is kept whole, so that a change of its end can be told in words; many of them are not.
func TestLongTextsAreKeptWhileThereIsRoom(t *testing.T) {
	var l longTexts
	long := strings.Repeat("word ", 1200)
	if kept := l.cut(long, 0); kept != long {
		t.Errorf("%d of %d bytes are kept", len(kept), len(long))
	}
	if kept := l.cut(long+"end", len(long)); kept != long+"end" {
		t.Errorf("of a text that grew, %d of %d bytes are kept", len(kept), len(long)+len("end"))
	}
	if kept := l.cut(strings.Repeat("x", 2*maxLongText), 0); len(kept) != maxLongText {
		t.Errorf("%d bytes of a text without end are kept", len(kept))
	}
	all := 0
	for range 100 {
		all += len(l.cut(long, 0)) - maxOwnText
	}
	if all > maxAllLong || l.taken > maxAllLong {
		t.Errorf("%d bytes are kept of long texts, %d by count", all, l.taken)
	}
	if kept := l.cut(long, 0); len(kept) != maxOwnText {
		t.Errorf("%d bytes are kept when all room is taken", len(kept))
	}
}
