package e2e

import (
	"bytes"
	"cmp"
	"context"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"afterimage/internal/buckettest"
)

// sizeOfMachines is what TestManyMachines runs: a few in every run, all with AFTERIMAGE_SOAK=1 (make machines), for as long as
// AFTERIMAGE_MACHINES_FOR says, or half an hour.
type sizeOfMachines struct {
	servers, workers, pages int
	lasts                   time.Duration
	fault                   time.Duration // how long one lasts
}

func machinesSize(t *testing.T) sizeOfMachines {
	t.Helper()
	if os.Getenv("AFTERIMAGE_SOAK") == "" {
		return sizeOfMachines{servers: 2, workers: 3, pages: 5, fault: 2 * time.Second}
	}
	lasts, err := time.ParseDuration(cmp.Or(os.Getenv("AFTERIMAGE_MACHINES_FOR"), "30m"))
	if err != nil {
		t.Fatal(err)
	}
	return sizeOfMachines{servers: 3, workers: 4, pages: 40, lasts: lasts, fault: 10 * time.Second}
}

// TestManyMachines runs servers and workers on machines of their own, with one database and one bucket, and lets happen
// what happens to machines: processes are killed, lines are cut, the bucket refuses, is slow or hangs up, the database's disk is full, a
// clock is wrong, and all processes are replaced by those of another version. Each run ends with each page captured and compared once,
// each end is told once, each event is seen once by who follows them, and what is stored is whole.
func TestManyMachines(t *testing.T) {
	t.Parallel()
	if inNetwork(t) {
		return
	}
	size := machinesSize(t)
	versions := buildVersions(t)
	c := newCompany(t, versions.old, size.servers, size.workers, size.pages)
	h := &havoc{company: c, lasts: size.fault, draw: rand.New(rand.NewPCG(nemesisSeed(t), 0)), versions: versions, built: versions.old}
	c.hear()
	group := c.group(nil, c.site.addresses()...)
	r, f := c.read(), c.follow()
	h.disturbed = r.except
	for end, kind := time.Now().Add(size.lasts), "pre"; kind == "pre" || time.Now().Before(end) || !h.hadAll(); kind = "post" {
		h.run(group, kind)
	}
	r.stop()
	f.verify()
	c.verify(h.runs)
}

// havoc is what happens to a company.
type havoc struct {
	*company
	lasts     time.Duration
	draw      *rand.Rand
	deck      []way
	decks     int          // that were dealt
	disturbed func(func()) // runs what lets all requests fail
	versions  versions
	built     string // the version that runs
	runs      []string
}

// run takes a batch, lets a few things happen while it goes on, and holds its end against what must be.
func (h *havoc) run(group, kind string) {
	h.t.Helper()
	h.site.after.Store(kind == "post" && !h.site.after.Load()) // each run finds changes
	batchID := h.take(group, kind)
	h.runs = append(h.runs, batchID)
	for h.left(batchID) > 4 {
		if len(h.deck) == 0 { // so each has its turn
			h.deck = h.ways()
			h.decks++
			h.draw.Shuffle(len(h.deck), func(i, j int) { h.deck[i], h.deck[j] = h.deck[j], h.deck[i] })
		}
		next := h.deck[0]
		h.deck = h.deck[1:]
		h.t.Logf("%s", next.what)
		next.do()
		before := h.left(batchID)
		waitFor(h.t, "the run to get on after: "+next.what, func() bool { return h.left(batchID) < max(before, 1) })
	}
	waitFor(h.t, "the end of batch "+batchID, func() bool { return h.left(batchID) == 0 })
	h.verifyRun(batchID, kind)
}

// hadAll reports whether everything that can happen has had its turn.
func (h *havoc) hadAll() bool { return h.decks > 1 || h.decks == 1 && len(h.deck) == 0 }

// left is how many entries of a batch have not ended; many while nobody can tell.
func (c *company) left(batchID string) int {
	a, err := c.try(http.MethodGet, "/api/v2/queues?status=open,processing&per_page=1&batch_id="+batchID, nil)
	if err != nil || a.status != http.StatusOK {
		return 1 << 20
	}
	return decode[page[entry]](c.t, a.body).Meta.Total
}

