package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// comparison is the part of GraphQL's type that the table shows.
type comparison struct {
	ID, Address, URLID, BatchID       string
	Device, Status                    string
	DifferencePercent, AlignedPercent float64
	Threshold                         float64
	BeforeLink, AfterLink             string
	Link, PublicLink                  string
	AiVerificationResult              *struct{ Summary string }
}

const comparisonsQuery = `query($batch: ID!, $after: String) {
  comparisons(first: 100, after: $after, filter: { batchIds: [$batch] }) {
    nodes {
      id address urlId batchId device status differencePercent alignedPercent threshold beforeLink afterLink link publicLink
      aiVerificationResult { summary }
    }
    pageInfo { hasNextPage endCursor }
  }
}`

// comparisons reads all comparisons of a batch.
func (c *client) comparisons(ctx context.Context, batch string) ([]comparison, error) {
	var all []comparison
	for after := (*string)(nil); ; {
		var data struct {
			Comparisons struct {
				Nodes    []comparison
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
			}
		}
		if err := c.query(ctx, comparisonsQuery, map[string]any{"batch": batch, "after": after}, &data); err != nil {
			return nil, err
		}
		all = append(all, data.Comparisons.Nodes...)
		if !data.Comparisons.PageInfo.HasNextPage {
			return all, nil
		}
		after = data.Comparisons.PageInfo.EndCursor
	}
}

// query executes a GraphQL query.
func (c *client) query(ctx context.Context, text string, variables map[string]any, data any) error {
	body, err := json.Marshal(map[string]any{"query": text, "variables": variables})
	if err != nil {
		return err
	}
	var answer struct {
		Data   json.RawMessage
		Errors []struct{ Message string }
	}
	if err := c.do(ctx, http.MethodPost, c.server+"/graphql", bytes.NewReader(body), &answer); err != nil {
		return err
	}
	if len(answer.Errors) > 0 {
		return fmt.Errorf("the query failed: %s", answer.Errors[0].Message)
	}
	return json.Unmarshal(answer.Data, data)
}
