package review

import (
	"context"
	"fmt"

	"afterimage/vcd"
)

// MaxFingerprint is the length of a change's fingerprint, in bytes.
const MaxFingerprint = 200

// judgedChange is a verdict on a change of a batch.
type judgedChange struct {
	batch       vcd.ID
	fingerprint string
	status      vcd.ComparisonStatus
	shown       bool // leaves out comparisons whose group or URL is deleted
}

func (j judgedChange) validate() error {
	v := &vcd.Validation{}
	vcd.OneOf(v, "status", j.status, verdicts...)
	v.Required("fingerprint", j.fingerprint, MaxFingerprint)
	return v.Err()
}

// SetStatusOfChange records a verdict on a change, given by its fingerprint, wherever it occurs in a batch, for its comparisons that
// are new. Accepting it accepts those that need attention for nothing but this change and others that were accepted before,
// by anyone; the verdict is stored for this purpose. What remains open is returned. The verdict holds until the change gets
// another one, or the review is undone.
func (s *Service) SetStatusOfChange(
	ctx context.Context, actor vcd.Actor, batch vcd.ID, fingerprint string, status vcd.ComparisonStatus,
) (Verdict, error) {
	judged := judgedChange{batch: batch, fingerprint: fingerprint, status: status}
	if err := judged.validate(); err != nil {
		return Verdict{}, err
	}
	return vcd.Write(ctx, s.store, actor, func(ctx context.Context, tx Tx) (Verdict, error) {
		return s.judgeChange(ctx, tx, actor, judged)
	})
}

// judgeChange holds the lock of the batch, so that of two people who accept the two changes of a page at the same moment, the
// second one finds what the first one decided.
func (s *Service) judgeChange(ctx context.Context, tx Tx, actor vcd.Actor, j judgedChange) (Verdict, error) {
	batch, err := tx.LockBatch(ctx, j.batch)
	if err != nil {
		return Verdict{}, err
	}
	known, err := tx.HasChange(ctx, j.batch, j.fingerprint)
	if err == nil && !known {
		err = vcd.Invalid("fingerprint", "exists", "The selected {field} is invalid: the batch has no such change.")
	}
	if err != nil {
		return Verdict{}, err
	}
	verdicts, err := tx.ChangeVerdicts(ctx, []vcd.ID{j.batch})
	if err != nil {
		return Verdict{}, err
	}
	before := verdicts[j.batch]
	chosen, open, err := s.chooseByChange(ctx, tx, j, before)
	if err != nil {
		return Verdict{}, err
	}
	now := reviewing{items: itemsOf(chosen, j.status)}
	if earlier := before[j.fingerprint]; earlier == nil || earlier.Status != j.status {
		now.change, now.decide = batch, func(review vcd.ID) error {
			return tx.InsertChangeVerdict(ctx, &vcd.ChangeVerdict{
				Batch: j.batch, Fingerprint: j.fingerprint, Status: j.status, Review: review,
			})
		}
	}
	verdict, err := s.record(ctx, tx, actor, now)
	verdict.Matched = len(chosen)
	verdict.StillOpen, verdict.StillOpenCount = open[:min(len(open), MaxStillOpen)], len(open)
	return verdict, err
}

// chooseByChange separates the new comparisons that show a change and that a verdict on it applies to from those that remain open.
func (s *Service) chooseByChange(
	ctx context.Context, tx Tx, j judgedChange, before map[string]*vcd.ChangeVerdict,
) (chosen []*vcd.Comparison, open []StillOpen, err error) {
	found, err := tx.LockComparisons(ctx, vcd.ComparisonFilter{
		BatchIDs: &[]vcd.ID{j.batch}, Statuses: &[]vcd.ComparisonStatus{vcd.ComparisonNew}, Changes: &[]string{j.fingerprint},
		Shown: j.shown,
	}, MaxVerdicts+1)
	if err == nil && len(found) > MaxVerdicts {
		err = vcd.Invalid("fingerprint", "max", fmt.Sprintf(
			"More than %d comparisons show the change in the {field} field: set their status in several calls to setStatusOfComparisons.",
			MaxVerdicts))
	}
	if err != nil || !j.status.Accepts() {
		return found, nil, err
	}
	accepted := []string{j.fingerprint}
	for fingerprint, verdict := range before {
		if verdict.Status.Accepts() {
			accepted = append(accepted, fingerprint)
		}
	}
	return splitByChanges(ctx, tx, found, accepted)
}

// ChangeVerdicts are the verdicts on changes that hold in each batch, by fingerprint.
func (s *Service) ChangeVerdicts(
	ctx context.Context, actor vcd.Actor, batches []vcd.ID,
) (map[vcd.ID]map[string]*vcd.ChangeVerdict, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID]map[string]*vcd.ChangeVerdict, error) {
		return tx.ChangeVerdicts(ctx, batches)
	})
}
