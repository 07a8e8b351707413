package chrome

import (
	"slices"
	"strings"
	"testing"
	"time"

	"afterimage/capture"
)

// A page sees the same random numbers in each capture and the present date, unless the request asks for others.
func TestAnotherDateAndOtherChance(t *testing.T) {
	address := site.handle(t, "page", serve("text/html", `<!doctype html><iframe srcdoc="
		<script>parent.postMessage(Math.random(), '*')</script>"></iframe><p>Hello</p><script>
		console.log('day', new Date().toISOString().slice(0, 10), Math.random(), Math.random());
		onmessage = (e) => console.log('frame', e.data)</script>`))
	said := func(r capture.Request) (date time.Time, numbers []string) {
		r.URL, r.Device = address, capture.Desktop
		for _, entry := range take(t, r).Console {
			words := strings.Fields(entry.Text)
			if words[0] == "day" {
				day, err := time.Parse(time.DateOnly, words[1])
				if err != nil {
					t.Fatal(err)
				}
				date, words = day, words[1:]
			}
			numbers = append(numbers, words[1:]...)
		}
		if len(numbers) != 3 {
			t.Fatalf("numbers %v", numbers)
		}
		return date, numbers
	}
	today, usual := said(capture.Request{})
	_, again := said(capture.Request{})
	if !slices.Equal(usual, again) {
		t.Errorf("random numbers are %v and %v", usual, again)
	}
	later, other := said(capture.Request{Later: 10 * 24 * time.Hour, Seed: 7})
	if days := later.Sub(today).Hours() / 24; days < 9 || days > 11 {
		t.Errorf("dates are %v and %v", today, later)
	}
	for i := range other {
		if other[i] == usual[i] {
			t.Errorf("number %d is %s both times", i, other[i])
		}
	}
	if _, same := said(capture.Request{Seed: 7}); !slices.Equal(same, other) {
		t.Errorf("with the same seed the numbers are %v and %v", other, same)
	}
}
