package turns

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun/dialect/pgdialect"

	"afterimage/db/query"
	"afterimage/vcd"
)

// waiting reads what a choice of so many turns needs if everything may begin. Where much may not, because hosts are full, a wider
// reach reads of more payers and batches.
type waiting struct {
	most, reach int
	now         time.Time
	slots       freeSlots
}

// payerRow is a payer in one queue.
type payerRow struct {
	Queue string  `bun:"queue"`
	Payer vcd.ID  `bun:"payer_id"`
	Used  float64 `bun:"used"`
	Busy  int     `bun:"busy"`
	Share int     `bun:"share"`
}

// choice reads everything.
func (w *waiting) choice(ctx context.Context, t *Tx) (*choice, error) {
	payers, err := w.payers(ctx, t)
	if err != nil {
		return nil, err
	}
	c := &choice{slots: w.slots, payers: payers, hosts: map[string]*visitedHost{},
		probed: map[restingHost]bool{}, lanes: map[vcd.ID]bool{}}
	near := w.near(payers)
	if err := w.readBatches(ctx, t, near); err != nil {
		return nil, err
	}
	return c, w.readTurns(ctx, t, c, w.wanted(near))
}

func (w *waiting) payers(ctx context.Context, t *Tx) ([]*waitingPayer, error) {
	var rows []payerRow
	err := t.Bun.NewRaw("SELECT queue, payer_id, used, busy, share FROM waiting_payers(?, ?, ?) ORDER BY payer_id, queue",
		w.slots.kind, query.Array(w.slots.queues), w.now).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read whose turns wait: %w", err)
	}
	var payers []*waitingPayer
	for _, r := range rows {
		if len(payers) == 0 || payers[len(payers)-1].id != r.Payer {
			payers = append(payers, &waitingPayer{id: r.Payer, used: r.Used, busy: r.Busy, share: r.Share})
		}
		p := payers[len(payers)-1]
		p.lines = append(p.lines, &waitingLine{queue: r.Queue, unread: true})
	}
	return payers, nil
}

// nearPayer is a payer who is likely to get so many turns.
type nearPayer struct {
	*waitingPayer

	turns int
}

// near lists the payers who get turns if everything may begin, and with a wider reach those who come next.
func (w *waiting) near(payers []*waitingPayer) []nearPayer {
	queue := make(payerHeap, 0, len(payers))
	for _, p := range payers {
		if w.slots.payerLimit == 0 || p.busy < w.slots.payerLimit {
			trial := *p
			queue = append(queue, &trial)
		}
	}
	heap.Init(&queue)
	turns := map[vcd.ID]int{}
	for range w.most {
		if len(queue) == 0 {
			break
		}
		p := queue[0]
		turns[p.id]++
		p.used++
		p.busy++
		if heap.Fix(&queue, 0); w.slots.payerLimit > 0 && p.busy >= w.slots.payerLimit {
			queue = slices.DeleteFunc(queue, func(q *waitingPayer) bool { return q == p })
			heap.Init(&queue)
		}
	}
	inOrder := slices.SortedFunc(slices.Values(payers), func(a, b *waitingPayer) int {
		return cmp.Or(cmp.Compare(a.use(), b.use()), cmp.Compare(a.id, b.id))
	})
	more := (w.reach - 1) * w.most
	var near []nearPayer
	for _, p := range inOrder {
		if turns[p.id] == 0 {
			if more--; more < 0 {
				continue
			}
		}
		near = append(near, nearPayer{p, max(1, turns[p.id])})
	}
	return near
}

// window is how many batches of a payer are looked at, see waiting_batches.
const window = 128

