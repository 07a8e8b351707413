package inventory

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"afterimage/internal/flow"
	"afterimage/vcd"
)

// TrialTx is what a use case about trials of flows can do within a transaction.
type TrialTx interface {
	accountStore
	websiteReader
	flowReader
	trialStore
	turnStore
	eventStore
}

// trialStore keeps trials of flows.
type trialStore interface {
	// FlowTrial reads a trial with its pictures.
	FlowTrial(ctx context.Context, id vcd.ID) (*vcd.FlowTrial, error)
	// LockFlowTrial locks a trial and reads it without its pictures.
	LockFlowTrial(ctx context.Context, id vcd.ID) (*vcd.FlowTrial, error)
	// LockRunningTrials locks the trials that have not ended, of all or of one person.
	LockRunningTrials(ctx context.Context, of *vcd.ID) ([]*vcd.FlowTrial, error)
	// InsertFlowTrial stores a trial, unless the person has begun another one at the same moment.
	InsertFlowTrial(ctx context.Context, t *vcd.FlowTrial) (begun bool, err error)
	// UpdateFlowTrial stores status, error, steps and end, and forgets the secrets.
	UpdateFlowTrial(ctx context.Context, t *vcd.FlowTrial) error
	// OwnGroup reads a group, whose pages are captured in its region.
	OwnGroup(ctx context.Context, id vcd.ID) (*vcd.Group, error)
	// CancelJobs cancels the jobs of trials, including running ones.
	CancelJobs(ctx context.Context, subjects ...vcd.ID) error
	// QueueUpTrial lets a trial wait for a worker of a region, as a capture of a host does.
	QueueUpTrial(ctx context.Context, id vcd.ID, region vcd.Region, host string, at time.Time) error
}

// FlowTrialInput is a flow to be tried as it is, without being saved.
type FlowTrialInput struct {
	FlowID       *vcd.ID    // the flow that is being changed; nil for a new one
	Change       FlowChange // of a new one: with its website
	Device       *vcd.Device
	LastStep     *int // counted from 1; nil for all
	AllowChanges bool // do steps that change something
}

const nameOfTrial = "Trial" // of a flow without a name

// Why trials were ended.
const (
	anotherTrial   = "Another trial was started."
	cancelledTrial = "The trial was cancelled."
)

// TryFlow begins a trial. It ends another one of the same person.
func (s *Service) TryFlow(ctx context.Context, actor vcd.Actor, in FlowTrialInput) (*vcd.FlowTrial, error) {
	return vcd.Write(ctx, s.store.Trials(), actor, func(ctx context.Context, tx TrialTx) (*vcd.FlowTrial, error) {
		t, err := s.flowTrial(ctx, tx, actor, in)
		if err != nil {
			return nil, err
		}
		a, err := tx.Account(ctx)
		if err == nil {
			err = a.MayRun()
		}
		if err != nil {
			return nil, err
		}
		region, err := trialRegion(ctx, tx, t.WebsiteID)
		if err != nil {
			return nil, err
		}
		if err := vcd.StopFlowTrials(ctx, tx, &t.PersonID, t.CreatedAt, anotherTrial); err != nil {
			return nil, err
		}
		begun, err := tx.InsertFlowTrial(ctx, t)
		if err != nil {
			return nil, err
		}
		if !begun {
			return nil, &vcd.Error{Code: vcd.CodeConflict, Message: anotherTrial}
		}
		if err := tx.QueueUpTrial(ctx, t.ID, region, hostOf(t.Flow.Definition.Start), t.CreatedAt); err != nil {
			return nil, err
		}
		return t, tx.AppendEvents(ctx, vcd.NewEvent(t.CreatedAt, vcd.EventFlowTrialUpdated, vcd.SubjectFlowTrial, t.ID))
	})
}

// flowTrial makes a trial of what was sent, which must be as good as to be saved, but for its name and for screenshots.
func (s *Service) flowTrial(ctx context.Context, tx TrialTx, actor vcd.Actor, in FlowTrialInput) (*vcd.FlowTrial, error) {
	now := s.clock.Now()
	f, err := s.triedFlow(ctx, tx, in)
	if err != nil {
		return nil, err
	}
	in.Change.trial = true
	if err := in.Change.apply(s, f); err != nil {
		return nil, err
	}
	v := &vcd.Validation{}
	in.limit(v, f)
	t := &vcd.FlowTrial{ID: s.ids.NewID(), Account: actor.Account, WebsiteID: f.WebsiteID, PersonID: actor.ID(), Device: f.Devices()[0],
		Flow: f, Status: vcd.QueueOpen, CreatedAt: now}
	if in.Device != nil {
		vcd.OneOf(v, "device", *in.Device, vcd.Devices...)
		t.Device = *in.Device
	}
	if err := v.Err(); err != nil {
		return nil, err
	}
	f.Definition.Devices = []string{string(t.Device)}
	all, err := f.Secrets(s.sealer)
	if err != nil {
		return nil, err
	}
	needed := vcd.FlowSecrets{} // a step that is not tried needs none
	for _, name := range f.Definition.Needed() {
		needed[name] = all[name]
	}
	f.SealedSecrets, err = needed.Sealed(s.sealer)
	return t, err
}

