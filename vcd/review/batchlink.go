package review

import (
	"context"
	"crypto/sha256"
	"time"

	"afterimage/vcd"
)

// SharedBatch is a batch behind a public link, with a page of its comparisons, largest difference first, and its changes, those
// on most pages first.
type SharedBatch struct {
	Batch       *vcd.Batch
	Comparisons *vcd.ComparisonList
	Changes     *vcd.List[*vcd.BatchChange]   // at most maxSharedChanges; empty without verification
	Standings   map[vcd.ID]vcd.ChangeStanding // of the changes
	Verdicts    map[string]*vcd.ChangeVerdict // on the changes, by fingerprint
	MayReview   bool                          // the visitor may, see ByLink
	From        Letterhead
}

// Accepted reports whether somebody accepted a change wherever it occurs.
func (b *SharedBatch) Accepted(fingerprint string) bool {
	verdict := b.Verdicts[fingerprint]
	return verdict != nil && verdict.Status.Accepts()
}

// SharedComparison is a comparison of a batch behind a public link.
type SharedComparison struct {
	*vcd.Comparison
	MayReview bool
	Comments  []*vcd.Comment // oldest first, for visitors who may review
	From      Letterhead
}

const maxSharedChanges = 100

// ShareBatch gives a batch a new public link, which replaces an earlier one. It ends at expires, or never if that is nil.
func (s *Service) ShareBatch(
	ctx context.Context, actor vcd.Actor, id vcd.ID, expires *time.Time, permission vcd.LinkPermission,
) (*vcd.Batch, error) {
	now := s.clock.Now()
	v := &vcd.Validation{}
	vcd.OneOf(v, "permission", permission, vcd.LinkRead, vcd.LinkReview)
	if err := v.Err(); err != nil {
		return nil, err
	}
	if expires != nil && (!expires.After(now) || !vcd.ValidTime(*expires)) {
		return nil, vcd.Invalid("expiresAt", "after", "The {field} field must be a time in the future.")
	}
	token := vcd.RandomText()
	sealed, err := s.sealer.Seal(vcd.PurposeBatchLink, token)
	if err != nil {
		return nil, err
	}
	link := &vcd.BatchLink{
		ID: s.ids.NewID(), Batch: id, Hash: linkHash(token), Sealed: sealed, Permission: permission, ExpiresAt: expires, CreatedAt: now,
	}
	return s.changeLink(ctx, actor, id, func(ctx context.Context, tx PublicTx) error { return tx.SetBatchLink(ctx, link) })
}

// UnshareBatch takes the public link of a batch back. Without one, nothing changes.
func (s *Service) UnshareBatch(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Batch, error) {
	return s.changeLink(ctx, actor, id, func(ctx context.Context, tx PublicTx) error { return tx.RemoveBatchLink(ctx, id) })
}

