package dom

// How far elements are looked at around, within and beside one. The thresholds of the rules stand beside the rules.
const (
	// GlyphReach is how far letters reach beyond the box of their element: slanted ones, accents and underlines.
	GlyphReach = 6
	// maxShare is the largest share of the page for a part that varies on its own: a name given to more is that of the
	// page.
	maxShare = 0.4
	// MaxUp limits how far up the tree a habit is searched for: components are rarely nested deeper.
	MaxUp = 6
	// MaxInside is how many elements within another are examined.
	MaxInside = 200
	// maxWords is how many bytes of the text of a whole subtree are read.
	maxWords = 2000
)
