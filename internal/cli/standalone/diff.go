package standalone

import (
	"context"
	"fmt"
	"os"

	"afterimage/imgdiff"
	"afterimage/internal/cli"
	"afterimage/internal/diffcli"
)

// Diff compares pictures without any service.
type Diff struct {
	Before string `arg:"" optional:"" help:"Image (PNG, JPEG or WebP) or folder of images before the change."`
	After  string `arg:"" optional:"" help:"Image or folder after the change."`

	Threshold float64 `help:"Colour difference above which a pixel counts as changed, 0 to 1, as in pixelmatch." default:"0.1" env:"-"`
	IncludeAA bool    `name:"include-aa" help:"Count anti-aliased pixels as changed." env:"-"`
	Align     bool    `help:"Also detect inserted, deleted and moved bands of rows." env:"-"`
	Mask      string  `help:"Write the changed pixels as a transparent PNG; for folders: one per changed pair into this folder." placeholder:"OUT.PNG" env:"-"`
	Compose   string  `help:"Write the visual comparison as a PNG; for folders: one per changed pair into this folder." placeholder:"OUT.PNG" env:"-"`
	JSON      bool    `name:"json" help:"Print one JSON object per pair and nothing else on standard output." env:"-"`
	Stdin     bool    `help:"Read pairs from standard input and answer each with one line of JSON." env:"-"`
}

// Help is what follows the flags on the help page.
func (Diff) Help() string { return diffcli.Help }

// Run compares.
func (c *Diff) Run(ctx context.Context) error {
	command := diffcli.Command{
		Before: c.Before, After: c.After,
		Options: imgdiff.Options{Threshold: c.Threshold, IncludeAntiAliased: c.IncludeAA, Align: c.Align},
		Mask:    c.Mask, Compose: c.Compose, JSON: c.JSON, Resident: c.Stdin,
	}
	different, err := command.Run(ctx, diffcli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "afterimage: %v\n", err)
		return cli.ExitStatus(2)
	case different:
		return cli.ExitStatus(1)
	}
	return nil
}
