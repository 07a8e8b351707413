package main

import (
	"context"
	"fmt"
	"os"

	"afterimage/internal/cli/client"
)

// checkCmd is the check of a server's groups. Without any flag it still does what it did before there was one.
type checkCmd struct{ client.Check }

// Run checks.
func (c *checkCmd) Run(ctx context.Context, g *globals) error {
	if c.NamesNothing() {
		fmt.Fprintln(os.Stderr, "afterimage: use `afterimage doctor` to check stored data; `check` without a group still does so")
		return doctorCmd{Deep: c.Deep}.Run(ctx, g)
	}
	return c.Check.Run(ctx)
}
