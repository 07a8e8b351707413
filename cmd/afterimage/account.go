package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"afterimage/internal/cli"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
)

type accountCmd struct {
	Create   accountCreateCmd  `cmd:"" help:"Create an account and print its first API token."`
	List     accountListCmd    `cmd:"" help:"List all accounts with their subaccounts."`
	Show     accountShowCmd    `cmd:"" help:"Show an account."`
	Pause    accountPauseCmd   `cmd:"" help:"Stop all runs of an account and its subaccounts until it is reactivated."`
	Cancel   accountCancelCmd  `cmd:"" help:"Refuse all requests of an account and its subaccounts."`
	Activate accountOpenCmd    `cmd:"" help:"Activate an invited, paused or cancelled account and its subaccounts."`
	SetEmail accountEmailCmd   `cmd:"" help:"Change the email address of an account."`
	SetPlan  accountSetPlanCmd `cmd:"" help:"Change the plan of an account."`
}

// Help is shown below the list of commands.
func (accountCmd) Help() string {
	return `Accounts are identified by the email address of their owner, or by their id.

Examples:
  afterimage account create owner@example.com --checks-limit 50000
  afterimage account create guest@example.com --invited && afterimage account activate guest@example.com
  afterimage account list
  afterimage account set-email 018f3c1e-7d2a-7c11-9a3b-5f0e2d4c6b8a owner@example.com
  afterimage account set-plan owner@example.com --checks-limit 100000 --ai-verification=true
`
}

// accountCreateCmd opens an account.
type accountCreateCmd struct {
	Email       string `arg:"" help:"Email address of the owner, who receives account mails."`
	FirstName   string `help:"First name of the owner." env:"-"`
	LastName    string `help:"Last name of the owner." env:"-"`
	ChecksLimit int    `help:"Screenshots per month; 0: the default of one million." env:"-"`
	Invited     bool   `help:"Refuse requests until the account is activated." env:"-"`
}

// Run opens the account.
func (c *accountCreateCmd) Run(ctx context.Context, g *globals) error {
	return withBackend(ctx, g, needs{}, func(b *backend) error {
		_, token, err := b.service.Accounts.CreateAccount(ctx, account.Input{
			NameFirst: c.FirstName, NameLast: c.LastName, Email: c.Email, ChecksLimit: c.ChecksLimit, Invited: c.Invited,
		})
		if err != nil {
			return plain(err)
		}
		fmt.Println(token.Plain)
		return nil
	})
}

type accountListCmd struct{}

// Run lists all accounts.
func (accountListCmd) Run(ctx context.Context, g *globals) error {
	return withBackend(ctx, g, needs{}, func(b *backend) error {
		accounts, err := b.db.Accounts(ctx)
		if err != nil {
			return plain(err)
		}
		t := cli.Table{{"Account", "Name", "State", "Plan", "Done", "Running", "Limit", "Renewal"}}
		for _, a := range accounts {
			t = append(t, []string{indent(a), name(a), state(a), a.PlanName, strconv.Itoa(a.ChecksDone),
				strconv.Itoa(a.ChecksReserved), strconv.Itoa(a.ChecksLimit), day(&a.RenewalAt)})
		}
		t.Print(os.Stdout)
		return nil
	})
}

// indent is the address, moved in when the account stands below the one above it in the list.
func indent(a *vcd.Account) string {
	if a.IsSubaccount() {
		return "└ " + called(a)
	}
	return called(a)
}

// called is what commands call an account: its address, or its id without one.
func called(a *vcd.Account) string { return cmp.Or(a.Email, string(a.ID)) }

func name(a *vcd.Account) string {
	switch {
	case a.NameFirst == "":
		return a.NameLast
	case a.NameLast == "":
		return a.NameFirst
	}
	return a.NameFirst + " " + a.NameLast
}

func state(a *vcd.Account) string {
	if !a.InvitationAccepted {
		return "invited"
	}
	return string(a.Status)
}

// day is a date, or a dash.
func day(t *time.Time) string {
	if t == nil {
		return "–"
	}
	return t.Format(time.DateOnly)
}

// accountArg names the account that a command is about.
type accountArg struct {
	Account string `arg:"" help:"Email address or id of the account."`
}

// with runs a command on the account and shows what has become of it.
func (c accountArg) with(ctx context.Context, g *globals, do func(s *app.Service, id vcd.ID) (*vcd.Account, error)) error {
	return withBackend(ctx, g, needs{}, func(b *backend) error {
		a, err := findAccount(ctx, b, c.Account)
		if err != nil {
			return err
		}
		if a, err = do(b.service, a.ID); err != nil {
			return plain(err)
		}
		showAccount(os.Stdout, a)
		return nil
	})
}

func findAccount(ctx context.Context, b *backend, name string) (*vcd.Account, error) {
	a, err := b.db.AccountCalled(ctx, name)
	if err != nil && vcd.CodeOf(err) == vcd.CodeNotFound {
		return nil, fmt.Errorf("no account with the email address or id %s; 'afterimage account list' shows all", name)
	}
	return a, plain(err)
}

