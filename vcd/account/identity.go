package account

import (
	"context"

	"afterimage/vcd"
)

// Identity is who an OpenID provider says somebody is. Issuer and subject name them for ever; address and name can change there.
type Identity struct {
	Issuer, Subject string
	Email, Name     string // as the provider shows them; may be empty
}

// SignInByIdentity signs in the user who was connected with an identity. An address alone connects nobody: providers give
// addresses to others, and some let people type what they like.
func (s *Service) SignInByIdentity(ctx context.Context, i *Identity, agent string) (*NewSession, error) {
	found, err := s.store.UserByIdentity(ctx, i.Issuer, i.Subject)
	if err != nil {
		return nil, identityUnknown(err)
	}
	return s.beginSession(ctx, found, vcd.SignInOIDC, "signIn", agent, func(_ context.Context, _ PeopleTx, u *vcd.User) error {
		if !i.belongsTo(u) { // connected with another one meanwhile
			return errIdentityUnknown
		}
		return nil
	})
}

func (i *Identity) belongsTo(u *vcd.User) bool {
	return u.Issuer != nil && *u.Issuer == i.Issuer && u.Subject != nil && *u.Subject == i.Subject
}

var errIdentityUnknown = &vcd.Error{Code: vcd.CodeUnauthenticated, Reason: "IDENTITY_UNKNOWN",
	Message: "No user is connected to this account of the sign-in provider. Open your invitation link, or sign in with your " +
		"passkey and connect the provider at /people/passkey."}

func identityUnknown(err error) error {
	if vcd.CodeOf(err) == vcd.CodeNotFound {
		return errIdentityUnknown
	}
	return err
}

// ConnectIdentity lets the actor sign in by an identity, instead of the one before.
func (s *Service) ConnectIdentity(ctx context.Context, actor vcd.Actor, i *Identity) error {
	actor.Change = s.NewChange("connectIdentity")
	return s.store.People().InTx(ctx, actor, func(ctx context.Context, tx PeopleTx) error {
		u, err := lockUser(ctx, tx, actor.User)
		if err != nil {
			return err
		}
		return s.connect(ctx, tx, u, i)
	})
}

// UseLinkForIdentity is UseLink for somebody who will sign in by an identity.
func (s *Service) UseLinkForIdentity(ctx context.Context, secret string, i *Identity, agent string) (*NewSession, error) {
	u, err := s.takeLink(ctx, secret)
	if err != nil {
		return nil, err
	}
	return s.beginSession(ctx, u, vcd.SignInOIDC, "useSignInLink", agent, func(ctx context.Context, tx PeopleTx, u *vcd.User) error {
		return s.connect(ctx, tx, u, i)
	})
}

// connect stores an identity of a user, whom the caller has locked.
func (s *Service) connect(ctx context.Context, tx PeopleTx, u *vcd.User, i *Identity) error {
	u.Issuer, u.Subject, u.UpdatedAt = &i.Issuer, &i.Subject, s.clock.Now()
	tx.Concern(vcd.SubjectUser, u.ID)
	if err := tx.UpdateUser(ctx, u); err != nil {
		return err
	}
	return s.sendMail(ctx, tx, u.Account, vcd.MailProviderConnected, u.Email, u.ID)
}
