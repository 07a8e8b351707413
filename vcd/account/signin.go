package account

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"afterimage/vcd"
)

// purposeSignIn seals what a browser that signs in has to bring back.
const purposeSignIn = "account.sign_in"

// Lifetimes of what is used once.
const (
	attemptLife = 10 * time.Minute // enough to sign in at a provider
	LinkLife    = time.Hour        // of a link by the operator
)

const maxPasskeys = 20 // per user

// attempt is what is kept between two requests of somebody who signs in.
type attempt struct {
	Kind    string          `json:"kind"`
	Content json.RawMessage `json:"content"`
}

// KeepAttempt keeps something until it is brought back, once and within ten minutes, by the secret that it returns.
func (s *Service) KeepAttempt(ctx context.Context, kind string, content any) (secret string, err error) {
	return s.keep(ctx, kind, content, attemptLife)
}

func (s *Service) keep(ctx context.Context, kind string, content any, life time.Duration) (string, error) {
	text, err := json.Marshal(content)
	if err != nil {
		return "", err
	}
	whole, err := json.Marshal(attempt{kind, text})
	if err != nil {
		return "", err
	}
	sealed, err := s.sealer.Seal(purposeSignIn, string(whole))
	if err != nil {
		return "", err
	}
	secret := vcd.RandomText()
	hash := sha256.Sum256([]byte(secret))
	return secret, s.store.KeepSignIn(ctx, hash[:], sealed, s.clock.Now().Add(life))
}

// TakeAttempt reads what was kept into content.
func (s *Service) TakeAttempt(ctx context.Context, kind, secret string, content any) error {
	return s.openKept(ctx, kind, secret, content, s.store.TakeSignIn)
}

var errAttemptOver = &vcd.Error{Code: vcd.CodeConflict, Reason: "ATTEMPT_OVER",
	Message: "This sign-in took too long or has already been used. Reload the page and try again."}

func (s *Service) openKept(
	ctx context.Context, kind, secret string, content any, find func(context.Context, []byte, time.Time) ([]byte, error),
) error {
	hash := sha256.Sum256([]byte(secret))
	sealed, err := find(ctx, hash[:], s.clock.Now())
	switch {
	case vcd.CodeOf(err) == vcd.CodeNotFound:
		return errAttemptOver
	case err != nil:
		return err
	}
	text, err := s.sealer.Open(purposeSignIn, sealed)
	if err != nil {
		return fmt.Errorf("open an attempt to sign in: %w", err)
	}
	var kept attempt
	if err := json.Unmarshal([]byte(text), &kept); err != nil {
		return fmt.Errorf("read an attempt to sign in: %w", err)
	}
	if kept.Kind != kind {
		return errAttemptOver
	}
	return json.Unmarshal(kept.Content, content)
}

const kindLink = "link"

// userLink names the user whom a link by the operator is for.
type userLink struct{ Account, User vcd.ID }

// LinkFor makes a link by which a user registers a passkey, once and within an hour, and returns its secret. It is an operator
// command.
func (s *Service) LinkFor(ctx context.Context, email string) (string, *vcd.User, error) {
	u, err := s.store.UserByEmail(ctx, email)
	if err != nil {
		return "", nil, err
	}
	err = s.store.People().InTx(ctx, s.Operator(u.Account, "makeSignInLink"), func(_ context.Context, tx PeopleTx) error {
		tx.Concern(vcd.SubjectUser, u.ID)
		return nil
	})
	if err != nil {
		return "", nil, err
	}
	secret, err := s.keep(ctx, kindLink, userLink{u.Account, u.ID}, LinkLife)
	return secret, u, err
}

// LinkedUser is the user whom a link is for.
func (s *Service) LinkedUser(ctx context.Context, secret string) (*vcd.User, error) {
	var link userLink
	if err := s.openKept(ctx, kindLink, secret, &link, s.store.PeekSignIn); err != nil {
		return nil, err
	}
	return s.User(ctx, vcd.Actor{Account: link.Account}, link.User)
}

// UseLink registers a passkey of the user whom a link is for, and signs them in. It succeeds once.
func (s *Service) UseLink(ctx context.Context, secret string, key *NewPasskey, agent string) (*NewSession, error) {
	u, err := s.takeLink(ctx, secret)
	if err != nil {
		return nil, err
	}
	return s.beginSession(ctx, u, vcd.SignInPasskey, "useSignInLink", agent, func(ctx context.Context, tx PeopleTx, u *vcd.User) error {
		return s.addPasskey(ctx, tx, u, key)
	})
}

// takeLink is the user whom a link is for, whose use this is.
func (s *Service) takeLink(ctx context.Context, secret string) (*vcd.User, error) {
	var link userLink
	if err := s.TakeAttempt(ctx, kindLink, secret, &link); err != nil {
		return nil, err
	}
	return s.User(ctx, vcd.Actor{Account: link.Account}, link.User)
}

