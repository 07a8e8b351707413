package turns

import (
	"cmp"
	"container/heap"
	"slices"

	"afterimage/vcd"
)

// choice chooses turns one after another: the next of the payer who has used least for its share, of that payer's batch that has used
// least, of a host that nobody visits if there is one. Everything that it needs to know was read beforehand. Where that
// does not suffice, it stops: the caller hands out what was chosen and reads again.
type choice struct {
	payers payerHeap
	hosts  map[string]*visitedHost
	probed map[restingHost]bool // hosts at which a chosen turn looks whether they answer again
	lanes  map[vcd.ID]bool      // accounts whose next turn with a delay may not begin yet
	slots  freeSlots
	chosen []*waitingTurn
}

// waitingPayer is an account whose turns wait.
type waitingPayer struct {
	id          vcd.ID
	used        float64 // see the table shares
	busy, share int
	lines       []*waitingLine
}

// waitingLine is what waits of a payer in one queue.
type waitingLine struct {
	queue    string
	batches  []*waitingBatch
	unread   bool // not all of its batches were read
	windowed bool // there may be more batches between the oldest and the newest
}

type waitingBatch struct {
	id    vcd.ID
	used  float64
	most  int // how many of its turns were asked for; 0 if none were read
	taken int
	lanes [2]batchLane // without and with a delay
}

// batchLane is what may begin of a batch, in the order of hosts and times.
type batchLane struct {
	turns []*waitingTurn
	more  bool   // there may be more hosts that nobody visits
	next  [2]int // the first turn that counts, of hosts that nobody visits and of the others
}

type waitingTurn struct {
	account, subject vcd.ID
	queue            string
	batch            vcd.ID
	suspicion        int
	delayed          bool
	host             *visitedHost // nil if it visits none
	probe            bool         // its host rests: it looks whether the host answers again
	taken            bool
}

// visitedHost is a host and how many captures visit it.
type visitedHost struct {
	host   string
	visits int
}

// restingHost is a host that rests for an account. One capture of the account may look whether it answers again.
type restingHost struct {
	account vcd.ID
	host    *visitedHost
}

func (h *visitedHost) name() string {
	if h == nil {
		return ""
	}
	return h.host
}

// suspected is the suspicion from which one turn is in work at a time.
const suspected = 8

// use is what the order of payers depends on.
func (p *waitingPayer) use() float64 { return (p.used + float64(p.busy)) / float64(p.share) }

// payerHeap has on top whose turn is next.
type payerHeap []*waitingPayer

func (h payerHeap) Len() int { return len(h) }

func (h payerHeap) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[i].use(), h[j].use()), cmp.Compare(h[i].id, h[j].id)) < 0
}

func (h payerHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *payerHeap) Push(p any) { *h = append(*h, p.(*waitingPayer)) } //nolint:forcetypeassert // of container/heap

func (h *payerHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// run chooses up to most turns, those with a delay only among the first so many. It reports whether nothing else can be chosen,
// however much more is read.
func (c *choice) run(most, free int) (complete bool) {
	heap.Init(&c.payers)
	for len(c.chosen) < most && len(c.payers) > 0 {
		p := c.payers[0]
		if c.slots.payerLimit > 0 && p.busy >= c.slots.payerLimit {
			heap.Pop(&c.payers)
			continue
		}
		turn, batch, known := c.next(p)
		switch {
		case !known:
			return false
		case turn == nil:
			heap.Pop(&c.payers)
			continue
		case turn.delayed && len(c.chosen) >= free:
			return true
		}
		c.take(p, batch, turn)
		heap.Fix(&c.payers, 0)
		if turn.suspicion >= suspected { // other suspected turns wait now
			return false
		}
	}
	return len(c.chosen) == most || len(c.payers) == 0
}

func (c *choice) take(p *waitingPayer, batch *waitingBatch, turn *waitingTurn) {
	p.used++ // the shortest turn counts as a second
	p.busy++
	batch.used++
	batch.taken++
	turn.taken = true
	if turn.host != nil {
		turn.host.visits++
	}
	if turn.probe {
		c.probed[restingHost{turn.account, turn.host}] = true
	}
	if turn.delayed {
		c.lanes[turn.account] = true
	}
	c.chosen = append(c.chosen, turn)
}

// next finds the next turn of a payer; nil if none may begin. It is not known if more has to be read.
func (c *choice) next(p *waitingPayer) (turn *waitingTurn, of *waitingBatch, known bool) {
	for _, line := range p.lines {
		for len(line.batches) > 0 {
			batch := slices.MinFunc(line.batches, leastUsed)
			turn, known := c.nextOf(batch)
			if !known || turn != nil {
				return turn, batch, known
			}
			if line.windowed && batch.taken > 0 {
				return nil, nil, false // another batch takes its place
			}
			line.batches = slices.DeleteFunc(line.batches, func(b *waitingBatch) bool { return b == batch })
		}
		if line.unread {
			return nil, nil, false
		}
	}
	return nil, nil, true
}

func leastUsed(a, b *waitingBatch) int {
	return cmp.Or(cmp.Compare(a.used, b.used), cmp.Compare(a.id, b.id))
}

// nextOf finds the next turn of a batch: of a host that nobody visits, else of one with slots left.
func (c *choice) nextOf(b *waitingBatch) (turn *waitingTurn, known bool) {
	if b.taken >= b.most {
		return nil, false
	}
	for visited := range 2 {
		for i := range b.lanes {
			lane := &b.lanes[i]
			if turn := c.nextIn(lane, visited); turn != nil {
				return turn, true
			}
			if visited == 0 && lane.more && !c.pausedIn(lane) {
				return nil, false
			}
		}
	}
	return nil, true
}

// nextIn passes over turns that cannot begin any more while this choice lasts.
func (c *choice) nextIn(lane *batchLane, visited int) *waitingTurn {
	for ; lane.next[visited] < len(lane.turns); lane.next[visited]++ {
		if turn := lane.turns[lane.next[visited]]; c.mayBegin(turn, visited) {
			return turn
		}
	}
	return nil
}

func (c *choice) mayBegin(turn *waitingTurn, visited int) bool {
	host := turn.host
	switch {
	case turn.taken || turn.delayed && c.lanes[turn.account] || turn.probe && c.probed[restingHost{turn.account, host}]:
		return false
	case host == nil:
		return visited == 0
	case visited == 0:
		return host.visits == 0
	}
	return host.visits > 0 && (c.slots.hostLimit == 0 || host.visits < c.slots.hostLimit)
}

// pausedIn reports whether the turns of a lane, all of one account, wait for the end of a delay.
func (c *choice) pausedIn(lane *batchLane) bool {
	return len(lane.turns) > 0 && lane.turns[0].delayed && c.lanes[lane.turns[0].account]
}
