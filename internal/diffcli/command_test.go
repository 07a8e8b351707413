package diffcli

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"

	"afterimage/imgdiff"
)

// onePixelWebP is a lossless WebP of one pixel.
const onePixelWebP = "UklGRh4AAABXRUJQVlA4TBEAAAAvAAAAAAfQ//73v/+BiOh/AAA="

var box = image.Rect(20, 50, 60, 80)

func TestTables(t *testing.T) {
	files := map[string][]byte{
		"a.png":    pagePNG(t, 300, 200, image.Rectangle{}),
		"b.png":    pagePNG(t, 300, 200, box),
		"tall.png": pagePNG(t, 300, 210, box),
		"dark.png": pagePNG(t, 300, 200, image.Rect(0, 0, 300, 200)),
	}
	for _, test := range []struct {
		golden    string
		command   Command
		different bool
	}{
		{"same.txt", Command{Before: "a.png", After: "a.png"}, false},
		{"different.txt", Command{Before: "a.png", After: "b.png"}, true},
		{"sizes.txt", Command{Before: "b.png", After: "tall.png"}, true},
		{"blank.txt", Command{Before: "a.png", After: "dark.png"}, true},
		{"tolerant.txt", Command{Before: "a.png", After: "b.png", Options: imgdiff.Options{Threshold: 1}}, false},
		{"same.json", Command{Before: "a.png", After: "a.png", JSON: true}, false},
		{"different.json", Command{Before: "a.png", After: "b.png", JSON: true}, true},
	} {
		t.Run(test.golden, func(t *testing.T) {
			path := goldenPath(t, test.golden)
			inFolder(t, files)
			got := run(t, test.command, "")
			if got.failure != nil || got.err != "" {
				t.Fatalf("failed: %v %q", got.failure, got.err)
			}
			if got.different != test.different {
				t.Errorf("different = %v", got.different)
			}
			golden(t, path, got.out)
		})
	}
}

func TestAlign(t *testing.T) {
	inFolder(t, map[string][]byte{
		"a.png": pagePNG(t, 300, 200, image.Rectangle{}), "b.png": pagePNG(t, 300, 200, box),
	})
	got := run(t, Command{Before: "a.png", After: "b.png", Options: imgdiff.Options{Align: true}, JSON: true}, "")
	var report Report
	if err := json.Unmarshal([]byte(got.out), &report); err != nil {
		t.Fatal(err)
	}
	if report.AlignedPercent > report.Percent || report.Percent != 2 {
		t.Errorf("percent %v, aligned %v", report.Percent, report.AlignedPercent)
	}
}

func TestFormats(t *testing.T) {
	webp, err := base64.StdEncoding.DecodeString(onePixelWebP)
	if err != nil {
		t.Fatal(err)
	}
	inFolder(t, map[string][]byte{
		"a.webp": webp, "longer.webp": append(bytes.Clone(webp), 0),
		"a.jpg": pageJPEG(t, 64, 48), "a.png": pagePNG(t, 64, 48, image.Rectangle{}),
	})
	for _, pair := range [][2]string{{"a.webp", "longer.webp"}, {"a.jpg", "a.png"}} {
		if got := run(t, Command{Before: pair[0], After: pair[1]}, ""); got.failure != nil || got.different {
			t.Errorf("%v: different %v, %v", pair, got.different, got.failure)
		}
	}
}

func TestPictures(t *testing.T) {
	inFolder(t, map[string][]byte{
		"a.png": pagePNG(t, 300, 200, image.Rectangle{}), "b.png": pagePNG(t, 300, 200, box),
	})
	got := run(t, Command{Before: "a.png", After: "b.png", Mask: "mask.png", Compose: "look.png"}, "")
	if got.failure != nil {
		t.Fatal(got.failure)
	}
	for _, name := range []string{"mask.png", "look.png"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r, g, b, _ := img.At(30, 60).RGBA(); r != 0xffff || g != 0 || b != 0 {
			t.Errorf("%s: a changed pixel is %v", name, img.At(30, 60))
		}
	}
}

