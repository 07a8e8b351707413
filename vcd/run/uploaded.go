package run

import (
	"context"
	"fmt"
	"slices"

	"afterimage/vcd"
)

// UploadedInput is a screenshot that somebody else took.
type UploadedInput struct {
	Name   string // of the page, such as "checkout/step 2"
	Device vcd.Device
}

// Uploaded is what was stored of a screenshot.
type Uploaded struct {
	Picture  Picture
	Elements string // key of the page's content in the blob store; empty when nothing is known but the pixels
}

// validate checks the input and returns the address of the page.
func (in *UploadedInput) validate() (address string, err error) {
	v := &vcd.Validation{}
	address = vcd.ParseUploadedName(v, "name", in.Name)
	v.Check(slices.Contains(vcd.Devices, in.Device), "device", "in", "The {field} must be desktop or mobile.")
	return address, v.Err()
}

// CheckUpload reports whether a screenshot may be sent, before its bytes are read.
func (s *Service) CheckUpload(ctx context.Context, actor vcd.Actor, batch vcd.ID, in UploadedInput) error {
	if _, err := in.validate(); err != nil {
		return err
	}
	return s.store.Read(ctx, actor, func(ctx context.Context, tx Tx) error {
		if err := mayRun(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.Upload(ctx, batch); err != nil {
			return err
		}
		b, err := tx.Batch(ctx, batch)
		if err != nil {
			return err
		}
		return mayFill(b)
	})
}

func mayFill(b *vcd.Batch) error {
	if !b.Uploading {
		return &vcd.Error{Code: vcd.CodeConflict, Message: uploadIsOver}
	}
	return nil
}

// Upload records a screenshot whose files are stored already, as if a capture had just ended: it uses a check and starts its
// comparison. Sending the same screenshot again changes nothing, so that an interrupted upload can be repeated; added is false
// then.
func (s *Service) Upload(
	ctx context.Context, actor vcd.Actor, batch vcd.ID, in UploadedInput, kept Uploaded,
) (added bool, err error) {
	address, err := in.validate()
	if err != nil {
		return false, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (bool, error) {
		if err := mayRun(ctx, tx); err != nil {
			return false, err
		}
		b, u, err := lockUpload(ctx, tx, batch)
		if err != nil {
			return false, err
		}
		if err := mayFill(b); err != nil {
			return false, err
		}
		url, err := s.uploadedPage(ctx, tx, u.Group, address, in.Name)
		if err != nil {
			return false, err
		}
		at := vcd.Place{GroupID: u.Group, URLID: url, Device: in.Device}
		switch known, err := tx.UploadedHash(ctx, batch, at); {
		case err != nil || known == kept.Picture.Hash:
			return false, err
		case known != "":
			return false, &vcd.Error{Code: vcd.CodeConflict, Message: fmt.Sprintf("The run has another screenshot with the name %q on %s. "+
				"Names must be unique within a build; to send a new picture, begin another build.", in.Name, in.Device)}
		}
		return true, s.addUploaded(ctx, tx, b, at, kept, in.Name)
	})
}

// uploadedPage is the page of an uploaded screenshot in the group; a new name becomes a new page.
func (s *Service) uploadedPage(ctx context.Context, tx Tx, group vcd.ID, address, name string) (vcd.ID, error) {
	now := s.clock.Now()
	u := &vcd.URL{ID: s.ids.NewID(), Address: address, HTMLTitle: name, CreatedAt: now, UpdatedAt: now}
	a, err := tx.Account(ctx)
	if err != nil {
		return "", err
	}
	u.Account = a.ID
	stored, created, err := tx.EnsureURL(ctx, u)
	if err != nil {
		return "", err
	}
	present, err := tx.SelectionsOf(ctx, group, []vcd.ID{stored.ID})
	if err != nil || len(present) > 0 {
		return stored.ID, err
	}
	if _, err := tx.SaveSelections(ctx, []*vcd.Selection{{GroupID: group, URLID: stored.ID}}); err != nil {
		return "", err
	}
	events := []*vcd.Event{vcd.NewEvent(now, vcd.EventGroupUpdated, vcd.SubjectGroup, group)}
	if created {
		events = append(events, vcd.NewEvent(now, vcd.EventURLCreated, vcd.SubjectURL, stored.ID))
	}
	return stored.ID, tx.AppendEvents(ctx, events...)
}

// uploadedTo is how many screenshots an upload has: after a change, each that has an earlier one brings a comparison.
func uploadedTo(b *vcd.Batch) int {
	if b.Type == vcd.QueuePre {
		return b.Planned
	}
	return (b.Planned + b.UnpairedCount) / 2
}

// addUploaded stores a screenshot in a locked batch, and queues its comparison.
func (s *Service) addUploaded(ctx context.Context, tx Tx, b *vcd.Batch, at vcd.Place, kept Uploaded, name string) error {
	if uploadedTo(b) >= maxPerUpload {
		return &vcd.Error{Code: vcd.CodeConflict, Message: fmt.Sprintf(
			"The upload has reached its limit of %d screenshots; send the others to another group.", maxPerUpload)}
	}
	ok, err := tx.ReserveChecks(ctx, 1)
	if err != nil {
		return err
	}
	if !ok {
		return &vcd.Error{Code: vcd.CodeChecksExhausted, Message: "The checks of your plan are used up: each screenshot needs one. " +
			"Send fewer or upgrade the plan."}
	}
	r := &run{service: s, account: b.Account, in: TakeInput{Type: b.Type}, now: b.CreatedAt}
	g := &vcd.Group{ID: at.GroupID}
	r.addEntry(b, g, at.URLID, at.Device, b.Type, nil)
	if err := s.pairUploaded(ctx, tx, r, b, at); err != nil {
		return err
	}
	e := r.entries[0]
	e.Status = vcd.QueueDone
	b.Counts.Add(vcd.QueueOpen, -1)
	b.Counts.Add(vcd.QueueDone, 1)
	if err := tx.InsertQueueEntries(ctx, r.entries); err != nil {
		return err
	}
	shot := s.screenshot(e, CaptureResult{
		Picture: kept.Picture, Elements: kept.Elements, Title: name, SCVersion: vcd.UploadedVersion,
	})
	if err := tx.InsertScreenshot(ctx, shot); err != nil {
		return err
	}
	if err := tx.SettleChecks(ctx, 1, 0); err != nil {
		return err
	}
	now := s.clock.Now()
	b.Planned, b.UpdatedAt = b.Counts.Total(), now
	b.AddVersion(vcd.UploadedVersion)
	if err := tx.AppendEvents(ctx, vcd.NewBatchEvent(now, vcd.EventQueueStatusDone, vcd.SubjectQueueEntry, e.ID, b)); err != nil {
		return err
	}
	return s.storeBatch(ctx, tx, b)
}

// pairUploaded adds the comparison of the run's only screenshot, if there is something to compare it with, and queues it. Nothing
// can be pending: uploaded screenshots are done from the beginning.
func (s *Service) pairUploaded(ctx context.Context, tx Tx, r *run, b *vcd.Batch, at vcd.Place) error {
	if b.Type == vcd.QueuePre {
		return nil
	}
	paired, err := tx.WithBaseline(ctx, b.Type.Baseline(), b.CreatedAt, []vcd.Place{at})
	if err != nil {
		return err
	}
	if !paired[at] {
		b.UnpairedCount++
		return nil
	}
	shot := r.entries[0].ID
	r.addEntry(b, &vcd.Group{ID: at.GroupID}, at.URLID, at.Device, vcd.QueueCompare, &shot)
	r.entries[1].Dispatched = true
	return tx.QueueUp(ctx, s.clock.Now(), r.entries[1].ID)
}
