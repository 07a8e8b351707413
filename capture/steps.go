package capture

import (
	"errors"
	"image"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/page"
)

// A page of which parts are there only while they are on the screen is taken screen by screen: each slice shows what somebody sees
// who has scrolled there. What stays on the screen is in the first slice.
const (
	stepPause  = 300 * time.Millisecond // of the page's time, for what comes into view
	stepBudget = 12 * time.Second
	stepTime   = time.Second // wall time by which the deadline is later, per screen: together at most MaxTallTime
	maxSteps   = 60          // screens; what is further down is shown as it is when the last of them is in view
)

// shownParts collects the elements of the screens; nil before the first one.
type shownParts map[sameBox]int

// wholePage is a picture that was painted from one state of the page.
func (r *run) wholePage() section {
	return section{origin: r.size.origin(), area: image.Rect(0, 0, r.shot.Width, r.shot.Height)}
}

// paintSteps captures a page screen by screen.
func (r *run) paintSteps(width, height int, silent bool) (picture, error) {
	rows := r.device.Height * 3 / 5
	p := picture{width: width, height: height, step: rows}
	r.deadline.extend(time.Duration(min((height-1)/rows, maxSteps)) * stepTime)
	r.shown = make(shownParts)
	r.shot.Width, r.shot.Height = width, height
	r.shot.Content.Elements, r.shot.Content.Styles, r.shot.Content.Text = []page.Element{}, nil, ""
	for i, size := 0, 0; i*rows < height; i++ {
		file, err := r.step(i, image.Rect(0, i*rows, width, min((i+1)*rows, height)), silent)
		if err != nil {
			return picture{}, err
		}
		if size += len(file); size > maxPictureBytes && i > 0 {
			p.height, r.shot.Truncated = i*rows, true
			break
		}
		p.slices = append(p.slices, file)
	}
	if height > maxSteps*rows {
		below := page.Missing{Kind: page.MissingHidden, Side: "below", Pixels: height - maxSteps*rows}
		r.size.Parts = append(r.size.Parts, leftPart{Missing: below})
	}
	return p, r.bringIntoView(0, 0)
}

// step brings a screen into view, captures and describes it.
func (r *run) step(i int, area image.Rectangle, silent bool) ([]byte, error) {
	if i < maxSteps {
		above := r.device.Height / 5 // what is near the edge of the screen is often not there yet
		if err := r.bringIntoView(max(r.size.Y+area.Min.Y-above, 0), stepPause); err != nil {
			return nil, err
		}
		if err := r.covered(); err != nil {
			return nil, err
		}
	}
	file, err := r.screen(area, silent)
	if err != nil {
		return nil, err
	}
	return file, r.describePart(section{origin: r.size.origin(), area: area, known: r.shown})
}

// screen captures one screen. Scripts may notice that the page is scrolled, but not that its picture is taken.
func (r *run) screen(area image.Rectangle, silent bool) (_ []byte, err error) {
	if !silent {
		if err := r.suppressScripts(true); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, r.suppressScripts(false)) }()
	}
	file, err := r.slice(area.Dx(), area.Min.Y, area.Dy(), silent, false)
	if err == nil {
		err = checkSize(file, area.Dx(), area.Dy())
	}
	return file, err
}

// bringIntoView scrolls the page and lets come what comes into view.
func (r *run) bringIntoView(top int, pause time.Duration) error {
	for _, world := range r.events.otherWorlds() {
		_, _ = r.evaluate(call(world, "resumeFrames", r.token), stillBudget) // best effort, as in still
	}
	return r.ask("step", stepBudget, nil, r.token, top, pause.Milliseconds())
}

// describePart lists the elements of a screen.
func (r *run) describePart(in section) error {
	if r.size.Elements > maxDescribed {
		r.gaveUp("elements")
		return nil
	}
	request := proto.DOMSnapshotCaptureSnapshot{ComputedStyles: describedStyles()}
	raw, err := r.await(request, elemBudget)
	if err != nil || raw == nil {
		return err
	}
	snapshot, err := decodeAnswer[domSnapshot](request, raw)
	if err != nil {
		return err
	}
	return r.shot.describe(snapshot, in)
}
