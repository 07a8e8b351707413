package jobs_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image/color"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"afterimage/capture"
	"afterimage/internal/egress"
	"afterimage/internal/webhook"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/outbound"
)

// told is a Resources that shows the ids of things.
type told struct{}

func (told) Resource(_ context.Context, _ vcd.ID, event vcd.EventKind, subject vcd.ID) (json.RawMessage, error) {
	return json.RawMessage(fmt.Sprintf(`{"id":%q,"shown":%q}`, subject, event)), nil
}

func (told) Address(event vcd.EventKind, subject vcd.ID) string {
	return "http://localhost/" + string(event) + "/" + string(subject)
}

func (told) Gate(_ context.Context, _, batch vcd.ID) (json.RawMessage, error) {
	return json.RawMessage(fmt.Sprintf(`{"decision":"ask","reasons":[{"sentence":%q}]}`, batch)), nil
}

func (told) Changed(batch vcd.ID) string { return "http://localhost/changed/" + string(batch) }

// soon tries four times, at once.
func soon(attempt int, _ time.Duration) (time.Duration, bool) { return time.Millisecond, attempt < 4 }

// sender may call receivers on this machine.
func (w *world) sender() *webhook.Sender {
	w.t.Helper()
	policy, err := egress.NewPolicy("127.0.0.1")
	if err != nil {
		w.t.Fatal(err)
	}
	return webhook.NewSender(&egress.Dialer{Policy: policy}, nil, "Afterimage-Webhooks", nil, nil)
}

// request is one that a receiver got.
type request struct {
	header http.Header
	raw    []byte
	ID     string `json:"id"`
	Event  string `json:"event"`
	Data   struct {
		ID    vcd.ID `json:"id"`
		Shown string `json:"shown"`
	} `json:"data"`
	Version int    `json:"version"`
	Number  *int64 `json:"number"`
	Links   struct {
		API     string `json:"api"`
		Changed string `json:"changed"`
	} `json:"links"`
	Outcome *struct {
		Entries     vcd.StatusCounts `json:"entries"`
		Comparisons map[string]int   `json:"comparisons"`
		Changed     []vcd.ID         `json:"changed"`
	} `json:"outcome"`
	Gate *struct {
		Decision string `json:"decision"`
	} `json:"gate"`
}

// receiver keeps what it gets and answers with a status.
type receiver struct {
	*httptest.Server
	got    chan request
	answer func(n int) int // the status of the n-th request, from 1

	mu sync.Mutex
	n  int
}

func newReceiver(t *testing.T, answer func(n int) int) *receiver {
	t.Helper()
	r := &receiver{got: make(chan request, 1000), answer: answer}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		raw, _ := io.ReadAll(q.Body)
		in := request{header: q.Header, raw: raw}
		if err := json.Unmarshal(raw, &in); err != nil {
			t.Error(err)
		}
		r.mu.Lock()
		r.n++
		status := r.answer(r.n)
		r.mu.Unlock()
		r.got <- in
		w.WriteHeader(status)
	}))
	t.Cleanup(r.Close)
	return r
}

func always(status int) func(int) int { return func(int) int { return status } }

func (r *receiver) next(t *testing.T) request {
	t.Helper()
	select {
	case in := <-r.got:
		return in
	case <-time.After(patience):
		t.Fatal("nothing arrived within a minute")
		return request{}
	}
}

func (w *world) hook(event vcd.EventKind, url string) *vcd.Webhook {
	w.t.Helper()
	h, err := w.service.Outbound.CreateWebhook(w.t.Context(), w.actor, outbound.WebhookChange{URL: vcd.Some(url), Event: vcd.Some(event)})
	if err != nil {
		w.t.Fatal(err)
	}
	return h
}

// settled waits until a webhook's deliveries have all ended, n of them, and returns them oldest first. It is called when the
// last request has arrived, so only writing its result down is left.
func (w *world) settled(hook vcd.ID, n int) []*vcd.Delivery {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		list, err := w.service.Outbound.Deliveries(ctx, w.actor, vcd.DeliveryFilter{WebhookIDs: &[]vcd.ID{hook}}, vcd.Page{Size: 100})
		if err != nil {
			w.t.Fatal(err)
		}
		pending := slices.ContainsFunc(list.Items, func(d *vcd.Delivery) bool { return d.State == vcd.DeliveryPending })
		if len(list.Items) == n && !pending {
			slices.Reverse(list.Items)
			return list.Items
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			w.t.Fatalf("%d deliveries, want %d that have ended", len(list.Items), n)
		}
	}
}

func changing() func(capture.Request) (*capture.Shot, error) {
	pages := 0
	return func(capture.Request) (*capture.Shot, error) {
		pages++
		return shot(color.RGBA{R: uint8(pages * 90), A: 255}), nil
	}
}

