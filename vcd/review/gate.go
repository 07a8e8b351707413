package review

import (
	"context"
	"maps"
	"slices"

	"afterimage/vcd"
	"afterimage/vcd/culprit"
	"afterimage/vcd/gate"
)

// maxGated limits the comparisons, and the pages that were not compared, that a verdict on an update considers.
const maxGated = 500

// Gate is the verdict on the update that a run followed.
type Gate struct {
	gate.Verdict
	Culprit *culprit.Culprit // the most likely one; nil if nothing speaks against an update, or it is not known which does
}

// Gate says what to do about the update before a run. It reads only, and the same run gives the same verdict until it is reviewed or
// continued.
func (s *Service) Gate(ctx context.Context, actor vcd.Actor, batch vcd.ID) (*Gate, error) {
	return vcd.Read(ctx, s.store.Updates(), actor, func(ctx context.Context, tx UpdateTx) (*Gate, error) {
		b, err := tx.Batch(ctx, batch)
		if err != nil {
			return nil, err
		}
		if v, decided := gate.Decided(b); decided {
			return &Gate{Verdict: v}, nil
		}
		run, err := readGated(ctx, tx, b)
		if err != nil {
			return nil, err
		}
		g := &Gate{Verdict: gate.Judge(run, gate.Default())}
		if g.Decision == gate.Keep || b.UpdateResults == nil {
			return g, nil
		}
		pages, err := tx.TracedPagesOfBatches(ctx, []vcd.ID{batch}, culprit.MaxTracedPages)
		if err != nil {
			return nil, err
		}
		if ranked := culprit.Rank(b.UpdateResults, pages[batch]); len(ranked) > 0 {
			g.Culprit = ranked[0]
		}
		return g, nil
	})
}

// readGated reads what may be wrong in a finished run.
func readGated(ctx context.Context, tx UpdateTx, b *vcd.Batch) (gate.Run, error) {
	run := gate.Run{Batch: b}
	suspects, err := tx.Suspects(ctx, b.ID, maxGated+1)
	if err != nil {
		return run, err
	}
	uncompared, err := tx.UncomparedPages(ctx, b.ID, maxGated+1)
	run.Suspects, run.Uncompared = suspects[:min(len(suspects), maxGated)], uncompared[:min(len(uncompared), maxGated)]
	run.More = len(suspects) > maxGated || len(uncompared) > maxGated
	if err != nil || len(suspects)+len(uncompared) == 0 {
		return run, err
	}
	if run.Pages, err = tx.ComparedPages(ctx, b.ID); err != nil {
		return run, err
	}
	own, err := tx.GateRules(ctx, groupsOf(run))
	run.Rules = make(map[vcd.ID]gate.Rules, len(own))
	for group, rules := range own {
		run.Rules[group] = gate.RulesOf(rules)
	}
	return run, err
}

// groupsOf are the groups of the pages that may be wrong.
func groupsOf(run gate.Run) []vcd.ID {
	seen := map[vcd.ID]bool{}
	for _, s := range run.Suspects {
		seen[s.GroupID] = true
	}
	for _, p := range run.Uncompared {
		seen[p.GroupID] = true
	}
	return slices.Sorted(maps.Keys(seen))
}
