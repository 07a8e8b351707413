package turns

import (
	"context"
	"fmt"
	"slices"
	"time"

	"afterimage/db/query"
	"afterimage/vcd"
)

// Limits of handing out turns.
const (
	// handOutLock serializes handing out: each step sees what the previous one handed out.
	handOutLock = 0x7475726e
	// aheadAge is the maximum age of the running comparisons for more to be handed out than there are free slots. While a
	// long one is running, nothing is handed out that would only wait behind it.
	aheadAge = time.Second
	// slowCapture is the age from which a running capture does not count as one that soon makes room.
	slowCapture = 10 * time.Second
)

// aheadOfComparisons and aheadOfCaptures are how many turns are handed out beyond the free slots, so that no slot is idle
// from the end of one turn to the start of the next: that takes a few round trips, about as long as a short comparison.
func aheadOfComparisons(slots int) int { return 2 + 4*slots }

func aheadOfCaptures(slots int) int { return (slots + 3) / 4 }

// workerSlots are the slots of living workers, minus the turns in progress.
type workerSlots struct {
	EU          int  `bun:"eu"`
	US          int  `bun:"us"`
	Captures    int  `bun:"captures"`
	Compares    int  `bun:"compares"`
	Moving      bool `bun:"moving"`  // there are slots for comparisons, and the running ones are short
	Flowing     bool `bun:"flowing"` // fewer than half of the slots for captures have a slow one
	AllEU       int  `bun:"all_eu"`  // slots with and without a turn
	AllUS       int  `bun:"all_us"`
	AllCompares int  `bun:"all_compares"`
	Sitemaps    int  `bun:"sitemaps"`
	Syncs       int  `bun:"syncs"`
	Imports     int  `bun:"imports"` // all slots for sitemaps
}

const slotsQuery = `
SELECT w.eu - coalesce(t.eu, 0) AS eu, w.us - coalesce(t.us, 0) AS us, w.captures - coalesce(t.captures, 0) AS captures,
	w.compares - coalesce(t.compares, 0) AS compares, w.compares > 0 AND coalesce(t.oldest > ?2, true) AS moving,
	2 * coalesce(t.slow, 0) < w.captures AS flowing, w.eu AS all_eu, w.us AS all_us, w.compares AS all_compares,
	w.imports - coalesce(t.sitemaps, 0) AS sitemaps, w.syncs - coalesce(t.syncs, 0) AS syncs, w.imports
FROM (
	SELECT coalesce(sum(captures), 0) AS captures, coalesce(sum(captures) FILTER (WHERE 'eu' = ANY(regions)), 0) AS eu,
		coalesce(sum(captures) FILTER (WHERE 'us' = ANY(regions)), 0) AS us,
		coalesce(sum(compares), 0) AS compares, coalesce(sum(imports), 0) AS imports, coalesce(sum(syncs), 0) AS syncs
	FROM workers WHERE beat_at > clock_timestamp() - make_interval(secs => ?1)
) AS w CROSS JOIN (
	SELECT count(*) FILTER (WHERE kind = 'capture') AS captures,
		count(*) FILTER (WHERE kind = 'capture' AND handed_at < ?3) AS slow,
		count(*) FILTER (WHERE kind = 'capture' AND (queue = 'eu' OR queue = 'auto' AND ?0 = 'eu')) AS eu,
		count(*) FILTER (WHERE kind = 'capture' AND (queue = 'us' OR queue = 'auto' AND ?0 = 'us')) AS us,
		count(*) FILTER (WHERE kind = 'compare') AS compares, min(handed_at) FILTER (WHERE kind = 'compare') AS oldest,
		count(*) FILTER (WHERE queue = 'sitemap') AS sitemaps, count(*) FILTER (WHERE queue = 'sync') AS syncs
	FROM turns WHERE handed_at IS NOT NULL
) AS t`

// HandOut implements run.Store. Usually nothing waits, which costs one index lookup.
func (d *Store) HandOut(ctx context.Context, now time.Time, rules vcd.HandOutRules) (handed int, err error) {
	err = d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		handed = 0
		var waiting []turnRow
		if err := t.Bun.NewRaw("SELECT kind, queue FROM waiting_queues()").Scan(ctx, &waiting); err != nil {
			return fmt.Errorf("check for waiting turns: %w", err)
		}
		if len(waiting) == 0 {
			return nil
		}
		if _, err := t.Bun.NewRaw("SELECT pg_advisory_xact_lock(?)", handOutLock).Exec(ctx); err != nil {
			return fmt.Errorf("wait for others who hand out: %w", err)
		}
		free := workerSlots{}
		if err := t.Bun.NewRaw(slotsQuery, string(rules.Home), rules.Silence.Seconds(), now.Add(-aheadAge),
			now.Add(-slowCapture)).Scan(ctx, &free); err != nil {
			return fmt.Errorf("count the free slots: %w", err)
		}
		for _, f := range free.byKind(rules) {
			if !f.waits(waiting) {
				continue
			}
			if f.kind == vcd.TurnCapture { // the regions of a worker share its slots
				f.free = min(f.free, free.Captures-handed) // negative where turns were handed out ahead
			}
			n, err := t.handOut(ctx, now, f)
			if err != nil {
				return err
			}
			handed += n
		}
		return nil
	})
	return handed, err
}

