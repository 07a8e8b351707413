package verify

import (
	"afterimage/internal/noise"
	"afterimage/internal/page"
	"afterimage/internal/verify/dom"
)

// Learn adds the pair to what is known of the page, with how its judgment reported each change. Between the two visits nothing
// was updated, as far as is known. It returns what is known then, and leaves what was known as it is: what is to be judged must not
// explain itself.
func (p *Pair) Learn(v noise.Visit, judged *Result) *noise.Knowledge {
	learned := p.Noise.Clone()
	if !p.Before.Blank && !p.After.Blank {
		learned.Observe(&noise.Pair{
			Visit: v, Before: p.Before.Elements, After: p.After.Elements, Repainted: p.clusterBoxes(), Reported: reported(judged),
		})
	}
	return learned
}

// clusterBoxes are the places of the after picture that still differ after row alignment.
func (p *Pair) clusterBoxes() []page.Box {
	clusters := p.Remaining
	if clusters == nil {
		clusters = p.Regions
	}
	boxes := make([]page.Box, len(clusters))
	for i := range clusters {
		boxes[i] = page.BoxOf(clusters[i].Box)
	}
	return boxes
}

// reported says which elements, by their selectors in either visit, the findings do not call harmless.
func reported(judged *Result) map[string]noise.Report {
	reports := make(map[string]noise.Report)
	for i := range judged.Findings {
		found := &judged.Findings[i]
		report := noise.Unsure
		switch found.Ruling.Category {
		case AllGood:
			continue
		case Alert:
			if !found.entryGone() {
				report = noise.Alarm
			}
		}
		was, is := found.Sides()
		for _, e := range append([]*page.Element{was, is}, found.Members...) {
			if e != nil {
				reports[e.Selector] = max(reports[e.Selector], report)
			}
		}
	}
	return reports
}

// entryGone reports whether the alert is about an element that is gone and may belong to a list that grows and shrinks by itself: that
// one is gone is an alert as long as this is not known.
func (f *Finding) entryGone() bool {
	return f.Change == Vanished && f.Ruling.Code == CodeGone && !f.Ruling.Certain && f.Element != nil && !stays(f.Element)
}

// stays reports whether an element is a control or a landmark, which do not come and go.
func stays(e *page.Element) bool {
	return dom.IsLandmark(e.Role) || dom.IsControl(e.Role) || e.Tag == "footer" || e.Tag == "header"
}
