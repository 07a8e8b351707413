package account

import (
	"context"

	"afterimage/vcd"
)

// maxShare is the largest share of the workers, relative to 1, that an account may get.
const maxShare = 100

// PlanChange is what an operator may change about the plan of a full account; absent fields stay unchanged.
type PlanChange struct {
	Plan, PlanName vcd.Optional[string]
	PlanLabel      vcd.Optional[string]
	Level          vcd.Optional[int]
	Share          vcd.Optional[int] // of the workers, relative to other accounts
	ChecksLimit    vcd.Optional[int]
	StorageLimit   vcd.Optional[int64] // bytes; null for none
	AIVerification vcd.Optional[bool]
	BrowserConsole vcd.Optional[bool]
}

// SetEmail changes the address of an account.
func (s *Service) SetEmail(ctx context.Context, id vcd.ID, email string) (*vcd.Account, error) {
	v := &vcd.Validation{}
	v.Email("email", email)
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, s.Operator(id, "setEmail"), func(ctx context.Context, tx Tx) (*vcd.Account, error) {
		a, err := tx.LockAccount(ctx)
		if err != nil {
			return nil, err
		}
		a.Email, a.UpdatedAt = email, s.clock.Now()
		if err := tx.UpdateAccount(ctx, a); err != nil {
			return nil, err
		}
		return a, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventAccountUpdated, vcd.SubjectAccount, a.ID))
	})
}

// SetPlan changes the plan of a full account. Its subaccounts get the same features but keep their own limits.
func (s *Service) SetPlan(ctx context.Context, id vcd.ID, in PlanChange) (*vcd.Account, error) {
	v := &vcd.Validation{}
	if in.Plan.Value != nil {
		v.Name("plan", *in.Plan.Value, vcd.MaxNameLength)
	}
	if in.PlanName.Value != nil {
		v.Name("planName", *in.PlanName.Value, vcd.MaxNameLength)
	}
	v.OptionalName("planLabel", in.PlanLabel.Value, vcd.MaxNameLength)
	if n := in.ChecksLimit.Value; n != nil {
		v.Between("checksLimit", *n, 0, maxChecksLimit)
	}
	if n := in.StorageLimit.Value; n != nil {
		v.Check(*n > 0, "storageLimit", "min", "The {field} field must be above 0.")
	}
	if n := in.Level.Value; n != nil {
		v.Between("level", *n, 0, maxChecksLimit)
	}
	if n := in.Share.Value; n != nil {
		v.Between("share", *n, 1, maxShare)
	}
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, s.Operator(id, "setPlan"), func(ctx context.Context, tx Tx) (*vcd.Account, error) {
		a, err := tx.Account(ctx)
		if err != nil {
			return nil, err
		}
		if a.IsSubaccount() {
			return nil, &vcd.Error{Code: vcd.CodeConflict, Message: "A subaccount has the plan of its parent account: change it there."}
		}
		in.apply(a)
		if err := tx.SetFeatures(ctx, a); err != nil { // the rows of subaccounts are locked before their owner's
			return nil, err
		}
		if a, err = tx.LockAccount(ctx); err != nil {
			return nil, err
		}
		in.apply(a)
		a.UpdatedAt = s.clock.Now()
		if err := tx.UpdateAccount(ctx, a); err != nil {
			return nil, err
		}
		if err := tx.DueRetentionAt(ctx, s.clock.Now()); err != nil { // to judge what is stored by the new limit
			return nil, err
		}
		return a, tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventAccountUpdated, vcd.SubjectAccount, a.ID))
	})
}

func (in PlanChange) apply(a *vcd.Account) {
	vcd.Assign(&a.Plan, in.Plan)
	vcd.Assign(&a.PlanName, in.PlanName)
	vcd.AssignNullable(&a.PlanLabel, in.PlanLabel)
	vcd.AssignNullable(&a.StorageLimit, in.StorageLimit)
	vcd.Assign(&a.Level, in.Level)
	vcd.Assign(&a.Share, in.Share)
	vcd.Assign(&a.ChecksLimit, in.ChecksLimit)
	vcd.Assign(&a.AIVerification, in.AIVerification)
	vcd.Assign(&a.BrowserConsole, in.BrowserConsole)
}
