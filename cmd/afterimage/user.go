package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"afterimage/internal/cli"
	"afterimage/internal/people"
	"afterimage/vcd"
)

type userCmd struct {
	Create userCreateCmd `cmd:"" help:"Create a user and print a link for their first passkey."`
	Link   userLinkCmd   `cmd:"" help:"Print a link for registering another passkey, for example after the last one was lost."`
	List   userListCmd   `cmd:"" help:"List the users of an account."`
	Role   userRoleCmd   `cmd:"" help:"Give a user another role."`
	Remove userRemoveCmd `cmd:"" help:"Remove a user; their sessions, passkeys, invitations and tokens stop working."`
}

// Help is shown below the list of commands.
func (userCmd) Help() string {
	return `Users sign in with passkeys. The link works once, within an hour. Whoever opens it becomes
the user: send it through a channel that you trust. Passkeys need a host name, so open the
service at http://localhost:8080 rather than http://127.0.0.1:8080.

Examples:
  afterimage user create owner@example.com grace@example.com --name Grace --role owner --public-url https://afterimage.example.com
  afterimage user link grace@example.com --public-url https://afterimage.example.com
  afterimage user list owner@example.com
  afterimage user role grace@example.com viewer
  afterimage user remove grace@example.com
`
}

// linkFlags say where users open their links.
type linkFlags struct {
	PublicURL string `help:"URL under which browsers reach the service." default:"http://localhost:8080"`
}

func (f linkFlags) print(ctx context.Context, b *backend, email string) error {
	secret, _, err := b.service.Accounts.LinkFor(ctx, email)
	if err != nil {
		return plainOfUser(err, email)
	}
	fmt.Printf("%s%spasskey#%s\n", strings.TrimSuffix(f.PublicURL, "/"), people.Prefix, secret)
	return nil
}

// plainOfUser is plain for a command that names a user.
func plainOfUser(err error, email string) error {
	if vcd.CodeOf(err) == vcd.CodeNotFound {
		return fmt.Errorf("no user with the email address %s; 'afterimage user list' shows those of an account", email)
	}
	return plain(err)
}

type userCreateCmd struct {
	accountArg
	linkFlags
	User string `arg:"" help:"Email address of the user."`
	Name string `help:"Name of the user." required:"" env:"-"`
	Role string `help:"Role of the user: ${enum}." enum:"owner,editor,reviewer,viewer" required:"" env:"-"`
}

// Run makes the user.
func (c *userCreateCmd) Run(ctx context.Context, g *globals) error {
	return withBackend(ctx, g, needs{}, func(b *backend) error {
		a, err := findAccount(ctx, b, c.Account)
		if err != nil {
			return err
		}
		if _, err := b.service.Accounts.CreateUser(ctx, a.ID, c.User, c.Name, vcd.Role(c.Role)); err != nil {
			return plain(err)
		}
		return c.print(ctx, b, c.User)
	})
}

type userLinkCmd struct {
	linkFlags
	User string `arg:"" help:"Email address of the user."`
}

// Run makes a link.
func (c *userLinkCmd) Run(ctx context.Context, g *globals) error {
	return withBackend(ctx, g, needs{}, func(b *backend) error { return c.print(ctx, b, c.User) })
}

type userListCmd struct{ accountArg }

// Run lists the users of the account.
func (c *userListCmd) Run(ctx context.Context, g *globals) error {
	return withActor(ctx, g, c.Account, "listUsers", func(b *backend, actor vcd.Actor) error {
		t := cli.Table{{"User", "Name", "Role", "Created", "Last seen"}}
		for page := (vcd.Page{Size: vcd.MaxPageSize, Number: 1}); ; page.Number++ {
			list, err := b.service.Accounts.Users(ctx, actor, vcd.UserFilter{}, page)
			if err != nil {
				return err
			}
			for _, u := range list.Items {
				t = append(t, []string{u.Email, u.Name, string(u.Role), day(&u.CreatedAt), day(u.LastSeenAt)})
			}
			if !list.HasNextPage {
				t.Print(os.Stdout)
				return nil
			}
		}
	})
}

type userRoleCmd struct {
	User string `arg:"" help:"Email address of the user."`
	Role string `arg:"" help:"The new role: ${enum}." enum:"owner,editor,reviewer,viewer"`
}

// Run changes the role.
func (c *userRoleCmd) Run(ctx context.Context, g *globals) error {
	return withBackend(ctx, g, needs{}, func(b *backend) error {
		u, err := b.service.Accounts.GiveRole(ctx, c.User, vcd.Role(c.Role))
		if err != nil {
			return plainOfUser(err, c.User)
		}
		fmt.Printf("%s now has the role %s.\n", u.Email, u.Role)
		return nil
	})
}

type userRemoveCmd struct {
	User string `arg:"" help:"Email address of the user."`
}

// Run removes the user.
func (c *userRemoveCmd) Run(ctx context.Context, g *globals) error {
	return withBackend(ctx, g, needs{}, func(b *backend) error {
		u, err := b.service.Accounts.Expel(ctx, c.User)
		if err != nil {
			return plainOfUser(err, c.User)
		}
		fmt.Printf("%s is no longer a user.\n", u.Email)
		return nil
	})
}
