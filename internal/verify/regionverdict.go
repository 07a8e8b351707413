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

	habitKnown bool
	habit      habit              // see acts
	learned    *noise.Explanation // see known
}

// judge derives the verdict on a region from its findings: the worst decides, and the region is good only if all of
// them are.
func (v *view) judge(r *Region) Verdict {
	clusters := v.of(r)
	if len(clusters) == 0 {
		return v.onlyShifted(r)
	}
	verdict := Verdict{RegionID: r.ID, Category: AllGood, Code: CodeShift, Confidence: 0.9}
	for _, i := range clusters {
		for f := range v.shown[i] {
			s := &scene{view: v, Finding: &v.shown[i][f], cluster: &v.clusters[i], index: i}
			verdict.add(s.Finding, s.opinion())
		}
	}
	verdict.Findings = verdict.Findings[:min(len(verdict.Findings), maxFindings)]
	for i := range verdict.Findings {
		verdict.Findings[i].RegionID = r.ID
	}
	return verdict
}

// onlyShifted is the verdict on a region whose content only moved.
func (v *view) onlyShifted(r *Region) Verdict {
	verdict := Verdict{
		RegionID: r.ID, Category: AllGood, Code: CodeShift, Confidence: 0.9, Reason: "Only the position changed.",
		Findings: v.ofRegion(r),
	}
	for f := range verdict.Findings {
		verdict.Findings[f].Category = AllGood
	}
	verdict.Description = verdict.Findings[0].Description
	return verdict
}

// add includes a finding and the opinion on it in the verdict. The worst decides; among equals, the most significant.
func (v *Verdict) add(f *Finding, o *opinion) {
	f.Category = o.category
	decides := len(v.Findings) == 0 || o.category.rank() > v.Category.rank() ||
		o.category == v.Category && f.weight() > v.Findings[0].weight()
	if !decides {
		v.Findings = append(v.Findings, *f)
		return
	}
	v.Category, v.Code, v.Reason, v.Certain = o.category, o.code, o.reason, o.certain
	v.Confidence, v.Description = o.confidence, f.Description
	v.Findings = slices.Insert(v.Findings, 0, *f)
}

// opinion is the opinion on the finding: of the rules, of the trained judge where none applies, and else undecided.
func (s *scene) opinion() *opinion {
	if o := s.ruled(); o != nil {
		return o
	}
	if o := s.judged(); o != nil {
		return o
	}
	return &opinion{NotSure, CodeUnknown, "No rule covers this kind of change.", 0.5, false}
}

// ruled is the rules' opinion on the finding; nil if no rule applies.
func (s *scene) ruled() *opinion {
	if o := decide(findingRules, s); o != nil {
		return o
	}
	return s.pageState()
}
