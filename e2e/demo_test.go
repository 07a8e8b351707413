package e2e

import (
	"encoding/json"
	"os/exec"
	"testing"
)

// TestDemo runs the demonstration as a new user does, and reads its table as a script does.
func TestDemo(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), binary, "demo", "--json").Output()
	if err != nil {
		t.Fatalf("the demonstration failed: %v", err)
	}
	var rows []struct {
		Name, URL, Device, Status, Before, After, Difference, Batch, Comparison string
		DifferencePercent                                                       float64 `json:"difference_percent"`
		Threshold                                                               float64
	}
	if err := json.Unmarshal(out, &rows); err != nil {
		t.Fatalf("standard output is not one JSON array: %v\n%s", err, out)
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
