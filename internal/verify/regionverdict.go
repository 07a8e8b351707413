package verify

import (
	"slices"

	"afterimage/internal/noise"
)

// scene is a finding with its location.
type scene struct {
	*view
	*Finding
	cluster *cluster
	index   int // of the cluster

	learned *noise.Explanation // see known
}

// rule judges the findings of a cluster, each alone.
func (v *view) rule(i int) {
	if v.ruled[i] {
		return
	}
	for f := range v.shown[i] {
		s := &scene{view: v, Finding: &v.shown[i][f], cluster: &v.clusters[i], index: i}
		s.Ruling = s.opinion().ruling()
	}
	v.ruled[i] = true
}

// opinion is the opinion on the finding: of the rules, of the trained judge where none applies and the pair asks for it, and
// else undecided.
func (s *scene) opinion() *opinion {
	if o := s.ruled(); o != nil {
		return o
	}
	if s.Change == Repainted && s.holds() { // pixels that no element explains are for people
		return &opinion{NotSure, CodeUnknown, s.whyUnexplained(), 0.5, false}
	}
	if s.Trained {
		if o := s.judged(); o != nil {
			return o
		}
	}
	return &opinion{NotSure, CodeUnknown, "", 0.5, false}
}

// ruled is the rules' opinion on the finding; nil if no rule applies.
func (s *scene) ruled() *opinion {
	if o := decide(findingRules, s); o != nil {
		return o
	}
	if state := s.pageState(); state == nil || state.code != CodeError || !s.saysOtherwise() {
		return state
	}
	return nil
}

// saysOtherwise reports whether the finding is an element that was there before and is still there: an error elsewhere on the page
// may cost it its place or its neighbours, but does not give it another text.
func (s *scene) saysOtherwise() bool {
	switch s.Change {
	case TextChanged, ImageReplaced, StyleChanged:
		return s.elementBefore != nil && s.Element != nil
	}
	return false
}

func (o *opinion) ruling() Ruling {
	return Ruling{o.category, o.code, o.reason, o.confidence, o.certain}
}

// verdict derives the verdict on a region from its findings: the worst decides, and the region is good only if all of
// them are.
func (l *listing) verdict(r *Region) Verdict {
	verdict := Verdict{RegionID: r.ID}
	for _, i := range l.of[r.ID] {
		verdict.add(&l.found[i])
	}
	verdict.Findings = verdict.Findings[:min(len(verdict.Findings), maxFindings)]
	for i := range verdict.Findings {
		verdict.Findings[i].RegionID = r.ID
	}
	return verdict
}

// add includes a finding in the verdict. The worst decides; among equals, the most significant.
func (v *Verdict) add(f *Finding) {
	decides := len(v.Findings) == 0 || f.Ruling.Category.rank() > v.Category.rank() ||
		f.Ruling.Category == v.Category && f.Weight() > v.Findings[0].Weight()
	if !decides {
		v.Findings = append(v.Findings, *f)
		return
	}
	v.Category, v.Code, v.Reason, v.Certain = f.Ruling.Category, f.Ruling.Code, f.Ruling.Reason, f.Ruling.Certain
	v.Confidence, v.Description = f.Ruling.Confidence, f.Description
	v.Findings = slices.Insert(v.Findings, 0, *f)
}
