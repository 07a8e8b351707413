package client

import (
	"context"
	"errors"
	"fmt"
	"os"

	"afterimage/internal/cli"
	"afterimage/internal/compare"
)

// Approve approves what a run of a server found.
type Approve struct {
	serverFlags

	Batch   string   `arg:"" help:"Id of the run, as check prints it."`
	Changes []string `arg:"" optional:"" help:"Ids of changes, as report.json lists them; default: all open comparisons of the run."`
}

// Help is what follows the flags on the help page.
func (Approve) Help() string {
	return `Approves the open comparisons of a run, which sets their status to OK. With ids of changes, approves only
comparisons that show no other changes. A comparison remains open if something in it would
not be covered by the approval; the reason is printed.

The API token needs the scope REVIEW. The exit code is 0 if nothing remains open, 1 if something
does, 2 if nothing could be approved.

Examples:
  afterimage approve 01999999-0000-7000-8000-000000000000
  afterimage approve 01999999-0000-7000-8000-000000000000 $(jq -r '.changes[0].id' out/report.json)
`
}

// maxApproved is how many changes are approved at once.
const maxApproved = 100

// Run approves.
func (c *Approve) Run(ctx context.Context) error {
	if len(c.Changes) > maxApproved {
		return cli.Undone(fmt.Errorf("there are %d changes; at most %d can be approved at once", len(c.Changes), maxApproved))
	}
	client, err := c.client()
	if err != nil {
		return cli.Undone(err)
	}
	if _, err := client.Batch(ctx, c.Batch); err != nil {
		return cli.Undone(err)
	}
	approval, err := client.Approve(ctx, c.Batch, c.Changes)
	if ctx.Err() != nil {
		err = errors.New("interrupted: the dashboard shows whether anything was approved")
	}
	if err != nil {
		return cli.Undone(err)
	}
	fmt.Fprintf(os.Stdout, "%d approved, %d still open.\n", approval.ChangedCount, approval.StillOpenCount)
	for i := range approval.StillOpen {
		open := &approval.StillOpen[i]
		fmt.Fprintf(os.Stdout, "%s remains open: %s\n", client.Address("/comparisons/"+open.ComparisonID), open.Why())
	}
	if approval.StillOpenCount > 0 {
		return cli.ExitStatus(compare.ExitChanged)
	}
	return nil
}
