package capture

import (
	_ "embed" // for the script below
	"errors"
	"fmt"
	"image"
	"image/color"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/page"
)

//go:embed probes.js
var probesScript string

const (
	maxProbes  = 150
	leastProbe = 8 // px: smaller elements have no room for a frame
)

// Probes reports whether the list of elements and the picture agree. A second picture has a frame of a colour of its own around each of
// some elements.
type Probes struct {
	Painted   int      // frames around elements that the page has
	Seen      int      // in the second picture; others are covered, cut off or not of their colour
	Misplaced []string // where a frame is not where the list has its element
}

// probe paints a second picture, with frames around elements, and looks for them. Pages that are taken screen by screen have other
// elements by then.
func (r *run) probe() error {
	if !r.req.Probe || r.size.Hides {
		return nil
	}
	probes := chooseProbes(r.shot.Content.Elements)
	if len(probes) == 0 {
		return nil
	}
	shot, content := *r.shot, *r.shot.Content
	r.shot.Probes = &Probes{}
	add := proto.RuntimeEvaluate{Expression: probesScript, ContextID: r.events.world()}
	if _, err := r.evaluate(add, stillBudget); err != nil {
		return err
	}
	if err := r.ask("paintProbes", stillBudget, &r.shot.Probes.Painted, probes); err != nil {
		return err
	}
	taken, err := r.picture(false)
	err = errors.Join(err, r.ask("removeProbes", stillBudget, nil))
	r.shot.Truncated, r.shot.Content = shot.Truncated, &content // as they were for the picture
	if err != nil {
		return err
	}
	return r.shot.Probes.look(taken, probes)
}

// probe is a frame around an element.
type probe struct {
	Selector string `json:"selector"`
	Colour   string `json:"colour"`

	box page.Box
}

// chooseProbes spreads the frames over the elements that a selector finds, each at a place of its own.
func chooseProbes(elements []page.Element) []probe {
	var fit []page.Element
	places := make(map[page.Box]bool)
	for i := range elements {
		e := &elements[i]
		tiny := e.Box.Width < leastProbe || e.Box.Height < leastProbe
		if e.Selector == "" || e.Tag == "html" || e.Tag == "body" || places[e.Box] || tiny {
			continue
		}
		places[e.Box] = true
		fit = append(fit, *e)
	}
	step := max(1, (len(fit)+maxProbes-1)/maxProbes)
	var probes []probe
	for i := 0; i < len(fit); i += step {
		c := probeColour(len(probes))
		probes = append(probes, probe{fit[i].Selector, fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B), fit[i].Box})
	}
	return probes
}

// The bounds of the channels of the colours below.
const (
	leastRed  = 251 - 4*7
	mostGreen = 3 + 9*6
	leastBlue = 249 - maxProbes/50*4
)

// probeColour is the n-th of colours that pages hardly have.
func probeColour(n int) color.RGBA {
	return color.RGBA{uint8(251 - n%5*7), uint8(3 + n/5%10*6), uint8(249 - n/50*4), 255}
}

// frame is what a second picture has of a colour.
type frame struct {
	at              image.Rectangle
	inside, outside int // pixels, by where the element should be
}

// mostBlended is how many pixels of a colour may lie elsewhere: edges that are not upright are blended of two colours.
const mostBlended = 12

// look compares where the frames are with where they should be. A frame of which a part is hidden is smaller.
func (p *Probes) look(taken picture, probes []probe) error {
	frames, boxes := make(map[color.RGBA]*frame), make(map[color.RGBA]image.Rectangle)
	for n, one := range probes {
		c := probeColour(n)
		frames[c], boxes[c] = &frame{}, one.box.Rect().Inset(-1)
	}
	rows := rowReader{picture: taken}
	for y := range taken.height {
		pixels, err := rows.row(y)
		if err != nil {
			return err
		}
		for x := range taken.width {
			c := color.RGBA{pixels[4*x], pixels[4*x+1], pixels[4*x+2], 255}
			if c.R < leastRed || c.B < leastBlue || c.G > mostGreen {
				continue // most pixels
			}
			if f := frames[c]; f != nil {
				f.add(image.Pt(x, y), boxes[c])
			}
		}
	}
	for n, one := range probes {
		f := frames[probeColour(n)]
		if f.inside+f.outside > 0 {
			p.Seen++
		}
		if f.outside > mostBlended {
			p.Misplaced = append(p.Misplaced,
				fmt.Sprintf("%s is at %v according to the list, but at %v in the picture", one.Selector, one.box.Rect(), f.at))
		}
	}
	return nil
}

func (f *frame) add(at image.Point, box image.Rectangle) {
	f.at = f.at.Union(image.Rectangle{at, at.Add(image.Pt(1, 1))})
	if at.In(box) {
		f.inside++
	} else {
		f.outside++
	}
}
