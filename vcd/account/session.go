package account

import (
	"context"
	"crypto/sha256"
	"unicode/utf8"

	"afterimage/vcd"
)

// maxUserAgent is how much is kept of what a browser says about itself, in bytes.
const maxUserAgent = 255

// NewSession is a session that begins. Plain goes into the browser's cookie and is never stored.
type NewSession struct {
	vcd.Session
	Plain string
}

func (s *Service) newSession(u *vcd.User, method vcd.SignInMethod, agent string) *NewSession {
	plain, now := vcd.RandomText(), s.clock.Now()
	hash := sha256.Sum256([]byte(plain))
	return &NewSession{Plain: plain, Session: vcd.Session{
		ID: s.ids.NewID(), Account: u.Account, User: u.ID, Hash: hash[:], Method: method, UserAgent: shortened(agent),
		CreatedAt: now, UsedAt: now, ExpiresAt: now.Add(vcd.SessionLength),
	}}
}

func shortened(agent string) string {
	if len(agent) <= maxUserAgent {
		return agent
	}
	end := maxUserAgent
	for end > 0 && !utf8.RuneStart(agent[end]) {
		end--
	}
	return agent[:end]
}

// IdentifySession resolves the secret of a session's cookie, like Identify.
func (s *Service) IdentifySession(ctx context.Context, plain string) (*vcd.Bearer, error) {
	if len(plain) != vcd.TokenLength {
		return nil, vcd.Unauthenticated()
	}
	hash := sha256.Sum256([]byte(plain))
	bearer, err := s.store.AccountBySession(ctx, hash[:], s.clock.Now())
	if err != nil {
		return nil, err
	}
	if err := bearer.Account.Admit(); err != nil {
		return nil, err
	}
	return bearer, nil
}

// Sessions lists where the actor is signed in, newest first; an API token is signed in nowhere.
func (s *Service) Sessions(ctx context.Context, actor vcd.Actor) ([]*vcd.Session, error) {
	if actor.User == "" {
		return nil, nil
	}
	return vcd.Read(ctx, s.store.People(), actor, func(ctx context.Context, tx PeopleTx) ([]*vcd.Session, error) {
		return tx.Sessions(ctx, actor.User, s.clock.Now())
	})
}

// SignOut ends one of the actor's sessions, by default the one that is in use, and returns its id.
func (s *Service) SignOut(ctx context.Context, actor vcd.Actor, id *vcd.ID) (vcd.ID, error) {
	if actor.User == "" {
		return "", &vcd.Error{Code: vcd.CodeConflict, Message: "An API token has no session. Use revokeToken to revoke it."}
	}
	if id == nil {
		id = &actor.Session
	}
	return *id, s.store.People().InTx(ctx, actor, func(ctx context.Context, tx PeopleTx) error {
		tx.Concern(vcd.SubjectUser, actor.User)
		return tx.RevokeSession(ctx, actor.User, *id, s.clock.Now())
	})
}

// SignOutUser ends all sessions of a user of the account, who may not do more than the actor, and returns how many.
func (s *Service) SignOutUser(ctx context.Context, actor vcd.Actor, user vcd.ID) (int, error) {
	return vcd.Write(ctx, s.store.People(), actor, func(ctx context.Context, tx PeopleTx) (int, error) {
		u, err := tx.User(ctx, user)
		if err != nil {
			return 0, err
		}
		if actor.User != u.ID && !actor.MayGive(u.Role.Permissions()) {
			return 0, errMoreThanYou
		}
		tx.Concern(vcd.SubjectUser, u.ID)
		return tx.RevokeSessions(ctx, u.ID, s.clock.Now())
	})
}
