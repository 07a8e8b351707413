package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// nemesisSize is how many ordinary pages are captured and how often something is killed: small in every run, whole with
// AFTERIMAGE_SOAK=1 (make nemesis).
func nemesisSize() (pages, kills int) {
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		return 75, 20 // 75 pages × 2 devices, before and after: 300 captures, 150 comparisons
	}
	return 2, 3
}

// captureDeadline is how long a capture of these pages may take. Each capture of the endless page waits for it several times: the small
// version would do nothing else with the whole one's.
func captureDeadline() time.Duration { return sized(20*time.Second, 25*time.Second) }

// memoryBound is what one process of the program may use for itself at any time, its browsers not counted, in bytes.
const memoryBound = 1 << 30

// TestNemesis kills the program's processes at random while it captures and compares, with pages among them that no capture
// comes to an end of, a page out of service, pairs of pictures that once broke the alignment, and a disk that fills up. Every
// restart succeeds at the first try, every run comes to its end, nothing is lost and nothing is there twice.
func TestNemesis(t *testing.T) {
	t.Parallel() // it waits for what the dead left behind, as others do
	ordinary, kills := nemesisSize()
	n := newNemesis(t, ordinary)
	n.startAll()
	group := n.group()
	pre := n.server.take(group, "pre")
	n.kill(pre, kills/2)
	n.awaitEnd(pre)
	n.site.after.Store(true)
	post := n.server.take(group, "post")
	n.kill(post, kills-kills/2)
	n.awaitEnd(post)
	n.verify(pre, post)
}

// group is a group of all pages of the site, on both devices. The small version has the endless page on one of them.
func (n *nemesis) group() string {
	n.t.Helper()
	group := n.server.group(nil, n.site.addresses()...)
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		n.entries = 2 * len(n.site.paths)
		return group
	}
	n.entries = 2*len(n.site.paths) - 1
	endless := must[page[struct{ ID string }]](n.server, http.MethodGet, "/groups/"+group+"/urls?search="+endlessPage, nil).Data
	if len(endless) != 1 {
		n.t.Fatalf("%d URLs of the group are endless, want 1", len(endless))
	}
	must[any](n.server, http.MethodPost, "/groups/"+group+"/add-urls", map[string]any{"urls": []map[string]any{
		{"id": endless[0].ID, "desktop": true, "mobile": false}}})
	return group
}

// nemesis is a service in two processes that are killed again and again.
type nemesis struct {
	t       *testing.T
	site    *badSite
	server  *service // serves only
	worker  *program
	disk    *smallDisk
	listen  string
	draw    *rand.Rand
	deck    []way
	entries int              // screenshots of a run
	most    map[string]int64 // bytes of memory that each process used at most
}

// nemesisSeed decides the order in which things happen: the same in every run, unless AFTERIMAGE_SOAK=1.
func nemesisSeed(t *testing.T) uint64 {
	t.Helper()
	seed := uint64(1)
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		seed = uint64(time.Now().UnixNano())
	}
	if text := os.Getenv("AFTERIMAGE_NEMESIS_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("AFTERIMAGE_NEMESIS_SEED=%d draws the same order again", seed)
	return seed
}

func newNemesis(t *testing.T, ordinary int) *nemesis {
	t.Helper()
	dir := dataDir(t)
	return &nemesis{
		t: t, site: newBadSite(t, ordinary), listen: closedPort(t), disk: newSmallDisk(t, dir), most: map[string]int64{},
		server: &service{t: t, installation: installation{dir: dir}}, draw: rand.New(rand.NewPCG(nemesisSeed(t), 0)),
	}
}

func (n *nemesis) startAll() {
	n.startServer()
	n.server.token = n.server.firstToken()
	n.startWorker()
}

// startServer wants the service to be there again at the first try.
func (n *nemesis) startServer() {
	n.t.Helper()
	n.server.program = start(n.t, "serve", "serve", "--no-work", "--data-dir", n.server.dir, "--listen", n.listen,
		"--allow-hosts", n.site.host)
	n.server.allowed = disturbed
	n.server.url = n.server.expect(`serves at (https?://\S+)`)
}

func (n *nemesis) startWorker() {
	n.t.Helper()
	n.worker = start(n.t, "work", "work", "--data-dir", n.server.dir, "--allow-hosts", n.site.host, "--captures=2",
		"--capture-deadline="+captureDeadline().String(), "--retry-delay=100ms", "--rescue-after=1s", "--public-url=http://"+n.listen)
	n.worker.allowed = disturbed
	waitFor(n.t, "the worker to start", func() bool {
		select {
		case <-n.worker.done:
			n.t.Fatalf("the worker did not start:\n%s", n.worker.text())
		default:
		}
		return strings.Contains(n.worker.text(), `"working"`)
	})
}

// disturbed is what may be logged while the database is killed and the disk is full.
var disturbed = append([]string{
	"background work failed", "request failed", "a GraphQL operation could not be carried out", "a preview could not be stored",
}, withoutDatabase...)

// kill kills so many processes while a batch goes on, each after it has got on a little.
func (n *nemesis) kill(batch string, times int) {
	n.t.Helper()
	for range times {
		n.awaitProgress(batch)
		if len(n.deck) == 0 { // so each way has its turn
			n.deck = n.ways()
			n.draw.Shuffle(len(n.deck), func(i, j int) { n.deck[i], n.deck[j] = n.deck[j], n.deck[i] })
		}
		n.t.Logf("killed: %s", n.deck[0].what)
		n.deck[0].do()
		n.deck = n.deck[1:]
	}
}

// way is something that can happen to the service.
type way struct {
	what string
	do   func()
}

