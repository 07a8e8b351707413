package causes

import (
	"testing"

	"afterimage/internal/samplesite"
)

// TestTheSampleSiteSaysWhatWasEdited: what newcomers see first has as many entries as the sample site has edits, on each page.
func TestTheSampleSiteSaysWhatWasEdited(t *testing.T) {
	before, after := samplesite.New(), samplesite.New()
	after.Change()
	studio, err := Open(t.Context(), 2, before, after)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := studio.Close(); err != nil {
			t.Error(err)
		}
	}()
	accepted := rulesOfThePast(t)
	most := map[string]int{"/": 1, "/places/": 1, "/calendar/": 1, "/walks/": 2, "/visit/": 5}
	for i, page := range samplesite.Pages() {
		for _, device := range screens(i) {
			j, err := studio.Judge(t.Context(), page.Path, device)
			if err != nil {
				t.Fatal(err)
			}
			n := len(j.Entries())
			if all := len(j.Result.Findings); all > most[page.Path] || n == 0 && page.Change != "" {
				t.Errorf("%s on %s has %d entries, %d to look at:\n  %s", page.Path, device, all, n, j.Told())
			}
			at := page.Path + " on " + string(device)
			if page.Path != "/calendar/" { // that cells of a row changed places was no change in the past, and nobody was shown it
				wantAccepted(t, at, device, j, accepted[at])
			}
			t.Logf("%s on %s:\n  %s", page.Path, device, j.Told())
		}
	}
}
