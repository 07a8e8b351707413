package e2e

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// subscriptionSize is how many accounts with how many subscriptions each, and how many changes each of them makes.
func subscriptionSize() (accounts, each, changes int) {
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		return 20, 50, 50
	}
	return 2, 20, 5
}

// TestManySubscriptions keeps many subscriptions open, each on a connection of its own, and changes all accounts at the
// same time, again and again. Every subscriber must get every event of its account; the test reports how soon, and at full
// size what a subscription costs the server in memory.
func TestManySubscriptions(t *testing.T) {
	t.Parallel()
	const mostMemory, latest = 400 << 10, 10 * time.Second // far beyond what is measured on a quiet machine
	accounts, each, changes := subscriptionSize()
	var s *service
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		s = serve(t, nil, "--no-work") // nobody else takes memory in it
	} else {
		s = lodge(t)
	}
	owners := make([]*service, accounts)
	for i := range owners {
		owners[i] = s.subaccount(i)
	}
	owners[0].subscribe("subscription { events { number } }", nil).close() // what the first one brings along is not counted
	before := residentMemory(t, s.cmd.Process.Pid)
	receipts := make(chan time.Duration, accounts*each)
	var readers sync.WaitGroup
	for _, owner := range owners {
		last := owner.lastEvent()
		for range each {
			k := owner.subscribe("subscription ($last: EventNumber!) { events(after: $last) { number createdAt } }",
				map[string]any{"last": last})
			readers.Go(func() { k.receive(last, 1+changes, receipts) })
		}
	}
	changeAll(owners, accounts*each, receipts) // from here on all are known to listen
	memory := (residentMemory(t, s.cmd.Process.Pid) - before) / (accounts * each)
	var took []time.Duration
	for range changes {
		took = append(took, changeAll(owners, accounts*each, receipts)...)
	}
	readers.Wait()
	slices.Sort(took)
	p99 := took[len(took)*99/100]
	t.Logf("%d subscriptions; %d events received, p50 %s, p99 %s, the last after %s", accounts*each, len(took), took[len(took)/2], p99,
		took[len(took)-1])
	if p99 > promised(latest) {
		t.Errorf("p99 is %s, want at most %s", p99, promised(latest))
	}
	if accounts*each < 1000 {
		return // what the server does besides outweighs so few
	}
	t.Logf("%d kB of the server's memory for each", memory>>10)
	if memory > mostMemory {
		t.Errorf("each takes %d bytes, want at most %d", memory, mostMemory)
	}
}

// subaccount opens one and returns the service as its owner sees it.
func (s *service) subaccount(n int) *service {
	s.t.Helper()
	made := must[data[struct {
		APIToken string `json:"api_token"`
	}]](s, http.MethodPost, "/subaccounts", map[string]any{
		"name_first": "A", "name_last": "B",
		"email": fmt.Sprintf("%s-sub%d@example.com", strings.ToLower(s.t.Name()), n), "limit_checks": 10,
	})
	owner := *s
	owner.token = made.Data.APIToken
	return &owner
}

// lastEvent is the number of the account's newest event.
func (s *service) lastEvent() int {
	s.t.Helper()
	return query[struct{ Events struct{ EndNumber int } }](s, "{ events(first: 500) { endNumber } }", nil).Events.EndNumber
}

// changeAll makes an event in each account and returns how long each of the subscribers waited for theirs.
func changeAll(owners []*service, subscribers int, receipts <-chan time.Duration) []time.Duration {
	t := owners[0].t
	t.Helper()
	var senders sync.WaitGroup
	defer senders.Wait()
	for _, owner := range owners {
		senders.Go(func() {
			a, err := owner.raw(http.MethodPut, "/api/v2/account", map[string]any{"company": rand.Text()})
			if err != nil || a.status != http.StatusOK {
				t.Errorf("change the account: %d %s, %v", a.status, a.body, err)
			}
		})
	}
	took := make([]time.Duration, 0, subscribers)
	for range subscribers {
		select {
		case after := <-receipts:
			took = append(took, after)
		case <-time.After(patience):
			t.Fatalf("%d of %d subscribers wait in vain", subscribers-len(took), subscribers)
		}
	}
	return took
}

// receive reads so many events, which must have consecutive numbers, and tells how long ago each was made: right before
// its transaction was committed.
func (k *socket) receive(last, events int, to chan<- time.Duration) {
	for range events {
		got, more := next[struct {
			Events struct {
				Number    int
				CreatedAt time.Time
			}
		}](k)
		if !more || got.Events.Number != last+1 {
			k.t.Errorf("event %d after %d", got.Events.Number, last)
		}
		last = got.Events.Number
		to <- time.Since(got.Events.CreatedAt)
	}
}

// residentMemory is what a process has in memory, in bytes.
func residentMemory(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(status, []byte("VmRSS:"))
	kilobytes, err := strconv.Atoi(strings.Fields(string(rest))[0])
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}
