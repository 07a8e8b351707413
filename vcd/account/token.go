package account

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"afterimage/vcd"
)

// Format of an API token, as legacy clients store it.
const (
	TokenPrefixLength = 8
	maxLiveTokens     = 10 // per account: enough to rotate the tokens of several clients
)

// NewToken is a newly created token. Plain is shown once and never stored.
type NewToken struct {
	vcd.Token
	Plain string
}

// Authenticate resolves a plain API token to its actor.
func (s *Service) Authenticate(ctx context.Context, plain string) (vcd.Actor, *vcd.Account, error) {
	bearer, err := s.Identify(ctx, plain)
	if err != nil {
		return vcd.Actor{}, nil, err
	}
	return bearer.Actor(), bearer.Account, nil
}

// Identify resolves the bearer of a plain API token and checks whether they may currently use the service:
// CodeUnauthenticated, CodeActivateAccount and CodeForbidden say that they may not.
func (s *Service) Identify(ctx context.Context, plain string) (*vcd.Bearer, error) {
	if len(plain) != vcd.TokenLength {
		return nil, vcd.Unauthenticated()
	}
	hash := sha256.Sum256([]byte(plain))
	bearer, err := s.store.AccountByToken(ctx, hash[:], s.clock.Now())
	if err != nil {
		return nil, err
	}
	if err := bearer.Account.Admit(); err != nil {
		return nil, err
	}
	return bearer, nil
}

// TokenChange holds the settings of a token.
type TokenChange struct {
	Name      vcd.Optional[string]
	ExpiresAt vcd.Optional[time.Time] // null for never
	// Scopes of a new token; without them, it may do what its creator may. They cannot be changed later.
	Scopes vcd.Optional[[]vcd.Scope]
}

func (in TokenChange) validate(creating bool, now time.Time) error {
	v := &vcd.Validation{}
	switch {
	case in.Name.Value != nil:
		v.Name("name", *in.Name.Value, vcd.MaxNameLength)
	case creating || in.Name.Set:
		v.Add("name", "required", "The {field} field is required.")
	}
	if at := in.ExpiresAt.Value; at != nil {
		v.Check(at.After(now) && vcd.ValidTime(*at), "expiresAt", "after", "The {field} field must be a date after now.")
	}
	if in.Scopes.Value != nil {
		v.Check(len(*in.Scopes.Value) > 0, "scopes", "required", "The {field} field must name at least one scope.")
	}
	return v.Err()
}

// scopesFor are the scopes of a new token in their usual order. Nobody can give a token more than they may do themselves.
func (in TokenChange) scopesFor(actor vcd.Actor) ([]vcd.Scope, error) {
	all := vcd.Scopes()
	mayGive := func(s vcd.Scope) bool {
		return actor.MayGive(vcd.PermissionsOfScopes([]vcd.Scope{s}))
	}
	given := in.Scopes.Value
	if given == nil {
		return slices.DeleteFunc(all, func(s vcd.Scope) bool { return !mayGive(s) }), nil
	}
	for _, s := range *given {
		if !mayGive(s) {
			return nil, vcd.Invalid("scopes", "exceeded", "The {field} field must not name a scope that you do not have yourself.")
		}
	}
	return slices.DeleteFunc(all, func(s vcd.Scope) bool { return s != vcd.ScopeRead && !slices.Contains(*given, s) }), nil
}

// CreateToken creates another token for the actor's account or one of its subaccounts. At most maxLiveTokens may be live at
// the same time.
func (s *Service) CreateToken(ctx context.Context, actor vcd.Actor, subaccount *vcd.ID, in TokenChange) (NewToken, error) {
	if err := in.validate(true, s.clock.Now()); err != nil {
		return NewToken{}, err
	}
	as, err := s.below(ctx, actor, subaccount)
	if err != nil {
		return NewToken{}, err
	}
	scopes, err := in.scopesFor(actor)
	if err != nil {
		return NewToken{}, err
	}
	token := s.mintToken(as.Account, *in.Name.Value, in.ExpiresAt.Value, scopes)
	if token.Creator, err = s.creator(ctx, actor); err != nil {
		return NewToken{}, err
	}
	return token, s.store.InTx(ctx, as, func(ctx context.Context, tx Tx) error {
		if _, err := tx.LockAccount(ctx); err != nil {
			return err
		}
		live, err := tx.CountLiveTokens(ctx, token.CreatedAt)
		if err != nil {
			return err
		}
		if live >= maxLiveTokens {
			return &vcd.Error{Code: vcd.CodeConflict,
				Message: fmt.Sprintf("The account already has %d live tokens, which is the limit. Revoke one first.", live)}
		}
		if err := tx.InsertToken(ctx, &token.Token); err != nil {
			return err
		}
		return tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventTokenCreated, vcd.SubjectToken, token.ID))
	})
}

