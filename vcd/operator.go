package vcd

import (
	"context"
	"time"
)

// OperatorStore is asked across accounts, by the command line and by the work that time calls for. Deleted accounts are
// left out.
type OperatorStore interface {
	// HasAccounts tells whether any account exists yet.
	HasAccounts(ctx context.Context) (bool, error)
	AccountByEmail(ctx context.Context, email string) (*Account, error)
	// Accounts lists all accounts, each full account before its subaccounts.
	Accounts(ctx context.Context) ([]*Account, error)
	// AccountsToRenew lists full accounts whose period has ended at now.
	AccountsToRenew(ctx context.Context, now time.Time, limit int) ([]ID, error)
	// AccountsLowOnChecks lists accounts that have used up more of their checks than was told (see TellChecks).
	AccountsLowOnChecks(ctx context.Context, limit int) ([]ID, error)
	// UnusedAccounts lists active full accounts that were neither used nor changed since a moment.
	UnusedAccounts(ctx context.Context, since time.Time, limit int) ([]ID, error)
}

// maxShare is how much more of the workers an account may get than another.
const maxShare = 100

// PlanChange is what an operator may change about the plan of a full account; what is absent stays.
type PlanChange struct {
	Plan, PlanName Optional[string]
	PlanLabel      Optional[string]
	Level          Optional[int]
	Share          Optional[int] // of the workers, beside other accounts
	ChecksLimit    Optional[int]
	AIVerification Optional[bool]
	BrowserConsole Optional[bool]
}

// SetPlan changes the plan of a full account. Its subaccounts get the same features; their own limits stay.
func (s *Service) SetPlan(ctx context.Context, id ID, in PlanChange) (*Account, error) {
	v := &validation{}
	if in.Plan.Value != nil {
		v.required("plan", *in.Plan.Value, maxNameLength)
	}
	if in.PlanName.Value != nil {
		v.required("planName", *in.PlanName.Value, maxNameLength)
	}
	v.optionalText("planLabel", in.PlanLabel.Value, maxNameLength)
	if n := in.ChecksLimit.Value; n != nil {
		v.between("checksLimit", *n, 0, maxChecksLimit)
	}
	if n := in.Level.Value; n != nil {
		v.between("level", *n, 0, maxChecksLimit)
	}
	if n := in.Share.Value; n != nil {
		v.between("share", *n, 1, maxShare)
	}
	if err := v.err(); err != nil {
		return nil, err
	}
	return write(ctx, s, Actor{Account: id}, func(ctx context.Context, tx Tx) (*Account, error) {
		a, err := tx.Account(ctx)
		if err != nil {
			return nil, err
		}
		if a.IsSubaccount() {
			return nil, &Error{Code: CodeConflict, Message: "A subaccount has the plan of the account above it."}
		}
		in.apply(a)
		if err := tx.SetFeatures(ctx, a); err != nil { // the rows of subaccounts are locked before their owner's
			return nil, err
		}
		if a, err = tx.LockAccount(ctx); err != nil {
			return nil, err
		}
		in.apply(a)
		a.UpdatedAt = s.Clock.Now()
		if err := tx.UpdateAccount(ctx, a); err != nil {
			return nil, err
		}
		return a, tx.AppendEvents(ctx, s.event(EventAccountUpdated, SubjectAccount, a.ID))
	})
}

func (in PlanChange) apply(a *Account) {
	assign(&a.Plan, in.Plan)
	assign(&a.PlanName, in.PlanName)
	assignNullable(&a.PlanLabel, in.PlanLabel)
	assign(&a.Level, in.Level)
	assign(&a.Share, in.Share)
	assign(&a.ChecksLimit, in.ChecksLimit)
	assign(&a.AIVerification, in.AIVerification)
	assign(&a.BrowserConsole, in.BrowserConsole)
}
