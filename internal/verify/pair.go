package verify

import (
	"image"

	"afterimage/internal/page"
)

// Pair is what is known of two pictures of a page and of how they differ. Boxes are in pixels, regions in the union of both
// pictures.
type Pair struct {
	Before, After Page
	// Regions are what is judged: clusters of pixels that differ at the same place.
	Regions []Region
	// LeftOut is how many smaller regions there are beyond those that a comparison keeps.
	LeftOut int
	// Remaining are the clusters that differ once rows are brought into correspondence. Nil where no row moved: then they
	// are the regions.
	Remaining []Region
	// Bands are rows that were inserted, deleted or moved between the pictures.
	Bands []Band
}

// Page is one side of a pair: what of a visit the rules look at.
type Page struct {
	Width, Height  int                  // of the picture
	Title          string               // of the document
	Text           string               // visible, one line for each run of it
	Status         int                  // HTTP status of the document, 0 when unknown
	Elements       []page.Element       // in document order
	Unstable       []page.Box           // where pictures of the same visit differed
	FailedRequests []page.FailedRequest // resources of the page that did not arrive
	Blank          bool                 // the whole picture has one colour
}

// PageOf is a side without its picture, which [Pair.Measure] knows. Of a visit whose content is unknown there is less to judge by.
func PageOf(v *page.Visit) Page {
	p := Page{Title: v.Title, Status: v.Status, Unstable: v.Manifest.Unstable, FailedRequests: v.Manifest.FailedRequests}
	if v.Content != nil {
		p.Text, p.Elements = v.Content.Text, v.Content.Elements
	}
	return p
}

// Region is a cluster of changed pixels.
type Region struct {
	ID        int
	Box       image.Rectangle // in the after picture
	BeforeBox image.Rectangle // the corresponding rows of the before picture; empty where there are none
	Pixels    int             // changed ones
	MeanDelta float64         // mean difference of colour of those pixels, 0 to 1
	SSIM      float64         // structural similarity, 1 = the same structure
	// Fingerprint is equal for changes of the same shape.
	Fingerprint   string
	Before, After Surface
}

// Surface is what the pixels of a region look like in one picture.
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
	YBefore int // first row in the before picture; of an inserted band the row below it
	YAfter  int // first row in the after picture; of a deleted band the row below it
	Rows    int
	X0, X1  int
	// Surface is what an inserted or deleted band looks like.
	Surface Surface
}