// bomb is the head of a picture with a thousand million pixels.
func bomb() []byte {
	chunk := append([]byte("IHDR"), make([]byte, 13)...)
	binary.BigEndian.PutUint32(chunk[4:], 100_000)
	binary.BigEndian.PutUint32(chunk[8:], 100_000)
	chunk[12], chunk[13] = 8, 6
	data := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), chunk...)
	return binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(chunk))
}

func TestBadInput(t *testing.T) {
	good := pagePNG(t, 300, 200, box)
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 0x10
	inFolder(t, map[string][]byte{
		"good.png": good, "short.png": good[:len(good)/2], "flipped.png": flipped, "empty.png": nil,
		"bomb.png": bomb(), "long-bomb.png": append(bomb(), make([]byte, headSize)...),
		"text.png": []byte("no picture"), "long.bin": make([]byte, 2*headSize),
		"padded.png": append(pagePNG(t, 2, 2, image.Rectangle{}), make([]byte, metadataLimit+headSize)...), "dir/x.png": good,
	})
	for _, test := range []struct {
		name string
		kind error
	}{
		{"short.png", imgdiff.ErrCorrupt}, {"flipped.png", imgdiff.ErrCorrupt}, {"empty.png", imgdiff.ErrFormat},
		{"bomb.png", imgdiff.ErrTooLarge}, {"long-bomb.png", imgdiff.ErrTooLarge},
		{"text.png", imgdiff.ErrFormat}, {"long.bin", imgdiff.ErrFormat}, {"padded.png", imgdiff.ErrTooLarge},
		{"missing.png", os.ErrNotExist}, {"dir", nil},
	} {
		for _, c := range []Command{{Before: test.name, After: "good.png"}, {Before: "good.png", After: test.name}} {
			got := run(t, c, "")
			if got.failure == nil {
				t.Errorf("%s: compared: %s", test.name, got.out)
				continue
			}
			text := got.failure.Error()
			if test.kind != nil && !errors.Is(got.failure, test.kind) {
				t.Errorf("%s: error is not %v: %s", test.name, test.kind, text)
			}
			if strings.Contains(text, "\n") || !strings.Contains(text, test.name) || strings.Contains(text, "imgdiff") {
				t.Errorf("%s: unclear line %q", test.name, text)
			}
		}
	}
}

func TestBadUsage(t *testing.T) {
	for _, test := range []struct {
		command Command
		want    string
	}{
		{Command{Before: "a.png"}, "name two images"},
		{Command{Before: "a", After: "b", Resident: true}, "--stdin"},
		{Command{Resident: true, Mask: "m.png"}, "each line"},
		{Command{Before: "a", After: "b", Options: imgdiff.Options{Threshold: 1.5}}, "--threshold 1.5"},
		{Command{Before: "a", After: "b", Mask: "m", Compose: "m"}, "both name m"},
	} {
		if got := run(t, test.command, ""); got.failure == nil || !strings.Contains(got.failure.Error(), test.want) {
			t.Errorf("%+v: %v", test.command, got.failure)
		}
	}
}

func TestErrorAsJSON(t *testing.T) {
	inFolder(t, map[string][]byte{"a.png": pagePNG(t, 8, 8, image.Rectangle{}), "b.png": []byte("no picture")})
	got := run(t, Command{Before: "a.png", After: "b.png", JSON: true}, "")
	var failure failure
	if err := json.Unmarshal([]byte(got.out), &failure); err != nil || failure.Error == "" || failure.After != "b.png" {
		t.Errorf("printed %q: %v", got.out, err)
	}
	if !errors.Is(got.failure, imgdiff.ErrFormat) {
		t.Errorf("error %v", got.failure)
	}
}

func TestNumbers(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{percent(0), "0.00 %"}, {percent(0.001), "<0.01 %"}, {percent(99.999), ">99.99 %"}, {percent(100), "100.00 %"},
		{grouped(0), "0"}, {grouped(999), "999"}, {grouped(1000), "1,000"}, {grouped(1234567), "1,234,567"},
		{count(1, "pixel"), "1 pixel"}, {count(2000, "pixel"), "2,000 pixels"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}