func (s *Service) changeLink(
	ctx context.Context, actor vcd.Actor, id vcd.ID, change func(context.Context, PublicTx) error,
) (*vcd.Batch, error) {
	return vcd.Write(ctx, s.store.PublicPages(), actor, func(ctx context.Context, tx PublicTx) (*vcd.Batch, error) {
		b, err := tx.LockBatch(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := change(ctx, tx); err != nil {
			return nil, err
		}
		e := vcd.NewBatchEvent(s.clock.Now(), vcd.EventBatchUpdated, vcd.SubjectBatch, id, b)
		if err := tx.AppendEvents(ctx, e); err != nil {
			return nil, err
		}
		return tx.Batch(ctx, id)
	})
}

// OpenLink is a batch link that works, with its token in plain text.
type OpenLink struct {
	Token      string
	Permission vcd.LinkPermission
	ExpiresAt  *time.Time
}

// LinksOf finds the links of batches that work.
func (s *Service) LinksOf(ctx context.Context, actor vcd.Actor, batches []vcd.ID) (map[vcd.ID]OpenLink, error) {
	stored, err := vcd.Read(ctx, s.store.PublicPages(), actor, func(ctx context.Context, tx PublicTx) (map[vcd.ID]*vcd.BatchLink, error) {
		return tx.BatchLinks(ctx, batches)
	})
	if err != nil {
		return nil, err
	}
	links := make(map[vcd.ID]OpenLink, len(stored))
	for id, link := range stored {
		if !link.Live(s.clock.Now()) {
			continue
		}
		token, err := s.sealer.Open(vcd.PurposeBatchLink, link.Sealed)
		if err != nil {
			return nil, err
		}
		links[id] = OpenLink{Token: token, Permission: link.Permission, ExpiresAt: link.ExpiresAt}
	}
	return links, nil
}

// Shared is the batch behind a public link, with a numbered page of its comparisons: all of them, or those that show a change,
// given by its fingerprint.
func (s *Service) Shared(ctx context.Context, token, change string, p vcd.Page) (*SharedBatch, error) {
	at, err := s.linked(ctx, token)
	if err != nil {
		return nil, err
	}
	return s.sharedBatch(ctx, vcd.Actor{Account: at.Account}, at, change, p)
}

// Reported is one of the actor's batches as its public page would show it, with a numbered page of its comparisons.
func (s *Service) Reported(ctx context.Context, actor vcd.Actor, batch vcd.ID, p vcd.Page) (*SharedBatch, error) {
	return s.sharedBatch(ctx, actor, vcd.LinkedBatch{Account: actor.Account, Batch: batch, Permission: vcd.LinkRead}, "", p)
}

func (s *Service) sharedBatch(ctx context.Context, actor vcd.Actor, at vcd.LinkedBatch, change string, p vcd.Page) (*SharedBatch, error) {
	shared, err := vcd.Read(ctx, s.store.PublicPages(), actor, func(ctx context.Context, tx PublicTx) (*SharedBatch, error) {
		return readBatch(ctx, tx, at, change, p)
	})
	if err != nil {
		return nil, err
	}
	shared.From, err = s.letterhead(ctx, actor)
	return shared, err
}

func readBatch(ctx context.Context, tx PublicTx, at vcd.LinkedBatch, change string, p vcd.Page) (*SharedBatch, error) {
	b, err := tx.Batch(ctx, at.Batch)
	if err != nil {
		return nil, err
	}
	f := vcd.ComparisonFilter{BatchIDs: &[]vcd.ID{at.Batch}, Shown: true, Order: vcd.OrderJudgedPercent}
	if change != "" {
		f.Changes = &[]string{change}
	}
	list, err := tx.Comparisons(ctx, f, p, true)
	if err != nil {
		return nil, err
	}
	changes, err := sharedChanges(ctx, tx, at.Batch, list)
	if err != nil {
		return nil, err
	}
	standings, err := standingsOf(ctx, tx, changes)
	if err != nil {
		return nil, err
	}
	verdicts, err := tx.ChangeVerdicts(ctx, []vcd.ID{at.Batch})
	return &SharedBatch{
		Batch: b, Comparisons: list, Changes: changes, Standings: standings, Verdicts: verdicts[at.Batch],
		MayReview: at.Permission == vcd.LinkReview,
	}, err
}

// sharedChanges are the changes of a batch, for accounts whose plan has verification.
func sharedChanges(
	ctx context.Context, tx PublicTx, batch vcd.ID, shown *vcd.ComparisonList,
) (*vcd.List[*vcd.BatchChange], error) {
	if len(shown.Items) == 0 || !shown.Items[0].Features.AIVerification {
		return &vcd.List[*vcd.BatchChange]{}, nil
	}
	page := vcd.Page{Number: 1, Size: maxSharedChanges, Total: true}
	found, err := tx.ChangesOfBatches(ctx, []vcd.ID{batch}, vcd.ChangeFilter{Order: vcd.OrderComparisons}, page)
	if err != nil {
		return nil, err
	}
	return found[batch], nil
}

func standingsOf(
	ctx context.Context, tx PublicTx, changes *vcd.List[*vcd.BatchChange],
) (map[vcd.ID]vcd.ChangeStanding, error) {
	if len(changes.Items) == 0 {
		return nil, nil
	}
	ids := make([]vcd.ID, len(changes.Items))
	for i, c := range changes.Items {
		ids[i] = c.ID
	}
	return tx.ChangeStandings(ctx, ids)
}

// SharedComparison is a comparison of the batch behind a public link.
func (s *Service) SharedComparison(ctx context.Context, token string, id vcd.ID) (*SharedComparison, error) {
	at, err := s.linked(ctx, token)
	if err != nil {
		return nil, err
	}
	actor := vcd.Actor{Account: at.Account}
	shown, err := vcd.Read(ctx, s.store.PublicPages(), actor, func(ctx context.Context, tx PublicTx) (*SharedComparison, error) {
		return readComparison(ctx, tx, at, id)
	})
	if err != nil {
		return nil, err
	}
	shown.From, err = s.letterhead(ctx, actor)
	return shown, err
}

func readComparison(ctx context.Context, tx PublicTx, at vcd.LinkedBatch, id vcd.ID) (*SharedComparison, error) {
	list, err := tx.Comparisons(ctx, sharedOnly(at, id), vcd.Page{Size: 1}, false)
	if err != nil {
		return nil, err
	}
	if len(list.Items) == 0 {
		return nil, vcd.NotFound("Comparison", id)
	}
	shown := &SharedComparison{Comparison: list.Items[0], MayReview: at.Permission == vcd.LinkReview}
	if !shown.MayReview {
		return shown, nil
	}
	comments, err := tx.CommentsOfComparisons(ctx, []vcd.ID{id})
	shown.Comments = comments[id]
	return shown, err
}

// sharedOnly matches a comparison if a public link shows it.
func sharedOnly(at vcd.LinkedBatch, id vcd.ID) vcd.ComparisonFilter {
	return vcd.ComparisonFilter{IDs: &[]vcd.ID{id}, BatchIDs: &[]vcd.ID{at.Batch}, Shown: true}
}

// linked finds the batch behind a public link.
func (s *Service) linked(ctx context.Context, token string) (vcd.LinkedBatch, error) {
	return s.store.BatchByLink(ctx, linkHash(token), s.clock.Now())
}

// SharedLogo is the logo on the pages of the batch behind a public link.
func (s *Service) SharedLogo(ctx context.Context, token string) (*vcd.Logo, error) {
	at, err := s.linked(ctx, token)
	if err != nil {
		return nil, err
	}
	return s.publicLogo(ctx, at.Account)
}

func (s *Service) publicLogo(ctx context.Context, account vcd.ID) (*vcd.Logo, error) {
	logo, err := s.BrandLogo(ctx, vcd.Actor{Account: account})
	if err == nil && logo == nil {
		err = vcd.NotFound("Logo", "")
	}
	return logo, err
}

// SharedImage finds a picture of a comparison of the batch behind a public link.
func (s *Service) SharedImage(ctx context.Context, token string, comparison vcd.ID, part vcd.PublicPart) (*vcd.Image, error) {
	return s.store.ImageByBatchLink(ctx, linkHash(token), s.clock.Now(), comparison, part)
}

func linkHash(token string) []byte {
	hash := sha256.Sum256([]byte(token))
	return hash[:]
}