func TestWebhooksAreToldOfARun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, changing())
	group := w.group("told.example.test", inventory.GroupChange{})
	w.run(group, vcd.QueuePre) // before there are webhooks: they hear nothing of it
	hooks := make(map[vcd.EventKind]*receiver)
	for event := range vcd.WebhookSubjects {
		hooks[event] = newReceiver(t, always(204))
		w.hook(event, hooks[event].URL)
	}
	batch, entries := w.run(group, vcd.QueuePost)

	finished := hooks[vcd.EventBatchFinished].next(t)
	if finished.Data.ID != batch || finished.Event != "batch_finished" {
		t.Errorf("told of %s %s, want batch %s", finished.Event, finished.Data.ID, batch)
	}
	decided := hooks[vcd.EventBatchDecided].next(t)
	if decided.Data.ID != batch || decided.Event != "batch_decided" || decided.Gate == nil || decided.Gate.Decision != "ask" ||
		decided.Outcome != nil || finished.Gate != nil {
		t.Errorf("told of %+v", decided)
	}
	done := hooks[vcd.EventQueueStatusDone].next(t)
	if i := slices.IndexFunc(entries, func(e *vcd.QueueEntry) bool { return e.ID == done.Data.ID }); i < 0 ||
		entries[i].Type == vcd.QueueCompare {
		t.Errorf("told of entry %s, which is no screenshot of this run", done.Data.ID)
	}
	changed := hooks[vcd.EventComparisonStatusNew].next(t)
	if changed.Data.Shown != "comparison_status_new" || changed.Outcome != nil {
		t.Errorf("told of %+v", changed)
	}
	if finished.Version != 1 || finished.Number == nil || changed.Number == nil || *changed.Number >= *finished.Number {
		t.Errorf("version %d, numbers %v and %v", finished.Version, changed.Number, finished.Number)
	}
	if finished.Links.API != "http://localhost/batch_finished/"+string(batch) ||
		finished.Links.Changed != "http://localhost/changed/"+string(batch) {
		t.Errorf("links %+v", finished.Links)
	}
	if o := finished.Outcome; o == nil || len(o.Changed) != 1 || o.Changed[0] != changed.Data.ID || o.Comparisons["new"] != 1 ||
		o.Entries.Done != len(entries) {
		t.Errorf("outcome %+v of %d entries", o, len(entries))
	}
	account, err := w.service.Accounts.Account(t.Context(), w.actor)
	if err != nil {
		t.Fatal(err)
	}
	key, err := w.service.Outbound.WebhookSecret(account)
	if err != nil {
		t.Fatal(err)
	}
	if !signedWith(finished, key) {
		t.Error("the signature does not verify")
	}
	for event, r := range hooks {
		if len(r.got) > 0 {
			t.Errorf("%s: %d requests too many", event, len(r.got))
		}
	}
}

func signedWith(r request, key string) bool {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write(r.raw)
	return r.header.Get("Signature") == hex.EncodeToString(mac.Sum(nil))
}

func TestEveryAttemptIsTheSameDelivery(t *testing.T) {
	t.Parallel()
	w := newWorld(t, changing())
	r := newReceiver(t, func(n int) int { return []int{500, 429, 200}[n-1] })
	h := w.hook(vcd.EventBatchFinished, r.URL)
	w.run(w.group("again.example.test", inventory.GroupChange{}), vcd.QueuePre)
	first, second, third := r.next(t), r.next(t), r.next(t)
	d := w.settled(h.ID, 1)[0]
	for _, in := range []request{first, second, third} {
		if in.header.Get("webhook-id") != string(d.ID) || string(in.raw) != string(first.raw) {
			t.Errorf("%s with %s, want %s with %s", in.header.Get("webhook-id"), in.raw, d.ID, first.raw)
		}
	}
	attempts, err := w.service.Outbound.DeliveryAttempts(t.Context(), w.actor, []vcd.ID{d.ID}, 10)
	if err != nil {
		t.Fatal(err)
	}
	var statuses []int
	for _, a := range attempts[d.ID] {
		statuses = append(statuses, a.Status)
	}
	if !slices.Equal(statuses, []int{500, 429, 200}) || d.State != vcd.DeliveryDelivered || d.Attempts != 3 || d.Problem != "" {
		t.Errorf("attempts %v, delivery %+v", statuses, d)
	}
}

