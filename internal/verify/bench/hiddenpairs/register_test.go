package hiddenpairs

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"afterimage/internal/verify"
)

// register is a page of 84 sections of 240 rows, 20,160 in all, one of which says something else.
func register(section int, says string) string {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Register</title>
<style>body { margin: 0; font: 16px sans-serif } section { height: 240px; overflow: hidden } h2, p { margin: 8px }</style>`)
	for i := range 84 {
		text := fmt.Sprintf("The entries of part %d are complete and in order.", i+1)
		if i+1 == section {
			text = says
		}
		fmt.Fprintf(&b, "<section><h2>Part %d</h2><p>%s</p></section>", i+1, text)
	}
	return b.String()
}

// TestAnErrorFarDownIsAnAlarm: an error below what a browser paints at once is captured, found and reported.
func TestAnErrorFarDownIsAnAlarm(t *testing.T) {
	const section = 80
	p := &Pair{Name: "register", Before: register(0, ""), After: register(section, "FATAL ERROR")}
	j := judgeAll(t, []*Pair{p})[0]
	if len(j.result.Findings) != 1 || !j.result.Explained || j.known.After.Height != 84*240 {
		t.Fatalf("explained %t, of %d rows: %s", j.result.Explained, j.known.After.Height, j.told())
	}
	f := &j.result.Findings[0]
	rows := image.Rect(0, (section-1)*240, j.known.After.Width, section*240)
	if f.Ruling.Category != verify.Alert || !strings.Contains(f.Description, "FATAL ERROR") || !f.Box.In(rows) {
		t.Errorf("%s, %s at %v", f.Ruling.Category, f.Description, f.Box)
	}
}
