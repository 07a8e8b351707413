package diffcli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

const (
	barWidth    = 24
	redrawEvery = 100 * time.Millisecond // a terminal is slower than a comparison
)

// progress is a bar on the last line of a terminal. A nil one draws nothing.
type progress struct {
	out         io.Writer
	total, done int
	drawn       bool
	last        time.Time
}

// newProgress returns a bar, or nil where nobody would see one.
func newProgress(w io.Writer, total int) *progress {
	file, ok := w.(*os.File)
	if !ok {
		return nil
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return &progress{out: w, total: total}
}

// step counts one more pair and shows its name.
func (p *progress) step(name string) {
	if p == nil {
		return
	}
	p.done++
	if time.Since(p.last) < redrawEvery {
		return
	}
	p.last = time.Now()
	p.drawn = true
	_, _ = io.WriteString(p.out, "\r\x1b[K"+p.line(name)) // a bar that cannot be drawn is no failure
}

// line is the bar as text.
func (p *progress) line(name string) string {
	full := barWidth * p.done / max(p.total, 1)
	bar := strings.Repeat("█", full) + strings.Repeat("░", barWidth-full)
	if runes := []rune(name); len(runes) > 40 {
		name = "…" + string(runes[len(runes)-39:])
	}
	return fmt.Sprintf("%s %d/%d %s", bar, p.done, p.total, name)
}

// clear removes the bar, so that other text can take its line.
func (p *progress) clear() {
	if p == nil || !p.drawn {
		return
	}
	p.drawn = false
	_, _ = io.WriteString(p.out, "\r\x1b[K")
}
