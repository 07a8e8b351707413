package noise

// family are the parts of one path, such as the entries of a list, and what they have shown. What moves on from one to the next
// is known to each.
type family struct {
	parts                  []*Part
	text, picture, style   Pairs // between which this property of any of them changed
	texts, sources, styles map[uint32]bool
	prices                 map[uint32]map[uint32]bool // by item
	widths, heights        values
}

func newFamily() *family {
	return &family{
		texts: make(map[uint32]bool), sources: make(map[uint32]bool), styles: make(map[uint32]bool),
		prices: make(map[uint32]map[uint32]bool),
	}
}

// add includes a part, except what happened in the excluded pairs.
func (f *family) add(p *Part, excluded Pairs) {
	f.parts = append(f.parts, p)
	f.text |= p.Text &^ excluded
	f.picture |= p.Picture &^ excluded
	f.style |= p.Style &^ excluded
	for _, shown := range []struct {
		values values
		known  map[uint32]bool
	}{{p.Texts, f.texts}, {p.Sources, f.sources}, {p.Styles, f.styles}} {
		for _, x := range shown.values {
			shown.known[x.V] = shown.known[x.V] || x.In&^excluded != 0
		}
	}
	f.widths = append(f.widths, p.Widths.without(excluded)...)
	f.heights = append(f.heights, p.Heights.without(excluded)...)
	for _, x := range p.Items {
		if x.In&^excluded == 0 {
			continue
		}
		if f.prices[x.Beside] == nil {
			f.prices[x.Beside] = make(map[uint32]bool)
		}
		f.prices[x.Beside][x.Value] = true
	}
}