func (h *havoc) ways() []way {
	ways := []way{
		{"a server is killed", func() { h.disturbed(func() { h.replace(h.any(h.servers), h.built) }) }}, // what it was asked is lost
		{"a worker is killed", func() { h.replace(h.any(h.workers), h.built) }},
		{"a worker is cut off from the database", func() { h.isolate(h.any(h.workers)) }},
		{"the database is cut off from a worker", func() { h.ignore(h.any(h.workers)) }},
		{"the bucket refuses a worker", func() { h.bucketFault(buckettest.Answer(http.StatusServiceUnavailable, "SlowDown")) }},
		{"the bucket is slow for a worker", func() { h.bucketFault(buckettest.Slow(time.Second)) }},
		{"the bucket hangs up on a worker", func() { h.bucketFault(buckettest.Reset) }},
		{"PgBouncer starts again", func() { h.disturbed(h.database.restartPooler) }},
		{"PostgreSQL crashes", func() { h.disturbed(h.database.crash) }},
		{"the database's disk is full", func() { h.disturbed(h.fillDisk) }},
	}
	switch {
	case h.built != h.versions.current:
		ways = append(ways, way{"all processes are replaced by the current version", h.upgrade})
	case h.versions.wrongClock != "": // of the current version too, which does not run with the earlier schema
		ways = append(ways, way{"a worker's clock goes wrong", func() { h.replace(h.workers[0], h.versions.wrongClock) }})
	}
	return ways
}

// last lets a fault last: how long it is there is part of what is done to the service.
func (h *havoc) last() { <-time.After(h.lasts) }

func (h *havoc) any(nodes []*node) *node { return nodes[h.draw.IntN(len(nodes))] }

// replace kills a process and starts another one in its place.
func (h *havoc) replace(n *node, built string) {
	n.running.kill()
	n.start(built)
}

func (h *havoc) isolate(n *node) {
	mend := n.cut(h.database.machine)
	h.last()
	mend()
}

func (h *havoc) ignore(n *node) {
	mend := h.database.cut(n.machine)
	h.last()
	mend()
}

func (h *havoc) bucketFault(fault buckettest.Fault) {
	n := h.any(h.workers)
	n.bucket.Break("", "", -1, fault)
	h.last()
	n.bucket.Mend()
}

func (h *havoc) fillDisk() {
	free := h.database.disk.fill()
	h.last()
	free()
}

// upgrade replaces one process after the other, servers first, while the others go on.
func (h *havoc) upgrade() {
	h.migrate(h.versions.current)
	for _, n := range append(slices.Clone(h.servers), h.workers...) {
		n.running.stop()
		n.start(h.versions.current)
	}
	h.built = h.versions.current
}

// hear registers for the ends of batches.
func (c *company) hear() {
	c.t.Helper()
	c.told.secret = must[data[struct {
		WebhookSecret string `json:"webhook_secret"`
	}]](c.service, http.MethodGet, "/account", nil).Data.WebhookSecret
	c.told.release() // it never waits
	must[any](c.service, http.MethodPost, "/webhooks", map[string]any{"url": "http://" + c.net.serve(c.told), "event": "batch_finished"})
}

// verifyRun wants each page on each device once, done, and compared if there was something to compare with.
func (c *company) verifyRun(batchID, kind string) {
	c.t.Helper()
	seen := map[string]int{}
	for _, e := range c.entries(batchID) {
		seen[e.ScType+" "+e.Device+" "+e.URLLink]++
		if e.Status != "done" {
			c.t.Errorf("%s %s %s is %s: %s", e.ScType, e.URLLink, e.Device, e.Status, deref(e.ErrorMsg))
		}
	}
	want := 2 * len(c.site.paths)
	if kind == "post" {
		want *= 2
	}
	if len(seen) != want {
		c.t.Errorf("batch %s has %d entries of different pages and devices, want %d", batchID, len(seen), want)
	}
	for what, n := range seen {
		if n != 1 {
			c.t.Errorf("batch %s has %d entries of %s", batchID, n, what)
		}
	}
	if kind == "post" && len(c.comparisons(batchID)) != min(100, 2*len(c.site.paths)) {
		c.t.Errorf("batch %s has %d comparisons", batchID, len(c.comparisons(batchID)))
	}
}

