package main

import (
	"context"
	"fmt"
	"os"

	"afterimage/imgdiff"
	"afterimage/internal/diffcli"
)

// diffCmd compares pictures without any service.
type diffCmd struct {
	Before string `arg:"" optional:"" help:"Picture (PNG, JPEG or WebP), or folder of pictures, as it was."`
	After  string `arg:"" optional:"" help:"The same as it is now."`

	Threshold float64 `help:"How much a pixel's colour may differ, 0 to 1, as pixelmatch measures it." default:"0.1" env:"-"`
	IncludeAA bool    `name:"include-aa" help:"Count anti-aliased pixels as changed." env:"-"`
	Align     bool    `help:"Also find inserted, deleted and moved bands of rows." env:"-"`
	Mask      string  `help:"Write the changed pixels as a transparent PNG; of folders, one a changed pair into this folder." placeholder:"OUT.PNG" env:"-"`
	Compose   string  `help:"Write the comparison as a PNG to look at; of folders, one a changed pair into this folder." placeholder:"OUT.PNG" env:"-"`
	JSON      bool    `name:"json" help:"Print one JSON object a pair alone on standard output." env:"-"`
	Stdin     bool    `help:"Read pairs from standard input and answer each with a line of JSON." env:"-"`
}

// Help is what follows the flags on the help page.
func (diffCmd) Help() string { return diffcli.Help }

// Run compares.
func (c *diffCmd) Run(ctx context.Context, _ *globals) error {
	command := diffcli.Command{
		Before: c.Before, After: c.After,
		Options: imgdiff.Options{Threshold: c.Threshold, IncludeAntiAliased: c.IncludeAA, Align: c.Align},
		Mask:    c.Mask, Compose: c.Compose, JSON: c.JSON, Resident: c.Stdin,
	}
	different, err := command.Run(ctx, diffcli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "afterimage: %v\n", err)
		return exitStatus(2)
	case different:
		return exitStatus(1)
	}
	return nil
}
