package verify

import (
	"image"
	"slices"
	"strings"

	"afterimage/imgdiff"
	"afterimage/internal/noise"
	"afterimage/internal/page"
)

// Pair holds two pictures of a page, described by their measurements, and their differences. Boxes are in pixels,
// regions in the union of both pictures.
type Pair struct {
	Before, After Page
	// Regions are to be judged: clusters of differing pixels at one place.
	Regions []Region
	// LeftOut is the number of smaller regions beyond those that a comparison keeps.
	LeftOut int
	// Remaining are the clusters that still differ after row alignment. Nil if no row moved: then they are the same as
	// the regions.
	Remaining []Region
	// Noise is what earlier visits tell of the page; nil for nothing.
	Noise *noise.Knowledge
	// Bands are rows that were inserted, deleted or moved between the pictures.
	Bands []Band
	// Trained asks the trained judge where no rule decides. The service does not, see decision 21.
	Trained bool
	// Changed are the pixels that differ once rows are aligned, in the after picture; nil when unknown. It is not modified.
	Changed *imgdiff.Mask `json:"-"`
	// Pixels compares parts of the pictures that are at other places in each; nil when the pictures are not at hand.
	Pixels *imgdiff.Displaced `json:"-"`
}

// Page is one side of a pair: the data of a visit that the rules use.
type Page struct {
	Width, Height  int                  // of the picture
	Title          string               // of the document
	Text           string               // visible text, one line for each run
	Status         int                  // HTTP status of the document, 0 when unknown
	Elements       []page.Element       // in document order
	Styles         []page.Style         // see page.Element.Style
	Variables      map[string]string    // custom properties of the document
	Unstable       []page.Box           // where pictures of the same visit differed
	FailedRequests []page.FailedRequest // resources of the page that failed to load
	Blank          bool                 // the whole picture has one colour
}

// PageOf returns a side without its picture, which [Pair.Measure] adds. A visit without content gives the rules less to
// judge by.
func PageOf(v *page.Visit) Page {
	p := Page{Title: v.Title, Status: v.Status, Unstable: v.Manifest.Unstable, FailedRequests: v.Manifest.FailedRequests}
	if v.Content != nil {
		p.Text, p.Elements = v.Content.Text, v.Content.Elements
		p.Styles, p.Variables = v.Content.Styles, v.Content.Variables
	}
	return p
}

// shortTexts is how many bytes of an element's text captures kept before they recorded styles.
const shortTexts = 200

// known is the pair without what only one side has: a page that could not be described has not lost its elements and its text, and an
// older capture has shorter texts.
func (p *Pair) known() *Pair {
	bare := *p
	switch {
	case (len(p.Before.Elements) == 0) != (len(p.After.Elements) == 0):
	case len(p.Before.Styles) == 0 && len(p.After.Styles) > 0:
		bare.After.Elements = shortened(p.After.Elements)
		return &bare
	case len(p.Before.Styles) > 0 && len(p.After.Styles) == 0:
		bare.Before.Elements = shortened(p.Before.Elements)
		return &bare
	default:
		return p
	}
	bare.Before.Elements, bare.Before.Text, bare.After.Elements, bare.After.Text = nil, "", nil, ""
	return &bare
}

func shortened(elements []page.Element) []page.Element {
	short := slices.Clone(elements)
	for i := range short {
		if len(short[i].Text) > shortTexts {
			short[i].Text = strings.ToValidUTF8(short[i].Text[:shortTexts], "")
		}
	}
	return short
}

// described reports whether elements of the page are known that could explain a change.
func (p *Pair) described() bool { return len(p.Before.Elements) > 0 || len(p.After.Elements) > 0 }

// whyUnexplained is why pixels are for people that no change of an element explains.
func (p *Pair) whyUnexplained() string {
	if !p.described() {
		return "Only the pixels of this page are known, not its elements, so it needs a review."
	}
	return "These pixels differ, but no change of an element explains them."
}

// Region is a cluster of changed pixels.
type Region struct {
	ID        int
	Box       image.Rectangle // in the after picture
	BeforeBox image.Rectangle // the corresponding rows of the before picture; empty if there are none
	Pixels    int             // number of changed pixels
	MeanDelta float64         // mean colour difference of those pixels, 0 to 1
	SSIM      float64         // structural similarity, 1 = identical structure
	// Fingerprint is equal for changes of the same shape.
	Fingerprint   string
	Before, After Surface
}

// Surface describes the pixels of a region in one picture.
type Surface struct {
	Known     bool       // there are pixels, and they were measured
	Mean      [3]float64 // red, green, blue, 0 to 1
	Deviation float64    // standard deviation of the luminance, 0 to 1
	Edges     float64    // share of pixels whose luminance differs from their right or lower neighbour's, 0 to 1
	Uniform   float64    // share of the most frequent colour, 0 to 1
	Blank     bool       // one colour, up to noise
}

// BandKind is what happened to a band of rows.
type BandKind string

// The kinds of bands.
const (
	BandInserted BandKind = "inserted" // only in the after picture
	BandDeleted  BandKind = "deleted"  // only in the before picture
	BandMoved    BandKind = "moved"    // in both, out of order
	BandChanged  BandKind = "changed"  // in both, with differing pixels
)

// Band is a run of rows between columns X0 and X1 (exclusive).
type Band struct {
	Kind    BandKind
	YBefore int // first row in the before picture; for an inserted band, the row below it
	YAfter  int // first row in the after picture; for a deleted band, the row below it
	Rows    int
	X0, X1  int
	// Surface describes the pixels of an inserted or deleted band.
	Surface Surface
}
