package chrome

// stepTime is granted at a time, in milliseconds, before a frame is issued. Frames at the rate of a screen, three times as many,
// show nothing more.
const stepTime = 50.0

// A look tells whether anything has moved since the one before. Between the looks at something that moves, frames are hidden:
// displaying one costs several times as much as running its scripts, animations and layout.
type hiding struct {
	frames int
	step   float64 // ms before each of them
}

// gait is how a page is walked through its time.
type gait struct {
	growth  float64   // of the steps while nothing moves
	longest float64   // such step, ms
	hidings [4]hiding // after the first, second, … look in a row that found movement; the last goes on
}

var (
	// scripted is for pages whose scripts ask for frames, or for what happens once per frame: many move something a little further
	// each time, no matter how much time has passed.
	scripted = gait{growth: 2, longest: 400, hidings: [4]hiding{{}, {2, stepTime}, {6, stepTime}, {14, stepTime}}}
	// declared is for all others. What moves there mostly does so by its time, so fewer frames lead to the same state.
	declared = gait{growth: 4, longest: 800, hidings: [4]hiding{{}, {2, stepTime}, {2, 3 * stepTime}, {2, 8 * stepTime}}}
)

// pace decides how much time passes until the next frame of a wait, and whether that frame is displayed. Only a displayed
// frame reports whether anything has moved since the last that was displayed. While nothing moves, the steps grow; while
// something does, they are short, and the page is looked at less and less often. After hidden frames a look takes two displayed
// ones: the first shows what the hidden ones left, the second tells whether it is still moving.
type pace struct {
	step   float64 // ms until the next frame
	show   bool    // display that frame
	looks  bool    // displays frames at all: a wait for something specific does not
	hidden int     // frames that are left to hide, and one that is displayed without telling anything
	moving int     // looks in a row that found movement
}

func newPace(looks bool) pace { return pace{step: stepTime, show: looks, looks: looks} }

// passed records that the frame was issued; moved is only known of a displayed one.
func (p *pace) passed(moved bool, g gait) {
	switch {
	case !p.looks:
	case p.hidden > 0:
		if p.hidden--; p.hidden <= 1 {
			p.step, p.show = stepTime, true
		}
	case moved:
		h := g.hidings[min(p.moving, len(g.hidings)-1)]
		p.step, p.moving = stepTime, p.moving+1
		if h.frames > 0 {
			p.step, p.show, p.hidden = h.step, false, h.frames+1
		}
	default:
		p.step, p.moving = min(g.growth*p.step, g.longest), 0
	}
}
