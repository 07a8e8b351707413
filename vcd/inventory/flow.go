package inventory

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"afterimage/internal/flow"
	"afterimage/internal/page"
	"afterimage/vcd"
)

// Limits of flows.
const (
	maxFlows           = 200 // of an account
	maxFlowCheckpoints = 50
	maxFlowName        = 60 // in characters
)

// FlowChange holds a flow's fields as a client sends them, both to create and to update it.
type FlowChange struct {
	WebsiteID  vcd.Optional[string] // of a flow that is created
	Name       vcd.Optional[string]
	URL        vcd.Optional[string] // of the first page
	Devices    vcd.Optional[[]vcd.Device]
	Steps      vcd.Optional[[]FlowStepChange]
	Definition vcd.Optional[string] // the flow as a file has it, in place of name, url, devices and steps
	Secrets    vcd.Optional[map[string]string]
	Manual     vcd.Optional[bool]
	Monitoring vcd.Optional[bool]

	trial bool // it is not saved, so it needs neither a name nor screenshots
}

// apply changes a flow. All that is wrong with the result is an error.
func (in FlowChange) apply(s *Service, f *vcd.Flow) error {
	v := &vcd.Validation{}
	secrets, err := f.Secrets(s.sealer)
	if err != nil {
		return err
	}
	if given := in.Secrets.Value; given != nil {
		maps.Copy(secrets, *given)
	}
	if in.Definition.Value != nil {
		in.define(v, s.ids, f)
	} else {
		in.change(v, s.ids, f, secrets)
	}
	vcd.Assign(&f.Manual, in.Manual)
	vcd.Assign(&f.Monitoring, in.Monitoring)
	if err := v.Err(); err != nil {
		return err
	}
	in.named(f)
	s.checkFlow(v, f, in.trial)
	secrets = neededSecrets(v, f, secrets)
	if in.Secrets.Value != nil {
		checkNames(v, *in.Secrets.Value, secrets)
	}
	if err := v.Err(); err != nil {
		return err
	}
	f.SealedSecrets, err = secrets.Sealed(s.sealer)
	return err
}

// define reads a whole flow. Steps that are in the same place as before keep their ids, and checkpoints of the same name.
func (in FlowChange) define(v *vcd.Validation, ids vcd.IDs, f *vcd.Flow) {
	read, err := flow.Read([]byte(*in.Definition.Value))
	if err != nil {
		v.Add("definition", "flow", "The {field} field is not a valid flow: "+err.Error()+".")
		return
	}
	known := map[string]vcd.ID{} // by the labels of checkpoints
	for _, i := range f.CheckpointSteps() {
		known[strings.ToLower(f.Definition.Steps[i].Label)] = f.StepIDs[i]
	}
	stepIDs := make([]vcd.ID, len(read.Steps))
	for i := range read.Steps {
		read.Steps[i].Line = 0
		id, ok := known[strings.ToLower(read.Steps[i].Label)]
		if read.Steps[i].Kind != flow.Checkpoint || !ok {
			id = ids.NewID()
		}
		stepIDs[i] = id
	}
	f.Definition, f.StepIDs = read, stepIDs
}

// change changes single fields.
func (in FlowChange) change(v *vcd.Validation, ids vcd.IDs, f *vcd.Flow, secrets vcd.FlowSecrets) {
	vcd.Assign(&f.Definition.Name, in.Name)
	if in.URL.Value != nil {
		f.Definition.Start = *in.URL.Value
		if !strings.Contains(f.Definition.Start, "://") {
			f.Definition.Start = "https://" + f.Definition.Start
		}
	}
	if devices := in.Devices.Value; devices != nil {
		f.Definition.Devices = nil
		for i, device := range *devices {
			vcd.OneOf(v, vcd.Indexed("devices", i), device, vcd.Devices...)
			f.Definition.Devices = append(f.Definition.Devices, string(device))
		}
	}
	if in.Steps.Value == nil {
		return
	}
	if len(*in.Steps.Value) > flow.MaxSteps {
		v.Add("steps", "max", fmt.Sprintf("The {field} field must not have more than %d items.", flow.MaxSteps))
		return
	}
	steps := newFlowSteps(v, ids, f, secrets)
	for i, step := range *in.Steps.Value {
		steps.add(i, step)
	}
	f.Definition.Steps, f.StepIDs = steps.steps, steps.stepIDs
	maps.Copy(secrets, steps.kept)
}

