package remote

import "context"

// maxAdded is how many addresses the server adds at once.
const maxAdded = 10_000

// Added is what adding addresses to a group came to.
type Added struct {
	Valid   int // different pages among the addresses that can be added
	New     int // pages that were not in the group before; 0 of a dry run
	Refused []RefusedAddress
}

// RefusedAddress is an address that cannot be added.
type RefusedAddress struct {
	Index   int // among those that were given, from 0
	Message string
}

// Add adds pages to a group by their addresses, or only checks the addresses. Those that cannot be added prevent no others.
func (c *Client) Add(ctx context.Context, group string, addresses []string, dryRun bool) (*Added, error) {
	sum := new(Added)
	for begin := 0; begin < len(addresses); begin += maxAdded {
		part := addresses[begin:min(begin+maxAdded, len(addresses))]
		var answer struct {
			AddAddressesToGroup struct {
				ValidCount, Count int
				Refused           []RefusedAddress
			}
		}
		variables := map[string]any{"group": group, "addresses": part, "dryRun": dryRun}
		if err := c.do(ctx, addDocument, variables, &answer); err != nil {
			return sum, err
		}
		added := &answer.AddAddressesToGroup
		sum.Valid += added.ValidCount
		sum.New += added.Count
		for _, r := range added.Refused {
			r.Index += begin
			sum.Refused = append(sum.Refused, r)
		}
	}
	return sum, nil
}
