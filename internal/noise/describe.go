package noise

import "slices"

// Property is what can change of a part.
type Property string

// The properties.
const (
	PropertyText     Property = "text"
	PropertyPicture  Property = "picture"
	PropertySize     Property = "size"
	PropertyStyle    Property = "style"
	PropertyPresence Property = "presence"
)

// Frequency is how often a property of a part changed.
type Frequency struct {
	Property Property
	Changed  int // of the pairs of visits
}

// Description is what is known of a part, for people.
type Description struct {
	*Part
	Visits      int // pairs of visits that count
	Frequencies []Frequency
	Shown       []Form // the forms of its texts, in the order in which they were first seen
	Values      int    // different texts or pictures that are remembered
	Varies      bool   // a change of the most frequent kind is quiet within its form
}

// Describe describes the parts that ever varied, the most frequent first.
func (k *Knowledge) Describe() []Description {
	list := make([]Description, len(k.Parts))
	for i, p := range k.Parts {
		list[i] = k.describe(p)
	}
	slices.SortStableFunc(list, func(a, b Description) int { return b.most() - a.most() })
	return list
}

func (k *Knowledge) describe(p *Part) Description {
	excluded := k.excluded(p)
	d := Description{Part: p, Visits: (k.all() &^ excluded).Count()}
	for _, property := range []struct {
		name    Property
		changed Pairs
	}{
		{PropertyText, p.Text}, {PropertyPicture, p.Picture}, {PropertySize, p.Size}, {PropertyStyle, p.Style},
		{PropertyPresence, p.Presence},
	} {
		if n := (property.changed &^ excluded).Count(); n > 0 {
			d.Frequencies = append(d.Frequencies, Frequency{property.name, n})
		}
	}
	for _, f := range p.Forms {
		if f.In&^excluded != 0 && p.Text != 0 {
			d.Shown = append(d.Shown, f.Form)
		}
	}
	d.Values = max(len(p.Texts.without(excluded)), len(p.Sources.without(excluded)))
	n := d.most()
	d.Varies = p.Mark == MarkVarying || p.Mark == MarkNone && n >= leastChanges && 100*n >= usually*d.Visits
	return d
}

// most is how often the property changed that did so most often.
func (d *Description) most() int {
	most := 0
	for _, f := range d.Frequencies {
		most = max(most, f.Changed)
	}
	return most
}

// From is the number of pairs of visits from a source.
func (k *Knowledge) From(source Source) int { return k.from(source).Count() }

func (k *Knowledge) from(source Source) Pairs {
	var pairs Pairs
	for i, v := range k.Visits {
		if v.Source == source {
			pairs |= 1 << i
		}
	}
	return pairs
}

// all are all observed pairs.
func (k *Knowledge) all() Pairs { return Pairs(uint64(1)<<len(k.Visits) - 1) }