// checkFlow refuses a flow that could not run.
func (s *Service) checkFlow(v *vcd.Validation, f *vcd.Flow, trial bool) {
	v.Name("name", f.Definition.Name, maxFlowName)
	u, err := url.Parse(f.Definition.Start)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		v.Add("url", "url", "The {field} field must be a valid URL.")
		return
	}
	if port, ok := vcd.PortOf(u); !ok || !s.mayReach(u.Hostname(), port) {
		v.Add("url", "public", vcd.NotPublic)
	}
	checkpoints := f.CheckpointSteps()
	v.Check(len(checkpoints) > 0 || trial, "steps", "checkpoint",
		"The {field} field needs a step of type checkpoint, which takes a screenshot.")
	v.Check(len(checkpoints) <= maxFlowCheckpoints, "steps", "max",
		fmt.Sprintf("The {field} field must not have more than %d checkpoints.", maxFlowCheckpoints))
	for _, i := range checkpoints {
		v.Name(vcd.Indexed("steps", i, "label"), f.Definition.Steps[i].Label, maxFlowName)
	}
	if len(v.Problems()) > 0 {
		return
	}
	if err := runnable(f.Definition); err != nil {
		v.Add("steps", "flow", "The {field} field cannot be run: "+err.Error()+".")
	}
}

// ofLine begins a message of the reader about a file, which these clients do not have.
var ofLine = regexp.MustCompile(`^line \d+: `)

// runnable says why a definition cannot be run, or could not be read again once it is stored; nil for nothing.
func runnable(f *flow.Flow) error {
	if err := f.Check(); err != nil {
		return err
	}
	text, err := f.YAML()
	if err == nil {
		_, err = flow.Read(text)
	}
	if err != nil {
		return errors.New(ofLine.ReplaceAllString(err.Error(), ""))
	}
	return nil
}

// neededSecrets are those that the flow types.
func neededSecrets(v *vcd.Validation, f *vcd.Flow, secrets vcd.FlowSecrets) vcd.FlowSecrets {
	needed := vcd.FlowSecrets{}
	for _, name := range f.Definition.Needed() {
		text, ok := secrets[name]
		v.Check(ok, "secrets", "required", fmt.Sprintf("The {field} field lacks %s, which the flow uses.", name))
		if _, err := flow.CheckSecret(text); ok && err != nil {
			v.Add("secrets", "secret", fmt.Sprintf("The {field} field has %s: %s.", name, err))
		}
		needed[name] = text
	}
	v.Check(len(needed) <= flow.MaxSecrets, "secrets", "max",
		fmt.Sprintf("The {field} field must not have more than %d items.", flow.MaxSecrets))
	return needed
}

// checkNames refuses secrets that the flow does not type: their names are misspelt.
func checkNames(v *vcd.Validation, given map[string]string, needed vcd.FlowSecrets) {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, known := needed[name]; !known {
			name = page.Ellipsis(name, maxSecretName)
			v.Add("secrets", "in", fmt.Sprintf("The {field} field has %s, which the flow does not use.", name))
			return
		}
	}
}

// CreateFlow creates a flow of a website, whose groups have its checkpoints from then on.
func (s *Service) CreateFlow(ctx context.Context, actor vcd.Actor, in FlowChange) (*vcd.Flow, error) {
	v := &vcd.Validation{}
	raw := ""
	if in.WebsiteID.Value != nil {
		raw = *in.WebsiteID.Value
	}
	website, ok := vcd.ParseID(raw)
	v.Check(ok, "websiteId", "uuid", "The {field} field must be a valid UUID.")
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store.Websites(), actor, func(ctx context.Context, tx WebsiteTx) (*vcd.Flow, error) {
		now := s.clock.Now()
		f := &vcd.Flow{ID: s.ids.NewID(), Account: actor.Account, WebsiteID: website, Definition: &flow.Flow{}, Manual: true,
			CreatedAt: now, UpdatedAt: now}
		if err := in.apply(s, f); err != nil {
			return nil, err
		}
		w, err := tx.LockWebsite(ctx, website)
		if vcd.CodeOf(err) == vcd.CodeNotFound {
			return nil, vcd.Invalid("websiteId", "exists", "The selected {field} is invalid.")
		}
		if err != nil {
			return nil, err
		}
		n, err := tx.CountFlows(ctx)
		if err != nil {
			return nil, err
		}
		if n >= maxFlows {
			return nil, &vcd.Error{Code: vcd.CodeConflict,
				Message: fmt.Sprintf("The account has %d flows, the maximum. Delete one first.", n)}
		}
		if err := tx.InsertFlow(ctx, f); err != nil {
			return nil, err
		}
		return f, s.placeFlow(ctx, tx, w, f)
	})
}

