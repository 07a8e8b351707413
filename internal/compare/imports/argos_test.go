package imports

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// argosText is a file as the SDK for Playwright writes it, with more fields.
func argosText(url string, width int, more string) string {
	return fmt.Sprintf(`{"url": %s, "viewport": {"width": %d, "height": 667}, "colorScheme": "light", "mediaType": "screen", %s
		"test": {"id": "1-2", "title": "home", "titlePath": ["a.spec.ts"], "retry": 0, "location": {"file": "a.spec.ts", "line": 3}},
		"browser": {"name": "chromium", "version": "140"}, "automationLibrary": {"name": "@playwright/test", "version": "1.65.1"},
		"sdk": {"name": "@argos-ci/playwright", "version": "7.6.0"}, "capture": {"index": 0}}`, url, width, more)
}

func TestAFolderOfArgos(t *testing.T) {
	folder := fstest.MapFS{"checkout/home vw-375.png": &fstest.MapFile{}, "node_modules/a.png.argos.json": &fstest.MapFile{}}
	for name, text := range map[string]string{
		"home":          argosText(`"https://example.com/"`, 1280, ""),
		"checkout/cart": argosText(`"https://example.com/cart"`, 1280, `"transient": {"threshold": 0.2, "baseName": "old"},`),
		"checkout/open menu": argosText(`"https://example.com/"`, 375,
			`"story": {"id": "a--b", "tags": []}, "transient": {"baseName": ["a", "b"]},`),
		"checkout/menu closed": argosText(`"https://example.com/"`, 375, ""),
		"component":            argosText("null", 1280, ""),
		"elsewhere":            argosText(`"https://blog.example.org/"`, 1280, `"previewUrl": null,`),
	} {
		folder[name+".png"] = &fstest.MapFile{}
		folder[name+".png.argos.json"] = &fstest.MapFile{Data: []byte(text)}
	}
	imported, err := ReadFolder(folder, "")
	if err == nil {
		err = imported.ForCompare()
	}
	if err != nil {
		t.Fatal(err)
	}
	want := Settings{Before: "https://example.com", Paths: []string{"/cart", "/"}, Devices: []string{"desktop", "mobile"}}
	if diff := cmp.Diff(want, imported.Settings); diff != "" {
		t.Error(diff)
	}
	for _, sentence := range []string{
		"The viewport of 1280 × 667 pixels becomes the device desktop, whose size is fixed.",
		"The viewport of 375 × 667 pixels becomes the device mobile, whose size is fixed.",
		"Actions of the tests before a screenshot are not repeated: each address is captured as it loads.",
		"1 screenshot skipped: others show the same address in the same viewport.",
		"1 screenshot without an address skipped.",
		"1 picture skipped: there is no .argos.json file next to it.",
		"1 screenshot of stories: use `storybook: true` instead of paths to compare a whole Storybook.",
		"baseName is not imported (set by 2 of the screenshots).",
		"threshold is not imported (set by 1 of the screenshots).",
		"1 page of other sites than https://example.com: import those separately.",
	} {
		if at := slices.Index(imported.Left, sentence); at >= 0 {
			imported.Left = slices.Delete(imported.Left, at, at+1)
		} else {
			t.Errorf("it does not say: %s", sentence)
		}
	}
	if len(imported.Left) > 0 {
		t.Errorf("it also says %q", imported.Left)
	}
}

func TestOtherFoldersAreRefused(t *testing.T) {
	file := func(text string) fstest.MapFS {
		return fstest.MapFS{"a/home.png.argos.json": &fstest.MapFile{Data: []byte(text)}}
	}
	for name, c := range map[string]struct {
		folder fstest.MapFS
		format string
		want   string
	}{
		"pictures alone":   {fstest.MapFS{"home.png": &fstest.MapFile{}}, "", "no file that ends with .argos.json"},
		"another format":   {file(argosText(`""`, 1, "")), "percy", "name a file of percy"},
		"no JSON":          {file("{"), "argos", "a/home.png.argos.json cannot be read as argos"},
		"of somebody else": {file(`{"url": "https://example.com/"}`), "", "it has no sdk"},
		"a large file":     {file(strings.Repeat(" ", maxArgosFile+1)), "", "a/home.png.argos.json has more than 1 MiB"},
		"deep nesting":     {file(strings.Repeat("[", maxArgosFile)), "", "cannot be read as argos"},
	} {
		if _, err := ReadFolder(c.folder, c.format); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
