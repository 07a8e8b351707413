package account

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"afterimage/vcd"
)

const (
	invitationLife     = 7 * 24 * time.Hour
	maxOpenInvitations = 100 // per account
)

// Invite offers somebody a role in the actor's account and sends them a mail with a link. Nobody gives more than they have
// themselves. Failed attempts count against the rate limit too, so that nobody can probe addresses in bulk.
func (s *Service) Invite(ctx context.Context, actor vcd.Actor, email string, role vcd.Role) (*vcd.Invitation, error) {
	v := &vcd.Validation{}
	v.Email("email", email)
	if err := v.Err(); err != nil {
		return nil, err
	}
	if err := checkRole(actor, role); err != nil {
		return nil, err
	}
	if err := s.spendInvitation(ctx, actor); err != nil {
		return nil, err
	}
	if known, err := vcd.OrGone(s.store.UserByEmail(ctx, email)); err != nil || known != nil {
		if err == nil {
			err = vcd.Invalid("email", "unique", "The {field} has already been taken.")
		}
		return nil, err
	}
	now := s.clock.Now()
	i := &vcd.Invitation{ID: s.ids.NewID(), Account: actor.Account, Email: email, Role: role, Inviter: actor.Person(), CreatedAt: now,
		ExpiresAt: now.Add(invitationLife)}
	return i, s.store.People().InTx(ctx, actor, func(ctx context.Context, tx PeopleTx) error {
		if _, err := tx.LockAccount(ctx); err != nil {
			return err
		}
		if err := makeRoom(ctx, tx, email, now); err != nil {
			return err
		}
		if err := tx.InsertInvitation(ctx, i); err != nil {
			return err
		}
		return s.sendInvitation(ctx, tx, i)
	})
}

// makeRoom refuses an invitation beside one that is pending, or beyond the limit. An expired one of the address is revoked.
func makeRoom(ctx context.Context, tx PeopleTx, email string, now time.Time) error {
	switch old, err := vcd.OrGone(tx.OpenInvitation(ctx, email)); {
	case err != nil:
		return err
	case old != nil && old.State(now) == vcd.InvitationPending:
		return vcd.Invalid("email", "invited", "The {field} has already been invited. Resend or revoke that invitation.")
	case old != nil:
		old.RevokedAt = &now
		if err := tx.UpdateInvitation(ctx, old); err != nil {
			return err
		}
	}
	n, err := tx.CountOpenInvitations(ctx, now)
	if err == nil && n >= maxOpenInvitations {
		err = &vcd.Error{Code: vcd.CodeConflict,
			Message: fmt.Sprintf("The account already has %d pending invitations, which is the limit. Revoke one first.", n)}
	}
	return err
}

// spendInvitation spends the account's allowance for sending one invitation.
func (s *Service) spendInvitation(ctx context.Context, actor vcd.Actor) error {
	most := s.frequencies.Invitations
	if most == 0 {
		return nil
	}
	return s.store.People().InTx(ctx, vcd.Actor{Account: actor.Account}, func(ctx context.Context, tx PeopleTx) error {
		wait, err := tx.Spend(ctx, s.clock.Now(), vcd.Allowance{Key: "invitations of " + string(actor.Account), Size: most})
		if err != nil || wait == 0 {
			return err
		}
		return vcd.RateLimited("An account can send up to "+vcd.Plural(most, "invitation")+" per hour.", wait)
	})
}

// sendInvitation queues the mail. Its link is made when it is sent, so that the secret is stored nowhere.
func (s *Service) sendInvitation(ctx context.Context, tx PeopleTx, i *vcd.Invitation) error {
	if err := s.sendMail(ctx, tx, i.Account, vcd.MailInvitation, i.Email, i.ID); err != nil {
		return err
	}
	return s.peopleChanged(ctx, tx, vcd.SubjectInvitation, i.ID)
}