// UpdateFlow changes the given fields only.
func (s *Service) UpdateFlow(ctx context.Context, actor vcd.Actor, id vcd.ID, in FlowChange) (*vcd.Flow, error) {
	return vcd.Write(ctx, s.store.Websites(), actor, func(ctx context.Context, tx WebsiteTx) (*vcd.Flow, error) {
		f, err := tx.Flow(ctx, id)
		if err != nil {
			return nil, err
		}
		w, err := tx.LockWebsite(ctx, f.WebsiteID) // before the flow, as in all transactions
		if err != nil {
			return nil, err
		}
		if f, err = tx.LockFlow(ctx, id); err != nil {
			return nil, err
		}
		if err := in.apply(s, f); err != nil {
			return nil, err
		}
		f.UpdatedAt = s.clock.Now()
		if err := tx.UpdateFlow(ctx, f); err != nil {
			return nil, err
		}
		return f, s.placeFlow(ctx, tx, w, f)
	})
}

// placeFlow makes the checkpoints of a flow URLs and puts them into the groups that have it. The website is locked.
func (s *Service) placeFlow(ctx context.Context, tx WebsiteTx, w *vcd.Website, f *vcd.Flow) error {
	urls, err := s.checkpointURLs(ctx, tx, f)
	if err != nil {
		return err
	}
	groups := map[vcd.ID]bool{}
	for group, has := range map[*vcd.ID]bool{w.ManualGroupID: f.Manual, w.AutoGroupID: f.Monitoring} {
		if group != nil {
			groups[*group] = has
		}
	}
	for _, id := range sortedIDs(groups) {
		if err := s.selectFlow(ctx, tx, f, id, urls, groups[id]); err != nil {
			return err
		}
	}
	return tx.AppendEvents(ctx, vcd.NewEvent(f.UpdatedAt, vcd.EventWebsiteUpdated, vcd.SubjectWebsite, w.ID))
}

// selectFlow puts checkpoints into a group, or takes them out.
func (s *Service) selectFlow(ctx context.Context, tx WebsiteTx, f *vcd.Flow, group vcd.ID, urls []vcd.ID, has bool) error {
	if g, err := vcd.OrGone(tx.LockGroup(ctx, group)); g == nil {
		return err
	}
	if has {
		selections := make([]*vcd.Selection, len(urls))
		for i, id := range urls {
			selections[i] = f.Selection(group, id)
		}
		if _, err := tx.SaveSelections(ctx, selections); err != nil {
			return err
		}
	} else if _, err := tx.RemoveSelections(ctx, group, urls); err != nil {
		return err
	}
	return tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventGroupUpdated, vcd.SubjectGroup, group))
}

// checkpointURLs makes a URL of each checkpoint, and deletes those of checkpoints that the flow does not have any more. A checkpoint whose
// step keeps its id keeps its history, whatever it is called.
func (s *Service) checkpointURLs(ctx context.Context, tx WebsiteTx, f *vcd.Flow) (urls []vcd.ID, err error) {
	known, err := s.keptCheckpoints(ctx, tx, f)
	if err != nil {
		return nil, err
	}
	var added []*vcd.FlowCheckpoint
	for _, i := range f.CheckpointSteps() {
		id, ok := known[f.StepIDs[i]]
		if ok {
			err = s.renameCheckpoint(ctx, tx, id, f.CheckpointAddress(i), f.Definition.Steps[i].Label)
		} else {
			id, err = s.addCheckpoint(ctx, tx, f, i)
			added = append(added, &vcd.FlowCheckpoint{URLID: id, FlowID: f.ID, StepID: f.StepIDs[i]})
		}
		if err != nil {
			return nil, err
		}
		urls = append(urls, id)
	}
	return urls, tx.SaveFlowCheckpoints(ctx, added, nil)
}

