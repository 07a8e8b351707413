package e2e

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestDemo runs the demonstration as a new user does, reads its table as a script does, and follows its link to the dashboard.
func TestDemo(t *testing.T) {
	t.Parallel()
	demo := exec.CommandContext(t.Context(), binary, "demo", "--json", "--keep")
	out, err := demo.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	said, err := demo.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := demo.Start(); err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Name, URL, Device, Status, Before, After, Difference, Batch, Comparison string
		DifferencePercent                                                       float64 `json:"difference_percent"`
		Threshold                                                               float64
	}
	links, told := make(chan string, 1), make(chan string, 1000)
	go func() {
		defer close(links)
		for lines := bufio.NewScanner(said); lines.Scan(); {
			select {
			case told <- lines.Text():
			default:
			}
			if strings.Contains(lines.Text(), "#code=") {
				links <- strings.TrimSpace(lines.Text())
			}
		}
	}()
	if err := json.NewDecoder(out).Decode(&rows); err != nil {
		for range len(told) {
			t.Log(<-told)
		}
		t.Fatalf("standard output is not one JSON array: %v", err)
	}
	link, ok := <-links
	if !ok {
		t.Fatal("the demonstration ended without a link to the dashboard")
	}
	person := browse(t)
	person.open(link)
	person.until(`location.pathname.startsWith("/runs/") && location.hash === "" && document.querySelector("article h2") !== null`)
	wantCards(t, cardsOf(person, rows[0].Batch))
	person = browse(t) // another browser, for which the link comes too late
	person.open(link)
	person.reads("This sign-in link has already been used")
	if err := demo.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := demo.Wait(); err != nil {
		t.Errorf("the demonstration ended with %v", err)
	}
	const samplePages = 8
	still, changed := 0, 0
	for _, r := range rows {
		switch {
		case r.Status == "ok" && r.DifferencePercent == 0:
			still++
		case r.Status == "new" && r.DifferencePercent > r.Threshold:
			changed++
		default:
			t.Errorf("%s %s: %s with %.3f %%", r.Name, r.Device, r.Status, r.DifferencePercent)
		}
		if r.URL == "" || r.Batch == "" || r.Comparison == "" || r.Before == "" || r.After == "" || r.Difference == "" {
			t.Errorf("incomplete row %+v", r)
		}
	}
	if len(rows) != 2*samplePages || still != 2*3 || changed != 2*5 {
		t.Errorf("%d rows, %d unchanged and %d changed; want 16, 6 and 10", len(rows), still, changed)
	}
}

// card is a change as the dashboard lists it for review.
type card struct {
	Description      string
	ComparisonsCount int
	Example          struct{ Comparison struct{ Address string } }
}

// cardsOf are the changes of a run, harmless ones too.
func cardsOf(b *tab, batch string) []card {
	b.t.Helper()
	return evaluate[[]card](b, `fetch('/graphql', {
		method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Afterimage-Client': 'test' },
		body: JSON.stringify({ variables: { id: `+quoted(batch)+` }, query: `+quoted(`query($id: ID!) { batch(id: $id) {
			changes(first: 100) { nodes { description comparisonsCount example { comparison { address } } } } } }`)+` }),
	}).then((r) => r.json()).then(({ data }) => data.batch.changes.nodes)`)
}

// wantCards wants one card for each edit of the sample site, on both devices, and none for what follows from an edit.
func wantCards(t *testing.T, cards []card) {
	t.Helper()
	most := map[string]int{"": 1, "places": 1, "calendar": 1, "walks": 2, "visit": 5}
	found := map[string]int{}
	for _, c := range cards {
		_, page, _ := strings.Cut(strings.Trim(c.Example.Comparison.Address, "/"), "/")
		found[page]++
		if c.ComparisonsCount != 2 {
			t.Errorf("a card for %d of 2 devices: %s", c.ComparisonsCount, c.Description)
		}
	}
	for page, n := range found {
		if n > most[page] {
			t.Errorf("/%s has %d cards, want at most %d", page, n, most[page])
		}
	}
	if len(found) != len(most) || found["visit"] != most["visit"] || len(cards) > 10 {
		t.Errorf("%d cards: %+v", len(cards), cards)
	}
}
