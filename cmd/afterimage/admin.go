package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"afterimage/vcd"
)

// migrateCmd brings the database up to date without serving.
type migrateCmd struct{}

// Run migrates.
func (migrateCmd) Run(ctx context.Context, g *globals) error {
	return withBackend(ctx, g, needs{}, func(*backend) error {
		fmt.Println("The database is up to date.")
		return nil
	})
}

type accountCmd struct {
	Create accountCreateCmd `cmd:"" help:"Open an account and print its first API token."`
}

// accountCreateCmd opens an account.
type accountCreateCmd struct {
	Email       string `arg:"" help:"Address of the account's owner; alert mails go there."`
	FirstName   string `help:"First name of the owner." env:"-"`
	LastName    string `help:"Last name of the owner." env:"-"`
	ChecksLimit int    `help:"Screenshots the account may take; 0 means the default of one million." env:"-"`
}

// Run opens the account.
func (c *accountCreateCmd) Run(ctx context.Context, g *globals) error {
	return withBackend(ctx, g, needs{}, func(b *backend) error {
		_, token, err := b.service.CreateAccount(ctx, vcd.AccountInput{
			NameFirst: c.FirstName, NameLast: c.LastName, Email: c.Email, ChecksLimit: c.ChecksLimit,
		})
		if err != nil {
			return plain(err)
		}
		fmt.Println(token.Plain)
		return nil
	})
}

type tokenCmd struct {
	Create tokenCreateCmd `cmd:"" help:"Make another API token for an account and print it."`
}

// tokenCreateCmd makes a token.
type tokenCreateCmd struct {
	Email     string        `arg:"" help:"Address of the account."`
	Name      string        `help:"What the token is for." default:"command line" env:"-"`
	ExpiresIn time.Duration `help:"How long the token works; 0 means until it is revoked." default:"0" env:"-"`
}

// Run makes the token.
func (c *tokenCreateCmd) Run(ctx context.Context, g *globals) error {
	if c.ExpiresIn < 0 {
		return fmt.Errorf("--expires-in must not be negative, but is %s; 0 makes a token that works until it is revoked", c.ExpiresIn)
	}
	return withBackend(ctx, g, needs{}, func(b *backend) error {
		account, err := b.db.AccountByEmail(ctx, c.Email)
		if err != nil {
			return plain(err)
		}
		var expires *time.Time
		if c.ExpiresIn > 0 {
			at := b.service.Clock.Now().Add(c.ExpiresIn)
			expires = &at
		}
		token, err := b.service.CreateToken(ctx, vcd.Actor{Account: account.ID}, c.Name, expires)
		if err != nil {
			return plain(err)
		}
		fmt.Println(token.Plain)
		return nil
	})
}

// withBackend runs do with an open database and closes it again.
func withBackend(ctx context.Context, g *globals, n needs, do func(*backend) error) error {
	logger, err := g.logger(os.Stderr)
	if err != nil {
		return err
	}
	b, err := openBackend(ctx, g, n, logger)
	if err != nil {
		return err
	}
	return errors.Join(do(b), b.close())
}

// plain turns a refusal into what a person at the command line should read.
func plain(err error) error {
	var refusal *vcd.Error
	if !errors.As(err, &refusal) {
		return err
	}
	if len(refusal.Fields) > 0 {
		return errors.New(refusal.Fields[0].Text())
	}
	return errors.New(refusal.Message)
}
