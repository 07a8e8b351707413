package verify

import "image"

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

// Page is one side of a pair.
type Page struct {
	Width, Height  int    // of the picture
	Title          string // of the document
	Text           string // visible, one line for each run of it
	Status         int    // HTTP status of the document, 0 when unknown
	Elements       []Element
	Unstable       []image.Rectangle // where pictures of the same visit differed
	FailedRequests []FailedRequest
	Blank          bool // the whole picture has one colour
}

// Element is a visible element, in document order.
type Element struct {
	Box      image.Rectangle
	Selector string
	Tag      string // in lower case
	Role     string // WAI-ARIA role
	Text     string // its own, without that of its descendants
	Parent   int    // place of the nearest visible ancestor in Page.Elements, -1 for none
	Classes  string
	Source   string // address of the picture, film or frame that it shows
	Fixed    bool   // it keeps its place while the page scrolls

	Color, Background, Font string // as #rrggbb, and as in "16px Arial"; empty when unknown
}

// FailedRequest is a resource of the page that did not arrive.
type FailedRequest struct {
	URL    string
	Type   string // Image, Script, Stylesheet …
	Status int    // from 400; 0 without an answer
	Error  string
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
