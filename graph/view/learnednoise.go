package view

import (
	"encoding/json"
	"time"

	"afterimage/graph/model"
	"afterimage/graph/scalar"
	"afterimage/internal/noise"
	"afterimage/vcd"
)

// LearnedNoise shows what is known of a page.
type LearnedNoise struct {
	*vcd.LearnedNoise
}

// NewLearnedNoise shows n.
func NewLearnedNoise(n *vcd.LearnedNoise) *LearnedNoise { return &LearnedNoise{n} }

// VisitsCount is the number of pairs of visits.
func (n *LearnedNoise) VisitsCount() int { return len(n.Knowledge.Visits) }

// Origins are the sources of the pairs of visits.
func (n *LearnedNoise) Origins() []*model.LearnedNoiseOrigin {
	origins := []*model.LearnedNoiseOrigin{}
	for _, source := range []noise.Source{noise.FromMonitoring, noise.FromRepeat, noise.FromProbe} {
		if visits := n.Knowledge.From(source); visits > 0 {
			origins = append(origins, &model.LearnedNoiseOrigin{Source: *word(source), VisitsCount: visits})
		}
	}
	return origins
}

// UpdatedAt is nil when nothing is known.
func (n *LearnedNoise) UpdatedAt() *time.Time {
	return nonZero(n.LearnedNoise.UpdatedAt, n.Version > 0)
}

// Parts are the parts that varied.
func (n *LearnedNoise) Parts() []*model.LearnedPart {
	described := n.Knowledge.Describe()
	parts := make([]*model.LearnedPart, len(described))
	for i := range described {
		parts[i] = learnedPart(&described[i])
	}
	return parts
}

// Export is all of it as JSON.
func (n *LearnedNoise) Export() (string, error) {
	document, err := json.Marshal(n.Knowledge)
	return string(document), err
}

func learnedPart(d *noise.Description) *model.LearnedPart {
	p := &model.LearnedPart{
		Selector: d.Selector, Tag: d.Tag, Role: d.Role, Changes: []*model.LearnedFrequency{}, VisitsCount: d.Visits,
		Forms: []scalar.Word{}, ValuesCount: d.Values, IsVarying: d.Varies, Mark: optionalWord(d.Mark),
		LastChangedAt: nonZero(d.LastChange, !d.LastChange.IsZero()),
	}
	for _, f := range d.Frequencies {
		p.Changes = append(p.Changes, &model.LearnedFrequency{Property: *word(f.Property), ChangedCount: f.Changed})
	}
	for _, f := range d.Shown {
		p.Forms = append(p.Forms, *word(f))
	}
	return p
}

func nonZero(t time.Time, known bool) *time.Time {
	if !known {
		return nil
	}
	return &t
}
