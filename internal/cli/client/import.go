package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/goccy/go-yaml"

	"afterimage/internal/cli"
	"afterimage/internal/compare/imports"
	"afterimage/vcd"
)

// Import makes settings of compare, or pages of a group, from what other tools know.
type Import struct {
	serverFlags

	File string `arg:"" help:"File to import, or a folder of screenshots by Argos; - is standard input."`
	From string `help:"Format of the file: backstop, percy, changedetection, argos, sitemap, list; default: detected." enum:",backstop,percy,changedetection,argos,sitemap,list" default:"" env:"-"`

	Group  string `help:"Add the pages to this group of the server, by name or id, instead of printing settings." placeholder:"GROUP" env:"-"`
	DryRun bool   `name:"dry-run" help:"With --group: only print what would be added." env:"-"`
}

// Help is what follows the flags on the help page.
func (Import) Help() string {
	return `Prints an afterimage.yaml for compare, made from the configuration of another tool or a list of pages.
With --group, adds the pages to a group of a server instead, whatever site they belong to. Whatever
cannot be imported is listed on standard error.

  backstop          backstop.json of BackstopJS
  percy             a list of snapshots for percy snapshot (YAML or JSON), or .percy.yml
  changedetection   url-watches.json of changedetection.io, or a response of its API
  argos             the folder of screenshots that an Argos SDK writes, with NAME.png.argos.json files
  sitemap           a sitemap saved as a file
  list              one address per line

Examples:
  afterimage import backstop.json > afterimage.yaml
  afterimage import snapshots.yml --from percy
  afterimage import screenshots > afterimage.yaml
  node -p "JSON.stringify(require('./backstop.config.js'))" | afterimage import - > afterimage.yaml
  export AFTERIMAGE_SERVER=https://afterimage.example.com AFTERIMAGE_TOKEN=…
  afterimage import url-watches.json --group Shop --dry-run
`
}

// Run imports.
func (c *Import) Run(ctx context.Context) error {
	if c.Group == "" && c.DryRun {
		return errors.New("--dry-run needs --group: without a group, nothing is changed")
	}
	imported, err := c.read()
	if err == nil && c.Group == "" {
		err = imported.ForCompare()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	for _, sentence := range imported.Left {
		fmt.Fprintln(os.Stderr, sentence)
	}
	if c.Group != "" {
		return c.add(ctx, imported.Addresses)
	}
	return printSettings(&imported.Settings)
}

func (c *Import) read() (*imports.Imported, error) {
	in := io.Reader(os.Stdin)
	if info, err := os.Stat(c.File); err == nil && info.IsDir() {
		return imports.ReadFolder(os.DirFS(c.File), c.From)
	}
	if c.File != "-" {
		file, err := os.Open(c.File)
		if err != nil {
			return nil, cli.Unreadable(err)
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, imports.MaxSize+1))
	if err != nil {
		return nil, cli.Unreadable(err)
	}
	return imports.Read(text, c.From)
}

func printSettings(s *imports.Settings) error {
	if s.After == "" {
		fmt.Fprintln(os.Stderr, "Add the address of the site to compare with as `after`, or give it on the command line.")
	}
	out, err := yaml.Marshal(s)
	if err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	_, err = os.Stdout.Write(out)
	return err
}

// add adds the pages to a group of the server.
func (c *Import) add(ctx context.Context, addresses []string) error {
	if len(addresses) == 0 {
		return fmt.Errorf("%s names no pages", c.File)
	}
	client, err := c.client()
	if err != nil {
		return err
	}
	groups, err := client.Groups(ctx, []string{c.Group})
	if err != nil {
		return err
	}
	added, err := client.Add(ctx, groups[0].ID, addresses, c.DryRun)
	if err != nil {
		return fmt.Errorf("add the pages to %s: %w", groups[0].Name, err)
	}
	for _, r := range added.Refused {
		fmt.Fprintf(os.Stderr, "%q cannot be added: %s\n", addresses[r.Index], r.Message)
	}
	if c.DryRun {
		fmt.Fprintf(os.Stdout, "%s can be added to %s, %d cannot.\n", vcd.Plural(added.Valid, "page"), groups[0].Name, len(added.Refused))
		return nil
	}
	fmt.Fprintf(os.Stdout, "%s added to %s, %d already in it, %d cannot be added.\n",
		vcd.Plural(added.New, "page"), groups[0].Name, added.Valid-added.New, len(added.Refused))
	return nil
}
