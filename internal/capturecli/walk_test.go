package capturecli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/internal/flow"
)

// walker answers with steps that were given.
type walker struct {
	steps []capture.WalkedStep
	err   error
	asked []capture.Device
}

func (w *walker) Walk(_ context.Context, r capture.WalkRequest) (*capture.Walked, error) {
	w.asked = append(w.asked, r.Request.Device)
	for _, step := range w.steps {
		r.Told(step)
	}
	return &capture.Walked{Steps: w.steps}, w.err
}

func TestAFlowIsToldStepByStep(t *testing.T) {
	dir := t.TempDir()
	failed := []capture.WalkedStep{
		{Number: 1, Does: "picture “Shop / 1”", Label: "Shop / 1", State: capture.StepPassed, Took: 1200 * time.Millisecond, Shot: shop()},
		{Number: 2, Does: "picture “SHOP _ 1”", Label: "SHOP _ 1", State: capture.StepPassed, Shot: shop()},
		{Number: 3, Does: "click button “Buy\x1b[31m”", State: capture.StepFailed, Sentence: "Button “Buy” was not found.",
			Notes: []string{"A note."}, Picture: []byte("window")},
		{Number: 4, Does: "press Enter", State: capture.StepSkipped},
	}
	w := &walker{steps: failed}
	command := WalkCommand{
		Request: capture.WalkRequest{Flow: &flow.Flow{Name: "Checkout"}}, Out: dir,
		Devices: []capture.Device{capture.Desktop, capture.Mobile},
	}
	var out bytes.Buffer
	passed, err := command.Run(t.Context(), w, &out)
	if err != nil || passed || len(w.asked) != 2 || w.asked[1] != capture.Mobile {
		t.Errorf("passed %t, %v; asked for %v", passed, err, w.asked)
	}
	for _, want := range []string{
		"Checkout on desktop\n   1  passed     1.2 s  picture “Shop / 1”\n      " + filepath.Join(dir, "desktop", "Shop___1.png") + "\n",
		filepath.Join(dir, "mobile", "SHOP___1-2.png"),
		"   3  failed     0.0 s  click button “Buy [31m”\n      Button “Buy” was not found.\n",
		"      A note.\n      " + filepath.Join(dir, "desktop", "failed-step-3.png"), "   4  skipped           press Enter\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for _, name := range []string{"Shop___1.png", "Shop___1.manifest.json", "Shop___1.elements.json",
		"SHOP___1-2.png", "failed-step-3.png"} {
		if text, err := os.ReadFile(filepath.Join(dir, "mobile", name)); err != nil || len(text) == 0 {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
}

func TestAFlowIsToldAsADocument(t *testing.T) {
	w := &walker{
		steps: []capture.WalkedStep{{Number: 1, Kind: flow.Press, Does: "press Enter", State: capture.StepPassed}},
		err:   &capture.Failure{Reason: capture.ReasonCrashed},
	}
	command := WalkCommand{
		Request: capture.WalkRequest{Flow: &flow.Flow{Name: "Checkout"}}, JSON: true,
		Devices: []capture.Device{capture.Desktop},
	}
	var out bytes.Buffer
	if passed, err := command.Run(t.Context(), w, &out); err == nil || passed {
		t.Errorf("passed %t, %v", passed, err)
	}
	var told walkRecord
	if err := json.Unmarshal(out.Bytes(), &told); err != nil || told.Passed || len(told.Devices) != 1 || len(told.Devices[0].Steps) != 1 ||
		told.Devices[0].Error == nil || told.Devices[0].Error.Reason != capture.ReasonCrashed || told.Devices[0].Steps[0].Files == nil {
		t.Errorf("%s, %v", out.String(), err)
	}
}
