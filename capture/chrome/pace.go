package chrome

const (
	// stepTime is granted at a time, in milliseconds, before a frame is issued. Frames twice as far apart lose content
	// (GIF, video, content-visibility); frames at the rate of a screen, three times as many, show nothing more.
	stepTime = 50.0
	maxStep  = 400.0 // while nothing visibly moves, fewer frames suffice
	// maxHidden is how many frames in a row of a page that moves are not displayed. Displaying one costs several times as
	// much as running its scripts, animations and layout.
	maxHidden = 14
)

// pace decides how much time passes until the next frame of a wait, and whether that frame is displayed. Only a displayed
// frame tells whether anything has moved since the last that was displayed. While nothing moves, the steps grow; while
// something does, they are short, and the page is looked at less and less often: a look takes two displayed frames, one
// that shows what the hidden ones left and one that tells whether it is still moving.
type pace struct {
	step   float64 // ms until the next frame
	show   bool    // display that frame
	looks  bool    // displays frames at all: a wait for something specific does not
	hidden int     // frames of the current run that are left to hide, and one that is displayed without telling anything
	run    int     // length of the next run
}

func newPace(looks bool) pace { return pace{step: stepTime, show: looks, looks: looks} }

// passed records that the frame was issued; moved is only known of a displayed one.
func (p *pace) passed(moved bool) {
	switch {
	case !p.looks:
	case p.hidden > 0:
		p.hidden--
		p.show = p.hidden <= 1
	case moved:
		p.step, p.run = stepTime, min(2*p.run+2, maxHidden)
		p.hidden, p.show = p.run+1, false
	default:
		p.step, p.run = min(2*p.step, maxStep), 0
	}
}
