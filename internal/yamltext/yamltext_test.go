package yamltext

import (
	"errors"
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

// TestDeepNestingIsRefusedAtOnce: the decoder takes time by the square of it. That a comment or a text holds brackets which close,
// changes nothing.
func TestDeepNestingIsRefusedAtOnce(t *testing.T) {
	const limit = 20 * time.Second // they take milliseconds, or minutes
	indented := func(levels int) string {
		var text strings.Builder
		for n := range levels {
			text.WriteString(strings.Repeat(" ", n) + "a:\n")
		}
		return text.String()
	}
	for name, c := range map[string]struct {
		text string
		deep bool
	}{
		"three million brackets":  {strings.Repeat("[", 3_000_000), true},
		"three million braces":    {strings.Repeat("{", 3_000_000), true},
		"hidden by a comment":     {"# " + strings.Repeat("]", 100_000) + "\n" + strings.Repeat("[", 100_000), true},
		"hidden by comments":      {strings.Repeat("[ # ]\n", 50_000), true},
		"hidden by texts":         {strings.Repeat(`["]",`, 50_000), true},
		"hidden by other texts":   {strings.Repeat(`{'}': `, 50_000), true},
		"many beside each other":  {"[" + strings.Repeat("[],", 50_000) + "[]]", false},
		"as deep as is supported": {strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth), false},
		"a thousand by indents":   {indented(1000), false},
	} {
		begun := time.Now()
		var into any
		err := Decode([]byte(c.text), &into)
		if took := time.Since(begun); errors.Is(err, errDeep) != c.deep || !c.deep && err != nil || took > limit {
			t.Errorf("%s, after %s: %v", name, took, err)
		}
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
