package noise

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"time"
)

// Bounds of what is known of a page on one device.
const (
	MaxSize     = 64 << 10 // bytes of the stored form
	maxUnpacked = 4 << 20  // bytes of it before compression
	maxParts    = 160
	maxMarks    = 100 // parts that a person has marked
	maxValues   = 24  // texts, pictures, and pairs of an item and its price
	maxMeasures = 10  // widths, heights, places, lengths and numbers
	maxForms    = 8
)

// MaxSelector limits the selectors of parts in bytes: those with a longer one are not learned.
const MaxSelector = 400

// MaxAge is how long something is known of a page that is no longer visited.
const MaxAge = 90 * 24 * time.Hour

// Source is where a pair of visits comes from.
type Source string

// The sources.
const (
	FromMonitoring Source = "monitoring" // consecutive runs without an update
	FromRepeat     Source = "repeat"     // two visits with no update between them: of runs before updates, or after the last one
	FromProbe      Source = "probe"      // the same page taken again with another date and other random numbers
)

// Visit identifies a pair of visits.
type Visit struct {
	At     time.Time `json:"at"` // of the later one
	Source Source    `json:"source"`
	// Comparison is the id of the comparison of the two; empty if there is none. A review of it corrects what was learned.
	Comparison string `json:"comparison,omitempty"`
}

// Knowledge is what is known of the parts of one page on one device that vary on their own. The zero value knows nothing.
type Knowledge struct {
	Visits []Visit `json:"visits"` // the newest first, at most Window
	Parts  []*Part `json:"parts"`  // that ever varied, or that a person has marked
	// Strange is the number of newest visits in which most parts were missing: a redesign, or a page that fails.
	Strange int `json:"strange,omitempty"`

	// Rejected and Confirmed are the pairs whose comparison a person has reviewed, see Review; not stored.
	Rejected  Pairs `json:"-"`
	Confirmed Pairs `json:"-"`
}

// Mark is what a person has said about a part.
type Mark string

// The marks.
const (
	MarkNone    Mark = ""
	MarkContent Mark = "content" // every change of it counts
	MarkVarying Mark = "varying" // it varies on its own, however often it has been seen to
)

// Part is an element of the page that varies. It is recognised by its selector, or by its place among the elements of the same
// path when there are as many of them as before.
type Part struct {
	Selector string `json:"selector"`
	Tag      string `json:"tag"` // empty when it was marked and not seen to vary since
	Role     string `json:"role,omitempty"`
	Path     uint32 `json:"path"`  // hash of tag, role and the path without the numbers of its steps
	Place    int    `json:"place"` // among the elements of this path, from 0
	Of       int    `json:"of"`    // number of these elements
	Mark     Mark   `json:"mark,omitempty"`

	// Pairs of visits between which each property changed.
	Text     Pairs `json:"text,omitempty"`
	Picture  Pairs `json:"picture,omitempty"` // its source, or the pixels of its box
	Size     Pairs `json:"size,omitempty"`    // or its place within its parent
	Style    Pairs `json:"style,omitempty"`
	Presence Pairs `json:"presence,omitempty"` // it appeared or disappeared
	// Loud are pairs whose comparison reported a change of the part, Alert those that reported it as an alarm.
	Loud  Pairs `json:"loud,omitempty"`
	Alert Pairs `json:"alert,omitempty"`

	LastChange time.Time `json:"last"`

	// What it has shown.
	Forms   []form `json:"forms,omitempty"`
	Texts   values `json:"texts,omitempty"`
	Masks   values `json:"masks,omitempty"`
	Lengths values `json:"lengths,omitempty"` // bytes of text
	Numbers values `json:"numbers,omitempty"`
	Items   []item `json:"items,omitempty"` // what it said beside which other text
	Sources values `json:"sources,omitempty"`
	Shapes  values `json:"shapes,omitempty"` // of the addresses of pictures
	Styles  values `json:"styles,omitempty"`
	Looks   values `json:"looks,omitempty"` // styles but for the size of the font
	// FontSizes are in pixels.
	FontSizes values `json:"fontSizes,omitempty"`
	Zeros     values `json:"zeros,omitempty"`  // masked texts that had a zero among their numbers
	Counts    values `json:"counts,omitempty"` // of elements of its path, for one that came or went
	Lefts     values `json:"lefts,omitempty"`  // from the left edge of the page
	Tops      values `json:"tops,omitempty"`   // from the top of its parent
	Widths    values `json:"widths,omitempty"`
	Heights   values `json:"heights,omitempty"`
}

// form is a form of text that a part has taken.
type form struct {
	Form Form  `json:"form"`
	In   Pairs `json:"in"`
}