// verify wants the end of each run to be told once, all events to be there, and what is stored to be whole.
func (c *company) verify(runs []string) {
	c.t.Helper()
	waitFor(c.t, "all ends to be told", func() bool { return len(c.told.subjects()) >= len(runs) })
	told := c.told.subjects()
	for _, id := range runs {
		if told[id] != 1 {
			c.t.Errorf("the end of batch %s was told in %d deliveries", id, told[id])
		}
	}
	for _, n := range slices.Concat(c.servers, c.workers) {
		n.running.stop()
	}
	p := startCommand(c.t, "doctor", c.database.command(binary, append([]string{"doctor", "--deep", "--log-format=json"},
		c.places(dataDir(c.t), c.servers[0].bucket.Endpoint)...)...))
	p.allowed = []string{doctorProgress}
	if code := p.exitCode(); code != 0 {
		c.t.Errorf("doctor --deep finds something (exit code %d):\n%s", code, p.text())
		for line := range p.lines {
			c.t.Log(line)
		}
	}
}

// subjects counts by what they are about the deliveries that have been taken.
func (r *receiver) subjects() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	counts := map[string]int{}
	for _, d := range r.requests {
		if d.answers > 0 {
			counts[d.subject]++
		}
	}
	return counts
}

// reading asks for what people look at, all the time, and notes how long the answers take.
type reading struct {
	company *company
	end     context.CancelFunc
	done    chan struct{}

	mu      sync.Mutex
	pausing bool
	took    []time.Duration
	refused int // as unavailable for the moment, which clients repeat
	failed  int
}

// pace is how often something is read.
const pace = 200 * time.Millisecond

func (c *company) read() *reading {
	ctx, end := context.WithCancel(c.t.Context())
	r := &reading{company: c, end: end, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		tick := time.NewTicker(pace)
		defer tick.Stop()
		for i := 0; ; i++ {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				r.ask(i)
			}
		}
	}()
	return r
}

// ask reads one thing. What is asked while all requests may fail does not count.
func (r *reading) ask(i int) {
	reads := []func() (answer, error){
		func() (answer, error) { return r.company.raw(http.MethodGet, "/api/v2/batches?per_page=20", nil) },
		func() (answer, error) { return r.company.raw(http.MethodGet, "/api/v2/comparisons?per_page=20", nil) },
		func() (answer, error) { return r.company.raw(http.MethodGet, "/api/v2/queues?per_page=50", nil) },
		func() (answer, error) {
			return r.company.raw(http.MethodPost, "/graphql", map[string]any{
				"query": `{ batches(first: 10) { nodes { id name finishedAt } } events(first: 50) { endNumber } }`,
			})
		},
	}
	counted := !r.paused()
	began := time.Now()
	a, err := reads[i%len(reads)]()
	took := time.Since(began)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !counted || r.pausing {
		return
	}
	r.took = append(r.took, took)
	switch {
	case err == nil && (a.status == http.StatusServiceUnavailable || bytes.Contains(a.body, []byte(`"code":"UNAVAILABLE"`))):
		r.refused++
	case err != nil || a.status != http.StatusOK:
		r.failed++
		r.company.t.Logf("a read failed after %s: %d %.200s %v", took, a.status, a.body, err)
	}
}

func (r *reading) paused() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pausing
}

// except does something during which, and until the service answers again, reads do not count.
func (r *reading) except(do func()) {
	set := func(pausing bool) { r.mu.Lock(); defer r.mu.Unlock(); r.pausing = pausing }
	set(true)
	defer set(false)
	do()
	waitFor(r.company.t, "the service to answer again", func() bool {
		a, err := r.company.raw(http.MethodGet, "/api/v2/batches?per_page=1", nil)
		return err == nil && a.status == http.StatusOK
	})
}

// stop tells how long the answers took.
func (r *reading) stop() {
	r.end()
	<-r.done
	t := r.company.t
	if len(r.took) == 0 {
		t.Fatal("nothing was read")
	}
	slices.Sort(r.took)
	at := func(share float64) time.Duration {
		return r.took[int(share*float64(len(r.took)-1))].Round(time.Millisecond)
	}
	t.Logf("%d reads: p50 %s, p99 %s, longest %s; %d refused, %d failed", len(r.took), at(0.5), at(0.99), at(1), r.refused, r.failed)
	if r.failed > 0 || r.refused > max(3, len(r.took)/50) { // a busy machine reaches its database late now and then
		t.Errorf("of %d reads %d failed and %d were refused while the database was there", len(r.took), r.failed, r.refused)
	}
}
