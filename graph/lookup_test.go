package graph_test

import (
	"context"
	"sync/atomic"
	"testing"

	"afterimage/graph"
	"afterimage/vcd"
)

// counter counts the reads of a store. Each is one transaction.
type counter struct {
	vcd.Store
	reads atomic.Int64
}

func (c *counter) Read(ctx context.Context, actor vcd.Actor, do func(context.Context, vcd.Tx) error) error {
	c.reads.Add(1)
	return c.Store.Read(ctx, actor, do)
}

// What many items of a list refer to is read together, however long the list is: there are 16 comparisons, 48 entries
// and more events. The bounds leave room for a busy machine, on which look-ups come in more than one wave.
func TestNestedThingsAreReadTogether(t *testing.T) {
	w := newWorld(t)
	var groups []string
	for _, name := range []string{"one", "two", "three", "four"} {
		group, _ := w.group(name, name+".example.test/a", name+".example.test/b")
		groups = append(groups, group)
	}
	w.work(w.take("PRE", groups...), "before", 0)
	w.work(w.take("POST", groups...), "after", 2)
	counted := &counter{Store: w.store}
	use := *w.use
	use.Store = counted
	s := serve(t, &use, func(*graph.Config) {})
	s.token = w.token
	for name, c := range map[string]struct {
		query string
		most  int64
	}{
		"a list": {`{ groups { nodes { name urlsCount } totalCount } }`, 1},
		"comparisons with all around": {`{ comparisons(first: 100) { nodes { group { id } url { id } batch { id } before { id } after { id }
			queueEntry { id } } aboveThresholdCount totalCount } }`, 20},
		"two levels":      {`{ queueEntries(first: 100) { nodes { url { groups { name } } batch { groups { name } } } statusCounts { total } } }`, 15},
		"events":          {`{ events(first: 500) { nodes { subject { id } batch { id } } } }`, 20},
		"lists in a list": {`{ batches { nodes { comparisons(first: 2) { nodes { before { id } } } } } }`, 8},
	} {
		counted.reads.Store(0)
		s.must(c.query, nil)
		if reads := counted.reads.Load(); reads > c.most {
			t.Errorf("%s: %d reads, want at most %d", name, reads, c.most)
		}
	}
}

// Nothing is counted that was not asked for.
func TestListsAreCountedWhenAsked(t *testing.T) {
	w := newWorld(t)
	w.group("counted")
	a := w.must(`{ a: groups { totalCount } b: groups { ...T @skip(if: true) nodes { name } } c: groups { ...T } }
		fragment T on GroupConnection { totalCount }`, nil)
	want(t, "asked", a.at(t, "a", "totalCount"), 1)
	want(t, "asked by a fragment", a.at(t, "c", "totalCount"), 1)
}
