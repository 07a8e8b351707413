package verify

import (
	"image"

	"afterimage/internal/page"
	"afterimage/internal/verify/css"
	"afterimage/internal/verify/dom"
	"afterimage/internal/verify/wording"
)

// Change is what happened to an element.
type Change string

// The changes.
const (
	TextChanged   Change = "text_changed"
	ImageReplaced Change = "image_replaced"
	StyleChanged  Change = "style_changed" // colours, fonts, borders; the content is the same
	Moved         Change = "moved"         // on its own
	Shifted       Change = "shifted"       // with everything below, because rows above were inserted or deleted
	Reordered     Change = "reordered"     // among its siblings
	Appeared      Change = "appeared"
	Vanished      Change = "vanished"
	Resized       Change = "resized"
	Loading       Change = "loading"     // a placeholder replaced content, or the reverse
	Blanked       Change = "blank"       // there was something before and there is nothing now
	Repainted     Change = "repainted"   // its pixels differ, but none of its known properties
	Unexplained   Change = "unexplained" // pixels differ in a part that holds many elements, and none of them is known to have changed
)

// Finding is one change of one element.
type Finding struct {
	RegionID    int             // set in verdicts only
	Element     *page.Element   // in the after page; in the before page for what vanished; nil if no page has an element there
	Box         image.Rectangle // in the after picture; of what vanished in the before picture
	Change      Change
	Before      string // text, address, colour or size before
	After       string
	Confidence  float64 // of element and change, 0 to 1
	Description string  // one line
	// Ruling is the rules' judgment of this finding alone; set in results only.
	Ruling Ruling
	// BeforeBox is its box in the before picture, empty if it is not there. It is set in Result.Findings only, like all
	// fields below.
	BeforeBox image.Rectangle
	Regions   []int  // ids of the regions in which it lies; none for a change too small for a region
	Shape     string // of the changed pixels, of a finding that is known by its pixels only
	// Members are the elements of the after page, at most MaxMembers, of a change that several share; none of any other.
	Members      []*page.Element
	Touched      int    // how many elements look different by it, with those that inherit it; 0 for one
	Variable     string // the custom property that explains it; "" when none is known
	Consequences Consequences
	// Same is equal for the same change on whatever page and device; "" where only the element's place and shape tell, or causes are
	// not known.
	Same string

	elementBefore *page.Element     // nil if the before page has none
	tree          *dom.Tree         // of the page that contains the element
	at            int               // index of the element in it, -1 for none
	pixels        int               // changed pixels of clusters that it was found in
	places        []image.Rectangle // whose changed pixels it explains, in the after picture
	styles        []css.Change      // of a change of style, when all styles are known
	members       []int             // elements of the after page that share the change, besides at
	inline        []Finding         // parts of a line of text that changed with it
	cause         int               // its number among the changes of the page, from 1; 0 when causes are not known
}

// MaxMembers is how many of the elements that share a change are kept.
const MaxMembers = 50

// Consequences are what follows from a change without being one: what moved, and what has another size.
type Consequences struct {
	Moved, Resized int    // elements that people can see
	Words          string // "41 elements moved down by 31 px"; "" for none
}

// Ruling is the judgment of one finding.
type Ruling struct {
	Category   Category
	Code       Code    // the rule that decided
	Reason     string  // why, one sentence
	Confidence float64 // that the category is right, 0 to 1
	Certain    bool    // no model may lower it
}

// ErrorText is what kind of error message a finding was ruled to show, as in "a PHP error"; "" for none.
func (r *Ruling) ErrorText() string {
	if r.Code != CodeError {
		return ""
	}
	return wording.ErrorNamed(r.Reason)
}

// AfterBox is the finding's box in the after picture, empty if it is not there.
func (f *Finding) AfterBox() image.Rectangle {
	if f.Change == Vanished {
		return image.Rectangle{}
	}
	return f.Box
}
