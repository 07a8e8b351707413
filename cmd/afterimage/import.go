package main

import (
	"fmt"
	"io"
	"os"

	"github.com/goccy/go-yaml"

	"afterimage/internal/compare/imports"
)

// importCmd makes settings of compare from what other tools know.
type importCmd struct {
	File string `arg:"" help:"File to import; - is standard input."`
	From string `help:"Its format: backstop, percy, changedetection, sitemap, list; default: detected." enum:",backstop,percy,changedetection,sitemap,list" default:"" env:"-"`
}

// Help is what follows the flags on the help page.
func (importCmd) Help() string {
	return `Prints an afterimage.yaml for compare, made from the configuration of another tool or a list of pages.
What cannot be taken over is said on standard error.

  backstop          backstop.json of BackstopJS
  percy             a list of snapshots, as percy snapshot takes it (YAML or JSON)
  changedetection   url-watches.json of changedetection.io, or the answer of its API
  sitemap           a sitemap saved as a file
  list              an address a line

Examples:
  afterimage import backstop.json > afterimage.yaml
  afterimage import snapshots.yml --from percy
`
}

// Run imports.
func (c *importCmd) Run() error {
	in := io.Reader(os.Stdin)
	if c.File != "-" {
		file, err := os.Open(c.File)
		if err != nil {
			return err
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, imports.MaxSize+1))
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", c.File, err)
	}
	imported, err := imports.Read(text, c.From)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	for _, sentence := range imported.Left {
		fmt.Fprintln(os.Stderr, sentence)
	}
	if imported.Settings.After == "" {
		fmt.Fprintln(os.Stderr, "Add the address of the site to compare with as `after`, or give it on the command line.")
	}
	out, err := yaml.Marshal(imported.Settings)
	if err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	_, err = os.Stdout.Write(out)
	return err
}
