package jobs_test

import (
	"image/color"
	"testing"

	"github.com/google/go-cmp/cmp"

	"afterimage/capture"
	"afterimage/internal/page"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// What the engine writes down is what clients read.
func TestTheManifestIsStoredAndReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	written := &page.Manifest{
		Engine: "Engine/1", Fonts: "f0", Pipeline: "p", PipelineVersion: 3, Region: "us",
		Proxy:  &page.ProxyUse{Type: "static", Country: "us"},
		Device: "desktop", Viewport: page.Viewport{Width: 1, Height: 2, DevicePixelRatio: 1.5},
		Stages: []page.StageTime{{Stage: "goto", Milliseconds: 1.5}}, TimedOut: []string{"network"}, Redirects: []string{"https://a.test/"},
		FailedRequests: []page.FailedRequest{{URL: "u", Type: "Image", Status: 404, Error: "e"}},
		Unstable:       []page.Box{{X: 1, Y: 2, Width: 3, Height: 4}}, PageHeight: 5, ReceivedBytes: 6,
	}
	w := newWorld(t, func(r capture.Request) (*capture.Shot, error) {
		s := shot(color.White)
		s.Manifest = *written
		s.Manifest.Region, s.Manifest.Device = r.Region, string(r.Device)
		return s, nil
	})
	w.run(w.group("https://example.com", inventory.GroupChange{ScreenshotRegion: vcd.Some(vcd.RegionUS)}), vcd.QueuePre)
	list, err := w.service.Reviews.Screenshots(t.Context(), w.actor, vcd.ScreenshotFilter{}, vcd.Page{Size: 1})
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	got, err := list.Items[0].ReadManifest()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(written, got); diff != "" {
		t.Error(diff)
	}
	if version := list.Items[0].SCVersion; version != "Engine/1 fonts/f0 p/3" {
		t.Errorf("version %q", version)
	}
}
