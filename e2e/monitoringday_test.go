package e2e

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	netmail "net/mail"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// monitoredDay is a service whose clock the test moves, with a group that runs every three hours, and all that it tells
// others.
type monitoredDay struct {
	*service
	site    *watchedSite
	devices []string
	clock   movedClock
	hosts   []string // that the service may reach
	args    []string
	group   string
	seen    int64 // number of the last event

	mu    sync.Mutex
	hooks []string // what webhooks were told
}

// hourOf is an hour of the first day of the story, which is over by now in truth: the service's clock runs behind.
func hourOf(hour float64) time.Time {
	first := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -3)
	return first.Add(time.Duration(hour * float64(time.Hour)))
}

var recipients = []string{"shop@example.com", "web@example.com"}

func newMonitoredDay(t *testing.T) *monitoredDay {
	t.Helper()
	d := &monitoredDay{site: &watchedSite{}, devices: []string{"desktop"}, clock: newMovedClock(t)}
	if os.Getenv("AFTERIMAGE_SOAK") != "" {
		d.devices = append(d.devices, "mobile")
	}
	d.clock.set(t, hourOf(-0.5))
	host := pages(t, d.site)
	receiver := pages(t, d)
	d.hosts = []string{host, receiver}
	d.args = append(d.clock.flags(), "--confirm-after=1s", "--retry-delay=1s")
	d.service = serve(t, d.hosts, d.args...)
	for _, event := range []string{"batch_finished", "comparison_status_new", "queue_status_failed"} {
		must[data[struct{ ID string }]](d.service, http.MethodPost, "/webhooks", map[string]any{"url": "http://" + receiver + "/" + event,
			"event": event})
	}
	d.group = d.service.group(map[string]any{"monitoring": true, "interval_in_h": 3, "alert_emails": recipients}, "http://"+host+"/",
		"http://"+host+"/prices")
	// The script of the site counts visits. Probes fall due while the clock jumps, and one would take the visit that a run is meant
	// to see.
	query[struct{}](d.service, `mutation { updateAccount(input: { noiseProbes: false }) { account { noiseProbes } } }`, nil)
	if len(d.devices) == 1 {
		d.call(http.MethodPut, "/groups/"+d.group+"/urls/select-all", map[string]any{"device": "mobile", "enabled": false})
	}
	d.seen = query[struct{ Viewer struct{ LastEvent int64 } }](d.service, `{ viewer { lastEvent } }`, nil).Viewer.LastEvent
	return d
}

// ServeHTTP receives what webhooks are told.
func (d *monitoredDay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var told struct{ Event string }
	if err := json.NewDecoder(r.Body).Decode(&told); err != nil || "/"+told.Event != r.URL.Path {
		http.Error(w, "another event", http.StatusBadRequest)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hooks = append(d.hooks, told.Event)
	w.WriteHeader(http.StatusNoContent)
}

// received is what webhooks were told so far, sorted.
func (d *monitoredDay) received() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(slices.Values(d.hooks))
}

// upgrade goes on as the next version might: its pipeline has another number, and no picture of it equals one of this version.
func (d *monitoredDay) upgrade() {
	d.t.Helper()
	d.program.stop()
	d.open("serve, upgraded", d.hosts, append(d.args, "--development-pipeline=1000")...)
}

// run lets the next run of the group be due, which must be at the given hour, and waits for its end. It returns how the
// pages fared, as "/prices desktop: new confirmed", and leaves out those of which there is nothing to say.
func (d *monitoredDay) run(hour float64) []string {
	d.t.Helper()
	const when = `query ($id: ID!) { group(id: $id) { nextRunAt } }`
	next := query[struct{ Group struct{ NextRunAt time.Time } }](d.service, when, map[string]any{"id": d.group}).Group.NextRunAt
	if late := next.Sub(hourOf(hour)); late < 0 || late >= 15*time.Minute {
		d.t.Errorf("the next run is due at %s, want it soon after %s", next, hourOf(hour))
	}
	d.clock.set(d.t, next)
	batch := d.finished()
	var told []string
	const result = `query ($id: ID!) { batch(id: $id) { comparisons(first: 20) { nodes { url { address }
		device status confirmation flapping } }
		queueEntries(first: 50, filter: { statuses: [FAILED], types: [AUTO] }) { nodes { url { address } device } } } }`
	type place struct {
		URL    struct{ Address string }
		Device string
	}
	found := query[struct {
		Batch struct {
			Comparisons struct {
				Nodes []struct {
					place
					Status       string
					Confirmation *string
					Flapping     bool
				}
			}
			QueueEntries struct{ Nodes []place }
		}
	}](d.service, result, map[string]any{"id": batch}).Batch
	name := func(p place) string {
		_, page, _ := strings.Cut(p.URL.Address, "/")
		return "/" + page + " " + strings.ToLower(p.Device)
	}
	for _, c := range found.Comparisons.Nodes {
		words := strings.ToLower(c.Status)
		if c.Confirmation != nil {
			words += " " + strings.ToLower(*c.Confirmation)
		}
		if c.Flapping {
			words += " flapping"
		}
		if words != "ok" {
			told = append(told, name(c.place)+": "+words)
		}
	}
	for _, e := range found.QueueEntries.Nodes {
		told = append(told, name(e)+": failed")
	}
	slices.Sort(told)
	return told
}

// finished waits for the end of the next batch.
func (d *monitoredDay) finished() (batch string) {
	d.t.Helper()
	const ends = `subscription ($after: EventNumber!) { events(after: $after, kinds: [BATCH_FINISHED]) { number batchId } }`
	k := d.subscribe(ends, map[string]any{"after": d.seen})
	defer k.close()
	end, ok := next[struct {
		Events struct {
			Number  int64
			BatchID string
		}
	}](k)
	if !ok {
		d.t.Fatal("the stream of events ended")
	}
	d.seen = end.Events.Number
	return end.Events.BatchID
}