// creator is the user behind an actor: also one who made the token that now makes another, so that whoever replaces a token in
// time cannot keep it beyond the user.
func (s *Service) creator(ctx context.Context, actor vcd.Actor) (vcd.ID, error) {
	if actor.Token == "" {
		return actor.User, nil
	}
	used, err := vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Token, error) {
		return tx.Token(ctx, actor.Token)
	})
	if err != nil {
		return "", err
	}
	return used.Creator, nil
}

// Tokens lists the tokens of the actor's account or one of its subaccounts, newest first, including revoked ones.
func (s *Service) Tokens(
	ctx context.Context, actor vcd.Actor, subaccount *vcd.ID, f vcd.TokenFilter, p vcd.Page,
) (*vcd.List[*vcd.Token], error) {
	as, err := s.below(ctx, actor, subaccount)
	if err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store, as, func(ctx context.Context, tx Tx) (*vcd.List[*vcd.Token], error) { return tx.Tokens(ctx, f, p) })
}

// UpdateToken renames a live token or changes its expiry.
func (s *Service) UpdateToken(ctx context.Context, actor vcd.Actor, subaccount *vcd.ID, id vcd.ID, in TokenChange) (*vcd.Token, error) {
	now := s.clock.Now()
	if err := in.validate(false, now); err != nil {
		return nil, err
	}
	return s.changeToken(ctx, actor, subaccount, id, func(_ Tx, t *vcd.Token) error {
		if !t.Live(now) {
			return &vcd.Error{Code: vcd.CodeConflict, Message: "The token is revoked or has expired. Create another one."}
		}
		vcd.Assign(&t.Name, in.Name)
		vcd.AssignNullable(&t.ExpiresAt, in.ExpiresAt)
		return nil
	})
}

// RevokeToken revokes a token immediately and permanently.
//
// The open invitations that were sent with it are revoked too: whoever stole it must not come back by one of them.
func (s *Service) RevokeToken(ctx context.Context, actor vcd.Actor, subaccount *vcd.ID, id vcd.ID) (*vcd.Token, error) {
	return s.changeToken(ctx, actor, subaccount, id, func(tx Tx, t *vcd.Token) error {
		if t.RevokedAt != nil {
			return nil
		}
		now := s.clock.Now()
		t.RevokedAt = &now
		return tx.RevokeInvitationsOf(ctx, t.ID, now)
	})
}

func (s *Service) changeToken(
	ctx context.Context, actor vcd.Actor, subaccount *vcd.ID, id vcd.ID, change func(Tx, *vcd.Token) error,
) (*vcd.Token, error) {
	as, err := s.below(ctx, actor, subaccount)
	if err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store, as, func(ctx context.Context, tx Tx) (*vcd.Token, error) {
		t, err := tx.LockToken(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := change(tx, t); err != nil {
			return nil, err
		}
		tx.Concern(vcd.SubjectToken, t.ID)
		return t, tx.UpdateToken(ctx, t)
	})
}

func (s *Service) mintToken(account vcd.ID, name string, expiresAt *time.Time, scopes []vcd.Scope) NewToken {
	plain := vcd.RandomText()
	hash := sha256.Sum256([]byte(plain))
	return NewToken{Plain: plain, Token: vcd.Token{
		ID: s.ids.NewID(), Account: account, Name: name, Prefix: plain[:TokenPrefixLength], Hash: hash[:],
		Scopes: scopes, ExpiresAt: expiresAt, CreatedAt: s.clock.Now(),
	}}
}
