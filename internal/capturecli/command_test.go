package capturecli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/internal/page"
)

// browser plays one answer and remembers what it was asked for.
type browser struct {
	shot  *capture.Shot
	err   error
	asked capture.Request
}

func (b *browser) Capture(_ context.Context, r capture.Request) (*capture.Shot, error) {
	b.asked = r
	return b.shot, b.err
}

func shop() *capture.Shot {
	return &capture.Shot{
		PNG: []byte("picture"), Width: 390, Height: 2000, Truncated: true,
		Visit: page.Visit{
			Title: "A \x1b[31mpage", Status: 404, FinalURL: "https://example.com/shop",
			Console: []page.ConsoleEntry{{Text: "line", Type: "log"}},
			Content: &page.Content{Title: "A \x1b[31mpage", Text: "Hello", Elements: []page.Element{{Tag: "p", Text: "Hello"}}},
			Manifest: page.Manifest{
				Engine: "E/1", Fonts: "f0", Pipeline: "p", PipelineVersion: 2, TimedOut: []string{"network"},
				Redirects: []string{"https://example.com/"},
				Stages: []page.StageTime{{Stage: "goto", Milliseconds: 20}, {Stage: "load", Milliseconds: 5},
					{Stage: "goto", Milliseconds: 10}},
				FailedRequests: []page.FailedRequest{{URL: "https://example.com/a.png", Type: "Image", Status: 500},
					{URL: "https://b.test/", Type: "Script", Error: "egress: dns_error"}},
				Unstable: []page.Box{{Width: 1, Height: 1}},
			},
		},
	}
}

func TestAPageBecomesThreeFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	b := &browser{shot: shop()}
	var out bytes.Buffer
	command := Command{Request: capture.Request{URL: "example.com/shop/", Device: capture.Mobile}, Out: dir}
	if err := command.Run(t.Context(), b, &out); err != nil {
		t.Fatal(err)
	}
	if b.asked.URL != "https://example.com/shop/" || b.asked.Device != capture.Mobile {
		t.Errorf("asked for %+v", b.asked)
	}
	read := func(ending string) []byte {
		name := filepath.Join(dir, "example.com_shop-mobile"+ending)
		if !strings.Contains(out.String(), name) {
			t.Errorf("%q does not name %s", out.String(), name)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	if string(read(".png")) != "picture" {
		t.Error("the picture is another one")
	}
	var manifest record
	if err := json.Unmarshal(read(".manifest.json"), &manifest); err != nil || manifest.Version != "E/1 fonts/f0 p/2" ||
		len(manifest.Stages) != 3 || len(manifest.Console) != 1 {
		t.Errorf("manifest %+v, %v", manifest, err)
	}
	var seen content
	if err := json.Unmarshal(read(".elements.json"), &seen); err != nil || seen.Text != "Hello" || len(seen.Elements) != 1 {
		t.Errorf("content %+v, %v", seen, err)
	}
	if text := out.String(); !strings.HasPrefix(text, `https://example.com/shop → 404, 390 × 2000 (cut off), "A \x1b[31mpage"`) ||
		strings.Contains(text, "stage") {
		t.Errorf("printed %q", text)
	}
}

func TestTheTraceTellsWhereTheTimeWent(t *testing.T) {
	text := table(shop(), 50*time.Millisecond, 10*time.Millisecond)
	for _, want := range []string{
		"E/1 fonts/f0 p/2\n", " goto  30.0   50 ", " load   5.0    8 ", " browser  15.0   25 ", " files  10.0   17 ", " total  60.0  100 ",
		"Timed out waiting for: network", "Redirected from https://example.com/", "Image failed (500): https://example.com/a.png",
		"Script failed (egress: dns_error): https://b.test/", "did not settle: 1", "1 elements, 5 bytes of text",
	} {
		if !strings.Contains(text, want) && !strings.Contains(strings.ReplaceAll(text, "  ", " "), strings.ReplaceAll(want, "  ", " ")) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Count(text, "goto") != 1 {
		t.Errorf("a repeated stage is not added up in\n%s", text)
	}
}

func TestEveryReasonHasAnExitCodeOfItsOwnAndStandsInTheHelp(t *testing.T) {
	seen := map[int]capture.Reason{0: "success", 1: "anything else", 2: "misuse"}
	for _, reason := range capture.Reasons {
		err := error(&capture.Failure{Reason: reason, Stage: "goto", Err: errors.New("the  cause")})
		code := ExitCode(err)
		if other, taken := seen[code]; taken {
			t.Errorf("%s and %s both end with %d", reason, other, code)
		}
		seen[code] = reason
		if !strings.Contains(Help, strconv.Itoa(code)+" "+string(reason)) {
			t.Errorf("the help does not tell that %d is %s", code, reason)
		}
		text := Explain(err)
		if !strings.Contains(text, string(reason)) || !strings.Contains(text, "stage goto") || !strings.Contains(text, "cause: the cause") {
			t.Errorf("explained as %q", text)
		}
	}
	if len(exitCodes) != len(capture.Reasons) {
		t.Errorf("%d exit codes for %d reasons", len(exitCodes), len(capture.Reasons))
	}
	if other := errors.New("other"); ExitCode(other) != 1 || Explain(other) != "other" {
		t.Errorf("another error ends with %d: %s", ExitCode(other), Explain(other))
	}
}

func TestNamesOfFilesAreHarmless(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.com":                             "example.com-desktop",
		"https://example.com:8443/a/../b?x=1":             "example.com_8443_a_.._b-desktop",
		"https://..":                                      "-desktop",
		"https://example.com/" + strings.Repeat("a", 500): "example.com_" + strings.Repeat("a", 88) + "-desktop",
		"https://example.com/%2e%2e/ü":                    "example.com_..__C3_BC-desktop",
		"::":                                              "page-desktop",
	} {
		got := Command{Request: capture.Request{URL: address, Device: capture.Desktop}}.stem()
		if got != want {
			t.Errorf("%s becomes %s, want %s", address, got, want)
		}
	}
}
