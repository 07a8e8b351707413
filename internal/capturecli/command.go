// Package capturecli is the command line of package capture: it captures one page to files and prints the time of each stage.
package capturecli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"afterimage/capture"
	"afterimage/internal/page"
)

// Command captures one page.
type Command struct {
	Request capture.Request // an address without a scheme is one of https
	Out     string          // folder of the files; it is made when it is missing
	Trace   bool            // print where the time went
}

// Capturer takes screenshots; *chrome.Pool is the real one.
type Capturer interface {
	Capture(ctx context.Context, r capture.Request) (*capture.Shot, error)
}

// Run captures the page, writes its files and prints what became of it. A page that could not be captured is a
// *capture.Failure.
func (c Command) Run(ctx context.Context, browser Capturer, out io.Writer) error {
	if !strings.Contains(c.Request.URL, "://") {
		c.Request.URL = "https://" + c.Request.URL
	}
	begun := time.Now()
	shot, err := browser.Capture(ctx, c.Request)
	if err != nil {
		return err
	}
	captured := time.Since(begun)
	files, err := c.write(shot)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n", headline(shot))
	for _, file := range files {
		fmt.Fprintf(out, "  %s\n", file)
	}
	if p := shot.Probes; p != nil {
		fmt.Fprintf(out, "%d of %d elements with a frame were found in a second picture, %d elsewhere than listed.\n",
			p.Seen, p.Painted, len(p.Misplaced))
		for _, misplaced := range p.Misplaced {
			fmt.Fprintf(out, "  %s\n", misplaced)
		}
	}
	if !c.Trace {
		return nil
	}
	_, err = io.WriteString(out, "\n"+table(shot, captured, time.Since(begun)-captured))
	return err
}

// record is the manifest with what the service keeps beside it.
type record struct {
	page.Manifest
	Version string              `json:"version"`
	Title   string              `json:"title"`
	Width   int                 `json:"width"`
	Height  int                 `json:"height"`
	Console []page.ConsoleEntry `json:"console"`
}

// content is what can be read on the page.
type content struct {
	page.Content
	Assets []page.Asset `json:"assets"` // [] when there are none
}

// write puts the picture, the manifest and the elements into the folder and returns the names of the files.
func (c Command) write(shot *capture.Shot) ([]string, error) {
	return writeShot(c.Out, c.stem(), shot)
}

// writeShot writes the files of a shot, whose names begin with the stem, into a folder that is made when it is missing.
func writeShot(folder, stem string, shot *capture.Shot) ([]string, error) {
	manifest, err := asJSON(record{
		Manifest: shot.Manifest, Version: shot.Manifest.Version(), Title: shot.Title, Width: shot.Width, Height: shot.Height,
		Console: shot.Console,
	})
	if err != nil {
		return nil, err
	}
	elements, err := asJSON(content{Content: *shot.Content, Assets: append([]page.Asset{}, shot.Content.Assets...)})
	if err != nil {
		return nil, err
	}
	var names []string
	for _, file := range []struct {
		ending  string
		content []byte
	}{{".png", shot.PNG}, {".manifest.json", manifest}, {".elements.json", elements}} {
		name, err := writeFile(folder, stem+file.ending, file.content)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// writeFile writes a file into a folder and returns its path.
func writeFile(folder, name string, content []byte) (string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // a folder of the caller's, for the caller's eyes
		return "", fmt.Errorf("create the output folder: %w", err)
	}
	name = filepath.Join(folder, name)
	if err := os.WriteFile(name, content, 0o644); err != nil { //nolint:gosec // see above
		return "", fmt.Errorf("write the files: %w", err)
	}
	return name, nil
}

func asJSON(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // selectors are for people to read
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("encode the files: %w", err)
	}
	return text.Bytes(), nil
}

// maxStem bounds the length of files' names in bytes.
const maxStem = 100

// stem is what the names of all files begin with: the page's host and path, and the device.
func (c Command) stem() string {
	name := "page"
	if u, err := url.Parse(c.Request.URL); err == nil {
		name = u.Host + strings.TrimSuffix(u.EscapedPath(), "/")
	}
	name = harmless(name)
	return strings.TrimLeft(name[:min(len(name), maxStem)], ".") + "-" + string(c.Request.Device)
}

// harmless is a name as a part of a file's name.
func harmless(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, name)
}

// exitCodes tell scripts why a page could not be captured. They are stable: a new reason takes the next number.
var exitCodes = map[capture.Reason]int{
	capture.ReasonDNS:            10,
	capture.ReasonConnect:        11,
	capture.ReasonTLS:            12,
	capture.ReasonNoTLS:          13,
	capture.ReasonHTTPStatus:     14,
	capture.ReasonBlockedAddress: 15,
	capture.ReasonInvalidAddress: 16,
	capture.ReasonRedirectLoop:   17,
	capture.ReasonTimeout:        18,
	capture.ReasonTooLarge:       19,
	capture.ReasonNotHTML:        20,
	capture.ReasonDownload:       21,
	capture.ReasonCredentials:    22,
	capture.ReasonCrashed:        23,
	capture.ReasonBrowser:        24,
	capture.ReasonProxy:          25,
	capture.ReasonRateLimited:    26,
}

// ExitCode is the program's exit code for an error of Run: 1 for all that is not the page's.
func ExitCode(err error) int {
	var failure *capture.Failure
	if errors.As(err, &failure) && exitCodes[failure.Reason] != 0 {
		return exitCodes[failure.Reason]
	}
	return 1
}

// Explain is what the person at the terminal is told about an error of Run: the sentence for the owner of the site, where it
// happened, and the cause, which a service keeps to its log.
func Explain(err error) string {
	var failure *capture.Failure
	if !errors.As(err, &failure) {
		return err.Error()
	}
	text := failure.Sentence() + "\n  reason: " + string(failure.Reason)
	if failure.Stage != "" {
		text += ", at stage " + failure.Stage
	}
	if failure.Err != nil {
		text += "\n  cause: " + strings.Join(strings.Fields(failure.Err.Error()), " ")
	}
	return text
}