// freeSlots are free slots for one kind of work, and the limits within which they are filled.
type freeSlots struct {
	kind       vcd.TurnKind
	queues     []string
	free       int
	ahead      int // turns beyond these that may be handed out
	payerLimit int // turns that one payer may have at the same time; 0 means no limit
	hostLimit  int
}

// waits reports whether there is anything to hand out.
func (f *freeSlots) waits(waiting []turnRow) bool {
	return slices.ContainsFunc(waiting, func(w turnRow) bool { return w.Kind == f.kind && slices.Contains(f.queues, w.Queue) })
}

// byKind lists everything that may be handed out, captures first.
func (s *workerSlots) byKind(rules vcd.HandOutRules) []freeSlots {
	var list []freeSlots
	for _, r := range []struct {
		region    vcd.Region
		free, all int
	}{{vcd.RegionEU, s.EU, s.AllEU}, {vcd.RegionUS, s.US, s.AllUS}} {
		queues := []string{string(r.region)}
		if r.region == rules.Home {
			queues = append(queues, string(vcd.RegionAuto))
		}
		f := freeSlots{kind: vcd.TurnCapture, queues: queues, free: r.free, hostLimit: rules.HostCaptures}
		if s.Flowing {
			f.ahead = aheadOfCaptures(r.all)
		}
		list = append(list, f)
	}
	if s.Moving {
		s.Compares += aheadOfComparisons(s.AllCompares)
	}
	return append(list,
		freeSlots{kind: vcd.TurnCompare, queues: []string{""}, free: s.Compares},
		freeSlots{kind: vcd.TurnImport, queues: []string{string(vcd.ImportSync)}, free: s.Syncs, payerLimit: 1},
		// A site may take up to ten minutes for its sitemaps, so no account gets all slots.
		freeSlots{kind: vcd.TurnImport, queues: []string{string(vcd.ImportSitemap)}, free: s.Sitemaps, payerLimit: max(1, s.Imports/4)})
}

// handOut fills slots and enqueues the jobs. What is read for one choice may not suffice for all slots; each further time
// reads of more payers and batches.
func (t *Tx) handOut(ctx context.Context, now time.Time, f freeSlots) (int, error) {
	if f.free+f.ahead <= 0 {
		return 0, nil
	}
	if _, err := t.Bun.NewRaw("SELECT charge_turns(?, ?)", f.kind, now).Exec(ctx); err != nil {
		return 0, fmt.Errorf("charge the turns in progress: %w", err)
	}
	handed, all := 0, false
	for reach := 1; !all && f.free+f.ahead-handed > 0; reach = min(2*reach, maxReach) {
		left := f.free + f.ahead - handed
		reader := &waiting{most: left, reach: reach, now: now, slots: f}
		c, err := reader.choice(ctx, t)
		if err != nil {
			return 0, err
		}
		all = c.run(left, f.free-handed)
		n, err := t.handOver(ctx, now, f.kind, c.chosen)
		if err != nil {
			return 0, err
		}
		handed += n
	}
	return handed, nil
}

// maxReach is more than there are payers or batches.
const maxReach = 1 << 20

// handOver gives the chosen turns to workers, but for those that were taken back meanwhile.
func (t *Tx) handOver(ctx context.Context, now time.Time, kind vcd.TurnKind, chosen []*waitingTurn) (int, error) {
	if len(chosen) == 0 {
		return 0, nil
	}
	accounts, subjects, batches := make([]vcd.ID, len(chosen)), make([]vcd.ID, len(chosen)), make([]vcd.ID, len(chosen))
	for i, c := range chosen {
		accounts[i], subjects[i], batches[i] = c.account, c.subject, c.batch
	}
	var handed []vcd.ID
	err := t.Bun.NewRaw("SELECT subject_id FROM hand_over(?, ?, ?, ?)", kind, query.Array(accounts), query.Array(subjects), now).
		Scan(ctx, &handed)
	if err != nil {
		return 0, fmt.Errorf("hand out %d turns: %w", len(chosen), err)
	}
	traces, err := t.TracesOf(ctx, accounts, batches)
	if err != nil {
		return 0, err
	}
	really := make(map[vcd.ID]bool, len(handed))
	for _, id := range handed {
		really[id] = true
	}
	for _, c := range chosen {
		if really[c.subject] {
			t.enqueueTurn(kind, c, traces[c.batch])
		}
	}
	return len(handed), nil
}

func (t *Tx) enqueueTurn(kind vcd.TurnKind, c *waitingTurn, trace string) {
	switch kind {
	case vcd.TurnCapture:
		t.Outbox.Captures = append(t.Outbox.Captures, vcd.CaptureJob{
			Account: c.account, Entry: c.subject, Region: vcd.Region(c.queue), Probe: c.probe, Trace: trace,
		})
	case vcd.TurnCompare:
		t.Outbox.Compares = append(t.Outbox.Compares, vcd.CompareJob{Account: c.account, Entry: c.subject, Trace: trace})
	case vcd.TurnImport:
		t.Outbox.Imports = append(t.Outbox.Imports, vcd.ImportJob{Account: c.account, Import: c.subject, Kind: vcd.ImportKind(c.queue)})
	}
}