// keptCheckpoints are the URLs of checkpoints that the flow still has, by the ids of their steps. Others are deleted.
func (s *Service) keptCheckpoints(ctx context.Context, tx WebsiteTx, f *vcd.Flow) (map[vcd.ID]vcd.ID, error) {
	wanted := map[vcd.ID]bool{}
	for _, i := range f.CheckpointSteps() {
		wanted[f.StepIDs[i]] = true
	}
	known, err := tx.FlowCheckpoints(ctx, f.ID)
	if err != nil {
		return nil, err
	}
	kept := make(map[vcd.ID]vcd.ID, len(known))
	var gone []vcd.ID
	for _, c := range known {
		if wanted[c.StepID] {
			kept[c.StepID] = c.URLID
		} else {
			gone = append(gone, c.URLID)
		}
	}
	if len(gone) == 0 {
		return kept, nil
	}
	if err := tx.SaveFlowCheckpoints(ctx, nil, gone); err != nil {
		return nil, err
	}
	_, err = tx.DeleteURLs(ctx, gone, f.UpdatedAt)
	return kept, err
}

const flowNameTaken = "The {field} has already been taken by another flow of this host."

func (s *Service) addCheckpoint(ctx context.Context, tx WebsiteTx, f *vcd.Flow, step int) (vcd.ID, error) {
	scheme, _, _ := strings.Cut(f.Definition.Start, "://")
	u, created, err := tx.EnsureURL(ctx, &vcd.URL{
		ID: s.ids.NewID(), Account: f.Account, Address: f.CheckpointAddress(step), Scheme: strings.ToLower(scheme), SchemeGiven: true,
		HTMLTitle: f.Definition.Steps[step].Label, CreatedAt: f.UpdatedAt.Add(time.Duration(step) * time.Microsecond),
		UpdatedAt: f.UpdatedAt,
	})
	if err != nil {
		return "", err
	}
	if !created {
		return "", vcd.Invalid("name", "unique", flowNameTaken)
	}
	return u.ID, nil
}

func (s *Service) renameCheckpoint(ctx context.Context, tx WebsiteTx, id vcd.ID, address, label string) error {
	u, err := tx.LockURL(ctx, id)
	if err != nil || u.Address == address {
		return err
	}
	u.Address, u.HTMLTitle, u.UpdatedAt = address, label, s.clock.Now()
	err = tx.UpdateURL(ctx, u)
	if vcd.CodeOf(err) == vcd.CodeInvalid {
		return vcd.Invalid("name", "unique", flowNameTaken)
	}
	return err
}

// DeleteFlow removes a flow and returns its last state. What its checkpoints showed stays readable in its batches.
func (s *Service) DeleteFlow(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Flow, error) {
	return vcd.Write(ctx, s.store.Websites(), actor, func(ctx context.Context, tx WebsiteTx) (*vcd.Flow, error) {
		f, err := tx.LockFlow(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := mayDelete(ctx, tx, f); err != nil {
			return nil, err
		}
		if err := s.deleteFlow(ctx, tx, f); err != nil {
			return nil, err
		}
		return f, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventWebsiteUpdated, vcd.SubjectWebsite, f.WebsiteID))
	})
}

// mayDelete refuses to delete a flow that signs in for a group: its next run would show sign-in pages.
func mayDelete(ctx context.Context, tx WebsiteTx, f *vcd.Flow) error {
	groups, err := tx.GroupsSignedInBy(ctx, f.ID)
	if err != nil || len(groups) == 0 {
		return err
	}
	return &vcd.Error{Code: vcd.CodeConflict, Message: fmt.Sprintf(
		"The flow signs in for the group “%s”. Choose another sign-in flow in the settings of the group first, or none.", groups[0])}
}

