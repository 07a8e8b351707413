package remote

import (
	"context"
	"fmt"
	"strings"
)

// Approval is what approving changes came to.
type Approval struct {
	MatchedCount, ChangedCount, StillOpenCount int
	StillOpen                                  []StillOpen // at most 100
}

// StillOpen is a comparison that was not approved, because something else in it needs review.
type StillOpen struct {
	ComparisonID string
	Reasons      []string
	OtherChanges []string
}

// reasons are the words for why a comparison remains open.
var reasons = map[string]string{
	"OTHER_CHANGES": "it shows other changes", "UNLISTED": "it shows more changes than are listed",
	"UNEXPLAINED": "some of its changed pixels are not explained", "PAGE_ALARM": "the page itself has a severe change",
	"CONSOLE": "its browser console needs attention", "TRUNCATED": "a screenshot was cut off",
}

// Why says why the comparison remains open.
func (s *StillOpen) Why() string {
	var words []string
	for _, reason := range s.Reasons {
		word, ok := reasons[reason]
		if !ok {
			word = reason
		}
		words = append(words, word)
	}
	text := strings.Join(words, "; ")
	if len(s.OtherChanges) > 0 {
		text += ": " + strings.Join(s.OtherChanges, " ")
	}
	return text
}

// Approve approves the open comparisons of a run: all of them, or those that show the given changes and no others. Of which
// something is unknown remains open. A single change is approved as such: a page that shows others too is approved with the last of
// them.
func (c *Client) Approve(ctx context.Context, batch string, changes []string) (*Approval, error) {
	if len(changes) == 1 {
		return c.approveChange(ctx, batch, changes[0])
	}
	filter := map[string]any{"batchIds": []string{batch}, "statuses": []string{"NEW"}}
	if len(changes) > 0 {
		filter["changes"] = changes
	}
	var answer struct{ SetStatusOfComparisons Approval }
	if err := c.do(ctx, approveDocument, map[string]any{"filter": filter}, &answer); err != nil {
		return nil, nothingApproved(err)
	}
	return &answer.SetStatusOfComparisons, nil
}

func (c *Client) approveChange(ctx context.Context, batch, change string) (*Approval, error) {
	var answer struct{ SetStatusOfChange Approval }
	if err := c.do(ctx, approveChangeDocument, map[string]any{"batch": batch, "change": change}, &answer); err != nil {
		return nil, nothingApproved(err)
	}
	return &answer.SetStatusOfChange, nil
}

func nothingApproved(err error) error { return fmt.Errorf("nothing was approved: %w", err) }
