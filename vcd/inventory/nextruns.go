package inventory

import (
	"context"
	"fmt"
	"time"

	"afterimage/vcd"
)

// maxNextRuns limits a list of planned runs.
const maxNextRuns = 100

// NextRunsOf lists the next n scheduled runs of each group, which must be groups of the actor.
func (s *Service) NextRunsOf(ctx context.Context, actor vcd.Actor, groups []*vcd.Group, n int) (map[vcd.ID][]time.Time, error) {
	if n < 1 || n > maxNextRuns {
		return nil, vcd.Invalid("first", "between", fmt.Sprintf("The {field} field must be between 1 and %d.", maxNextRuns))
	}
	account, err := vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.Account, error) { return tx.Account(ctx) })
	if err != nil {
		return nil, err
	}
	now, zone := s.clock.Now(), account.Zone()
	runs := make(map[vcd.ID][]time.Time, len(groups))
	for _, g := range groups {
		runs[g.ID] = g.NextRuns(zone, now, n)
	}
	return runs, nil
}
