package graph_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"afterimage/graph"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/outbound"
	"afterimage/vcd/review"
	"afterimage/vcd/run"
)

// counter counts the reads of a store. Each is one transaction.
type counter struct {
	app.Store
	reads atomic.Int64

	mu          sync.Mutex
	now, atOnce int // reads under way, and the most there were
}

// The rooms of a counter. The store of a room lies a level below its reads, which so take precedence.
type (
	thePart[Tx any]     struct{ vcd.Store[Tx] }
	countedPart[Tx any] struct {
		thePart[Tx]
		counted[Tx]
	}
	theMails struct {
		outbound.Backlog[outbound.MailTx]
	}
	theAccounts     struct{ account.Store }
	countedAccounts struct {
		theAccounts
		counted[account.Tx]
	}
	theInventory     struct{ inventory.Store }
	countedInventory struct {
		theInventory
		counted[inventory.Tx]
	}
	theOutbound     struct{ outbound.Store }
	countedOutbound struct {
		theOutbound
		counted[outbound.Tx]
	}
	theReviews     struct{ review.Store }
	countedReviews struct {
		theReviews
		counted[review.Tx]
	}
	theRuns     struct{ run.Store }
	countedRuns struct {
		theRuns
		counted[run.Tx]
	}
)

func (c *counter) ForAccounts() account.Store {
	s := c.Store.ForAccounts()
	return countedAccounts{theAccounts{s}, counted[account.Tx]{s, c}}
}

// People implements account.Store.
func (c countedAccounts) People() vcd.Store[account.PeopleTx] {
	return countPart(c.counter, c.Store.People())
}

func (c *counter) ForInventory() inventory.Store {
	s := c.Store.ForInventory()
	return countedInventory{theInventory{s}, counted[inventory.Tx]{s, c}}
}

// URLs implements inventory.Store.
func (c countedInventory) URLs() vcd.Store[inventory.URLTx] {
	return countPart(c.counter, c.Store.URLs())
}

// Websites implements inventory.Store.
func (c countedInventory) Websites() vcd.Store[inventory.WebsiteTx] {
	return countPart(c.counter, c.Store.Websites())
}

// Imports implements inventory.Store.
func (c countedInventory) Imports() vcd.Store[inventory.ImportTx] {
	return countPart(c.counter, c.Store.Imports())
}

func (c *counter) ForOutbound() outbound.Store {
	s := c.Store.ForOutbound()
	return countedOutbound{theOutbound{s}, counted[outbound.Tx]{s, c}}
}

// Mails implements outbound.Store.
func (c countedOutbound) Mails() outbound.Backlog[outbound.MailTx] {
	s := c.Store.Mails()
	return struct {
		theMails
		counted[outbound.MailTx]
	}{theMails{s}, counted[outbound.MailTx]{s, c.counter}}
}

func (c *counter) ForReviews() review.Store {
	s := c.Store.ForReviews()
	return countedReviews{theReviews{s}, counted[review.Tx]{s, c}}
}

// Rules implements review.Store.
func (c countedReviews) Rules() vcd.Store[review.RuleTx] {
	return countPart(c.counter, c.Store.Rules())
}

// PublicPages implements review.Store.
func (c countedReviews) PublicPages() vcd.Store[review.PublicTx] {
	return countPart(c.counter, c.Store.PublicPages())
}

// Updates implements review.Store.
func (c countedReviews) Updates() vcd.Store[review.UpdateTx] {
	return countPart(c.counter, c.Store.Updates())
}

func (c *counter) ForRuns() run.Store {
	s := c.Store.ForRuns()
	return countedRuns{theRuns{s}, counted[run.Tx]{s, c}}
}

// countPart counts the reads of a part of a room.
func countPart[Tx any](c *counter, s vcd.Store[Tx]) vcd.Store[Tx] {
	return countedPart[Tx]{thePart[Tx]{s}, counted[Tx]{s, c}}
}

// counted counts the reads of a room.
type counted[Tx any] struct {
	store   vcd.Store[Tx]
	counter *counter
}

func (r counted[Tx]) Read(ctx context.Context, actor vcd.Actor, do func(context.Context, Tx) error) error {
	c := r.counter
	c.reads.Add(1)
	c.mu.Lock()
	c.now++
	c.atOnce = max(c.atOnce, c.now)
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.now--
	}()
	return r.store.Read(ctx, actor, do)
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
	use := w.use.With(func(c *app.Config) { c.Store = counted })
	s := serve(t, use, func(*graph.Config) {})
	s.token = w.token
	for name, c := range map[string]struct {
		query string
		most  int64
	}{
		"a list": {`{ groups { nodes { name urlsCount } totalCount } }`, 1},
		"comparisons with all around": {`{ comparisons(first: 100) { nodes { group { id } url { id } batch { id } before { id } after { id }
			queueEntry { id } } aboveThresholdCount totalCount } }`, 20},
		"two levels": {`{ queueEntries(first: 100) { nodes { url { groups { name } } batch { groups { name } } } statusCounts { ` +
			`total } } }`, 15},
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

// One response leaves connections for others, whatever it asks for.
func TestFewReadsAtOnce(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"one", "two", "three", "four", "five", "six"} {
		group, _ := w.group(name, name+".example.test/a")
		w.take("PRE", group)
	}
	counted := &counter{Store: w.store}
	use := w.use.With(func(c *app.Config) { c.Store = counted })
	s := serve(t, use, func(*graph.Config) {})
	s.token = w.token
	for name, query := range map[string]string{
		"lists at the root": "{ " + each(50, func(i int) string { return fmt.Sprintf("a%d: groups(first: 1) { totalCount } ", i) }) + "}",
		"lists of groups":   "{ groups { nodes { urls { selectedUrlsCount nodes { urlId } } } } }",
		"lists of batches": "{ batches(first: 6) { nodes { " + each(15, func(i int) string {
			return fmt.Sprintf("a%d: comparisons(first: 1) { nodes { id } } b%d: queueEntries(first: 1) { nodes { id group { id } } } ", i,
				i)
		}) + "} } }",
	} {
		counted.atOnce = 0
		s.must(query, nil)
		if counted.atOnce > 4 {
			t.Errorf("%s: %d reads at once", name, counted.atOnce)
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

func TestTextsWithNULAreRefused(t *testing.T) {
	w := newWorld(t)
	for query, path := range map[string]string{
		`query ($text: String!) { urls(filter: { search: $text }) { nodes { id } } }`:                            "search",
		`mutation ($text: String!) { createGroup(input: { name: "g", alertEmails: [$text] }) { group { id } } }`: "alertEmails.0",
	} {
		a := w.post(query, vars{"text": "a\x00b"})
		if a.code() != "INVALID" || len(a.Errors[0].Extensions.Fields) != 1 || a.Errors[0].Extensions.Fields[0].Path != path {
			t.Errorf("%s: %s", path, a.body)
		}
	}
}
