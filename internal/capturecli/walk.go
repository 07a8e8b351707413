package capturecli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"afterimage/capture"
	"afterimage/internal/flow"
)

// WalkCommand carries out the steps of a flow on each of its devices.
type WalkCommand struct {
	Request capture.WalkRequest // without a device
	Devices []capture.Device
	Out     string // folder of the pictures, with a folder for each device
	JSON    bool   // print one document instead of lines
}

// Walker runs flows; *chrome.Pool is the real one.
type Walker interface {
	Walk(ctx context.Context, r capture.WalkRequest) (*capture.Walked, error)
}

// walkRecord is the document that is printed.
type walkRecord struct {
	Flow    string         `json:"flow"`
	Passed  bool           `json:"passed"`
	Devices []deviceRecord `json:"devices"`
}

type deviceRecord struct {
	Device capture.Device `json:"device"`
	Passed bool           `json:"passed"`
	Steps  []stepRecord   `json:"steps"`
	Error  *errorRecord   `json:"error,omitempty"` // the flow could not be run, or not to its end
}

type stepRecord struct {
	Number       int               `json:"number"`
	Kind         flow.Kind         `json:"kind"`
	Label        string            `json:"label,omitempty"`
	Does         string            `json:"does"`
	State        capture.StepState `json:"state"`
	Milliseconds float64           `json:"milliseconds"`
	Sentence     string            `json:"sentence,omitempty"`
	Reason       capture.Reason    `json:"reason,omitempty"`
	Notes        []string          `json:"notes"`
	Files        []string          `json:"files"`
}

type errorRecord struct {
	Reason   capture.Reason `json:"reason"`
	Sentence string         `json:"sentence"`
}

// Run does the steps, writes the pictures and prints what became of each step. It reports whether all steps passed. A flow that could
// not be run is an error, after what was done of it has been told.
func (c WalkCommand) Run(ctx context.Context, browser Walker, out io.Writer) (passed bool, err error) {
	all := walkRecord{Flow: c.Request.Flow.Name, Passed: true, Devices: []deviceRecord{}}
	for _, device := range c.Devices {
		one, failure := c.walk(ctx, browser, out, device)
		all.Devices = append(all.Devices, one)
		all.Passed = all.Passed && one.Passed
		err = errors.Join(err, failure)
	}
	if !c.JSON {
		return all.Passed, err
	}
	text, failure := asJSON(all)
	if failure == nil {
		_, failure = out.Write(text)
	}
	return all.Passed, errors.Join(err, failure)
}

// walk does the steps on one device.
func (c WalkCommand) walk(ctx context.Context, browser Walker, out io.Writer, device capture.Device) (deviceRecord, error) {
	one := deviceRecord{Device: device, Steps: []stepRecord{}}
	names := fileNames{folder: filepath.Join(c.Out, string(device)), taken: make(map[string]bool)}
	if !c.JSON {
		fmt.Fprintf(out, "%s on %s\n", legible(c.Request.Flow.Name), device)
	}
	var writing error
	request := c.Request
	request.Request.Device = device
	request.Told = func(step capture.WalkedStep) {
		done := recordOf(&step)
		var err error
		if done.Files, err = names.write(&step); err != nil {
			writing = errors.Join(writing, err)
		}
		one.Steps = append(one.Steps, done)
		if !c.JSON {
			tell(out, &done)
		}
	}
	walked, err := browser.Walk(ctx, request)
	one.Passed = err == nil && writing == nil && walked.Failed() == nil
	var failure *capture.Failure
	if errors.As(err, &failure) {
		one.Error = &errorRecord{Reason: failure.Reason, Sentence: failure.Sentence()}
	}
	return one, errors.Join(err, writing)
}

func recordOf(step *capture.WalkedStep) stepRecord {
	return stepRecord{
		Number: step.Number, Kind: step.Kind, Label: step.Label, Does: step.Does, State: step.State, Milliseconds: milliseconds(step.Took),
		Sentence: step.Sentence, Reason: step.Reason, Notes: append([]string{}, step.Notes...), Files: []string{},
	}
}

// tell prints a step: one line, and one more for each thing that is to be known of it.
func tell(out io.Writer, step *stepRecord) {
	took := ""
	if step.State != capture.StepSkipped {
		took = fmt.Sprintf("%.1f s", time.Duration(step.Milliseconds*float64(time.Millisecond)).Seconds())
	}
	fmt.Fprintf(out, "%4d  %-7s  %7s  %s\n", step.Number, step.State, took, legible(step.Does))
	if step.Sentence != "" {
		fmt.Fprintf(out, "      %s\n", legible(step.Sentence))
	}
	for _, note := range step.Notes {
		fmt.Fprintf(out, "      %s\n", legible(note))
	}
	for _, file := range step.Files {
		if strings.HasSuffix(file, ".png") {
			fmt.Fprintf(out, "      %s\n", file)
		}
	}
}

// legible leaves out what would steer a terminal.
func legible(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// fileNames gives the pictures of a flow different names.
type fileNames struct {
	folder string
	taken  map[string]bool
}

// write writes the picture of a step, if it has one.
func (n *fileNames) write(step *capture.WalkedStep) ([]string, error) {
	switch {
	case step.Shot != nil:
		return writeShot(n.folder, n.name(step.Label), step.Shot)
	case step.Picture != nil:
		name, err := writeFile(n.folder, n.name(fmt.Sprintf("failed-step-%d", step.Number))+".png", step.Picture)
		if err != nil {
			return []string{}, err
		}
		return []string{name}, nil
	}
	return []string{}, nil
}

// name is a name that no other picture has, on file systems that do not tell capitals apart either.
func (n *fileNames) name(label string) string {
	stem := strings.TrimLeft(harmless(label), ".")
	stem = stem[:min(len(stem), maxStem)]
	if strings.Trim(stem, "_.-") == "" {
		stem = "picture"
	}
	name := stem
	for i := 2; n.taken[strings.ToLower(name)]; i++ {
		name = fmt.Sprintf("%s-%d", stem, i)
	}
	n.taken[strings.ToLower(name)] = true
	return name
}
