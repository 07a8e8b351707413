package diffcli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"image"
	"io"
	"os"
	"strings"
	"testing"

	"afterimage/imgdiff"
)

func TestResident(t *testing.T) {
	path := goldenPath(t, "resident.json")
	inFolder(t, map[string][]byte{
		"a.png": pagePNG(t, 100, 100, image.Rectangle{}), "b.png": pagePNG(t, 100, 100, image.Rect(10, 10, 30, 30)),
		"text.png": []byte("no picture"),
	})
	got := run(t, Command{Resident: true}, strings.Join([]string{
		"a.png\ta.png",
		"",
		`{"id":"x","before":"a.png","after":"b.png","mask":"mask.png"}`,
		`{"id":2,"before":"a.png","after":"b.png","threshold":1,"include_aa":true,"align":false}`,
		"a.png\tmissing.png",
		"text.png\ta.png",
		"a.png",
		`{"before":"a.png"`,
		`{"before":"a.png","after":"b.png","color":1}`,
		`{"before":"a.png","after":"b.png"} {}`,
		`{"id":3,"before":"a.png","after":"b.png","threshold":7}`,
		strings.Repeat("x", 3*lineLimit),
		"b.png\tb.png", // the last line lacks its end
	}, "\n"))
	golden(t, path, got.out)
	if !got.different || got.failure == nil || got.failure.Error() != "8 pairs could not be compared" {
		t.Errorf("different %v, error %v", got.different, got.failure)
	}
	if _, err := os.Stat("mask.png"); err != nil {
		t.Error(err)
	}
}

// TestResidentAnswersAtOnce asks the second question only after the first
// answer.
func TestResidentAnswersAtOnce(t *testing.T) {
	inFolder(t, map[string][]byte{"a.png": pagePNG(t, 10, 10, image.Rectangle{})})
	questions, ask := io.Pipe()
	answers, answer := io.Pipe()
	result := make(chan error, 1)
	go func() {
		c := Command{Resident: true, Options: imgdiff.DefaultOptions()}
		_, err := c.Run(context.Background(), Streams{In: questions, Out: answer, Err: io.Discard})
		result <- err
	}()
	lines := bufio.NewScanner(answers)
	for id := range 3 {
		if err := writeJSON(ask, map[string]any{"id": id, "before": "a.png", "after": "a.png"}); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() {
			t.Fatal(lines.Err())
		}
		var report struct{ ID int }
		if err := json.Unmarshal(lines.Bytes(), &report); err != nil || report.ID != id {
			t.Fatalf("answer %s: %v", lines.Bytes(), err)
		}
	}
	if err := ask.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-result; err != nil {
		t.Error(err)
	}
}

func TestResidentIsInterrupted(t *testing.T) {
	questions, ask := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Command{Resident: true}.Run(ctx, Streams{In: questions, Out: io.Discard, Err: io.Discard})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := ask.Close(); err != nil { // frees the goroutine that reads
		t.Error(err)
	}
}

// FuzzParseRequest holds that a line either names a pair or is refused.
func FuzzParseRequest(f *testing.F) {
	for _, line := range []string{"a\tb", `{"id":[1],"before":"a","after":"b","threshold":1e9}`, "{", "", "\t", `{"before":1}`} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := parseRequest(line)
		if err == nil && (r.Before == "" || r.After == "") {
			t.Errorf("%q names %q and %q", line, r.Before, r.After)
		}
		if len(r.ID) > 0 && !json.Valid(r.ID) {
			t.Errorf("%q has the id %q, which cannot be answered", line, r.ID)
		}
	})
}
