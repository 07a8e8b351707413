// Command afterimage captures web pages, compares each screenshot with its baseline and reports what changed.
//
// This package wires the parts together and holds nothing else: flags and environment become one configuration, and a
// command runs with it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	_ "time/tzdata" // schedules need the zones on machines that have none

	"github.com/alecthomas/kong"

	"afterimage/db/pg"
	"afterimage/internal/cli"
	"afterimage/internal/cli/client"
	"afterimage/internal/cli/standalone"
)

// commandLine is the command line. Flags that configure a process can also be set by environment variables, named in the help.
// Those that belong to one call (env:"-") cannot: a variable left in the environment would change what every call means.
type commandLine struct {
	globals

	Serve   serveCmd           `cmd:"" installation:"" help:"Run the API server and the workers in one process."`
	Work    workCmd            `cmd:"" installation:"" help:"Run workers only, for a server that runs elsewhere."`
	Migrate migrateCmd         `cmd:"" installation:"" help:"Migrate the database schema to this version."`
	Doctor  doctorCmd          `cmd:"" installation:"" help:"Check stored data for contradictions."`
	Backup  backupCmd          `cmd:"" installation:"" help:"Back up an installation, and check, list and remove backups."`
	Restore restoreCmd         `cmd:"" installation:"" help:"Restore an installation from a backup."`
	Images  imagesCmd          `cmd:"" installation:"" help:"Manage where pictures are kept."`
	Secret  secretCmd          `cmd:"" installation:"" help:"Change the key that encrypts stored secrets."`
	Account accountCmd         `cmd:"" installation:"" help:"Manage accounts."`
	Token   tokenCmd           `cmd:"" installation:"" help:"Manage API tokens."`
	User    userCmd            `cmd:"" installation:"" help:"Manage the users of an account."`
	Capture standalone.Capture `cmd:"" help:"Capture one page to files."`
	Compare standalone.Compare `cmd:"" help:"Compare two sites page by page, for example a preview with production."`
	Flow    standalone.Flow    `cmd:"" help:"Check and convert flows: pages behind steps."`
	Check   checkCmd           `cmd:"" help:"Run groups on a server and report what changed, as compare does."`
	Upload  client.Upload      `cmd:"" help:"Send screenshots of other tools to a server and report what changed, as check does."`
	Approve client.Approve     `cmd:"" help:"Approve the changes found by a run on a server."`
	Import  client.Import      `cmd:"" help:"Convert settings of another tool, or a list of pages, to settings for compare."`
	Diff    standalone.Diff    `cmd:"" help:"Compare two images."`
	Demo    demoCmd            `cmd:"" help:"Run the whole workflow on a sample site or on your pages."`

	CompareWorker compareWorkerCmd `cmd:"" hidden:"" help:"Compare screenshots for the parent process."`

	Version kong.VersionFlag `help:"Print the version and exit." env:"-"`
}

const description = `Afterimage captures web pages, compares each screenshot with its baseline and reports what changed.

Examples:
  afterimage serve                         start with a private database in the data folder
  afterimage demo                          run the workflow on a sample site
  afterimage demo https://example.com      run the workflow on your own page
  afterimage capture example.com --trace   capture one page and print the time of each stage
  afterimage compare www.example.com preview.example.com --crawl 50
                                           compare a preview with production
  afterimage check --server https://afterimage.example.com --group Shop
                                           run a group of a server before or after a deploy
  afterimage diff before.png after.png     compare two images`

func main() {
	os.Exit(execute(os.Args[1:]))
}

// execute returns the exit code: 0 when the command did what it should, 1 when not, for diff, compare, check and upload 1 for
// differences and 2 for errors, and for capture one for each reason.
func execute(args []string) int {
	var c commandLine
	parser := newParser(&c)
	command, err := parser.Parse(args)
	if err != nil {
		return misused(parser, err)
	}
	if err := c.secrets(command); err != nil {
		return failed(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)                             // a second signal ends the program at once
	command.BindTo(pg.Patient(ctx), (*context.Context)(nil)) // not that of requests, which a server makes itself
	err = command.Run(&c.globals, &c.LogFlags)
	var status cli.ExitStatus
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	}
	return failed(err)
}

// failed tells why a command failed, and returns the exit code.
func failed(err error) int {
	fmt.Fprintf(os.Stderr, "afterimage: %s\n", strings.Join(strings.Fields(err.Error()), " ")) // some causes span lines
	return 1
}

// secrets reads those that are in files.
func (c *commandLine) secrets(command *kong.Context) error {
	logger, err := c.Logger(os.Stderr)
	if err != nil {
		return err
	}
	return readSecrets(command, logger)
}

func newParser(c *commandLine) *kong.Kong {
	return kong.Must(c, kong.Name("afterimage"), kong.Description(description), kong.DefaultEnvars("AFTERIMAGE"),
		kong.Vars{"version": cli.Version, "dataDir": defaultDataDir(), "userAgentSuffix": standalone.UserAgentSuffix},
		kong.ShortUsageOnError(), kong.Help(printHelp),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 110}))
}

// comparing are the commands whose exit code 1 says that something differs, or does not hold.
var comparing = []string{"diff", "compare", "check", "upload", "approve", "flow"}

// misused tells what is wrong with the command line and returns the exit code: that of a command that could not do its
// work, not one of kong's own.
func misused(parser *kong.Kong, err error) int {
	parser.Stdout = parser.Stderr // the usage is no result
	parser.Exit = func(int) {}
	parser.FatalIfErrorf(err)
	var usage *kong.ParseError
	if errors.As(err, &usage) && usage.Context != nil {
		for _, step := range usage.Context.Path {
			if step.Command != nil && slices.Contains(comparing, step.Command.Name) {
				return 2 // 1 would say that something differs
			}
		}
	}
	return 1
}
