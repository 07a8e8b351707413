package turns_test

import (
	"strings"
	"testing"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// TestABacklogIsCountedOnceForAllProcesses bounds what scrapes cost the database.
func TestABacklogIsCountedOnceForAllProcesses(t *testing.T) {
	w := newWorld(t)
	g, _ := w.Group("waiting", 3, inventory.GroupChange{})
	w.Take(vcd.QueuePre, g)
	other := vcdtest.OpenURL(t, w.URL, vcdtest.NewTableQueue)
	statements := vcdtest.RecordStatements(w.DB)
	found, err := w.DB.Backlog(t.Context(), w.Clock.Now())
	must(t, err)
	if texts := statements.Take(); len(texts) > 6 {
		t.Errorf("counting took %d statements:\n%s", len(texts), strings.Join(texts, "\n"))
	}
	waiting := 0.0
	for _, turns := range found.Turns {
		if turns.Kind == "capture" {
			waiting += turns.Waiting + turns.Working
		}
	}
	if waiting != 6 || found.Workers.Processes != 1 || len(found.Events) != 2 || found.Events[0].Accounts+found.Events[1].Accounts != 2 {
		t.Errorf("found %+v", found)
	}
	again := vcdtest.RecordStatements(other)
	shared, err := other.Backlog(t.Context(), w.Clock.Now())
	must(t, err)
	if texts := again.Take(); len(texts) > 2 || len(shared.Turns) != len(found.Turns) {
		t.Errorf("a process that finds a count took %d statements:\n%s", len(texts), strings.Join(texts, "\n"))
	}
}