func (n *nemesis) ways() []way {
	return []way{
		{"the server", func() { n.server.kill(); n.startServer() }},
		{"the worker", func() { n.worker.kill(); n.startWorker() }},
		{"the postmaster", func() { n.killPostmaster() }},
		{"the browsers", func() { n.killChildren("--remote-debugging-pipe") }},
		{"the processes that compare", func() { n.killChildren("compare-worker") }},
		{"server and worker", func() { n.server.kill(); n.worker.kill(); n.startServer(); n.startWorker() }},
		{"server, worker and postmaster", func() {
			n.server.kill()
			n.worker.kill()
			n.killPostmaster()
			n.startServer()
			n.startWorker()
		}},
		{"nothing, but the disk filled up", n.fillDisk},
	}
}

// awaitProgress waits until a few more entries of a batch have ended, or no longer than a poison page takes: then the next kill
// comes all the same. A page that is there each time when its worker dies is given up, so kills must not follow one page.
func (n *nemesis) awaitProgress(batch string) {
	n.t.Helper()
	n.remember()
	goal, deadline := n.ended(batch)+2+n.draw.IntN(4), time.Now().Add(captureDeadline())
	waitFor(n.t, "the run to get on", func() bool { return n.ended(batch) >= goal || time.Now().After(deadline) })
}

// awaitEnd waits until nothing of a batch is left to do. The database may be on its way back.
func (n *nemesis) awaitEnd(batchID string) {
	n.t.Helper()
	waitFor(n.t, "the end of batch "+batchID, func() bool {
		a, err := n.server.try(http.MethodGet, "/api/v2/queues?status=open,processing&per_page=1&batch_id="+batchID, nil)
		return err == nil && a.status == http.StatusOK && decode[page[entry]](n.t, a.body).Meta.Total == 0
	})
}

// ended is how many entries of a batch have ended; -1 when nobody can tell at the moment.
func (n *nemesis) ended(batchID string) int {
	a, err := n.server.try(http.MethodGet, "/api/v2/queues?per_page=1&batches="+batchID, nil)
	if err != nil || a.status != http.StatusOK {
		return -1
	}
	counts := decode[page[entry]](n.t, a.body).Meta.StatusCounts
	return counts.Done + counts.Failed
}

func (n *nemesis) killPostmaster() {
	n.t.Helper()
	if err := syscall.Kill(postmaster(n.t, n.server.dir), syscall.SIGKILL); err != nil {
		n.t.Logf("the postmaster had gone: %v", err)
	}
}

// killChildren ends the worker's children whose command line holds some text. There may be none at the moment.
func (n *nemesis) killChildren(holds string) {
	n.t.Helper()
	for _, pid := range childrenOf(n.t, n.worker.cmd.Process.Pid) {
		command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err == nil && strings.Contains(string(command), holds) {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have gone
		}
	}
}

// fillDisk takes all the space there is for a while.
func (n *nemesis) fillDisk() {
	n.t.Helper()
	free := n.disk.fill()
	a, err := n.server.try(http.MethodPost, "/api/v2/groups", map[string]any{"name": "on a full disk"})
	if err == nil && a.status != http.StatusOK && a.status != http.StatusCreated && a.status != http.StatusServiceUnavailable {
		n.t.Errorf("on a full disk a change is answered with %d: %s", a.status, a.body)
	}
	free()
}

// verify wants each page to have come to the end that it must have, and the store to be whole.
func (n *nemesis) verify(pre, post string) {
	n.t.Helper()
	n.verifyEntries(pre)
	if compared, want := n.verifyEntries(post), 2*(len(n.site.paths)-1); compared != want { // the endless page has no picture
		n.t.Errorf("%d comparisons, want %d", compared, want)
	}
	for _, b := range must[page[batch]](n.server, http.MethodGet, "/batches?per_page=100", nil).Data {
		if b.FinishedAt == nil {
			n.t.Errorf("batch %s is not finished", b.ID)
		}
	}
	n.remember()
	for what, bytes := range n.most {
		n.t.Logf("%s used at most %d MiB", what, bytes>>20)
		if bytes > memoryBound {
			n.t.Errorf("%s used %d MiB, more than %d", what, bytes>>20, memoryBound>>20)
		}
	}
	n.worker.stop()
	n.server.check("--deep")
}

// verifyEntries wants a screenshot of each page and device, and each to have ended as it must. It returns how many were compared.
func (n *nemesis) verifyEntries(batchID string) (compared int) {
	n.t.Helper()
	shots := 0
	for _, e := range n.server.entries(batchID) {
		if e.ScType == "compare" {
			compared++
		} else {
			shots++
		}
		if want := n.site.ending(e); e.Status != want {
			n.t.Errorf("%s %s %s is %s, want %s: %s", e.ScType, e.URLLink, e.Device, e.Status, want, deref(e.ErrorMsg))
		}
	}
	if shots != n.entries {
		n.t.Errorf("batch %s has %d screenshots, want %d", batchID, shots, n.entries)
	}
	return compared
}

// remember notes how much memory the processes have used at most so far: VmHWM of proc_pid_status(5).
func (n *nemesis) remember() {
	for what, p := range map[string]*program{"serve": n.server.program, "work": n.worker} {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
		if err != nil {
			continue // it was killed
		}
		for line := range strings.Lines(string(status)) {
			fields := strings.Fields(line)
			if len(fields) > 1 && fields[0] == "VmHWM:" {
				kilobytes, _ := strconv.ParseInt(fields[1], 10, 64) // the kernel's own number
				n.most[what] = max(n.most[what], kilobytes<<10)
			}
		}
	}
}
