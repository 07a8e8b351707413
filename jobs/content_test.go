package jobs_test

import (
	"context"
	"image/color"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/internal/page"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// What is to be read on a page is kept beside its picture, once for equal pages, and never swept from under a screenshot.
func TestWhatIsToBeReadOnAPageIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(r capture.Request) (*capture.Shot, error) {
		s := shot(color.White)
		if r.URL == "https://example.com/blank" {
			return s, nil
		}
		s.Content = &page.Content{
			Title: "T", Text: "Hello", Robots: "noindex", Canonical: "/",
			Assets: []page.Asset{{Kind: "script", URL: "https://example.com/a.js?ver=1"}},
			Elements: []page.Element{{Box: page.Box{X: 1, Y: 2, Width: 3, Height: 4}, Selector: "#a", Tag: "a", Role: "link",
				Text: "Hello"}},
		}
		return s, nil
	})
	group := w.group("https://example.com/1", inventory.GroupChange{})
	w.add(group, "https://example.com/2")
	w.add(group, "https://example.com/blank")
	w.run(group, vcd.QueuePre)
	list, err := w.service.Reviews.Screenshots(t.Context(), w.actor, vcd.ScreenshotFilter{}, vcd.Page{Size: 5})
	if err != nil || len(list.Items) != 3 {
		t.Fatalf("%v, %v", list, err)
	}
	if _, err := w.db.SweepBlobs(t.Context(), time.Now().Add(time.Hour), 100, func(ctx context.Context, all []string) ([]string, error) {
		for _, hash := range all {
			if err := w.files.Remove(ctx, hash); err != nil {
				return nil, err
			}
		}
		return all, nil
	}); err != nil {
		t.Fatal(err)
	}
	hashes := map[string]bool{}
	for _, s := range list.Items {
		content, err := w.service.Reviews.ContentOf(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if s.URLAddress == "example.com/blank" {
			if content != nil {
				t.Errorf("of a blank page there is to be read %+v", content)
			}
			continue
		}
		hashes[s.ElementsHash] = true
		want := page.Element{Box: page.Box{X: 1, Y: 2, Width: 3, Height: 4}, Selector: "#a", Tag: "a", Role: "link", Text: "Hello"}
		if content == nil || content.Text != "Hello" || content.Robots != "noindex" || content.Canonical != "/" || content.Title != "T" ||
			len(content.Elements) != 1 || content.Elements[0] != want ||
			len(content.Assets) != 1 || content.Assets[0] != (page.Asset{Kind: "script", URL: "https://example.com/a.js?ver=1"}) {
			t.Errorf("content %+v", content)
		}
	}
	if len(hashes) != 1 {
		t.Errorf("equal contents are kept %d times", len(hashes))
	}
	w.checkInvariants()
}
