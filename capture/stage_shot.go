package capture

import (
	"bytes"
	"errors"
	"image"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

const (
	maxShots = 4    // pictures taken of a page that does not hold still
	maxTitle = 1000 // bytes
)

// pauses before a further picture: what moves slowly needs time to show it.
var pauses = [maxShots]time.Duration{1: 0, 2: 100 * time.Millisecond, 3: 250 * time.Millisecond}

// shoot takes pictures until two in a row agree. A page in which nothing can have moved since it was stilled needs only
// one. Where the pictures differed to the end is kept with the last one.
func (r *run) shoot() error {
	picture, err := r.picture()
	if err != nil {
		return err
	}
	calm, err := r.calm()
	if err != nil {
		return err
	}
	var unstable difference
	for taken := 1; !calm; taken++ {
		if taken == maxShots {
			r.gaveUp("stability")
			r.shot.Unstable = unstable.boxes()
			break
		}
		again, err := r.another(pauses[taken])
		if err != nil {
			return err
		}
		if calm = bytes.Equal(picture, again); !calm {
			if err := unstable.add(picture, again); err != nil {
				return err
			}
		}
		picture = again
	}
	width, height, err := pngSize(picture)
	if err != nil {
		return err
	}
	r.shot.PNG, r.shot.Width, r.shot.Height, r.shot.Title = picture, width, height, cut(r.size.Title, maxTitle)
	return nil
}

// calm asks the page whether anything can have moved. A page that does not answer any more is taken as it is: its picture
// is there.
func (r *run) calm() (bool, error) {
	var calm bool
	err := r.ask("calm", stillBudget, &calm)
	var failure *Failure
	if errors.As(err, &failure) && r.ctx.Err() == nil {
		r.gaveUp("stability")
		return true, nil
	}
	return calm, err
}

// another stills and measures the page again, for what moved may have changed its size, and takes a further picture.
func (r *run) another(pause time.Duration) ([]byte, error) {
	if _, err := r.clock.Wait(r.ctx, nil, pause); err != nil {
		return nil, err
	}
	if err := r.still(); err != nil {
		return nil, err
	}
	return r.picture()
}

// picture paints beyond the viewport. Growing the viewport instead would stretch what is as high as the screen.
func (r *run) picture() ([]byte, error) {
	width := min(r.size.Width, MaxWidth)
	height := min(r.size.Height, MaxHeight, MaxPixels/width)
	r.shot.Truncated = width < r.size.Width || height < r.size.Height
	answer := r.tab.Begin(proto.PageCaptureScreenshot{
		Format: proto.PageCaptureScreenshotFormatPng, OptimizeForSpeed: true, CaptureBeyondViewport: true, FromSurface: true,
		Clip: &proto.PageViewport{Width: float64(width), Height: float64(height), Scale: 1},
	})
	if err := r.clock.Hold(r.ctx, answer.Done()); err != nil {
		return nil, err
	}
	result, err := answer.Result(r.ctx)
	if err != nil {
		return nil, err
	}
	return pictureIn(result)
}

// Box is a rectangle of a picture in pixels.
type Box struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

func boxOf(r image.Rectangle) Box { return Box{r.Min.X, r.Min.Y, r.Dx(), r.Dy()} }
