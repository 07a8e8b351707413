package graph

import (
	"context"
	"sync"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"afterimage/vcd"
)

// connections are the WebSockets and event streams that are open, by token and by account.
type connections struct {
	limits Limits

	mu       sync.Mutex
	tokens   map[vcd.ID]*sharers
	accounts map[vcd.ID]int
}

// sharers are the connections of one token.
type sharers struct {
	standing *standing
	number   int
}

func newConnections(limits Limits) *connections {
	return &connections{limits: limits, tokens: map[vcd.ID]*sharers{}, accounts: map[vcd.ID]int{}}
}

// join counts one more connection of a token, if there may be another one. All of one token share what is known of it.
// What is returned gives the connection back, once.
func (c *connections) join(who vcd.Actor, own *standing) (shared *standing, leave func(), refused *gqlerror.Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.tokens[who.Credential()]
	if of == nil {
		of = &sharers{standing: own}
	}
	switch {
	case of.number >= c.limits.ConnectionsPerToken:
		return nil, nil, coded(codeTooManyConnections,
			"The API token already has %d open connections: close one first.", c.limits.ConnectionsPerToken)
	case c.accounts[who.Account] >= c.limits.ConnectionsPerAccount:
		return nil, nil, coded(codeTooManyConnections,
			"The account already has %d open connections: close one first.", c.limits.ConnectionsPerAccount)
	}
	of.number++
	c.tokens[who.Credential()] = of
	c.accounts[who.Account]++
	return of.standing, sync.OnceFunc(func() { c.leave(who) }), nil
}

func (c *connections) leave(who vcd.Actor) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if of := c.tokens[who.Credential()]; of.number > 1 {
		of.number--
	} else {
		delete(c.tokens, who.Credential())
	}
	if c.accounts[who.Account]--; c.accounts[who.Account] == 0 {
		delete(c.accounts, who.Account)
	}
}

// connect makes a connection of a request that was let in: its grant is judged as long as the connection lasts, and end is called
// once when it is lost. The caller must call leave when the connection has ended.
func (s *Server) connect(ctx context.Context, who vcd.Actor, end func()) (_ context.Context, leave func(), refused *gqlerror.Error) {
	own := grantOf(ctx)
	shared, gone, refused := s.connections.join(who, own.standing)
	if refused != nil {
		return ctx, nil, refused
	}
	ended, lose := context.WithCancel(context.WithoutCancel(ctx))
	g := &grant{standing: shared, account: own.account, permissions: own.permissions, trust: own.trust, ended: ended,
		end: sync.OnceFunc(func() { lose(); end() })}
	guarded, stop := context.WithCancel(ctx)
	var guard sync.WaitGroup
	guard.Go(func() { s.guard(guarded, g) })
	return context.WithValue(ctx, grantKey{}, g), func() {
		stop()
		guard.Wait()
		lose()
		gone()
	}, nil
}
