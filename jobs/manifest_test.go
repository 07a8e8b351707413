package jobs_test

import (
	"image/color"
	"testing"

	"github.com/google/go-cmp/cmp"

	"afterimage/capture"
	"afterimage/vcd"
)

// What the engine writes down is what clients read: the two shapes are kept apart by the import table, and together by this.
func TestTheManifestIsStoredAndReadAsItWasWritten(t *testing.T) {
	w := newWorld(t, func(r capture.Request) (*capture.Shot, error) {
		s := shot(color.White)
		s.Manifest = capture.Manifest{
			Engine: "Engine/1", Fonts: "f0", Pipeline: "p", PipelineVersion: 3, Region: r.Region, Proxy: &capture.ProxyUse{Type: "static", Country: "us"},
			Device: r.Device, Viewport: capture.Viewport{Width: 1, Height: 2, DevicePixelRatio: 1.5},
			Stages: []capture.StageTime{{Stage: "goto", Milliseconds: 1.5}}, TimedOut: []string{"network"}, Redirects: []string{"https://a.test/"},
			FailedRequests: []capture.FailedRequest{{URL: "u", Type: "Image", Status: 404, Error: "e"}},
			Unstable:       []capture.Box{{X: 1, Y: 2, Width: 3, Height: 4}}, PageHeight: 5, ReceivedBytes: 6,
		}
		return s, nil
	})
	w.run(w.group("https://example.com", vcd.GroupChange{ScreenshotRegion: vcd.Some(vcd.RegionUS)}), vcd.QueuePre)
	list, err := w.service.Screenshots(t.Context(), w.actor, vcd.ScreenshotFilter{}, vcd.Page{Size: 1})
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	got, err := list.Items[0].ReadManifest()
	if err != nil {
		t.Fatal(err)
	}
	want := &vcd.Manifest{
		Engine: "Engine/1", Fonts: "f0", Pipeline: "p", PipelineVersion: 3, Region: vcd.RegionUS, Proxy: &vcd.ManifestProxy{Type: vcd.ProxyStatic, Country: "us"},
		Viewport: vcd.Viewport{Width: 1, Height: 2, DevicePixelRatio: 1.5},
		Stages:   []vcd.StageTime{{Stage: "goto", Milliseconds: 1.5}}, TimedOut: []string{"network"}, Redirects: []string{"https://a.test/"},
		FailedRequests: []vcd.FailedRequest{{URL: "u", Type: "Image", Status: 404, Error: "e"}},
		Unstable:       []vcd.Box{{X: 1, Y: 2, Width: 3, Height: 4}}, PageHeight: 5, ReceivedBytes: 6,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if version := list.Items[0].SCVersion; version != "Engine/1 fonts/f0 p/3" {
		t.Errorf("version %q", version)
	}
}
