package graph_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

const (
	followBatch = `subscription ($id: ID!, $after: EventNumber) { batchProgress(id: $id, after: $after) {
		number finished counts { open processing done failed } event { kind subjectType } batch { id queuesCount { total } } } }`
	followEvents = `subscription ($after: EventNumber, $batch: ID, $kinds: [EventKind!]) {
		events(after: $after, batchId: $batch, kinds: $kinds) { number kind subject { id __typename } progress { done } } }`
)

// step is a message of a stream.
type step struct {
	number   int64
	kind     string
	finished bool
	body     string
}

// steps reads messages until the operation completes, or until enough were read.
func (c *client) steps(id string, enough int) (list []step, completed bool) {
	c.t.Helper()
	for enough <= 0 || len(list) < enough {
		m := c.next()
		if m.Type == "complete" && m.ID == id {
			return list, true
		}
		a := c.payload(m)
		if len(a.Errors) > 0 {
			c.t.Fatalf("got %s", a.body)
		}
		list = append(list, read(c.t, a))
	}
	return list, false
}

func read(t testing.TB, a *answer) step {
	t.Helper()
	s := step{body: a.body}
	for _, message := range a.Data {
		m := message.(map[string]any)
		s.number = int64(m["number"].(float64))
		s.finished, _ = m["finished"].(bool)
		if kind, ok := m["kind"].(string); ok {
			s.kind = kind
		}
		if event, ok := m["event"].(map[string]any); ok {
			s.kind = event["kind"].(string)
		}
	}
	return s
}

func numbers(steps []step) []int64 {
	var list []int64
	for _, s := range steps {
		list = append(list, s.number)
	}
	return list
}

func TestFollowingABatchToItsEnd(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("followed", "followed.example.test")
	w.work(w.take("PRE", group), "before", 0)
	batch := w.take("POST", group)
	c := w.connect()
	c.subscribe("1", followBatch, vars{"id": batch})
	first, _ := c.steps("1", 1)
	if first[0].kind != "" || first[0].finished || !strings.Contains(first[0].body, `"open":4`) {
		t.Errorf("the first message: %s", first[0].body)
	}
	w.work(batch, "after", 2)
	rest, completed := c.steps("1", 0)
	if !completed || len(rest) == 0 || !rest[len(rest)-1].finished || rest[len(rest)-1].kind != "BATCH_FINISHED" {
		t.Fatalf("the end: %v, completed %v", rest, completed)
	}
	got := append(numbers(first), numbers(rest)...)
	if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
		t.Errorf("numbers %v", got)
	}
	all := w.must(`query ($b: ID) { events(first: 500, batchId: $b) { nodes { number } hasNextPage } }`, vars{"b": batch})
	expected := len(all.at(t, "events", "nodes").([]any)) - 1 // batch_created came before the stream
	if len(rest) != expected {
		t.Errorf("%d events, want %d", len(rest), expected)
	}
	// Once more, now that it has finished: the state, and the end.
	c.subscribe("2", followBatch, vars{"id": batch})
	again, completed := c.steps("2", 0)
	if len(again) != 1 || !completed || !again[0].finished || !strings.Contains(again[0].body, `"done":4`) {
		t.Errorf("a finished batch: %v", again)
	}
}

// A client that is cut off after every few messages and resumes must see each event once.
func TestResumingMissesAndRepeatsNothing(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("resumed", "one.example.test", "two.example.test", "three.example.test")
	batch := w.take("PRE", group)
	start := int64(w.must(`{ viewer { lastEvent } }`, nil).at(t, "viewer", "lastEvent").(float64))
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.work(batch, "before", 0)
	}()
	var seen []int64
	last := start
	for finished := false; !finished; {
		c := w.connect()
		c.subscribe("1", followBatch, vars{"id": batch, "after": last})
		steps, _ := c.steps("1", 2)
		for _, s := range steps {
			seen, last, finished = append(seen, s.number), s.number, s.finished
		}
		_ = c.conn.Close() // without a word, in the middle
	}
	<-done
	want(t, "numbers", seen, allNumbers(w, start, batch))
}

func allNumbers(w *world, after int64, batch string) []int64 {
	w.t.Helper()
	var list []int64
	for {
		a := w.must(`query ($a: EventNumber!, $b: ID) { events(after: $a, first: 3, batchId: $b) { nodes { number } endNumber `+
			`hasNextPage } }`,
			vars{"a": after, "b": batch})
		for _, n := range a.at(w.t, "events", "nodes").([]any) {
			list = append(list, int64(n.(map[string]any)["number"].(float64)))
		}
		after = int64(a.at(w.t, "events", "endNumber").(float64))
		if a.at(w.t, "events", "hasNextPage") == false {
			return list
		}
	}
}