// item is a value beside the text of its surroundings, as a price below a name.
type item struct {
	Beside uint32 `json:"beside"`
	Value  uint32 `json:"value"`
	In     Pairs  `json:"in"`
}

// Decode decodes what Encode has encoded; nothing decodes to empty knowledge.
func Decode(stored []byte) (*Knowledge, error) {
	k := &Knowledge{}
	if len(stored) == 0 {
		return k, nil
	}
	unpacker, err := gzip.NewReader(bytes.NewReader(stored))
	if err != nil {
		return nil, fmt.Errorf("unpack what is known of a page: %w", err)
	}
	if err := json.NewDecoder(io.LimitReader(unpacker, maxUnpacked)).Decode(k); err != nil {
		return nil, fmt.Errorf("decode what is known of a page: %w", err)
	}
	k.Parts = slices.DeleteFunc(k.Parts, func(p *Part) bool { return p == nil })
	k.Visits = k.Visits[:min(len(k.Visits), Window)]
	return k, nil
}

// Encode returns the stored form, of at most MaxSize bytes: JSON compressed with gzip. Parts that changed longest ago are left out
// if there are too many.
func (k *Knowledge) Encode() ([]byte, error) {
	k.trim(maxParts)
	for {
		var stored bytes.Buffer
		packer := gzip.NewWriter(&stored)
		if err := errors.Join(json.NewEncoder(packer).Encode(k), packer.Close()); err != nil {
			return nil, fmt.Errorf("encode what is known of a page: %w", err)
		}
		if stored.Len() <= MaxSize || len(k.Parts) == 0 {
			return stored.Bytes(), nil
		}
		k.trim(len(k.Parts) / 2)
	}
}

// Clone returns a copy that shares nothing with the original.
func (k *Knowledge) Clone() *Knowledge {
	c := *k
	c.Visits = slices.Clone(k.Visits)
	c.Parts = make([]*Part, len(k.Parts))
	for i, p := range k.Parts {
		part := *p
		part.Forms, part.Items = slices.Clone(p.Forms), slices.Clone(p.Items)
		for _, list := range part.lists() {
			*list = slices.Clone(*list)
		}
		c.Parts[i] = &part
	}
	return &c
}

// trim keeps the most important parts: those that a person has marked, then those that changed most recently and most often.
func (k *Knowledge) trim(most int) {
	if len(k.Parts) <= most {
		return
	}
	slices.SortStableFunc(k.Parts, func(a, b *Part) int {
		return cmp.Or(-cmp.Compare(len(a.Mark), len(b.Mark)),
			cmp.Compare(bits.TrailingZeros32(uint32(a.changed())), bits.TrailingZeros32(uint32(b.changed()))),
			-cmp.Compare(a.changed().Count(), b.changed().Count()))
	})
	k.Parts = k.Parts[:most]
}

// changed are the pairs between which any property changed.
func (p *Part) changed() Pairs { return p.Text | p.Picture | p.Size | p.Style | p.Presence }

// age makes room for a new pair of visits, and forgets old ones.
func (k *Knowledge) age(v Visit) {
	k.Visits = slices.Insert(k.Visits, 0, v)
	kept := slices.IndexFunc(k.Visits, func(old Visit) bool { return v.At.Sub(old.At) > MaxAge })
	if kept < 0 {
		kept = len(k.Visits)
	}
	kept = min(kept, Window)
	k.Visits = k.Visits[:kept]
	k.Rejected, k.Confirmed = k.Rejected<<1, k.Confirmed<<1
	for _, p := range k.Parts {
		p.age(Pairs(uint64(1)<<kept - 1))
	}
	k.Parts = slices.DeleteFunc(k.Parts, func(p *Part) bool { return p.changed() == 0 && p.Mark == MarkNone })
}

func (p *Part) age(kept Pairs) {
	for _, set := range []*Pairs{&p.Text, &p.Picture, &p.Size, &p.Style, &p.Presence, &p.Loud, &p.Alert} {
		*set = *set << 1 & kept
	}
	for _, list := range p.lists() {
		list.age()
	}
	for i := range p.Forms {
		p.Forms[i].In <<= 1
	}
	p.Forms = slices.DeleteFunc(p.Forms, func(f form) bool { return f.In == 0 })
	for i := range p.Items {
		p.Items[i].In <<= 1
	}
	p.Items = slices.DeleteFunc(p.Items, func(x item) bool { return x.In == 0 })
}

func (p *Part) lists() []*values {
	return []*values{
		&p.Texts, &p.Masks, &p.Lengths, &p.Numbers, &p.Zeros, &p.Sources, &p.Shapes, &p.Styles, &p.Looks, &p.FontSizes,
		&p.Lefts, &p.Tops, &p.Widths, &p.Heights, &p.Counts,
	}
}