// TestAMonitoringDay follows a group through a day and a bit: what happens to its pages, who is told of it, and that nobody
// is told of anything else.
func TestAMonitoringDay(t *testing.T) {
	t.Parallel()
	d := newMonitoredDay(t)
	const changed, failed = "comparison_status_new", "queue_status_failed"
	story := []struct {
		hour  float64
		what  string
		do    func(s *watchedSite)
		page  string // that there is something to say of
		state string // of it, on every device
		hook  string // for every device, beside one batch_finished
		mail  string // what the subject counts, of a mail to each recipient
	}{
		{hour: 0, what: "a first look"},
		{hour: 3, what: "nothing new"},
		{hour: 6, what: "a page flickers", do: (*watchedSite).flick, page: "/", state: "ok vanished"},
		{hour: 9, what: "prices change", do: func(s *watchedSite) { s.look = 1 }, page: "/prices", state: "new confirmed", hook: changed,
			mail: "change"},
		{hour: 12, what: "they stay"},
		{hour: 15, what: "they are as before", do: func(s *watchedSite) { s.look = 0 }, page: "/prices", state: "ok flapping"},
		{hour: 18, what: "the page is down", do: func(s *watchedSite) { s.down = true }, page: "/prices", state: "failed", hook: failed,
			mail: "failed screenshot"},
		{hour: 21, what: "it is up again", do: func(s *watchedSite) { s.down = false }},
		{hour: 24, what: "the engine is another one"},
		{hour: 27, what: "nothing new, in its eyes"},
		{hour: 30, what: "prices change again", do: func(s *watchedSite) { s.look = 2 }, page: "/prices", state: "new confirmed",
			hook: changed, mail: "change"},
	}
	var wantHooks, wantMails []string
	for _, step := range story {
		if step.hour == 24 {
			d.upgrade()
		}
		if step.do != nil {
			d.site.change(step.do)
		}
		var want []string
		wantHooks = append(wantHooks, "batch_finished")
		for _, device := range d.devices {
			if step.state != "" {
				want = append(want, step.page+" "+device+": "+step.state)
			}
			if step.hook != "" {
				wantHooks = append(wantHooks, step.hook)
			}
		}
		if got := d.run(step.hour); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", step.what, got, want)
		}
		if step.mail == "" {
			continue
		}
		for _, to := range recipients {
			wantMails = append(wantMails, fmt.Sprintf("%s %s: %s", to, counted(len(d.devices), step.mail), t.Name()))
		}
	}
	d.checkHooks(wantHooks)
	d.checkMails(wantMails)
	d.check()
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// checkHooks waits for what webhooks are to be told. Deliveries are made out of events in their order: with those of the
// last event there, none of an earlier one is to come.
func (d *monitoredDay) checkHooks(want []string) {
	d.t.Helper()
	slices.Sort(want)
	var got []string
	waitFor(d.t, "the webhooks", func() bool {
		got = d.received()
		return len(got) >= len(want)
	})
	if !slices.Equal(got, want) {
		d.t.Errorf("webhooks were told %q,\nwant %q", got, want)
	}
	const made = `{ webhookDeliveries(first: 100) { totalCount nodes { state attempts { status } } } }`
	type delivery struct {
		State    string
		Attempts []struct{ Status int }
	}
	arrived := func(one delivery) bool {
		return one.State == "DELIVERED" && len(one.Attempts) == 1 && one.Attempts[0].Status == http.StatusNoContent
	}
	waitFor(d.t, "every delivery to have arrived at its first attempt", func() bool {
		list := query[struct {
			WebhookDeliveries struct {
				TotalCount int
				Nodes      []delivery
			}
		}](d.service, made, nil).WebhookDeliveries
		if list.TotalCount != len(want) {
			d.t.Fatalf("%d deliveries, want %d; received %q", list.TotalCount, len(want), d.received())
		}
		return !slices.ContainsFunc(list.Nodes, func(one delivery) bool { return !arrived(one) })
	})
}

// checkMails waits for the mails and reads them as files.
func (d *monitoredDay) checkMails(want []string) {
	d.t.Helper()
	const sent = `{ mails(first: 100) { totalCount nodes { kind state } } }`
	waitFor(d.t, "the mails", func() bool {
		list := query[struct {
			Mails struct {
				TotalCount int
				Nodes      []struct{ Kind, State string }
			}
		}](d.service, sent, nil).Mails
		sent := 0
		for _, m := range list.Nodes {
			if m.Kind == "DIGEST" && m.State == "SENT" {
				sent++
			}
		}
		return sent >= len(want) && sent == list.TotalCount
	})
	files, err := filepath.Glob(filepath.Join(d.dir, "mails", "*.eml"))
	if err != nil {
		d.t.Fatal(err)
	}
	var got []string
	for _, file := range files {
		to, subject := readMail(d.t, file)
		got = append(got, to+" "+runTime.ReplaceAllString(subject, ""))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		d.t.Errorf("mails: %q,\nwant %q", got, want)
	}
}

// runTime ends a batch's name: what kind of run it was, and when.
var runTime = regexp.MustCompile(` · monitoring · \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`)

// readMail opens a mail and returns its recipient and its subject.
func readMail(t *testing.T, file string) (to, subject string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	m, err := netmail.ReadMessage(f)
	if err != nil {
		t.Fatal(err)
	}
	if subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil {
		t.Fatal(err)
	}
	return strings.Trim(m.Header.Get("To"), "<>"), subject
}
