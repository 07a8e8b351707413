package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"afterimage/internal/cli"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
)

type tokenCmd struct {
	Create tokenCreateCmd `cmd:"" help:"Create an API token for an account and print it."`
	List   tokenListCmd   `cmd:"" help:"List the API tokens of an account."`
	Revoke tokenRevokeCmd `cmd:"" help:"Revoke an API token, immediately and permanently."`
}

// Help is shown below the list of commands.
func (tokenCmd) Help() string {
	return `A token is shown once, when it is created. Later it is identified by its first eight
characters. To rotate a token, create another, give it to the client, and revoke the old
one. An account can have up to ten live tokens.

Examples:
  afterimage token create owner@example.com --name ci --expires-in 720h --scopes read,run
  afterimage token list owner@example.com
  afterimage token revoke owner@example.com Xy12abCD
`
}

// tokenCreateCmd makes a token.
type tokenCreateCmd struct {
	Account   string        `arg:"" help:"Email address or id of the account."`
	Name      string        `help:"Name of the token, which says what it is for." default:"command line" env:"-"`
	Scopes    []string      `help:"Scopes of the token: ${enum}; read is always included." enum:"read,run,review,manage" default:"read,run,review,manage" env:"-"`
	ExpiresIn time.Duration `help:"Lifetime of the token; 0: until it is revoked." default:"0" env:"-"`
}

// Run makes the token.
func (c *tokenCreateCmd) Run(ctx context.Context, g *globals) error {
	if c.ExpiresIn < 0 {
		return fmt.Errorf("--expires-in must not be negative, got %s; use 0 for a token that is valid until it is revoked", c.ExpiresIn)
	}
	return withActor(ctx, g, c.Account, "createToken", func(b *backend, actor vcd.Actor) error {
		change := account.TokenChange{Name: vcd.Some(c.Name), Scopes: vcd.Some(scopes(c.Scopes))}
		if c.ExpiresIn > 0 {
			change.ExpiresAt = vcd.Some(b.service.Config().Clock.Now().Add(c.ExpiresIn))
		}
		token, err := b.service.Accounts.CreateToken(ctx, actor, nil, change)
		if err != nil {
			return err
		}
		fmt.Println(token.Plain)
		return nil
	})
}

func scopes(names []string) []vcd.Scope {
	scopes := make([]vcd.Scope, len(names))
	for i, name := range names {
		scopes[i] = vcd.Scope(name)
	}
	return scopes
}

// withActor runs an operator's command on an account.
func withActor(ctx context.Context, g *globals, called, command string, do func(b *backend, actor vcd.Actor) error) error {
	return withBackend(ctx, g, needs{}, func(b *backend) error {
		a, err := findAccount(ctx, b, called)
		if err != nil {
			return err
		}
		return plain(do(b, b.service.Accounts.Operator(a.ID, command)))
	})
}

type tokenListCmd struct{ accountArg }

// Run lists the tokens of the account.
func (c *tokenListCmd) Run(ctx context.Context, g *globals) error {
	return withActor(ctx, g, c.Account, "listTokens", func(b *backend, actor vcd.Actor) error {
		t := cli.Table{{"Prefix", "Name", "Scopes", "State", "Created", "Last used", "Expires"}}
		now := b.service.Config().Clock.Now()
		for token, err := range everyToken(ctx, b.service, actor, vcd.TokenFilter{}) {
			if err != nil {
				return err
			}
			t = append(t, []string{token.Prefix, token.Name, scopeList(token), tokenState(token, now), day(&token.CreatedAt),
				day(token.LastUsedAt), day(token.ExpiresAt)})
		}
		t.Print(os.Stdout)
		return nil
	})
}

// everyToken walks through the pages of the list.
func everyToken(ctx context.Context, s *app.Service, actor vcd.Actor, f vcd.TokenFilter) func(yield func(*vcd.Token, error) bool) {
	return func(yield func(*vcd.Token, error) bool) {
		for page := (vcd.Page{Size: vcd.MaxPageSize, Number: 1}); ; page.Number++ {
			list, err := s.Accounts.Tokens(ctx, actor, nil, f, page)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, token := range list.Items {
				if !yield(token, nil) {
					return
				}
			}
			if !list.HasNextPage {
				return
			}
		}
	}
}

func scopeList(t *vcd.Token) string {
	names := make([]string, len(t.Scopes))
	for i, s := range t.Scopes {
		names[i] = string(s)
	}
	return strings.Join(names, ",")
}

func tokenState(t *vcd.Token, now time.Time) string {
	switch {
	case t.RevokedAt != nil:
		return "revoked"
	case !t.Live(now):
		return "expired"
	}
	return "live"
}

type tokenRevokeCmd struct {
	accountArg
	Prefix string `arg:"" help:"First characters of the token."`
}

// Run revokes the token.
func (c *tokenRevokeCmd) Run(ctx context.Context, g *globals) error {
	if c.Prefix == "" {
		return errors.New("give the first characters of the token; 'afterimage token list' shows them")
	}
	return withActor(ctx, g, c.Account, "revokeToken", func(b *backend, actor vcd.Actor) error {
		prefix := c.Prefix[:min(len(c.Prefix), account.TokenPrefixLength)] // a whole token may be given, too
		now := b.service.Config().Clock.Now()
		list, err := b.service.Accounts.Tokens(ctx, actor, nil, vcd.TokenFilter{Prefix: &prefix, LiveAt: &now},
			vcd.Page{Size: vcd.MaxPageSize})
		switch {
		case err != nil:
			return err
		case len(list.Items) != 1:
			return fmt.Errorf("%d live tokens start with %s, but exactly one must match; 'afterimage token list %s' shows them",
				len(list.Items), prefix, c.Account)
		}
		token, err := b.service.Accounts.RevokeToken(ctx, actor, nil, list.Items[0].ID)
		if err != nil {
			return err
		}
		fmt.Printf("Revoked the token %s (%s).\n", token.Prefix, token.Name)
		return nil
	})
}
