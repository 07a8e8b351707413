package view

import (
	"time"

	"afterimage/graph/scalar"
	"afterimage/vcd"
	"afterimage/vcd/review"
)

// BatchCompletion shows how much of a batch is done.
type BatchCompletion struct {
	vcd.BatchCompletion
}

// EstimatedFinishAt is when the batch may be finished.
func (c *BatchCompletion) EstimatedFinishAt() *time.Time { return c.FinishAt }

// BatchLink shows the public link of a batch.
type BatchLink struct {
	URL        string
	Permission scalar.Word
	ExpiresAt  *time.Time
}

// NewBatchLink shows a link that works; nil for none.
func NewBatchLink(l review.OpenLink, links Links) *BatchLink {
	if l.Token == "" {
		return nil
	}
	return &BatchLink{URL: links.Batch(l.Token), Permission: scalar.Word(l.Permission), ExpiresAt: l.ExpiresAt}
}

// BatchPart shows the figures of a part of a batch: of a group or of a website.
type BatchPart struct {
	*vcd.BatchPart
}

// ComparisonsCount is the comparisons of the part by state.
func (p *BatchPart) ComparisonsCount() vcd.ComparisonCounts { return p.Comparisons }

// QueuesCount is the queue entries of the part by state.
func (p *BatchPart) QueuesCount() vcd.StatusCounts { return p.Counts }

// GroupParts shows the parts of a batch by group.
func GroupParts(parts []*vcd.BatchPart) []*BatchPart {
	shown := make([]*BatchPart, len(parts))
	for i, p := range parts {
		shown[i] = &BatchPart{p}
	}
	return shown
}

// WebsiteParts adds the parts of a batch up by website. Those without one come last.
func WebsiteParts(parts []*vcd.BatchPart) []*BatchPart {
	var shown []*BatchPart
	var rest *BatchPart
	byWebsite := map[vcd.ID]*BatchPart{}
	for _, p := range parts {
		var sum *BatchPart
		switch {
		case p.WebsiteID != nil && byWebsite[*p.WebsiteID] == nil:
			sum = &BatchPart{&vcd.BatchPart{WebsiteID: p.WebsiteID}}
			byWebsite[*p.WebsiteID] = sum
			shown = append(shown, sum)
		case p.WebsiteID != nil:
			sum = byWebsite[*p.WebsiteID]
		case rest == nil:
			rest = &BatchPart{&vcd.BatchPart{}}
			sum = rest
		default:
			sum = rest
		}
		sum.Counts = sum.Counts.Plus(p.Counts)
		sum.Comparisons = sum.Comparisons.Plus(p.Comparisons)
	}
	if rest != nil {
		shown = append(shown, rest)
	}
	return shown
}

// DeletedBatchPayload names a batch that was deleted.
type DeletedBatchPayload struct{ DeletedBatchID vcd.ID }
