package e2e

import (
	"net/http"
	"os"
	"strconv"
	"testing"
)

// deliverySize is how many pages fail on both devices, how often the worker is killed, and after how many deliveries each
// time. Few of them: what a killed worker had taken up waits for its rescue, and holds up the next kill.
func deliverySize() (urls, kills, each int) {
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		return 500, 10, 90 // 500 URLs × 2 devices = 1,000 events
	}
	return 30, 2, 2
}

// TestDeliveriesUnderKills kills the worker again and again while it tells a receiver that fails often. Each event must
// arrive, always under the same webhook-id, and each attempt must be on record.
func TestDeliveriesUnderKills(t *testing.T) {
	t.Parallel()
	urls, kills, each := deliverySize()
	r := newReceiver(t)
	host := pages(t, r)
	s := serve(t, []string{host}, "--no-work")
	r.secret = must[data[struct {
		WebhookSecret string `json:"webhook_secret"`
	}]](s, http.MethodGet, "/account", nil).Data.WebhookSecret
	s.must200(http.MethodPost, "/webhooks", map[string]any{"url": "http://" + host, "event": "queue_status_failed"})
	addresses := make([]string, urls)
	for i := range addresses {
		addresses[i] = "https://page-" + strconv.Itoa(i) + ".test"
	}
	// A group whose proxy nobody has: its screenshots fail at once, without a browser.
	group := s.group(map[string]any{"proxy_type": "static", "proxy_country": "us"}, addresses...)
	work := func() *program {
		return start(t, "work", append(s.at(), "work", "--allow-hosts", host, "--captures=1", "--capture-deadline=2m", "--rescue-after=1s",
			"--webhook-pause=5ms")...)
	}

	r.holdAt(each)
	worker := work()
	batchID := s.take(group, "pre")
	for kill := range kills {
		waitFor(t, "requests that are under way", r.holds)
		worker.kill()
		r.release()
		if kill+1 < kills {
			r.holdAt((kill + 2) * each)
		}
		worker = work()
	}
	waitFor(t, "all deliveries to end", func() bool { return s.countDeliveries("DELIVERED") == 2*urls })
	worker.stop()
	if n := s.countDeliveries("PENDING", "FAILED"); n != 0 {
		t.Errorf("%d deliveries besides those that have arrived", n)
	}
	r.compare(s.entries(batchID), s.deliveries())
	s.check()
}

// delivery is what GraphQL tells of one.
type delivery struct {
	ID           string
	State        string
	AttemptCount int
	Attempts     []struct {
		Number  int
		Status  *int
		Problem *string
	}
}

func (s *service) countDeliveries(states ...string) int {
	s.t.Helper()
	return query[struct{ WebhookDeliveries struct{ TotalCount int } }](s,
		`query ($states: [DeliveryState!]) { webhookDeliveries(first: 1, filter: { states: $states }) { totalCount } }`,
		map[string]any{"states": states}).WebhookDeliveries.TotalCount
}

func (s *service) deliveries() []delivery {
	s.t.Helper()
	var all []delivery
	var after *string
	for {
		list := query[struct {
			WebhookDeliveries struct {
				Nodes    []delivery
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
			}
		}](s, `query ($after: String) { webhookDeliveries(first: 50, after: $after) {
			nodes { id state attemptCount attempts { number status problem } } pageInfo { hasNextPage endCursor } } }`,
			map[string]any{"after": after}).WebhookDeliveries
		all = append(all, list.Nodes...)
		if after = list.PageInfo.EndCursor; !list.PageInfo.HasNextPage {
			return all
		}
	}
}

// compare holds what arrived against what happened and what is on record.
func (r *receiver) compare(entries []entry, deliveries []delivery) {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	of := map[string]int{} // deliveries of an entry
	for _, d := range r.requests {
		of[d.subject]++
	}
	for _, e := range entries {
		if e.Status != "failed" || of[e.ID] != 1 {
			r.t.Errorf("entry %s is %s and was told of in %d deliveries", e.ID, e.Status, of[e.ID])
		}
	}
	if len(r.requests) != len(entries) || len(deliveries) != len(entries) {
		r.t.Errorf("%d entries, %d deliveries, %d of them arrived", len(entries), len(deliveries), len(r.requests))
	}
	sent, logged, again := 0, 0, 0
	for _, d := range deliveries {
		got := r.requests[d.ID]
		if got == nil || got.answers == 0 {
			r.t.Errorf("delivery %s is %s and never arrived", d.ID, d.State)
			continue
		}
		sent, logged, again = sent+got.tries, logged+d.AttemptCount, again+got.answers-1
		last := len(d.Attempts) - 1
		if last+1 != d.AttemptCount || d.AttemptCount > got.tries || *d.Attempts[last].Status != http.StatusOK {
			r.t.Errorf("delivery %s came %d times, on record are %+v", d.ID, got.tries, d.Attempts)
		}
		for i, a := range d.Attempts {
			if a.Number != i+1 || (a.Problem == nil) != (i == last) {
				r.t.Errorf("delivery %s: attempt %d is on record as %+v", d.ID, i+1, a)
			}
		}
	}
	r.t.Logf("%d events, each arrived; %d requests, %d of them failed on purpose, %d attempts on record, %d arrived again after a kill",
		len(entries), sent, r.failed, logged, again)
}
