package yamltext

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestErrorsNameTheLine in one line.
func TestErrorsNameTheLine(t *testing.T) {
	var into struct{ A int }
	err := Decode([]byte("\na: text\n"), &into)
	if err == nil || !strings.HasPrefix(err.Error(), "line 2: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}

// TestNoTextTakesLong: texts of 32 KiB made of a few parts over and over, which is how a decoder is slowed down.
func TestNoTextTakesLong(t *testing.T) {
	parts := []string{
		"[", "{", "]", "}", "- ", "-\n", "? ", ": ", "a: ", "a:\n", "&a ", "*a", "!!seq ", "\"", "'", "|\n", ">\n", "#",
		"---\n", " ", "\n", ",", "<<: *a\n", "\t", "é", "1",
	}
	random := rand.New(rand.NewPCG(1, 2))
	const size, limit = 32 << 10, 10 * time.Second // most take milliseconds; a busy machine is no fault
	for range 1000 {
		var unit strings.Builder
		for range 1 + random.IntN(4) {
			unit.WriteString(parts[random.IntN(len(parts))])
		}
		begun := time.Now()
		var into any
		err := Decode([]byte(strings.Repeat(unit.String(), size/unit.Len())), &into)
		if took := time.Since(begun); took > limit {
			t.Errorf("%q takes %s: %v", unit.String(), took, err)
		}
	}
}
