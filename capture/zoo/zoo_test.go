package zoo_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"afterimage/capture/zoo"
)

func TestMain(m *testing.M) {
	code := m.Run()
	http.DefaultClient.CloseIdleConnections()
	if err := goleak.Find(); err != nil {
		_, _ = os.Stderr.WriteString(err.Error() + "\n")
		code = 1
	}
	os.Exit(code)
}

func TestPagesAreServed(t *testing.T) {
	site := startSite(t)
	names := make(map[string]bool)
	steady := 0
	for _, p := range zoo.Pages() {
		if names[p.Name] {
			t.Errorf("two pages have the name %s", p.Name)
		}
		names[p.Name] = true
		if p.Kind == zoo.Steady {
			steady++
		}
		if p.Shows == "" || len(p.Has) == 0 {
			t.Errorf("%s does not say what it shows", p.Name)
		}
		body := get(t, site.Address(p), http.StatusOK)
		if strings.Contains(body, "{{") || !strings.Contains(body, "<title>"+p.Name+"</title>") {
			t.Errorf("%s is not written:\n%s", p.Name, body)
		}
	}
	if steady < 34 || len(names) < 40 {
		t.Errorf("the zoo has %d pages, %d of them steady; want 40 and 34", len(names), steady)
	}
	if _, err := zoo.Find("unicorn"); err == nil {
		t.Error("a page that is not there was found")
	}
}

func TestAssets(t *testing.T) {
	site := startSite(t)
	for path, magic := range map[string]string{
		"/image/content/20x10": "\x89PNG", "/after/1/image/loader/1x1": "\x89PNG", "/gif/endless": "GIF89a", "/gif/once": "GIF89a",
		"/font/blocks.ttf": "\x00\x01\x00\x00", "/video/moving.webm": "\x1a\x45\xdf\xa3", "/files/moving.svg": "<svg",
		"/live/advertisement": "<svg",
	} {
		if body := get(t, site.OtherURL+path, http.StatusOK); !strings.HasPrefix(body, magic) {
			t.Errorf("%s begins with %q, want %q", path, body[:min(8, len(body))], magic)
		}
	}
	for _, path := range []string{"/unicorn", "/image/none/20x10", "/image/content/90000x1", "/image/content/0x1", "/image/content/x",
		"/after/x/gif/once", "/after/99999/gif/once", "/files/zoo.go"} {
		get(t, site.URL+path, http.StatusNotFound)
	}
}

func get(t *testing.T, address string, status int) string {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != status {
		t.Errorf("%s answers %d, want %d", address, answer.StatusCode, status)
	}
	return string(body)
}

// TestTally: what is wrong with a set of pictures is found, and nothing else.
func TestTally(t *testing.T) {
	ink, paint, waste := color.RGBA{11, 122, 75, 255}, color.RGBA{212, 160, 23, 255}, color.RGBA{230, 25, 75, 255}
	page := func(kind zoo.Kind) zoo.Page {
		return zoo.Page{Kind: kind, Has: []zoo.Sentinel{{Colour: ink, Least: 2, Most: 3}}, Gone: []color.RGBA{waste}}
	}
	good := draw(t, 4, ink, ink, color.White, color.White)
	moved := draw(t, 4, ink, color.White, ink, color.White)
	for name, test := range map[string]struct {
		kind     zoo.Kind
		pictures [][]byte
		unstable []image.Rectangle
		wrong    string // part of the verdict, "" = right
	}{
		"equal":             {zoo.Steady, [][]byte{good, good}, nil, ""},
		"missing":           {zoo.Steady, [][]byte{draw(t, 4, ink)}, nil, "content has 1 pixels, want at least 2"},
		"too much":          {zoo.Steady, [][]byte{draw(t, 4, ink, ink, ink, ink)}, nil, "content has 4 pixels, want at most 3"},
		"left over":         {zoo.Steady, [][]byte{good, draw(t, 4, ink, ink, waste)}, nil, "loader is left over with 1 pixels"},
		"different":         {zoo.Steady, [][]byte{good, moved, good}, nil, "2 different pictures of 3, up to 2 pixels apart"},
		"no picture":        {zoo.Steady, [][]byte{good, []byte("GIF")}, nil, "decode the picture"},
		"restless, covered": {zoo.Restless, [][]byte{good, moved}, []image.Rectangle{image.Rect(1, 0, 3, 1)}, ""},
		"restless, half covered": {zoo.Restless, [][]byte{good, moved}, []image.Rectangle{image.Rect(0, 0, 2, 1)},
			"1 pixels differ outside"},
		"restless, another width": {zoo.Restless, [][]byte{good, draw(t, 5, ink, ink, color.White, color.White, paint)}, nil,
			"1 pixels differ outside"},
		"dealt": {zoo.Dealt, [][]byte{good, moved}, nil, ""},
	} {
		tally := zoo.NewTally(page(test.kind))
		for _, picture := range test.pictures {
			tally.Add(picture, test.unstable)
		}
		verdict := tally.Verdict()
		if (test.wrong == "") != tally.Right() || !strings.Contains(verdict, test.wrong) {
			t.Errorf("%s: right %v, verdict %q, want %q", name, tally.Right(), verdict, test.wrong)
		}
	}
	failed := zoo.NewTally(page(zoo.Steady))
	failed.Fail(errors.New("no browser"))
	if failed.Right() || failed.Verdict() != "no browser" {
		t.Errorf("a failure counts as %q", failed.Verdict())
	}
}

// draw makes a picture of one row of pixels; what is not given is transparent.
func draw(t *testing.T, width int, pixels ...color.Color) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, width, 1))
	for x, c := range pixels {
		picture.Set(x, 0, c)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