func TestADeliveryIsGivenUpAndCanBeStartedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, changing())
	r := newReceiver(t, func(n int) int { return map[bool]int{true: 500, false: 200}[n <= 4] })
	h := w.hook(vcd.EventBatchFinished, r.URL)
	w.run(w.group("given-up.example.test", inventory.GroupChange{}), vcd.QueuePre)
	for range 4 {
		r.next(t)
	}
	failed := w.settled(h.ID, 1)[0]
	if failed.State != vcd.DeliveryFailed || failed.Problem != "The receiver answered 500." {
		t.Errorf("given up: %+v", failed)
	}
	started, more, err := w.service.Outbound.RedeliverMany(t.Context(), w.actor, h.ID, vcd.DeliveryFilter{})
	if err != nil || started != 1 || more {
		t.Fatalf("started %d, more %v, %v", started, more, err)
	}
	if in := r.next(t); in.ID != string(failed.ID) {
		t.Errorf("started again as %s, was %s", in.ID, failed.ID)
	}
	if d := w.settled(h.ID, 1)[0]; d.State != vcd.DeliveryDelivered || d.Attempts != 5 {
		t.Errorf("started again: %+v", d)
	}
}

func TestAReceiverThatHasGoneIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, changing())
	r := newReceiver(t, always(410))
	h := w.hook(vcd.EventBatchFinished, r.URL)
	group := w.group("gone.example.test", inventory.GroupChange{})
	w.run(group, vcd.QueuePre)
	r.next(t)
	w.settled(h.ID, 1)
	disabled, err := w.service.Outbound.Webhook(t.Context(), w.actor, h.ID)
	if err != nil || disabled.DisabledAt == nil || disabled.DisabledReason != outbound.DisabledGone {
		t.Fatalf("%+v, %v", disabled, err)
	}
	w.run(group, vcd.QueuePre)
	if d, err := w.service.Outbound.PingWebhook(t.Context(), w.actor, h.ID); err != nil {
		t.Error(err)
	} else if in := r.next(t); in.ID != string(d.ID) || in.Event != "ping" {
		t.Errorf("the ping arrived as %+v", in)
	}
	w.settled(h.ID, 2) // the second run was told to nobody
}

// TestASiteIsWoken calls a site that has no visitors.
func TestASiteIsWoken(t *testing.T) {
	t.Parallel()
	w := newWorld(t, changing())
	woken := make(chan *http.Request, 10)
	site := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { woken <- r }))
	t.Cleanup(site.Close)
	h, err := w.service.Outbound.CreateWebhook(t.Context(), w.actor, outbound.WebhookChange{
		URL: vcd.Some(site.URL + "/wp-cron.php"), Event: vcd.Some(vcd.EventCron), ExpiresAt: vcd.Some(time.Now().Add(time.Hour)),
	})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case r := <-woken:
		if r.Method != http.MethodGet || r.URL.Path != "/wp-cron.php" {
			t.Errorf("the site was asked for %s %s", r.Method, r.URL)
		}
	case <-time.After(patience):
		t.Fatal("the site was not called")
	}
	if d := w.settled(h.ID, 1)[0]; d.State != vcd.DeliveryDelivered || d.Event != vcd.EventCron || d.Body != nil {
		t.Errorf("the record of the call: %+v", d)
	}
}

func TestADeadReceiverDelaysNoOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t, changing())
	release := make(chan struct{})
	dead := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(dead.Close)
	t.Cleanup(func() { close(release) })
	w.hook(vcd.EventBatchFinished, dead.URL)
	living := newReceiver(t, always(200))
	for range 9 {
		w.hook(vcd.EventBatchFinished, living.URL)
	}
	group := w.group("dead.example.test", inventory.GroupChange{})
	const runs = 8 // more than the dead one may have open at once
	var waits []time.Duration
	for range runs {
		w.run(group, vcd.QueuePre)
		finished := time.Now()
		for range 9 {
			living.next(t)
			waits = append(waits, time.Since(finished))
		}
	}
	slices.Sort(waits)
	t.Logf("from the end of a batch to the first attempt: p50 %s, p95 %s", waits[len(waits)/2], waits[len(waits)*95/100])
}

func TestARotatedSecretSignsAsLongAsReceiversNeedIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, changing())
	account, err := w.service.Accounts.Account(t.Context(), w.actor)
	if err != nil {
		t.Fatal(err)
	}
	before, err := w.service.Outbound.WebhookSecret(account)
	if err != nil {
		t.Fatal(err)
	}
	r := newReceiver(t, func(n int) int { return map[bool]int{true: 401, false: 200}[n == 1] })
	h := w.hook(vcd.EventBatchFinished, r.URL)
	rotated, err := w.service.Outbound.RotateWebhookSecret(t.Context(), w.actor, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	after, err := w.service.Outbound.WebhookSecret(rotated)
	if err != nil || after == before {
		t.Fatalf("the secret stayed the same: %v", err)
	}
	w.run(w.group("rotated.example.test", inventory.GroupChange{}), vcd.QueuePre)
	if first := r.next(t); !signedWith(first, after) {
		t.Error("the first attempt is not signed with the new secret")
	}
	if second := r.next(t); !signedWith(second, before) {
		t.Error("the attempt after a 401 is not signed with the secret before")
	}
	w.settled(h.ID, 1)
}
