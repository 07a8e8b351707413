package vcd

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"afterimage/internal/flow"
)

// PurposeFlow is the purpose under which the secrets of flows are sealed.
const PurposeFlow = "flow.secrets"

// Flow is steps that lead to pages of a website which have no address of their own. Its checkpoints are URLs of the website's groups.
type Flow struct {
	ID, Account   ID
	WebsiteID     ID
	Definition    *flow.Flow // without secrets
	StepIDs       []ID       // of its steps, in their order
	SealedSecrets []byte     // nil for none, see FlowSecrets
	Manual        bool       // whether the website's group of manual checks has it
	Monitoring    bool       // and its group of monitoring
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// FlowSecrets are what a flow types into pages and shows nowhere, by their names in the definition.
type FlowSecrets map[string]string

// String does not tell them.
func (FlowSecrets) String() string { return "[secrets]" }

// GoString does not either.
func (FlowSecrets) GoString() string { return "[secrets]" }

// Sealed encrypts the secrets; nil for none.
func (s FlowSecrets) Sealed(sealer Sealer) ([]byte, error) {
	if len(s) == 0 {
		return nil, nil
	}
	plain, err := json.Marshal(map[string]string(s))
	if err != nil {
		return nil, err
	}
	return sealer.Seal(PurposeFlow, string(plain))
}

// Secrets decrypts the flow's secrets.
func (f *Flow) Secrets(sealer Sealer) (FlowSecrets, error) {
	secrets := FlowSecrets{}
	if f.SealedSecrets == nil {
		return secrets, nil
	}
	plain, err := sealer.Open(PurposeFlow, f.SealedSecrets)
	if err != nil {
		return nil, err
	}
	return secrets, json.Unmarshal([]byte(plain), &secrets)
}

// Devices are those on which the flow runs.
func (f *Flow) Devices() []Device {
	if len(f.Definition.Devices) == 0 {
		return []Device{Desktop}
	}
	devices := make([]Device, len(f.Definition.Devices))
	for i, name := range f.Definition.Devices {
		devices[i] = Device(name)
	}
	return devices
}

// Selection is how a checkpoint is selected in a group that has the flow.
func (f *Flow) Selection(group, checkpoint ID) *Selection {
	devices := f.Devices()
	return &Selection{
		GroupID: group, URLID: checkpoint, Desktop: slices.Contains(devices, Desktop), Mobile: slices.Contains(devices, Mobile),
	}
}

// CheckpointSteps are the positions of the steps that take pictures.
func (f *Flow) CheckpointSteps() (positions []int) {
	for i := range f.Definition.Steps {
		if f.Definition.Steps[i].Kind == flow.Checkpoint {
			positions = append(positions, i)
		}
	}
	return positions
}

// CheckpointAddress is the address of the checkpoint at a position of the steps.
func (f *Flow) CheckpointAddress(step int) string {
	host := ""
	if u, err := url.Parse(f.Definition.Start); err == nil {
		host, _ = NormalHost(u)
	}
	return host + flowMark + url.PathEscape(f.Definition.Name) + "/" + url.PathEscape(f.Definition.Steps[step].Label)
}

// flowMark follows the host in the address of every checkpoint. ParseAddress returns no such address.
const flowMark = "/#flow:"

// IsCheckpoint reports whether an address is that of a checkpoint, which is captured as part of its flow.
func IsCheckpoint(address string) bool { return strings.Contains(address, flowMark) }

// Checkpoint reports whether the URL is a checkpoint of a flow. It changes only with its flow.
func (u *URL) Checkpoint() bool { return IsCheckpoint(u.Address) }

// CheckpointNames are the names of a flow and its checkpoint by the checkpoint's address; empty for other addresses.
func CheckpointNames(address string) (name, checkpoint string) {
	_, names, ok := strings.Cut(address, flowMark)
	if !ok {
		return "", ""
	}
	first, second, _ := strings.Cut(names, "/")
	name, err := url.PathUnescape(first)
	if err != nil {
		name = first
	}
	checkpoint, err = url.PathUnescape(second)
	if err != nil {
		checkpoint = second
	}
	return Shown(name), Shown(checkpoint)
}

// ShownAddress is what people read in place of an address: the flow and name of a checkpoint, otherwise the address itself.
func ShownAddress(address string) string {
	if name, checkpoint := CheckpointNames(address); name != "" {
		return name + " › " + checkpoint
	}
	return address
}

// FlowCheckpoint is a URL that a step of a flow stands for.
type FlowCheckpoint struct {
	URLID, FlowID, StepID ID
}

// FlowFilter filters a list of flows; nil fields match everything.
type FlowFilter struct {
	IDs        *[]ID
	WebsiteIDs *[]ID
}

// FlowChange is a lasting effect of a run of a flow.
type FlowChange struct {
	Step int  // the last one that has begun, counted from 1
	Over bool // whether the run has ended
}

// FlowRunFilter filters the runs of a flow; nil fields match everything.
type FlowRunFilter struct{ Device *Device }

// FlowRunCheckpoint is the screenshot of a checkpoint in a run of its flow.
type FlowRunCheckpoint struct {
	Status     QueueStatus
	Error      string
	Screenshot *ID
	Comparison *ID
	Baseline   bool // nothing is compared with it
}

// FlowRun is what became of a flow in a batch, on one device.
type FlowRun struct {
	ID, Account ID
	FlowID      ID
	BatchID     ID
	GroupID     ID
	EntryID     ID // whose turn it is
	Device      Device
	Type        QueueType
	Status      QueueStatus
	Error       string // why it failed before its first step
	Steps       []FlowRunStep
	Image       *Image // of the window when a step failed; nil if there is none
	CreatedAt   time.Time
	FinishedAt  *time.Time
	Compared    bool   // whether its batch compares its checkpoints; filled in by reads
	FlowName    string // likewise
}

// Failure says which step failed, and why, or why the run failed before its first step; empty if it did not fail.
func (r *FlowRun) Failure() string {
	for i, step := range r.Steps {
		if step.Status == StepFailed {
			return fmt.Sprintf("Step %d of the flow (%s) failed: %s", i+1, step.Does, step.Error)
		}
	}
	return r.Error
}

// FlowRunStep is a step with its result. None of its texts has a secret in it.
type FlowRunStep struct {
	ID           ID      `json:"id"` // of the flow's step
	Type         string  `json:"type"`
	Label        string  `json:"label"`
	Does         string  `json:"does"`
	Status       string  `json:"status"` // passed, failed or skipped
	Milliseconds float64 `json:"ms"`
	Error        string  `json:"error,omitempty"`
	Actual       string  `json:"actual,omitempty"` // of an assertion that did not hold
	Entry        *ID     `json:"entry,omitempty"`  // of a checkpoint
}

// What became of steps.
const (
	StepPassed  = "passed"
	StepFailed  = "failed"
	StepSkipped = "skipped"
)

// PurposePageSession is the purpose under which sessions of pages are sealed.
const PurposePageSession = "page.session"

// PageSessionAge is the longest that a session of pages is kept, if its batch does not end earlier.
const PageSessionAge = 24 * time.Hour

// PageState is what a browser keeps of a visitor who has signed in: cookies and storage, encoded. It does not print itself.
type PageState string

// String does not tell it.
func (PageState) String() string { return "[session]" }

// GoString does not either.
func (PageState) GoString() string { return "[session]" }

// PageSession is what became of the sign-in flow of a group in a batch, on one device. The captures of the group share it until the batch
// ends.
type PageSession struct {
	Account, BatchID ID
	GroupID          ID
	Device           Device
	FlowID           ID
	EntryID          ID          // in whose turn the flow runs, or ran last
	Status           QueueStatus // open while it waits for another attempt
	Round            int         // how often the session was begun, from 1: more than once if it was lost
	Attempts         int         // of this round that could not begin
	ChangedStep      int         // of the flow that has begun and changes something, counted from 1; 0 for none
	HeldUntil        time.Time   // when captures that wait for the flow look again by themselves
	Error            string      // with failed: why
	Sealed           []byte      // with done: a PageState
	CreatedAt        time.Time
}
