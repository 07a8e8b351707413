package main

import "github.com/alecthomas/kong"

// installationTag marks flags that say where an installation is, and commands that work on one.
const installationTag = "installation"

// printHelp leaves out the flags that the chosen command would ignore: those of an installation where it works on none.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	command := ctx.Selected()
	if command == nil {
		return kong.DefaultHelpPrinter(options, ctx)
	}
	for command.Parent != nil && command.Parent.Type == kong.CommandNode {
		command = command.Parent
	}
	if !command.Tag.Has(installationTag) {
		for _, flag := range ctx.Model.Flags {
			flag.Hidden = flag.Hidden || flag.Tag.Has(installationTag)
		}
	}
	return kong.DefaultHelpPrinter(options, ctx)
}