func (s *Service) deleteFlow(ctx context.Context, tx WebsiteTx, f *vcd.Flow) error {
	checkpoints, err := tx.FlowCheckpoints(ctx, f.ID)
	if err != nil {
		return err
	}
	urls := make([]vcd.ID, len(checkpoints))
	for i, c := range checkpoints {
		urls[i] = c.URLID
	}
	slices.Sort(urls)
	if err := tx.DeleteFlow(ctx, f.ID); err != nil {
		return err
	}
	_, err = tx.DeleteURLs(ctx, urls, s.clock.Now())
	return err
}

// Flow is one of the actor's flows.
func (s *Service) Flow(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Flow, error) {
	return vcd.Read(ctx, s.store.Websites(), actor, func(ctx context.Context, tx WebsiteTx) (*vcd.Flow, error) { return tx.Flow(ctx, id) })
}

// Flows lists the actor's flows, newest first.
func (s *Service) Flows(ctx context.Context, actor vcd.Actor, f vcd.FlowFilter, p vcd.Page) (*vcd.List[*vcd.Flow], error) {
	return vcd.Read(ctx, s.store.Websites(), actor, func(ctx context.Context, tx WebsiteTx) (*vcd.List[*vcd.Flow], error) {
		return tx.Flows(ctx, f, p)
	})
}

// FlowsByIDs looks several flows up at once; unknown ids are left out.
func (s *Service) FlowsByIDs(ctx context.Context, actor vcd.Actor, ids []vcd.ID) ([]*vcd.Flow, error) {
	list, err := s.Flows(ctx, actor, vcd.FlowFilter{IDs: &ids}, vcd.Page{Size: len(ids)})
	if err != nil {
		return nil, err
	}
	return list.Items, nil
}

// FlowRun is one of the runs of the actor's flows.
func (s *Service) FlowRun(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.FlowRun, error) {
	return vcd.Read(ctx, s.store.Websites(), actor, func(ctx context.Context, tx WebsiteTx) (*vcd.FlowRun, error) {
		return tx.FlowRun(ctx, id)
	})
}

// FlowRuns lists the runs of a flow, newest first.
func (s *Service) FlowRuns(
	ctx context.Context, actor vcd.Actor, flowID vcd.ID, f vcd.FlowRunFilter, p vcd.Page,
) (*vcd.List[*vcd.FlowRun], error) {
	return vcd.Read(ctx, s.store.Websites(), actor, func(ctx context.Context, tx WebsiteTx) (*vcd.List[*vcd.FlowRun], error) {
		return tx.FlowRuns(ctx, flowID, f, p)
	})
}

// FlowRunCheckpoints reads what became of checkpoints, by their queue entries; unknown ones are left out.
func (s *Service) FlowRunCheckpoints(ctx context.Context, actor vcd.Actor, entries []vcd.ID) (map[vcd.ID]vcd.FlowRunCheckpoint, error) {
	return vcd.Read(ctx, s.store.Websites(), actor, func(ctx context.Context, tx WebsiteTx) (map[vcd.ID]vcd.FlowRunCheckpoint, error) {
		return tx.FlowRunCheckpoints(ctx, entries)
	})
}

// LastFlowRuns finds the newest run of each flow; those without one are left out.
func (s *Service) LastFlowRuns(ctx context.Context, actor vcd.Actor, flows []vcd.ID) (map[vcd.ID]*vcd.FlowRun, error) {
	return vcd.Read(ctx, s.store.Websites(), actor, func(ctx context.Context, tx WebsiteTx) (map[vcd.ID]*vcd.FlowRun, error) {
		return tx.LastFlowRuns(ctx, flows)
	})
}

// FailedFlowRuns finds the runs that failed in batches, the oldest first.
func (s *Service) FailedFlowRuns(ctx context.Context, actor vcd.Actor, batches []vcd.ID) (map[vcd.ID][]*vcd.FlowRun, error) {
	return vcd.Read(ctx, s.store.Websites(), actor, func(ctx context.Context, tx WebsiteTx) (map[vcd.ID][]*vcd.FlowRun, error) {
		runs, err := tx.FailedFlowRuns(ctx, batches)
		failed := map[vcd.ID][]*vcd.FlowRun{}
		for _, r := range runs {
			failed[r.BatchID] = append(failed[r.BatchID], r)
		}
		return failed, err
	})
}