func (w *waiting) readBatches(ctx context.Context, t *Tx, near []nearPayer) error {
	var queues []string
	var payers []vcd.ID
	lines := map[payerRow]*waitingLine{}
	for _, p := range near {
		for _, line := range p.lines {
			queues, payers = append(queues, line.queue), append(payers, p.id)
			lines[payerRow{Queue: line.queue, Payer: p.id}] = line
		}
	}
	var rows []struct {
		payerRow `bun:",extend"`
		Batch    vcd.ID `bun:"batch_id"`
	}
	err := t.Bun.NewRaw("SELECT queue, payer_id, batch_id, used FROM waiting_batches(?, ?, ?, ?)", w.slots.kind, query.Array(queues),
		query.Array(payers), w.now).Scan(ctx, &rows)
	if err != nil {
		return fmt.Errorf("read which batches wait: %w", err)
	}
	for _, r := range rows {
		line := lines[payerRow{Queue: r.Queue, Payer: r.Payer}]
		line.unread = false
		line.batches = append(line.batches, &waitingBatch{id: r.Batch, used: r.Used})
		line.windowed = len(line.batches) >= window
	}
	return nil
}

// wantedTurns asks for turns of a batch.
type wantedTurns struct {
	payer vcd.ID
	queue string
	batch *waitingBatch
}

// wanted lists the batches that get turns if everything may begin, and with a wider reach those that come next, and more of each.
func (w *waiting) wanted(near []nearPayer) (wanted []wantedTurns) {
	for _, p := range near {
		for _, line := range p.lines {
			turns := spread(line.batches, p.turns)
			more := w.reach - 1
			for _, b := range slices.SortedFunc(slices.Values(line.batches), leastUsed) {
				if turns[b.id] == 0 {
					if more--; more < 0 {
						continue
					}
				}
				b.most = min(w.most, max(1, turns[b.id])*w.reach)
				wanted = append(wanted, wantedTurns{p.id, line.queue, b})
			}
		}
	}
	return wanted
}

// spread shares turns out among batches.
func spread(batches []*waitingBatch, turns int) map[vcd.ID]int {
	trial := make([]*waitingBatch, len(batches))
	for i, b := range batches {
		trial[i] = &waitingBatch{id: b.id, used: b.used}
	}
	got := map[vcd.ID]int{}
	for range turns {
		if len(trial) == 0 {
			break
		}
		b := slices.MinFunc(trial, leastUsed)
		b.used++
		got[b.id]++
	}
	return got
}

func (w *waiting) readTurns(ctx context.Context, t *Tx, c *choice, wanted []wantedTurns) error {
	var queues []string
	var payers, batches []vcd.ID
	var most []int
	for _, b := range wanted {
		queues, payers = append(queues, b.queue), append(payers, b.payer)
		batches, most = append(batches, b.batch.id), append(most, b.batch.most)
	}
	var rows []struct {
		Place     int    `bun:"place"`
		Delayed   bool   `bun:"delayed"`
		Account   vcd.ID `bun:"account_id"`
		Subject   vcd.ID `bun:"subject_id"`
		Suspicion int    `bun:"suspicion"`
		Host      string `bun:"host"`
		Visits    int    `bun:"visits"`
		Resting   bool   `bun:"resting"`
	}
	err := t.Bun.NewRaw(`SELECT place, delayed, account_id, subject_id, suspicion, host, visits, resting
		FROM waiting_turns(?, ?, ?, ?, ?, ?, ?)`, w.slots.kind, query.Array(queues), query.Array(payers), query.Array(batches),
		pgdialect.Array(most),
		w.slots.hostLimit, w.now).Scan(ctx, &rows)
	if err != nil {
		return fmt.Errorf("read which turns wait: %w", err)
	}
	for _, r := range rows {
		of := wanted[r.Place-1]
		lane := &of.batch.lanes[0]
		if r.Delayed {
			lane = &of.batch.lanes[1]
		}
		if r.Subject == "" {
			lane.more = true
			continue
		}
		turn := &waitingTurn{account: r.Account, subject: r.Subject, queue: of.queue, batch: of.batch.id, suspicion: r.Suspicion,
			delayed: r.Delayed, probe: r.Resting}
		if r.Host != "" {
			turn.host = c.hosts[r.Host]
			if turn.host == nil {
				turn.host = &visitedHost{host: r.Host, visits: r.Visits}
				c.hosts[r.Host] = turn.host
			}
		}
		lane.turns = append(lane.turns, turn)
	}
	for _, of := range wanted {
		for _, lane := range of.batch.lanes {
			slices.SortStableFunc(lane.turns, func(a, b *waitingTurn) int { return cmp.Compare(a.host.name(), b.host.name()) })
		}
	}
	return nil
}
