package input

import (
	"time"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph/model"
	"afterimage/vcd"
	"afterimage/vcd/account"
)

// Account is what a client sends to change its account.
type Account struct {
	NameFirst, NameLast, Company graphql.Omittable[*string]
	Timezone                     graphql.Omittable[*string]
	NoiseProbes                  graphql.Omittable[*bool]
	AlarmUnseen                  graphql.Omittable[*bool]
}

// Change is the change of the account.
func (in *Account) Change() account.Change {
	return account.Change{
		NameFirst: optional(in.NameFirst), NameLast: optional(in.NameLast), Company: optional(in.Company),
		Timezone: optional(in.Timezone), NoiseProbes: optional(in.NoiseProbes), AlarmUnseen: optional(in.AlarmUnseen),
	}
}

// Retention is what a client sends to change its retention rule.
type Retention struct {
	Days, Runs graphql.Omittable[*int]
	Reviewed   graphql.Omittable[*bool]
}

// Change is the change of the rule.
func (in *Retention) Change() account.RetentionChange {
	return account.RetentionChange{Days: optional(in.Days), Runs: optional(in.Runs), Reviewed: optional(in.Reviewed)}
}

// NewSubaccount is the subaccount that a client wants to have opened.
func NewSubaccount(in model.CreateSubaccountInput) account.SubaccountChange {
	return account.SubaccountChange{
		NameFirst: vcd.Some(in.NameFirst), NameLast: vcd.Some(in.NameLast), Email: vcd.Some(in.Email),
		LimitChecks: vcd.Some(in.LimitChecks),
	}
}

// Subaccount is what a client sends to change a subaccount.
type Subaccount struct {
	NameFirst, NameLast, Email graphql.Omittable[*string]
	LimitChecks                graphql.Omittable[*int]
}

// Change is the change of the subaccount.
func (in *Subaccount) Change() account.SubaccountChange {
	return account.SubaccountChange{
		NameFirst: optional(in.NameFirst), NameLast: optional(in.NameLast), Email: optional(in.Email),
		LimitChecks: optional(in.LimitChecks),
	}
}

// Subaccounts are the subaccounts that a client asks for.
func Subaccounts(f *model.SubaccountFilter) vcd.SubaccountFilter {
	if f == nil {
		return vcd.SubaccountFilter{}
	}
	return vcd.SubaccountFilter{Search: f.Search.Value()}
}

// NewToken is the token that a client wants to have made.
func NewToken(in model.CreateTokenInput) account.TokenChange {
	return account.TokenChange{Name: vcd.Some(in.Name), ExpiresAt: optional(in.ExpiresAt), Scopes: optionalList(in.Scopes, same)}
}

// Token is what a client sends to change a token.
type Token struct {
	Name         graphql.Omittable[*string]
	ExpiresAt    graphql.Omittable[*time.Time]
	SubaccountID graphql.Omittable[*string]
}

// Change is the change of the token.
func (in *Token) Change() account.TokenChange {
	return account.TokenChange{Name: optional(in.Name), ExpiresAt: optional(in.ExpiresAt)}
}

// Tokens are the tokens that a client asks for at a moment.
func Tokens(f *model.APITokenFilter, now time.Time) vcd.TokenFilter {
	if f == nil {
		return vcd.TokenFilter{}
	}
	filter := vcd.TokenFilter{Prefix: f.Prefix.Value()}
	if live := f.Live.Value(); live != nil && *live {
		filter.LiveAt = &now
	}
	return filter
}
