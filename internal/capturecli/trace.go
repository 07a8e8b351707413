package capturecli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"afterimage/capture"
	"afterimage/internal/page"
)

// barLength is how many characters a stage gets that took all the time.
const barLength = 30

// headline is the outcome in one line.
func headline(shot *capture.Shot) string {
	line := fmt.Sprintf("%s → %d, %d × %d", shot.FinalURL, shot.Status, shot.Width, shot.Height)
	if shot.Truncated {
		line += " (cut off)"
	}
	if shot.Title != "" {
		line += fmt.Sprintf(", %q", shot.Title)
	}
	return line
}

// table shows how long each stage took. Stages that were repeated are added up. What the whole capture took beyond them is the
// waiting for a browser.
func table(shot *capture.Shot, captured, written time.Duration) string {
	m := &shot.Manifest
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n", m.Version())
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	total := milliseconds(captured + written)
	fmt.Fprint(t, "stage\tms\t%\t\t\n")
	row := func(name string, ms float64) {
		share := ms / max(total, 0.001)
		fmt.Fprintf(t, "%s\t%.1f\t%.0f\t %s\t\n", name, ms, 100*share, bar(share))
	}
	stages := 0.0
	for _, s := range added(m.Stages) {
		row(s.Stage, s.Milliseconds)
		stages += s.Milliseconds
	}
	row("browser", max(0, milliseconds(captured)-stages))
	row("files", milliseconds(written))
	fmt.Fprintf(t, "total\t%.1f\t100\t\t\n", total)
	_ = t.Flush() // a bytes.Buffer takes everything
	remarks(&b, shot)
	return b.String()
}

// remarks tell what else explains a picture.
func remarks(b *bytes.Buffer, shot *capture.Shot) {
	m := &shot.Manifest
	if len(m.TimedOut) > 0 {
		fmt.Fprintf(b, "\nTimed out waiting for: %s\n", strings.Join(m.TimedOut, ", "))
	}
	for _, address := range m.Redirects {
		fmt.Fprintf(b, "\nRedirected from %s\n", address)
	}
	for _, f := range m.FailedRequests {
		why := f.Error
		if f.Status != 0 {
			why = fmt.Sprint(f.Status)
		}
		fmt.Fprintf(b, "\n%s failed (%s): %s\n", f.Type, why, f.URL)
	}
	if len(m.Unstable) > 0 {
		fmt.Fprintf(b, "\nPlaces where the page did not settle: %d\n", len(m.Unstable))
	}
	fmt.Fprintf(b, "\n%d elements, %d bytes of text, %d bytes received, image of %d bytes\n",
		len(shot.Content.Elements), len(shot.Content.Text), m.ReceivedBytes, len(shot.PNG))
}

// added sums up the stages that appear several times, in the order of their first appearance.
func added(stages []page.StageTime) []page.StageTime {
	var sums []page.StageTime
	for _, s := range stages {
		if i := slices.IndexFunc(sums, func(known page.StageTime) bool { return known.Stage == s.Stage }); i >= 0 {
			sums[i].Milliseconds += s.Milliseconds
			continue
		}
		sums = append(sums, s)
	}
	return sums
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func bar(share float64) string {
	filled := min(barLength, int(share*barLength+0.5))
	return strings.Repeat("█", filled) + strings.Repeat(" ", barLength-filled)
}
