package main

import (
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// asProgram makes the tests' binary the program, which takes many seconds to link once more.
const asProgram = "AFTERIMAGE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestDiffExitCodes runs the program, because only a process has an exit
// code and two separate outputs.
func TestDiffExitCodes(t *testing.T) {
	dir := t.TempDir()
	writeSquare(t, filepath.Join(dir, "a.png"), color.White)
	writeSquare(t, filepath.Join(dir, "b.png"), color.Black)
	for _, test := range []struct {
		args     string
		in       string
		code     int
		out, err string // what each output holds, "" for nothing at all
	}{
		{args: "a.png a.png", code: 0, out: "The images are identical."},
		{args: "a.png b.png", code: 1, out: "100.00 % of the image changed."},
		{args: "--json a.png b.png", code: 1, out: `"changed":64,`},
		{args: "--threshold 1 a.png b.png", code: 0, out: "No pixel differs"},
		{args: "a.png missing.png", code: 2, err: "afterimage: missing.png: no such file or directory\n"},
		{args: "a.png .", code: 2, err: "is a folder"},
		{args: "a.png", code: 2, err: "afterimage: name two images"},
		{args: "--threshold 2 a.png b.png", code: 2, err: "--threshold 2"},
		{args: "--stdin", in: "a.png\ta.png\na.png\tmissing.png\na.png\tb.png\n", code: 2, out: `"error":"missing.png`,
			err: "1 pair could not"},
		{args: "--stdin", in: "a.png\ta.png\n", code: 0, out: `"equal":true`},
		{args: "--help", code: 0, out: "afterimage diff --json before.png after.png"},
	} {
		cmd := exec.Command(os.Args[0], append([]string{"diff"}, strings.Fields(test.args)...)...)
		cmd.Dir, cmd.Stdin, cmd.Env = dir, strings.NewReader(test.in), append(os.Environ(), asProgram+"=1")
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if code := cmd.ProcessState.ExitCode(); code != test.code {
			t.Errorf("diff %s: exit code %d, want %d: %s", test.args, code, test.code, errs.String())
		}
		for _, o := range [][2]string{{out.String(), test.out}, {errs.String(), test.err}} {
			got, want := o[0], o[1]
			if !strings.Contains(got, want) || want == "" && got != "" {
				t.Errorf("diff %s: printed %q, want %q", test.args, got, want)
			}
		}
	}
}

// writeSquare writes a picture of one colour.
func writeSquare(t *testing.T, path string, c color.Color) {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 8, 8))
	for i := range img.Pix {
		img.Set(i%8, i/8, c)
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(png.Encode(file, img), file.Close()); err != nil {
		t.Fatal(err)
	}
}
