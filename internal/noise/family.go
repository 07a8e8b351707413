package noise

// family are the parts of one path, such as the entries of a list, and what they have shown. What moves on from one to the next
// is known to each.
type family struct {
	parts                          []*Part
	text, picture, style, presence Pairs // between which this property of any of them changed
	texts, sources, styles, looks  map[uint32]bool
	forms                          map[Form]bool
	zeros                          map[uint32]bool            // masked texts that had a zero among their numbers
	prices                         map[uint32]map[uint32]bool // by item
	widths, heights, fontSizes     values
	counts                         values // of elements of the path
}

func newFamily() *family {
	return &family{
		texts: make(map[uint32]bool), sources: make(map[uint32]bool), styles: make(map[uint32]bool), looks: make(map[uint32]bool),
		forms: make(map[Form]bool), zeros: make(map[uint32]bool), prices: make(map[uint32]map[uint32]bool),
	}
}

// add includes a part, except what happened in the excluded pairs.
func (f *family) add(p *Part, excluded Pairs) {
	f.parts = append(f.parts, p)
	f.text |= p.Text &^ excluded
	f.picture |= p.Picture &^ excluded
	f.style |= p.Style &^ excluded
	f.presence |= p.Presence &^ excluded
	for _, shown := range []struct {
		values values
		known  map[uint32]bool
	}{{p.Texts, f.texts}, {p.Sources, f.sources}, {p.Styles, f.styles}, {p.Looks, f.looks}, {p.Zeros, f.zeros}} {
		for _, x := range shown.values {
			shown.known[x.V] = shown.known[x.V] || x.In&^excluded != 0
		}
	}
	for _, x := range p.Forms {
		f.forms[x.Form] = f.forms[x.Form] || x.In&^excluded != 0
	}
	f.widths = append(f.widths, p.Widths.without(excluded)...)
	f.heights = append(f.heights, p.Heights.without(excluded)...)
	f.fontSizes = append(f.fontSizes, p.FontSizes.without(excluded)...)
	f.counts = append(f.counts, p.Counts.without(excluded)...)
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
