package view

import "afterimage/vcd"

// Account shows an account.
type Account struct {
	*vcd.Account
}

// NewAccount shows a.
func NewAccount(a *vcd.Account) *Account { return &Account{a} }

// AccountLevel is the level of the account.
func (a *Account) AccountLevel() int { return a.Level }

// CanManageSubaccounts reports whether it is a full account.
func (a *Account) CanManageSubaccounts() bool { return !a.IsSubaccount() }

// CanCreateSubaccounts reports whether it is a full account.
func (a *Account) CanCreateSubaccounts() bool { return !a.IsSubaccount() }

// PlanFeatures is what its plan includes.
func (a *Account) PlanFeatures() *PlanFeatures { return &PlanFeatures{a.Account} }

// Plan identifies the plan of a full account.
func (a *Account) Plan() *string { return a.unlessSub(&a.Account.Plan) }

// PlanName names the plan of a full account.
func (a *Account) PlanName() *string { return a.unlessSub(&a.Account.PlanName) }

// Company is the company of a full account's owner.
func (a *Account) Company() *string { return a.unlessSub(a.Account.Company) }

func (a *Account) unlessSub(text *string) *string {
	if a.IsSubaccount() {
		return nil
	}
	return text
}

// Subaccount shows a subaccount to its owner.
type Subaccount struct {
	*vcd.Account
}

// NewSubaccount shows a.
func NewSubaccount(a *vcd.Account) *Subaccount { return &Subaccount{a} }

// PlanFeatures shows what an account's plan includes.
type PlanFeatures struct {
	*vcd.Account
}

// InteractionFlows tells clients to offer flows, which every plan has.
func (*PlanFeatures) InteractionFlows() bool { return true }

// Viewer is who is asking.
type Viewer struct {
	TokenID     *vcd.ID
	Permissions []vcd.Permission
}
