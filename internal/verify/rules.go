package verify

import (
	"slices"
)

// opinion is what a rule thinks of a finding.
type opinion struct {
	category   Category
	code       Code
	reason     string
	confidence float64
	certain    bool
}

// scene is a finding with where it was found.
type scene struct {
	*view
	*Finding
	cluster *cluster
	index   int // of the cluster
}

// rules are asked in order; the first that has an opinion decides. Alarming ones come first.
var rules = []func(*scene) *opinion{
	errorTextRule, brokenPictureRule, contrastRule, priceRule, loadingRule, blankRule, distortedRule, overlapRule, repeatedPictureRule, duplicateRule,
	emptiedRule, coverRule,
	noiseRule, dynamicTextRule, badgeRule, gaugeRule, highlightRule, valueColourRule, numberedRule, habitRule, rollRule, videoRule, pictureRule, speckRule, renderingRule, reorderRule, nudgeRule, shiftRule,
	goneRule, pageRule,
}

// judge forms the verdict of a region out of what was found in it: the worst decides, and all is good only when all of it is.
func (v *view) judge(r *Region) Verdict {
	verdict := Verdict{RegionID: r.ID, Category: AllGood, Code: CodeShift, Confidence: 0.9}
	clusters := v.of(r)
	if len(clusters) == 0 {
		verdict.Findings = v.ofRegion(r)
		for f := range verdict.Findings {
			verdict.Findings[f].Category = verdict.Category
		}
		verdict.Description = verdict.Findings[0].Description
		verdict.Reason = "Only the position changed."
		return verdict
	}
	first := true
	for _, i := range clusters {
		for f := range v.shown[i] {
			s := &scene{v, &v.shown[i][f], &v.clusters[i], i}
			o := s.opinion()
			s.Category = o.category
			if first || o.category.rank() > verdict.Category.rank() ||
				o.category == verdict.Category && s.weight() > verdict.Findings[0].weight() {
				first = false
				verdict.Category, verdict.Code, verdict.Reason, verdict.Certain = o.category, o.code, o.reason, o.certain
				verdict.Confidence, verdict.Description = o.confidence, s.Description
				verdict.Findings = slices.Insert(verdict.Findings, 0, *s.Finding)
			} else {
				verdict.Findings = append(verdict.Findings, *s.Finding)
			}
		}
	}
	verdict.Findings = verdict.Findings[:min(len(verdict.Findings), maxFindings)]
	for i := range verdict.Findings {
		verdict.Findings[i].RegionID = r.ID
	}
	return verdict
}

func (s *scene) opinion() *opinion {
	for _, rule := range rules {
		if o := rule(s); o != nil {
			return o
		}
	}
	return &opinion{NotSure, CodeUnknown, "No rule covers this kind of change.", 0.5, false}
}
