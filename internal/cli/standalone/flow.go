package standalone

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"afterimage/internal/cli"
	"afterimage/internal/flow"
	"afterimage/internal/flow/imports"
)

// Flow works with flows: pages behind steps.
type Flow struct {
	Run    FlowRun    `cmd:"" help:"Run a flow and take its pictures."`
	Check  FlowCheck  `cmd:"" help:"Check a flow and print its steps."`
	Import FlowImport `cmd:"" help:"Convert a recording from Chrome or Playwright to a flow."`
}

// Help is shown below the list of commands.
func (Flow) Help() string {
	return `A flow is a file with the steps that lead to pages without an address of their own: sign in, put
something into the basket, go to the checkout. docs/flows.md describes it.

Examples:
  afterimage flow import recording.json > checkout.yaml
  afterimage flow check checkout.yaml
  afterimage flow run checkout.yaml --out shots
`
}

// FlowCheck checks a definition.
type FlowCheck struct {
	File string `arg:"" help:"The flow, YAML or JSON; - is standard input."`
}

// Help is what follows the flags on the help page.
func (FlowCheck) Help() string {
	return `Prints the steps as they are understood. If the flow has an error, the line and the remedy
are printed and the exit code is 1.

Examples:
  afterimage flow check checkout.yaml
  afterimage flow import recording.json | afterimage flow check -
`
}

// Run checks.
func (c *FlowCheck) Run() error {
	f, err := readFlow(c.File)
	if err != nil {
		return err
	}
	printFlow(os.Stdout, f)
	return nil
}

// readFlow reads the definition in a file.
func readFlow(name string) (*flow.Flow, error) {
	text, err := readBounded(name, flow.MaxSize)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f, err := flow.Read(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// readBounded reads a file, or standard input, up to one byte more than a limit.
func readBounded(name string, limit int64) ([]byte, error) {
	in := io.Reader(os.Stdin)
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, cli.Unreadable(err)
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err != nil {
		return nil, cli.Unreadable(err)
	}
	return text, nil
}

// printed is a text in one line of a terminal.
func printed(text string) string { return strings.Map(cli.Printable, text) }

// printFlow prints a definition as it is understood.
func printFlow(out io.Writer, f *flow.Flow) {
	fmt.Fprintf(out, "%s, from %s\n\n", printed(f.Name), printed(f.Start))
	steps := cli.Table{{"Step", "Does", "Label", "At most"}}
	for i := range f.Steps {
		s := &f.Steps[i]
		label := s.Label
		if s.Kind == flow.Checkpoint {
			label = "" // it is what the step does
		}
		steps = append(steps, []string{strconv.Itoa(i + 1), s.Does(), label, s.Patience().String()})
	}
	steps.Print(out)
	for _, name := range f.Needed() {
		fmt.Fprintf(out, "\nNeeds the secret %s, for pages of %s.", name, printed(strings.Join(f.HostsOf(name), ", ")))
	}
	if len(f.Needed()) > 0 {
		fmt.Fprintln(out)
	}
}

// FlowImport makes a definition from a recording.
type FlowImport struct {
	File string `arg:"" help:"The recording; - is standard input."`
	From string `help:"Format of the recording: recorder, playwright; default: detected." enum:",recorder,playwright" default:"" env:"-"`
}

// Help is what follows the flags on the help page.
func (FlowImport) Help() string {
	return `Prints a flow. What cannot be converted is listed on standard error, with its line in the recording.
Values of password fields are replaced by a secret. A picture is taken at the end; add others.

  recorder      JSON that the Recorder of Chrome's DevTools exports
  playwright    JavaScript or TypeScript as playwright codegen writes it, one statement per line

Examples:
  afterimage flow import recording.json > checkout.yaml
  npx playwright codegen -o checkout.spec.ts https://shop.example.com
  afterimage flow import checkout.spec.ts > checkout.yaml
`
}

// Run imports.
func (c *FlowImport) Run() error {
	text, err := readBounded(c.File, flow.MaxSize)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	imported, err := imports.Read(text, c.From)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	for _, left := range imported.Left {
		fmt.Fprintf(os.Stderr, "not converted: %s\n", printed(left.String()))
	}
	out, err := imported.Flow.YAML()
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(out)
	return err
}
