package client

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"afterimage/internal/cli"
	"afterimage/internal/compare"
	"afterimage/internal/remote"
)

// Check runs groups of a server and reports what they found as compare does.
type Check struct {
	serverFlags

	Group []string `help:"Name or id of a group. May be repeated." placeholder:"GROUP" sep:"none" env:"-"`
	Batch string   `help:"Follow and report this run instead of starting one." placeholder:"ID" env:"-"`
	Pre   bool     `help:"Take the screenshots before the change; the next check compares with them." env:"-"`
	runFlags

	Deep bool `hidden:"" help:"Also verify every file's hash." env:"-"`
}

// Help is what follows the flags on the help page.
func (Check) Help() string {
	return `Starts a run of groups on a server, follows it to its end, prints what changed and exits like
compare: 0 if nothing changed or all changes are harmless or approved, 1 if there are changes (see
--fail-on), 2 if some page could not be compared or the run did not end.

The server captures and compares the groups. To check a deploy, take the screenshots before it with
--pre. A monitoring group is compared with its previous run.

If check is interrupted, the run continues on the server: follow it again with --batch.

Examples:
  export AFTERIMAGE_SERVER=https://afterimage.example.com AFTERIMAGE_TOKEN=…
  afterimage check --group Shop --pre                    before the deploy
  afterimage check --group Shop --report out             after it
  afterimage check --group Shop --no-wait                only start the run
  afterimage check --batch 01999999-0000-7000-8000-000000000000 --fail-on alert

To check stored data for contradictions, see afterimage doctor.
`
}

// NamesNothing reports whether neither a server nor anything on it is named.
func (c *Check) NamesNothing() bool { return c.Server == "" && len(c.Group) == 0 && c.Batch == "" }

// Run checks.
func (c *Check) Run(ctx context.Context) error {
	return cli.Ended(c.check(ctx))
}

// misuse says which flags do not go together.
func (c *Check) misuse() error {
	switch {
	case len(c.Group) == 0 && c.Batch == "":
		return errors.New("--group is missing: name the group to check; to check stored data, run `afterimage doctor`")
	case len(c.Group) > 0 && c.Batch != "":
		return errors.New("--group starts a run and --batch follows one: give one of them")
	case c.Deep:
		return errors.New("--deep is an option of `afterimage doctor`")
	case c.Batch != "" && (c.Pre || !c.Wait):
		return errors.New("--batch follows a run that has been started: leave --pre and --no-wait out")
	}
	return c.runFlags.misuse(c.Pre)
}

func (c *Check) check(ctx context.Context) (code int, err error) {
	if err := c.misuse(); err != nil {
		return 0, err
	}
	client, err := c.client()
	if err != nil {
		return 0, err
	}
	folder, err := c.folder()
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	limited, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	batch := c.Batch
	if batch == "" {
		if batch, err = c.start(limited, client); err != nil {
			return 0, c.explain(ctx, limited, err, "")
		}
		fmt.Fprintf(os.Stderr, "The run is %s\n", client.Address("/runs/"+batch))
		if !c.Wait {
			fmt.Fprintln(os.Stdout, batch)
			return compare.ExitEqual, nil
		}
	}
	finished, err := c.await(limited, client, batch)
	if err != nil {
		return 0, c.explain(ctx, limited, err, batch)
	}
	return c.tell(limited, client, finished, folder, begun)
}

// start starts a run, once no other of these groups is in progress: screenshots of both would be compared across.
func (c *Check) start(ctx context.Context, client *remote.Client) (string, error) {
	groups, err := client.Groups(ctx, c.Group)
	if err != nil {
		return "", err
	}
	latest, err := client.Latest(ctx, groups)
	if err != nil {
		return "", err
	}
	for _, b := range latest {
		if b.FinishedAt != nil {
			continue
		}
		if !c.Wait {
			return "", fmt.Errorf("the run %q is already in progress: wait for its end, or follow it with --batch %s", b.Name, b.ID)
		}
		fmt.Fprintf(os.Stderr, "The run %q is already in progress: waiting for its end\n", b.Name)
		if err := c.follow(ctx, client, b.ID); err != nil {
			return "", err
		}
	}
	return client.Start(ctx, groups, c.Pre)
}
