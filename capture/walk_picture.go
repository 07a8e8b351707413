package capture

import (
	"errors"
	"math"
	"slices"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/page"
)

// Texts that are shown in a picture although they are secret are covered again and looked for again, so often.
const maxVeils = 3

var errUnveiled = &stepFailure{"the page kept showing a secret while the picture was taken, so there is no picture."}

// checkpoint takes a picture, from the page's readiness on like other captures, and leaves the page as it was.
func (w *walk) checkpoint() (*Shot, error) {
	for range maxMoves {
		shot, err := w.photograph()
		if !errors.Is(err, errMoved) {
			return shot, err
		}
		if err := w.ready(); err != nil {
			return nil, err
		}
	}
	return nil, &Failure{Reason: ReasonRedirectLoop, Err: errMoved}
}

func (w *walk) photograph() (*Shot, error) {
	w.shot = newShot()
	w.shot.Manifest = copied(&w.arrived)
	w.resumes, w.req.Hide = w.follows, w.hidden
	if err := w.everywhere("beginPicture"); err != nil {
		return nil, err
	}
	err := w.develop()
	if w.follows && w.ctx.Err() == nil && !errors.Is(err, errMoved) {
		w.tab.Post(w.device.metrics())
		w.releaseClosedRoots()
		err = errors.Join(err, w.everywhere("resume"))
	}
	if err != nil {
		return nil, err
	}
	w.report()
	w.forget()
	w.vault.hideAll(w.shot)
	return w.shot, nil
}

// develop goes through the stages of a picture.
func (w *walk) develop() error {
	if err := w.prepareWhole(); err != nil {
		return err
	}
	if err := w.through(stagesOf("settle")); err != nil {
		return err
	}
	if w.step.Element != nil {
		if err := w.showElement(); err != nil {
			return err
		}
	}
	if err := w.through(looking); err != nil {
		return err
	}
	if w.step.Element != nil {
		if err := w.narrow(); err != nil {
			return err
		}
	}
	for range maxVeils {
		w.shot.Content = newShot().Content
		if err := w.through(keeping); err != nil {
			return err
		}
		shown, err := w.coverMore()
		if err != nil || shown == 0 {
			return err
		}
	}
	return errUnveiled
}

// prepareWhole makes a whole page show all it has. Each address is scrolled through once.
func (w *walk) prepareWhole() error {
	if w.step.Element != nil {
		return nil
	}
	if err := w.through(stagesOf("images")); err != nil {
		return err
	}
	address := w.events.current().url
	if w.seen == address {
		return w.ask("unroll", scriptBudget, nil, MaxHeight)
	}
	if err := w.through(stagesOf("scroll")); err != nil {
		return err
	}
	w.seen = address
	return nil
}

// showElement brings the element of a picture into view within what scrolls on the page; the page itself is scrolled up.
func (w *walk) showElement() error {
	return w.until(func() error {
		t, err := w.locate(w.step.Element)
		if err == nil {
			err = w.on(t, "scrollInto", nil)
		}
		if err == nil {
			err = w.ask("scrollWindow", scriptBudget, nil, "top")
		}
		return err
	})
}

// narrow limits the picture to the element.
func (w *walk) narrow() error {
	t, err := w.locate(w.step.Element)
	if err != nil {
		return err
	}
	request := proto.DOMGetContentQuads{ObjectID: t.object}
	raw, err := w.command(request)
	if err != nil {
		return err
	}
	answer, err := decodeAnswer[proto.DOMGetContentQuadsResult](request, raw)
	if err != nil {
		return err
	}
	var scrolled point
	if err := w.ask("offset", scriptBudget, &scrolled); err != nil {
		return err
	}
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, quad := range answer.Quads {
		l, t, r, b := boundsOf(quad)
		left, top, right, bottom = min(left, l), min(top, t), max(right, r), max(bottom, b)
	}
	s := &w.size
	x, y := max(int(math.Floor(left+scrolled.X)), s.X), max(int(math.Floor(top+scrolled.Y)), s.Y)
	width := min(int(math.Ceil(right+scrolled.X)), s.X+s.Width) - x
	height := min(int(math.Ceil(bottom+scrolled.Y)), s.Y+s.Height) - y
	if len(answer.Quads) == 0 || width < 1 || height < 1 {
		return unable("%s cannot be scrolled into view.", t.name)
	}
	s.ClipX, s.ClipY = s.ClipX+x-s.X, s.ClipY+y-s.Y
	s.X, s.Y, s.Width, s.Height, s.Hides, s.Parts = x, y, width, height, false, nil
	return nil
}

