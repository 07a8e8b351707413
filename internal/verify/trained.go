package verify

import (
	"cmp"
	"context"
	_ "embed" // the weights
	"encoding/json"
	"image"
	"slices"
	"strings"
	"sync"

	"afterimage/internal/verify/dom"
	"afterimage/internal/verify/trees"
	"afterimage/internal/verify/wording"
)

// Trained is the judge that is asked where no rule decides: boosted trees over the features of a finding, with the
// probability of harm up to which a finding is harmless. It raises no alerts. `make train-judge` writes it.
type Trained struct {
	Harmless float64      `json:"harmless"`
	Model    *trees.Model `json:"model"`
}

//go:embed trained.json
var weights []byte

// trainedJudge is the built-in judge; nil if its weights do not fit the features, which a test prevents.
var trainedJudge = sync.OnceValue(func() *Trained {
	t, err := BuiltIn()
	if err != nil {
		return nil
	}
	return t
})

// BuiltIn returns the built-in judge; an error if its weights do not fit the features.
func BuiltIn() (*Trained, error) { return readTrained(weights) }

func readTrained(stored []byte) (*Trained, error) {
	t := &Trained{Model: &trees.Model{}}
	if err := json.Unmarshal(stored, t); err != nil {
		return nil, err
	}
	return t, t.Model.Check(FeatureNames())
}

// FeatureNames are the names of the features, in the order of the values of an [Undecided].
func FeatureNames() []string {
	names := make([]string, len(features))
	for i := range features {
		names[i] = features[i].name
	}
	return names
}

// Undecided is a finding on which no rule decides, in numbers.
type Undecided struct {
	Box    image.Rectangle // in the page that Before names
	Before bool            // it is about the before page: its element vanished
	// Content is set for what the trained judge may not call harmless: controls, and texts that differ in numbers only.
	Content bool
	Values  []float32 // one for each of the [FeatureNames]
}

// Undecideds lists the findings of a pair on which no rule decides, for training and measuring. The error is that of the
// context.
func Undecideds(ctx context.Context, p *Pair) ([]Undecided, error) {
	var all []Undecided
	_, err := dom.Until(func() {
		v := newView(stepsFor(ctx, p), p)
		for i := range v.shown {
			for f := range v.shown[i] {
				s := &scene{view: v, Finding: &v.shown[i][f], cluster: &v.clusters[i], index: i}
				if s.ruled() == nil {
					all = append(all, Undecided{s.Box, s.Change == Vanished, s.content(), s.row()})
				}
			}
		}
	})
	return all, err
}

// row is the finding in numbers.
func (s *scene) row() []float32 {
	e := s.evidence()
	row := make([]float32, len(features))
	for i := range features {
		row[i] = float32(features[i].of(e))
	}
	return row
}

// content reports whether the change may not be called harmless because it is like harmless ones: that a control changed, or
// a number that does not say of itself that it changes. Only rules and earlier visits may silence it.
func (s *scene) content() bool {
	return s.Change == TextChanged && s.OnlyNumbers(s.Before, s.After) && !s.ofAnotherCard() ||
		s.Element != nil && dom.IsControl(s.Element.Role) && s.Change != Moved && s.Change != Repainted
}

// ofAnotherCard reports whether the part around the element shows another picture and another name: its number is that of
// another thing, and not another number of the same.
func (s *scene) ofAnotherCard() bool {
	if s.at < 0 {
		return false
	}
	up := s.tree.Parent(s.at)
	for range cardLevels {
		if up < 0 || s.tree.TooLarge(up) {
			return false
		}
		if s.cardChanged(up) {
			return true
		}
		up = s.tree.Parent(up)
	}
	return false
}

// cardChanged reports whether a part of the page shows another picture and other words than before.
func (s *scene) cardChanged(card int) bool {
	picture, words := false, false
	for i := card; i < len(s.tree.Content) && i <= card+dom.MaxInside && s.tree.Within(i, card); i++ {
		other := s.partners(s.tree)[i]
		if other < 0 {
			continue
		}
		here, there := s.tree.Element(i), s.otherTree().Element(other)
		picture = picture || here.Tag == "img" && here.Source != there.Source
		words = words || here.Text != there.Text && wording.OtherWords(here.Text, there.Text)
	}
	return picture && words
}

// judged is the opinion of the trained judge: harmless, or nil where it is not sure either.
func (s *scene) judged() *opinion {
	t := trainedJudge()
	if t == nil || s.content() {
		return nil
	}
	row := s.row()
	p := t.Model.Probability(row)
	if p > t.Harmless {
		return nil
	}
	return &opinion{AllGood, CodeTrained, "Changes like this one are usually harmless. The main evidence: " +
		t.reasons(row) + ".", 1 - p, false}
}

// reasons names the features that moved the score most towards harmless.
func (t *Trained) reasons(row []float32) string {
	blame := make([]float64, len(row))
	t.Model.Blame(row, blame)
	totals := make(map[string]float64)
	for i := range features {
		if features[i].words != "" && row[i] != 0 {
			totals[features[i].words] += -blame[i]
		}
	}
	var names []string
	for name, total := range totals {
		if total > 0 {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(totals[b], totals[a]), strings.Compare(a, b)) })
	switch len(names) {
	case 0:
		return "all of it together"
	case 1:
		return names[0]
	}
	return names[0] + " and " + names[1]
}
