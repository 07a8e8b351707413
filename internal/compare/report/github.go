package report

import (
	"fmt"
	"io"
	"os"
	"strings"

	"afterimage/internal/compare"
)

// maxAnnotations is how many annotations of a kind GitHub shows for a step.
const maxAnnotations = 10

// Annotate writes the commands by which a step of a GitHub workflow is annotated with the gravest changes.
func Annotate(out io.Writer, r *compare.Result) {
	told := make(map[string]int)
	say := func(command, title, message string) {
		if told[command]++; told[command] <= maxAnnotations {
			title, message = property.Replace(short(title, maxProblem)), data.Replace(short(message, maxProblem))
			fmt.Fprintf(out, "::%s title=%s::%s\n", command, title, message)
		}
	}
	for i := range r.Pairs {
		if p := &r.Pairs[i]; p.Problem != "" {
			say("error", p.Path+" could not be compared", p.Problem)
		}
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		if !c.Matters() {
			continue
		}
		command := "warning"
		if c.Outcome == compare.Alert {
			command = "error"
		}
		title := fmt.Sprintf("%s on %s", words[c.Outcome], c.Places[0].Path)
		if len(c.Places) > 1 {
			title += fmt.Sprintf(" and in %s more", counted(len(c.Places)-1, "place"))
		}
		say(command, title, c.Description+" "+c.Reason)
	}
}

// Workflow commands end a value at some characters, which are therefore encoded.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// AppendSummary appends the summary to a file, as steps of a GitHub workflow give theirs.
func AppendSummary(name string, r *compare.Result, run Run) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644) //nolint:gosec // as the workflow made it
	if err != nil {
		return fmt.Errorf("the job summary cannot be written: %w", err)
	}
	_, err = file.WriteString(markdown(r, run, nil))
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return fmt.Errorf("the job summary cannot be written: %w", err)
	}
	return nil
}
