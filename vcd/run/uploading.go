package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"afterimage/vcd"
)

// Limits of uploads.
const (
	maxShards       = 1000
	maxBuildLength  = 255
	maxOpenUploads  = 100       // of one account
	uploadPatience  = time.Hour // after the last screenshot, until an unfinished upload is ended
	uploadGivenUp   = "The upload was not finished within an hour of its last screenshot."
	uploadIsOver    = "The upload of this run has ended. To send more screenshots, begin another upload, with another build."
	maxPerUpload    = maxScreenshotsPerTake
	whyNotMonitored = "The selected {field} is invalid: it is a monitoring group. Upload into a group that does not monitor."
)

// UploadInput begins an upload.
type UploadInput struct {
	GroupID string
	Type    vcd.QueueType // QueuePre or QueuePost
	Build   *string       // the client's name for it; several calls with the same one fill the same batch
	Shards  *int          // processes that fill it; 1 by default
	Name    *string       // of the batch
}

// Uploading is the state of an upload.
type Uploading struct {
	*vcd.Upload
	Open bool // more screenshots may be sent
}

// BeginUpload creates a batch that is filled with screenshots from outside, or returns the one that an earlier call with the
// same group, type and build created.
func (s *Service) BeginUpload(ctx context.Context, actor vcd.Actor, in UploadInput) (*Uploading, error) {
	id, shards, err := in.validate()
	if err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*Uploading, error) {
		if err := mayRun(ctx, tx); err != nil {
			return nil, err
		}
		g, err := vcd.OrGone(tx.LockGroup(ctx, id)) // so that calls with the same build wait for each other
		switch {
		case err != nil || g == nil:
			return nil, orInvalid(err, "groupId")
		case g.Monitoring:
			return nil, vcd.Invalid("groupId", "monitoring", whyNotMonitored)
		case !g.Enabled:
			return nil, vcd.Invalid("groupId", "enabled", "The selected {field} is invalid: the group is disabled.")
		}
		if in.Build != nil {
			known, err := tx.UploadOfBuild(ctx, id, in.Type, *in.Build)
			if err != nil || known != nil {
				return resumed(ctx, tx, known, shards, err)
			}
		}
		return s.createUpload(ctx, tx, g, in, shards)
	})
}

func (in *UploadInput) validate() (group vcd.ID, shards int, err error) {
	v := &vcd.Validation{}
	group, ok := vcd.ParseID(in.GroupID)
	v.Check(ok, "groupId", "uuid", "The {field} field must be a valid UUID.")
	vcd.OneOf(v, "scType", in.Type, vcd.QueuePre, vcd.QueuePost)
	if in.Build != nil {
		v.Name("build", *in.Build, maxBuildLength)
	}
	if in.Name != nil {
		v.Name("name", *in.Name, vcd.MaxNameLength)
	}
	shards = 1
	if in.Shards != nil {
		shards = *in.Shards
		v.Between("shards", shards, 1, maxShards)
		v.Check(in.Build != nil || shards == 1, "build", "required_with", "The {field} field is required with several shards: it says "+
			"which of them belong together.")
	}
	return group, shards, v.Err()
}

// resumed is the upload that an earlier call began.
func resumed(ctx context.Context, tx Tx, known *vcd.Upload, shards int, err error) (*Uploading, error) {
	if err != nil {
		return nil, err
	}
	b, err := tx.Batch(ctx, known.Batch)
	switch {
	case err != nil:
		return nil, err
	case b.CancelledAt != nil:
		return nil, &vcd.Error{Code: vcd.CodeConflict, Message: "The upload of this build was cancelled, or not finished in time. " +
			"Begin it again with another build."}
	case known.Shards != shards:
		return nil, vcd.Invalid("shards", "same", fmt.Sprintf("The {field} field must be %d, as when the upload of this build began.",
			known.Shards))
	}
	return &Uploading{known, b.Uploading}, nil
}

func (s *Service) createUpload(ctx context.Context, tx Tx, g *vcd.Group, in UploadInput, shards int) (*Uploading, error) {
	open, err := tx.OpenUploads(ctx)
	if err != nil {
		return nil, err
	}
	if open >= maxOpenUploads {
		return nil, &vcd.Error{Code: vcd.CodeConflict, Message: fmt.Sprintf(
			"%d uploads are unfinished. Finish or cancel them first; abandoned ones end after an hour.", open)}
	}
	account, err := tx.Account(ctx)
	if err != nil {
		return nil, err
	}
	r := &run{
		service: s, account: g.Account, in: TakeInput{Type: in.Type, Source: vcd.SourceManual}, now: s.clock.Now(),
		groups: map[vcd.ID]*vcd.Group{g.ID: g},
	}
	b := r.batch()
	b.Uploading = true
	r.taken.GroupIDs, r.taken.ByGroup = []vcd.ID{g.ID}, map[vcd.ID]vcd.ID{g.ID: b.ID}
	if r.nameBatches(account.Zone()); in.Name != nil {
		b.Name = *in.Name
	}
	if _, err := r.store(ctx, tx); err != nil {
		return nil, err
	}
	u := &vcd.Upload{Batch: b.ID, Group: g.ID, Type: in.Type, Build: in.Build, Shards: shards, CreatedAt: r.now}
	return &Uploading{u, true}, tx.InsertUpload(ctx, u)
}

// FinishUpload records that one of an upload's shards, counted from 1, has sent all its screenshots. With the last one, no more
// can come, and the batch finishes when its last comparison has ended. Finishing again changes nothing.
func (s *Service) FinishUpload(ctx context.Context, actor vcd.Actor, id vcd.ID, shard int) (*Uploading, error) {
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*Uploading, error) {
		b, u, err := lockUpload(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		if shard < 1 || shard > u.Shards {
			return nil, vcd.Invalid("shard", "between", fmt.Sprintf("The {field} field must be between 1 and %d.", u.Shards))
		}
		if !b.Uploading || slices.Contains(u.Finished, shard) {
			return &Uploading{u, b.Uploading}, nil
		}
		u.Finished = append(u.Finished, shard)
		slices.Sort(u.Finished)
		if err := tx.FinishShards(ctx, u); err != nil {
			return nil, err
		}
		b.Uploading, b.UpdatedAt = !u.Complete(), s.clock.Now()
		return &Uploading{u, b.Uploading}, s.storeBatch(ctx, tx, b)
	})
}

// lockUpload locks the batch of an upload. A batch that is no upload is not found.
func lockUpload(ctx context.Context, tx Tx, batch vcd.ID) (*vcd.Batch, *vcd.Upload, error) {
	b, err := tx.LockBatch(ctx, batch)
	if err != nil {
		return nil, nil, err
	}
	u, err := tx.Upload(ctx, batch)
	return b, u, err
}

// EndStaleUploads ends uploads that were given up: their batches would never finish.
func (s *Service) EndStaleUploads(ctx context.Context, limit int) error {
	stale, err := s.store.StaleUploads(ctx, s.clock.Now().Add(-uploadPatience), limit)
	if err != nil {
		return err
	}
	var errs []error
	for _, u := range stale {
		errs = append(errs, s.cancelBatch(ctx, vcd.Actor{Account: u.Account}, u.Batch, uploadGivenUp))
	}
	return errors.Join(errs...)
}