// AddPasskey registers another passkey of the actor.
func (s *Service) AddPasskey(ctx context.Context, actor vcd.Actor, key *NewPasskey) error {
	actor.Change = s.NewChange("addPasskey")
	return s.store.People().InTx(ctx, actor, func(ctx context.Context, tx PeopleTx) error {
		u, err := lockUser(ctx, tx, actor.User)
		if err != nil {
			return err
		}
		tx.Concern(vcd.SubjectUser, u.ID)
		return s.addPasskey(ctx, tx, u, key)
	})
}

// PasskeysBeside are those that a user has, who wants another one: their authenticators need none. It fails when there are too many.
func (s *Service) PasskeysBeside(ctx context.Context, u *vcd.User) ([]*vcd.Passkey, error) {
	return vcd.Read(ctx, s.store.People(), vcd.Actor{Account: u.Account}, func(ctx context.Context, tx PeopleTx) ([]*vcd.Passkey, error) {
		return passkeysBeside(ctx, tx, u)
	})
}

func passkeysBeside(ctx context.Context, tx PeopleTx, u *vcd.User) ([]*vcd.Passkey, error) {
	known, err := tx.Passkeys(ctx, u.ID)
	if err == nil && len(known) >= maxPasskeys {
		err = &vcd.Error{Code: vcd.CodeConflict, Reason: "TOO_MANY_PASSKEYS",
			Message: fmt.Sprintf("You already have %d passkeys, which is the limit. Delete one first.", len(known))}
	}
	return known, err
}

func (s *Service) addPasskey(ctx context.Context, tx PeopleTx, u *vcd.User, key *NewPasskey) error {
	if _, err := passkeysBeside(ctx, tx, u); err != nil {
		return err
	}
	if err := tx.InsertPasskey(ctx, s.passkeyOf(u, key)); err != nil {
		return err
	}
	return s.sendMail(ctx, tx, u.Account, vcd.MailPasskeyAdded, u.Email, u.ID)
}

// SignInByPasskey signs in whoever proves to have a passkey. Verify says whether they do, and what is to be stored of it now.
func (s *Service) SignInByPasskey(
	ctx context.Context, credentialID []byte, verify func(*vcd.User, *vcd.Passkey) ([]byte, error), agent string,
) (*NewSession, error) {
	found, err := s.store.PasskeyByCredential(ctx, credentialID)
	if err != nil {
		return nil, unknownToUs(err)
	}
	u, err := s.User(ctx, vcd.Actor{Account: found.Account}, found.User)
	if err != nil {
		return nil, unknownToUs(err)
	}
	return s.beginSession(ctx, u, vcd.SignInPasskey, "signIn", agent, func(ctx context.Context, tx PeopleTx, u *vcd.User) error {
		p, err := tx.LockPasskey(ctx, found.ID)
		if err != nil {
			return unknownToUs(err)
		}
		if p.Credential, err = verify(u, p); err != nil {
			return err
		}
		now := s.clock.Now()
		p.UsedAt = &now
		return tx.UpdatePasskey(ctx, p)
	})
}

// unknownToUs turns a passkey or a user that is not there into a refusal.
func unknownToUs(err error) error {
	if vcd.CodeOf(err) != vcd.CodeNotFound {
		return err
	}
	return &vcd.Error{Code: vcd.CodeUnauthenticated, Reason: "PASSKEY_UNKNOWN",
		Message: "This service does not know this passkey. Use another one, or ask an owner of the account for an invitation."}
}

// beginSession signs a user in, after something else that belongs to it was done in the same transaction, in which they are locked.
func (s *Service) beginSession(
	ctx context.Context, found *vcd.User, method vcd.SignInMethod, action, agent string,
	first func(context.Context, PeopleTx, *vcd.User) error,
) (*NewSession, error) {
	a, err := s.Account(ctx, vcd.Actor{Account: found.Account})
	if err != nil {
		return nil, err
	}
	if err := a.Admit(); err != nil {
		return nil, err
	}
	session := s.newSession(found, method, agent)
	actor := vcd.Actor{Account: found.Account, User: found.ID, Session: session.ID, Name: found.Name, Change: s.NewChange(action)}
	return session, s.store.People().InTx(ctx, actor, func(ctx context.Context, tx PeopleTx) error {
		u, err := lockUser(ctx, tx, found.ID)
		if err != nil {
			return unknownToUs(err)
		}
		if err := first(ctx, tx, u); err != nil {
			return err
		}
		tx.Concern(vcd.SubjectUser, u.ID)
		if err := tx.RevokeOldSessions(ctx, u.ID, vcd.MaxSessions-1, s.clock.Now()); err != nil {
			return err
		}
		return tx.InsertSession(ctx, &session.Session)
	})
}
