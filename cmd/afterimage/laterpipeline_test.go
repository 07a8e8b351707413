package main

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"afterimage/capture"
	"afterimage/jobs"
)

// asked is a capturer that remembers the styles that it is to put in.
type asked struct{ styles []string }

// Capture implements jobs.Capturer.
func (a *asked) Capture(_ context.Context, r capture.Request) (*capture.Shot, error) {
	a.styles = r.Styles
	shot := &capture.Shot{}
	shot.Manifest.PipelineVersion = capture.PipelineVersion
	return shot, nil
}

func TestALaterPipelineIsNotForServices(t *testing.T) {
	quiet := slog.New(slog.DiscardHandler)
	for want, flags := range map[string]developmentFlags{
		"needs --development": {DevelopmentPipeline: 1000},
		"must be larger":      {Development: true, DevelopmentPipeline: capture.PipelineVersion},
	} {
		if _, err := flags.pipeline(quiet); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", flags, err, want)
		}
	}
	if version, err := (developmentFlags{}).pipeline(quiet); version != 0 || err != nil {
		t.Errorf("without the flag: version %d, %v", version, err)
	}
}

func TestALaterPipelineShowsPagesInAnotherWay(t *testing.T) {
	version, err := developmentFlags{Development: true, DevelopmentPipeline: 1000}.pipeline(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	browser, given := &asked{}, []string{"p{}"}
	shot, err := throughPipeline(version, browser).Capture(t.Context(), capture.Request{Styles: given})
	if err != nil || shot.Manifest.PipelineVersion != 1000 || !slices.Equal(browser.styles, []string{"p{}", laterLook}) || len(given) != 1 {
		t.Errorf("version %d with %q: %v", shot.Manifest.PipelineVersion, browser.styles, err)
	}
	var ours jobs.Capturer = browser
	if throughPipeline(0, ours) != ours {
		t.Error("without the flag pages are captured in another way, too")
	}
}