// sendMail queues a mail that no event causes.
func (s *Service) sendMail(ctx context.Context, tx PeopleTx, account vcd.ID, kind vcd.MailKind, recipient string, subject vcd.ID) error {
	now := s.clock.Now()
	m := &vcd.Mail{ID: s.ids.NewID(), Account: account, Kind: kind, Recipient: recipient, SubjectID: subject,
		State: vcd.MailPending, NextAttemptAt: &now, CreatedAt: now, UpdatedAt: now}
	if err := tx.InsertMails(ctx, []*vcd.Mail{m}); err != nil {
		return err
	}
	return tx.EnqueueMail(ctx, vcd.MailJob{Account: m.Account, Mail: m.ID})
}

// Invitations lists the invitations of the actor's account, newest first, in whatever state.
func (s *Service) Invitations(
	ctx context.Context, actor vcd.Actor, f vcd.InvitationFilter, p vcd.Page,
) (*vcd.List[*vcd.Invitation], error) {
	if err := vcd.CheckSearch(f.Search); err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store.People(), actor, func(ctx context.Context, tx PeopleTx) (*vcd.List[*vcd.Invitation], error) {
		return tx.Invitations(ctx, f, p)
	})
}

// ResendInvitation sends a pending or expired invitation again. Its new link replaces the one before.
func (s *Service) ResendInvitation(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Invitation, error) {
	if err := s.spendInvitation(ctx, actor); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store.People(), actor, func(ctx context.Context, tx PeopleTx) (*vcd.Invitation, error) {
		i, err := lockInvitation(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		now := s.clock.Now()
		switch i.State(now) {
		case vcd.InvitationAccepted:
			return nil, errInvitationUsed
		case vcd.InvitationRevoked:
			return nil, errInvitationRevoked
		}
		if err := checkRole(actor, i.Role); err != nil { // who resends it gives the role
			return nil, err
		}
		i.ExpiresAt, i.Hash = now.Add(invitationLife), nil // the new link is made when its mail is sent
		if err := tx.UpdateInvitation(ctx, i); err != nil {
			return nil, err
		}
		return i, s.sendInvitation(ctx, tx, i)
	})
}

// RevokeInvitation makes the links of an invitation useless.
func (s *Service) RevokeInvitation(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Invitation, error) {
	return vcd.Write(ctx, s.store.People(), actor, func(ctx context.Context, tx PeopleTx) (*vcd.Invitation, error) {
		i, err := lockInvitation(ctx, tx, id)
		switch {
		case err != nil:
			return nil, err
		case i.AcceptedAt != nil:
			return nil, errInvitationUsed
		case i.RevokedAt != nil:
			return i, nil
		}
		now := s.clock.Now()
		i.RevokedAt = &now
		if err := tx.UpdateInvitation(ctx, i); err != nil {
			return nil, err
		}
		return i, s.peopleChanged(ctx, tx, vcd.SubjectInvitation, i.ID)
	})
}

func lockInvitation(ctx context.Context, tx PeopleTx, id vcd.ID) (*vcd.Invitation, error) {
	if _, err := tx.LockAccount(ctx); err != nil {
		return nil, err
	}
	return tx.LockInvitation(ctx, id)
}

// The errors of links that no longer work.
var (
	errInvitationUnknown = &vcd.Error{Code: vcd.CodeConflict, Reason: "INVITATION_UNKNOWN",
		Message: "This invitation link does not work: it is incomplete, or a newer one was sent. Use the link in the newest email."}
	errInvitationUsed = &vcd.Error{Code: vcd.CodeConflict, Reason: "INVITATION_USED",
		Message: "The invitation has already been accepted. Sign in instead."}
	errInvitationRevoked = &vcd.Error{Code: vcd.CodeConflict, Reason: "INVITATION_REVOKED",
		Message: "The invitation was revoked. Ask for a new one."}
	errInvitationExpired = &vcd.Error{Code: vcd.CodeConflict, Reason: "INVITATION_EXPIRED",
		Message: "The invitation has expired. Ask for a new one."}
)