func TestResumingAFinishedBatch(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("over", "over.example.test")
	batch := w.take("PRE", group)
	w.work(batch, "before", 0)
	all := allNumbers(w, 0, batch)
	end := all[len(all)-1]
	c := w.connect()
	for name, after := range map[string]int64{"from the start": 0, "in the middle": end - 2, "at the end": end} {
		for query, v := range map[string]vars{followBatch: {"id": batch, "after": after}, followEvents: {"batch": batch, "after": after}} {
			c.subscribe("1", query, v)
			steps, completed := c.steps("1", 0)
			expected := slices.DeleteFunc(slices.Clone(all), func(n int64) bool { return n <= after })
			if !completed || !slices.Equal(numbers(steps), expected) {
				t.Errorf("%s: got %v, want %v", name, numbers(steps), expected)
			}
		}
	}
	c.subscribe("1", followBatch, vars{"id": batch, "after": end + 100})
	if a := c.payload(c.next()); a.code() != "INVALID" {
		t.Errorf("in the future: got %s", a.body)
	}
}

func TestFollowingTheAccount(t *testing.T) {
	w := newWorld(t)
	c := w.connect()
	c.subscribe("all", followEvents, vars{"after": 0})
	group, urls := w.group("seen", "seen.example.test")
	steps, _ := c.steps("all", 3)
	var kinds []string
	for _, s := range steps {
		kinds = append(kinds, s.kind)
	}
	want(t, "kinds", kinds, "[GROUP_CREATED URL_CREATED GROUP_UPDATED]")
	want(t, "numbers", numbers(steps), "[1 2 3]")
	if !strings.Contains(steps[1].body, fmt.Sprintf(`"subject":{"id":%q,"__typename":"URL"}`, urls[0])) {
		t.Errorf("the subject: %s", steps[1].body)
	}
	c.subscribe("finished", followEvents, vars{"after": 3, "kinds": []string{"BATCH_FINISHED"}})
	c.pings("nothing of old")
	_, token, _ := w.open("eve@example.com")
	if a := w.as(token).post(`mutation { createGroup(input: {name: "eve's"}) { group { id } } }`, nil); len(a.Errors) > 0 {
		t.Fatal(a.body)
	}
	batch := w.take("PRE", group)
	w.work(batch, "before", 0)
	for last := int64(3); ; last++ { // numbers are an account's own: another's event would show
		m := c.next()
		s := read(t, c.payload(m))
		if m.ID == "finished" {
			want(t, "the kind asked for", s.kind, "BATCH_FINISHED")
			return
		}
		want(t, "number", s.number, last+1)
	}
}

// Server-sent events resume by the same argument.
func TestServerSentEventsResume(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("sse", "sse.example.test")
	batch := w.take("PRE", group)
	w.work(batch, "before", 0)
	all := allNumbers(w, 0, batch)
	query := fmt.Sprintf(`subscription { batchProgress(id: %q, after: %d) { number finished event { kind } } }`, batch, all[1])
	events := w.listen(query)
	var got []int64
	for {
		name, data := events.next(t)
		if name != "next" {
			want(t, "the end", name, "complete")
			break
		}
		a := &answer{body: data}
		if err := json.Unmarshal([]byte(data), a); err != nil {
			t.Fatal(err)
		}
		got = append(got, read(t, a).number)
	}
	want(t, "numbers", got, all[2:])
}

func TestEventsInPages(t *testing.T) {
	w := newWorld(t)
	w.group("paged", "paged.example.test")
	a := w.must(`{ events(first: 2) { nodes { number kind subjectId batchId createdAt } endNumber hasNextPage } }`, nil)
	want(t, "end", a.at(t, "events", "endNumber"), 2)
	want(t, "more", a.at(t, "events", "hasNextPage"), true)
	a = w.must(`{ events(after: 2) { nodes { number } endNumber hasNextPage } }`, nil)
	want(t, "rest", a.at(t, "events"), "map[endNumber:3 hasNextPage:false nodes:[map[number:3]]]")
	a = w.must(`{ events(after: 3) { nodes { number } endNumber hasNextPage } }`, nil)
	want(t, "nothing more", a.at(t, "events"), "map[endNumber:3 hasNextPage:false nodes:[]]")
	if a := w.post(`{ events(first: 0) { endNumber } }`, nil); a.code() != "INVALID" {
		t.Errorf("none: %s", a.body)
	}
	if a := w.post(`{ events(batchId: "x") { endNumber } }`, nil); a.code() != "NOT_FOUND" {
		t.Errorf("no batch: %s", a.body)
	}
}