// triedFlow is the flow that is being changed, or a new one.
func (s *Service) triedFlow(ctx context.Context, tx TrialTx, in FlowTrialInput) (*vcd.Flow, error) {
	if in.FlowID != nil {
		return tx.Flow(ctx, *in.FlowID)
	}
	v := &vcd.Validation{}
	raw := ""
	if in.Change.WebsiteID.Value != nil {
		raw = *in.Change.WebsiteID.Value
	}
	website, ok := vcd.ParseID(raw)
	v.Check(ok, "websiteId", "uuid", "The {field} field must be a valid UUID.")
	if err := v.Err(); err != nil {
		return nil, err
	}
	if _, err := tx.Website(ctx, website); vcd.CodeOf(err) == vcd.CodeNotFound {
		return nil, vcd.Invalid("websiteId", "exists", "The selected {field} is invalid.")
	} else if err != nil {
		return nil, err
	}
	return &vcd.Flow{WebsiteID: website, Definition: &flow.Flow{}}, nil
}

// limit leaves out the steps that are not tried.
func (in FlowTrialInput) limit(v *vcd.Validation, f *vcd.Flow) {
	n := len(f.StepIDs)
	if in.LastStep != nil {
		v.Check(1 <= *in.LastStep && *in.LastStep <= n, "lastStep", "between",
			fmt.Sprintf("The {field} field must be between 1 and %d, the number of steps.", n))
		n = max(0, min(*in.LastStep, n))
	}
	f.Definition.Steps, f.StepIDs = f.Definition.Steps[:n], f.StepIDs[:n]
	if in.AllowChanges {
		return
	}
	for i := range f.Definition.Steps {
		if f.Definition.Steps[i].Changes {
			v.Add("allowChanges", "changes",
				fmt.Sprintf("Step %d has a lasting effect: the {field} field must be true to try it.", i+1))
			return
		}
	}
}

// trialRegion is where pages of a website are captured.
func trialRegion(ctx context.Context, tx TrialTx, website vcd.ID) (vcd.Region, error) {
	w, err := tx.Website(ctx, website)
	if err != nil {
		return "", err
	}
	for _, id := range w.GroupIDs() {
		g, err := vcd.OrGone(tx.OwnGroup(ctx, id))
		if err != nil {
			return "", err
		}
		if g != nil {
			return g.ScreenshotRegion, nil
		}
	}
	return vcd.RegionAuto, nil
}

// hostOf is the host that a trial visits first, as the addresses of URLs begin with it.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host, _ := vcd.NormalHost(u)
	return host
}

// FlowTrial is one of the actor's trials, for as long as it is kept.
func (s *Service) FlowTrial(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.FlowTrial, error) {
	return vcd.Read(ctx, s.store.Trials(), actor, func(ctx context.Context, tx TrialTx) (*vcd.FlowTrial, error) {
		t, err := tx.FlowTrial(ctx, id)
		if err == nil && !s.clock.Now().Before(t.ExpiresAt()) {
			return nil, vcd.NotFound("FlowTrial", id)
		}
		return t, err
	})
}

// CancelFlowTrial ends a trial. One that has ended stays unchanged. The step that is being carried out may still have its effect.
func (s *Service) CancelFlowTrial(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.FlowTrial, error) {
	return vcd.Write(ctx, s.store.Trials(), actor, func(ctx context.Context, tx TrialTx) (*vcd.FlowTrial, error) {
		t, err := tx.LockFlowTrial(ctx, id)
		if err == nil && !t.Status.Ended() {
			err = vcd.StopFlowTrial(ctx, tx, t, s.clock.Now(), cancelledTrial)
		}
		if err != nil {
			return nil, err
		}
		return tx.FlowTrial(ctx, id)
	})
}

// named gives a flow that is tried a name, which it may lack.
func (in FlowChange) named(f *vcd.Flow) {
	if in.trial && strings.TrimSpace(f.Definition.Name) == "" {
		f.Definition.Name = nameOfTrial
	}
}