func showAccount(out io.Writer, a *vcd.Account) {
	kind := "full account"
	if a.IsSubaccount() {
		kind = "subaccount of " + string(*a.Parent)
	}
	yes := map[bool]string{true: "yes", false: "no"}
	for _, line := range [][2]string{
		{"Account", called(a)}, {"ID", string(a.ID)}, {"Kind", kind}, {"Name", name(a)}, {"State", state(a)}, {"Time zone", a.Timezone},
		{"Plan", fmt.Sprintf("%s (%s)", a.PlanName, a.Plan)},
		{"Checks", fmt.Sprintf("%d done, %d running, %d left of %d until %s", a.ChecksDone, a.ChecksReserved, a.ChecksLeft(), a.ChecksLimit,
			day(&a.RenewalAt))},
		{"Retention", retention(a.Retention)},
		{"AI verification", yes[a.AIVerification]}, {"Browser console", yes[a.BrowserConsole]}, {"Created", day(&a.CreatedAt)},
	} {
		fmt.Fprintf(out, "%-16s %s\n", line[0], strings.Map(cli.Printable, line[1]))
	}
}

// retention says which runs an account keeps.
func retention(r vcd.RunRetention) string {
	days := "as set by --keep-runs"
	switch {
	case r.Days != nil && *r.Days == 0:
		return "all runs"
	case r.Days != nil:
		days = vcd.Plural(*r.Days, "day")
	}
	kept := fmt.Sprintf("%s, and the newest %s of each group", days, vcd.Plural(r.Runs, "run"))
	if r.Reviewed {
		kept += ", and reviewed ones"
	}
	return kept
}

type accountShowCmd struct{ accountArg }

// Run shows the account.
func (c *accountShowCmd) Run(ctx context.Context, g *globals) error {
	return c.with(ctx, g, func(s *app.Service, id vcd.ID) (*vcd.Account, error) {
		return s.Accounts.Account(ctx, vcd.Actor{Account: id})
	})
}

type accountPauseCmd struct{ accountArg }

// Run pauses the account.
func (c *accountPauseCmd) Run(ctx context.Context, g *globals) error {
	return c.with(ctx, g, func(s *app.Service, id vcd.ID) (*vcd.Account, error) { return s.Accounts.PauseAccount(ctx, id) })
}

type accountCancelCmd struct{ accountArg }

// Run cancels the account.
func (c *accountCancelCmd) Run(ctx context.Context, g *globals) error {
	return c.with(ctx, g, func(s *app.Service, id vcd.ID) (*vcd.Account, error) { return s.Accounts.CancelAccount(ctx, id) })
}

type accountOpenCmd struct{ accountArg }

// Run activates the account.
func (c *accountOpenCmd) Run(ctx context.Context, g *globals) error {
	return c.with(ctx, g, func(s *app.Service, id vcd.ID) (*vcd.Account, error) { return s.Accounts.ActivateAccount(ctx, id) })
}

type accountEmailCmd struct {
	accountArg
	Email string `arg:"" help:"New email address of the owner, who receives account mails."`
}

// Run changes the address.
func (c *accountEmailCmd) Run(ctx context.Context, g *globals) error {
	return c.with(ctx, g, func(s *app.Service, id vcd.ID) (*vcd.Account, error) { return s.Accounts.SetEmail(ctx, id, c.Email) })
}

// accountSetPlanCmd changes a plan; flags that are left out change nothing.
type accountSetPlanCmd struct {
	accountArg
	Plan           *string `help:"Identifier of the plan." env:"-"`
	PlanName       *string `help:"Name of the plan." env:"-"`
	PlanLabel      *string `help:"Display label of the plan; leave empty for none." env:"-"`
	Level          *int    `help:"Level of the account." env:"-"`
	Share          *int    `help:"Weight in fair scheduling, 1 to 100; 2 gets twice the capacity of 1." env:"-"`
	ChecksLimit    *int    `help:"Screenshots per month, including those of subaccounts." env:"-"`
	StorageLimit   *int    `help:"Storage limit in GiB, above which no runs start; 0: none. Each subaccount gets the same limit for itself." env:"-" placeholder:"GIB"`
	AIVerification *bool   `help:"AI verification of changes: true or false." name:"ai-verification" env:"-"`
	BrowserConsole *bool   `help:"Browser console comparison: true or false." env:"-"`
}

// Run changes the plan.
func (c *accountSetPlanCmd) Run(ctx context.Context, g *globals) error {
	label := given(c.PlanLabel)
	if c.PlanLabel != nil && *c.PlanLabel == "" {
		label = vcd.Null[string]()
	}
	return c.with(ctx, g, func(s *app.Service, id vcd.ID) (*vcd.Account, error) {
		return s.Accounts.SetPlan(ctx, id, account.PlanChange{
			Plan: given(c.Plan), PlanName: given(c.PlanName), PlanLabel: label, Level: given(c.Level), Share: given(c.Share),
			ChecksLimit: given(c.ChecksLimit), StorageLimit: bytesOf(c.StorageLimit),
			AIVerification: given(c.AIVerification), BrowserConsole: given(c.BrowserConsole),
		})
	})
}

// bytesOf is a limit that is given in GiB, null for 0.
func bytesOf(gib *int) vcd.Optional[int64] {
	switch {
	case gib == nil:
		return vcd.Optional[int64]{}
	case *gib == 0:
		return vcd.Null[int64]()
	}
	return vcd.Some(int64(*gib) << 30)
}

// given is the value of a flag that may be left out.
func given[T any](flag *T) vcd.Optional[T] { return vcd.Optional[T]{Set: flag != nil, Value: flag} }
