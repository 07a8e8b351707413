package graph

import (
	"context"
	"time"

	"afterimage/graph/resolver"
	"afterimage/vcd"
)

// faultPause is how long a stream waits before it asks again about its token when the database was away.
const faultPause = 500 * time.Millisecond

// leastTrust bounds how often a request that takes long asks about its token.
const leastTrust = 100 * time.Millisecond

// grant lets a request, a WebSocket or an event stream in. It is judged whenever it is used: before each operation, and before each
// event is sent.
type grant struct {
	*standing
	account     vcd.ID
	permissions vcd.Permissions // with which the caller was let in
	trust       time.Duration   // for which an answer about the token serves

	ended context.Context // ends when a connection has lost its grant; nil for requests
	end   func()          // ends the connection, however often it is called; nil for requests
}

type grantKey struct{}

// grantOf is nil for operations that did not come in by a token.
func grantOf(ctx context.Context) *grant {
	g, _ := ctx.Value(grantKey{}).(*grant)
	return g
}

// withToken is the context of whom an API token stands for. On error it returns the context that it was given.
func (s *Server) withToken(ctx context.Context, token string) (context.Context, error) {
	return s.withCredential(ctx, credential{plain: token})
}

// withCredential is withToken for tokens and sessions.
func (s *Server) withCredential(ctx context.Context, c credential) (context.Context, error) {
	g := &grant{standing: &standing{service: s.service, credential: c}, trust: s.config.Timing.Trust}
	bearer, err := g.standing.since(ctx, time.Now())
	if err != nil {
		return ctx, err
	}
	actor := bearer.Actor()
	g.account, g.permissions = bearer.Account.ID, actor.Permissions
	return context.WithValue(resolver.WithActor(ctx, actor), grantKey{}, g), nil
}

// since is a refusal or a fault, as of the standing. What was let in with other permissions has to come again: a user's role can
// change.
func (g *grant) since(ctx context.Context, moment time.Time) error {
	bearer, err := g.standing.since(ctx, moment)
	if err == nil && bearer.Actor().Permissions != g.permissions {
		return vcd.Forbidden()
	}
	return err
}

// check tells why the grant is none any more; a connection ends then.
func (g *grant) check(ctx context.Context) error {
	if g == nil {
		return nil
	}
	err := g.since(ctx, time.Now().Add(-g.trust))
	if err != nil && g.end != nil && isRefusal(err) {
		g.end()
	}
	return err
}

// holds is check for a stream, which waits while the database is away.
func (g *grant) holds(ctx context.Context) bool {
	for {
		err := g.check(ctx)
		if err == nil {
			return true
		}
		if isRefusal(err) || !vcd.Pause(ctx, faultPause) {
			return false
		}
	}
}

// bound is ctx, ended also by the end of the grant. A connection is told of that; for a request that takes longer than an answer
// serves, the question is asked again and again.
func (g *grant) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	switch {
	case g == nil:
		return ctx, cancel
	case g.ended != nil:
		stop := context.AfterFunc(g.ended, cancel)
		return ctx, func() { stop(); cancel() }
	}
	pace := max(g.trust, leastTrust)
	timer := time.AfterFunc(pace, func() {
		for ctx.Err() == nil {
			if err := g.since(ctx, time.Now().Add(-pace)); err != nil && isRefusal(err) {
				cancel()
			}
			vcd.Pause(ctx, pace)
		}
	})
	return ctx, func() { timer.Stop(); cancel() }
}

// guard ends a connection as soon as its grant is none any more: it is woken when the account or a token of it changes, and
// looks for itself from time to time. A database that is away ends no connection. It returns when ctx ends.
func (s *Server) guard(ctx context.Context, g *grant) {
	wake, stop := s.service.Config().Feed.WatchAuthority(g.account)
	defer stop()
	wait, age := g.left(s.config.Timing.Recheck), s.config.Timing.Recheck
	for {
		var told bool
		timer := time.NewTimer(wait)
		select {
		case <-wake:
			told = true
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil {
			return
		}
		since := time.Now()
		if !told { // what another connection of the token has asked meanwhile serves
			since = since.Add(-age)
		}
		err := g.since(ctx, since)
		switch {
		case err == nil:
			wait, age = g.left(s.config.Timing.Recheck), s.config.Timing.Recheck
		case isRefusal(err):
			g.end()
			return
		default:
			wait, age = faultPause, 0
		}
	}
}