// copied is a manifest whose lists are its own.
func copied(m *page.Manifest) page.Manifest {
	c := *m
	c.WaitedFor, c.TimedOut, c.Stages = slices.Clone(c.WaitedFor), slices.Clone(c.TimedOut), slices.Clone(c.Stages)
	return c
}

// forget lets the next picture tell only what happens from now on.
func (w *walk) forget() {
	w.events.mu.Lock()
	defer w.events.mu.Unlock()
	w.events.console, w.events.failures, w.events.redirect = console{}, nil, nil
}

// everywhere calls a function of our script in all frames.
func (w *walk) everywhere(function string, args ...any) error {
	worlds, err := w.worlds()
	if err != nil {
		return err
	}
	for i, world := range worlds {
		err := w.askIn(world, function, scriptBudget, nil, args...)
		if err != nil && (i == 0 || w.ctx.Err() != nil || w.moved()) { // another frame may be gone
			return err
		}
	}
	return nil
}

// cover covers secrets in all frames.
func (w *walk) cover() error {
	_, err := w.coverMore()
	return err
}

// coverMore covers secrets and tells in how many places that was new.
func (w *walk) coverMore() (int, error) {
	words := w.vault.words()
	if len(words) == 0 {
		return 0, nil
	}
	worlds, err := w.worlds()
	if err != nil {
		return 0, err
	}
	all := 0
	for i, world := range worlds {
		var more struct {
			Places int      `json:"places"`
			Pieces []string `json:"pieces"`
		}
		err := w.askIn(world, "veil", scriptBudget, &more, words)
		if err != nil && (i == 0 || w.ctx.Err() != nil || w.moved()) {
			return 0, err
		}
		all += more.Places
		for _, piece := range more.Pieces {
			w.vault.addPiece(piece)
		}
	}
	return all, nil
}

// look shows the window as it is before the next step, and leaves the page as it was.
func (w *walk) look(req *WalkRequest, stepsDone int) error {
	if req.Looks == nil {
		return nil
	}
	picture := w.present()
	end := w.within(pictureTime)
	_ = w.everywhere("resume") // a page that has moved on has nothing to undo
	end()
	return w.shown(req, stepsDone, picture)
}

// lookAfter shows the window as it is after a step.
func (w *walk) lookAfter(req *WalkRequest, done *WalkedStep) error {
	if req.Looks == nil || done.State != StepFailed {
		return w.look(req, done.Number)
	}
	return w.shown(req, done.Number, done.Picture)
}

// shown hands a picture on.
func (w *walk) shown(req *WalkRequest, stepsDone int, picture []byte) error {
	if picture == nil {
		return nil
	}
	if err := req.Looks(stepsDone, picture); err != nil {
		return &Failure{Reason: ReasonBrowser, Stage: "look", Err: err}
	}
	return nil
}

// present takes a picture of the window as it is; nil if that cannot be done.
func (w *walk) present() []byte {
	end := w.within(pictureTime)
	defer end()
	if w.cover() != nil {
		return nil
	}
	answer := w.tab.Begin(proto.PageCaptureScreenshot{
		Format: proto.PageCaptureScreenshotFormatPng, OptimizeForSpeed: true, FromSurface: true,
	})
	if w.clock.Hold(w.ctx, answer.Done(), true) != nil {
		return nil
	}
	picture, err := PictureOf(answer.Result(w.ctx))
	if err != nil {
		return nil
	}
	if shown, err := w.coverMore(); err != nil || shown > 0 {
		return nil
	}
	return picture
}