func usable(i *vcd.Invitation, now time.Time) error {
	switch i.State(now) {
	case vcd.InvitationAccepted:
		return errInvitationUsed
	case vcd.InvitationRevoked:
		return errInvitationRevoked
	case vcd.InvitationExpired:
		return errInvitationExpired
	}
	return nil
}

// Invitation is the pending invitation of a link, and the account that it is to.
func (s *Service) Invitation(ctx context.Context, secret string) (*vcd.Invitation, *vcd.Account, error) {
	if len(secret) != vcd.TokenLength {
		return nil, nil, errInvitationUnknown
	}
	hash := sha256.Sum256([]byte(secret))
	i, err := s.store.InvitationByHash(ctx, hash[:])
	switch {
	case vcd.CodeOf(err) == vcd.CodeNotFound:
		return nil, nil, errInvitationUnknown
	case err != nil:
		return nil, nil, err
	}
	if err := usable(i, s.clock.Now()); err != nil {
		return nil, nil, err
	}
	a, err := s.Account(ctx, vcd.Actor{Account: i.Account})
	if err != nil {
		return nil, nil, err
	}
	return i, a, a.Admit()
}

// Joining is how somebody accepts an invitation: by a new passkey, or by an identity of the OpenID provider.
type Joining struct {
	User      vcd.ID // the id that the passkey was made for; empty for a new one
	Name      string
	Passkey   *NewPasskey
	Identity  *Identity
	UserAgent string
}

// AcceptInvitation makes a user of whoever holds the link, and signs them in. It succeeds once.
func (s *Service) AcceptInvitation(ctx context.Context, secret string, in Joining) (*NewSession, error) {
	v := &vcd.Validation{}
	v.Name("name", in.Name, vcd.MaxNameLength)
	v.Check(in.Passkey != nil || in.Identity != nil, "passkey", "required", "The {field} field is required.")
	if err := v.Err(); err != nil {
		return nil, err
	}
	found, a, err := s.Invitation(ctx, secret)
	if err != nil {
		return nil, err
	}
	if in.Identity != nil && in.Identity.Email != "" && !strings.EqualFold(in.Identity.Email, found.Email) {
		return nil, &vcd.Error{Code: vcd.CodeConflict, Reason: "OTHER_ADDRESS",
			Message: "You are signed in at the provider with another email address than the invitation is for. Switch accounts there, or " +
				"ask for an invitation to that address."}
	}
	u := s.newUser(a.ID, found.Email, strings.TrimSpace(in.Name), found.Role)
	if in.User != "" {
		u.ID = in.User
	}
	session := s.newSession(u, in.method(), in.UserAgent)
	actor := vcd.Actor{Account: a.ID, User: u.ID, Session: session.ID, Name: u.Name, Change: s.NewChange("acceptInvitation")}
	return session, s.store.People().InTx(ctx, actor, func(ctx context.Context, tx PeopleTx) error {
		i, err := lockInvitation(ctx, tx, found.ID)
		if err != nil {
			return err
		}
		now := s.clock.Now()
		if err := usable(i, now); err != nil {
			return err
		}
		if !bytes.Equal(i.Hash, found.Hash) { // sent again meanwhile
			return errInvitationUnknown
		}
		if in.Identity != nil {
			u.Issuer, u.Subject = &in.Identity.Issuer, &in.Identity.Subject
		}
		if err := s.addUser(ctx, tx, u); err != nil {
			return err
		}
		if in.Passkey != nil {
			if err := tx.InsertPasskey(ctx, s.passkeyOf(u, in.Passkey)); err != nil {
				return err
			}
		}
		if err := tx.InsertSession(ctx, &session.Session); err != nil {
			return err
		}
		i.AcceptedAt, i.User = &now, &u.ID
		if err := tx.UpdateInvitation(ctx, i); err != nil {
			return err
		}
		return s.peopleChanged(ctx, tx, vcd.SubjectUser, u.ID)
	})
}

func (in Joining) method() vcd.SignInMethod {
	if in.Identity != nil {
		return vcd.SignInOIDC
	}
	return vcd.SignInPasskey
}
