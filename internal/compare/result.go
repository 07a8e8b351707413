package compare

import (
	"slices"
	"time"

	"afterimage/capture"
	"afterimage/internal/page"
	"afterimage/vcd"
)

// Result is what a comparison of two sites found.
type Result struct {
	Before, After string // addresses of the sites
	Engine        string // browser, fonts and pipeline
	Pairs         []Pair // in the order of the pages, then of the devices
	Changes       []Change
	Ignored       []Ignored // the selectors of what does not count
	Unused        []string  // selectors of the CSS for both sides that no page has an element of
	Unreached     int       // pages with shadow trees in which selectors find nothing; 0 without selectors
	NoPages       []string  // paths that the site lists and that both sides answer with a file that is no page: left out
	// RequireComplete says that a page counts as not compared where a part of it was not seen.
	RequireComplete bool
}

// Outcome is what the comparison of one page on one device came to.
type Outcome string

// The outcomes, from the best to the worst.
const (
	Equal    Outcome = "equal"    // not a pixel differs, nor anything else
	Harmless Outcome = "harmless" // nobody has to look
	Unsure   Outcome = "unsure"   // somebody should look
	Alert    Outcome = "alert"    // something is broken
	Failed   Outcome = "failed"   // it could not be told
)

// Outcomes lists all of them.
var Outcomes = []Outcome{Equal, Harmless, Unsure, Alert, Failed}

// Pair is one page on one device, on both sides.
type Pair struct {
	Path    string
	Device  capture.Device
	Outcome Outcome
	Problem string // why it could not be told; "" for nothing
	Unseen  string // what of the page the pictures do not show, as a clause: the outcome does not count for it; "" for nothing
	Percent float64
	Pixels  int // that differ in place
	Width   int // of both pictures together
	Height  int
	Bands   []vcd.Band // rows that only one side has, for showing both side by side
	// Findings are the changes, those of the pictures in reading order, then those of the page and its console.
	Findings      []Finding
	Before, After View
	Took          time.Duration

	asked    string // path as in Options.Paths
	compared bool   // both sides answered with the page
	noPage   bool   // both answered with a file that is none
}

// View is one side of a pair.
type View struct {
	Address  string // after all redirects
	Status   int
	Title    string
	Width    int
	Height   int
	Picture  string // name of its file in the report; "" for none
	Manifest page.Manifest
}

// Finding is one change of a page.
type Finding struct {
	vcd.Finding
	// Host says what of the change is due to the sides' being different hosts, as a sentence; "" if it is a change of the page.
	Host string

	wide   bool   // it lies across the page or stays on the screen, as banners do
	spoken string // text of the element and all within it
	names  string // its ids and classes
}

// tells reports whether a finding says that somebody has to look.
func (f *Finding) tells(failOn FailOn) bool {
	switch {
	case f.Host != "":
		return false
	case failOn == FailOnAny:
		return true
	case failOn == FailOnAlert:
		return f.Category == vcd.CategoryAlert
	}
	return f.Category != vcd.CategoryAllGood
}

// Fails reports whether the pair shows a change that makes the comparison fail.
func (p *Pair) Fails(failOn FailOn) bool {
	return slices.ContainsFunc(p.Findings, func(f Finding) bool { return f.tells(failOn) })
}

// settle derives the outcome from the findings.
func (p *Pair) settle() {
	if p.Problem != "" {
		p.Outcome = Failed
		return
	}
	p.Outcome = Equal
	if p.Pixels > 0 || len(p.Findings) > 0 {
		p.Outcome = Harmless
	}
	for i := range p.Findings {
		if f := &p.Findings[i]; f.Host == "" {
			p.Outcome = worse(p.Outcome, OutcomeOf(f.Category))
		}
	}
}

// OutcomeOf is what a change of a category means for its page.
func OutcomeOf(c vcd.Category) Outcome {
	switch c {
	case vcd.CategoryAlert:
		return Alert
	case vcd.CategoryAllGood:
		return Harmless
	}
	return Unsure
}

func worse(a, b Outcome) Outcome {
	if slices.Index(Outcomes, b) > slices.Index(Outcomes, a) {
		return b
	}
	return a
}

// FailOn is the gravity from which a change makes a comparison fail.
type FailOn string

// The gravities.
const (
	FailOnAlert  FailOn = "alert"
	FailOnUnsure FailOn = "unsure"
	FailOnAny    FailOn = "any" // also harmless changes, but none that is due to different hosts
)

// Exit codes, as diff has them.
const (
	ExitEqual   = 0 // equal or harmless
	ExitChanged = 1
	ExitUnknown = 2 // some page could not be compared, or not whole where that is required
)

// ExitCode is what a program that compares ends with.
func (r *Result) ExitCode(failOn FailOn) int {
	code := ExitEqual
	for i := range r.Pairs {
		p := &r.Pairs[i]
		if p.Outcome == Failed || r.RequireComplete && p.Unseen != "" {
			return ExitUnknown
		}
		if p.Fails(failOn) {
			code = ExitChanged
		}
	}
	return code
}

// Unseen is the number of pairs of which not all was compared.
func (r *Result) Unseen() int {
	n := 0
	for i := range r.Pairs {
		if r.Pairs[i].Unseen != "" {
			n++
		}
	}
	return n
}

// Count is the number of pairs with an outcome.
func (r *Result) Count(o Outcome) int {
	n := 0
	for i := range r.Pairs {
		if r.Pairs[i].Outcome == o {
			n++
		}
	}
	return n
}
