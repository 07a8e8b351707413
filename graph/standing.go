package graph

import (
	"context"
	"sync"
	"time"

	"afterimage/vcd"
	"afterimage/vcd/app"
)

// credential is what a caller shows: an API token, or the secret of a user's session.
type credential struct {
	plain   string
	session bool
}

// identify asks whom a credential stands for.
func (c credential) identify(ctx context.Context, service *app.Service) (*vcd.Bearer, error) {
	if c.session {
		return service.Accounts.IdentifySession(ctx, c.plain)
	}
	return service.Accounts.Identify(ctx, c.plain)
}

// standing is what a token or a session may do at present, as far as this process knows. Connections of the same one share it.
type standing struct {
	service    *app.Service
	credential credential

	mu     sync.Mutex
	asked  time.Time // when the answer below was asked for; zero before the first
	bearer *vcd.Bearer
	err    error // the refusal; else there is a bearer
}

// since is who the token stands for, by an answer that was asked for at a moment or later. The error is a refusal, or the fault for
// which there is no such answer.
func (s *standing) since(ctx context.Context, moment time.Time) (*vcd.Bearer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked.Before(moment) {
		asked := time.Now()
		bearer, err := s.credential.identify(ctx, s.service)
		if err != nil && !isRefusal(err) {
			return nil, err
		}
		s.asked, s.bearer, s.err = asked, bearer, err
	}
	if s.err != nil {
		return nil, s.err
	}
	if at := s.bearer.ExpiresAt; at != nil && !at.After(s.service.Config().Clock.Now()) {
		return nil, vcd.Unauthenticated()
	}
	return s.bearer, nil
}

// left is how long the token works at most, and no more than limit.
func (s *standing) left(limit time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil || s.bearer == nil || s.bearer.ExpiresAt == nil {
		return limit
	}
	return max(time.Millisecond, min(limit, s.bearer.ExpiresAt.Sub(s.service.Config().Clock.Now())))
}

// isRefusal tells an answer about a token from a fault that kept it from being asked.
func isRefusal(err error) bool {
	switch vcd.CodeOf(err) {
	case vcd.CodeUnauthenticated, vcd.CodeActivateAccount, vcd.CodeForbidden:
		return true
	}
	return false
}
