package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"afterimage/capture"
	"afterimage/jobs"
)

// laterLook is what pages get by the pipeline of a later version: no picture of it equals one of this version.
const laterLook = "html { border-right: 20px solid gray !important }"

// laterPipeline captures as a later version might, for tests of what becomes of comparisons after an upgrade.
type laterPipeline struct {
	jobs.Capturer
	version int
}

// pipeline is the version of the pipeline that a test asks for; 0 for that of this program.
func (f developmentFlags) pipeline(logger *slog.Logger) (version int, err error) {
	switch {
	case f.DevelopmentPipeline == 0:
		return 0, nil
	case !f.Development:
		return 0, errors.New("--development-pipeline is only for tests of the program and needs --development")
	case f.DevelopmentPipeline <= capture.PipelineVersion:
		return 0, fmt.Errorf("--development-pipeline must be larger than %d, that of this version", capture.PipelineVersion)
	}
	logger.Warn("pages are captured with a border: do not use --development-pipeline in production", "pipeline", f.DevelopmentPipeline)
	return f.DevelopmentPipeline, nil
}

// throughPipeline captures by the pipeline of a version; 0 is ours.
func throughPipeline(version int, by jobs.Capturer) jobs.Capturer {
	if version == 0 {
		return by
	}
	return laterPipeline{Capturer: by, version: version}
}

// Capture implements jobs.Capturer.
func (p laterPipeline) Capture(ctx context.Context, r capture.Request) (*capture.Shot, error) {
	r.Styles = append(slices.Clone(r.Styles), laterLook)
	shot, err := p.Capturer.Capture(ctx, r)
	if shot != nil {
		shot.Manifest.PipelineVersion = p.version
	}
	return shot, err
}
