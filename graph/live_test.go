package graph_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const followLive = `subscription ($groups: [ID!], $websites: [ID!], $after: EventNumber) {
	accountLive(groupIds: $groups, websiteIds: $websites, after: $after) {
		number openAlarms checksLeft runs { id type } events { number kind batchId subjectId } } }`

// liveMessage is what a live stream says at one moment.
type liveMessage struct {
	Number     int64
	OpenAlarms int
	ChecksLeft int
	Runs       []struct{ ID, Type string }
	Events     []struct {
		Number             int64
		Kind               string
		BatchID, SubjectID *string
	}
}

// live reads the next message of a live stream.
func (c *client) live() liveMessage {
	c.t.Helper()
	a := c.payload(c.next())
	if len(a.Errors) > 0 {
		c.t.Fatalf("got %s", a.body)
	}
	var m struct {
		Data struct{ AccountLive liveMessage }
	}
	if err := json.Unmarshal([]byte(a.body), &m); err != nil {
		c.t.Fatal(err)
	}
	return m.Data.AccountLive
}

// liveUntil reads messages until one covers the event of this number, and returns their events' numbers and kinds, and the last.
func (c *client) liveUntil(number int64) (numbers []int64, kinds []string, last liveMessage) {
	c.t.Helper()
	for last.Number < number {
		last = c.live()
		for _, e := range last.Events {
			numbers, kinds = append(numbers, e.Number), append(kinds, e.Kind)
		}
	}
	return numbers, kinds, last
}

func (w *world) lastEvent() int64 {
	w.t.Helper()
	return int64(w.must(`{ viewer { lastEvent } }`, nil).at(w.t, "viewer", "lastEvent").(float64))
}

func TestTheAccountLive(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("followed", "followed.example.test")
	w.work(w.take("PRE", group), "before", 0)
	start := w.lastEvent()
	c := w.connect()
	c.subscribe("1", followLive, nil)
	opening := c.live()
	if opening.Number != start || len(opening.Runs) != 0 || len(opening.Events) != 0 || opening.OpenAlarms != 0 {
		t.Errorf("the opening: %+v", opening)
	}
	batch := w.take("POST", group)
	_, _, running := c.liveUntil(start + 1)
	if len(running.Runs) != 1 || running.Runs[0].ID != batch || running.ChecksLeft >= opening.ChecksLeft {
		t.Errorf("while a run is under way: %+v", running)
	}
	w.work(batch, "after", 20)
	end := w.lastEvent()
	numbers, kinds, ended := c.liveUntil(end)
	if len(ended.Runs) != 0 || ended.OpenAlarms != 2 {
		t.Errorf("at the end: %+v", ended)
	}
	if !slices.Contains(kinds, "BATCH_FINISHED") {
		t.Errorf("kinds %v", kinds)
	}
	want(t, "numbers", numbers, consecutive(running.Number, end))
	again := w.connect()
	again.subscribe("1", followLive, vars{"after": start})
	numbers, _, resumed := again.liveUntil(end)
	want(t, "numbers after resuming", numbers, consecutive(start, end))
	want(t, "alarms after resuming", resumed.OpenAlarms, 2)

	// The overview has the same figure, also when the group is deleted: nobody reviews what is gone.
	figure := func() any {
		t.Helper()
		return w.must(`{ account { overview { openAlarms } } }`, nil).at(t, "account", "overview", "openAlarms")
	}
	want(t, "alarms of the overview", figure(), 2)
	w.must(`mutation ($id: ID!) { deleteGroup(id: $id) { deletedGroupId } }`, vars{"id": group})
	_, _, without := again.liveUntil(w.lastEvent())
	want(t, "alarms without the group", without.OpenAlarms, 0)
	want(t, "alarms of the overview without the group", figure(), 0)
}

// consecutive is every number after from, up to to.
func consecutive(from, to int64) []int64 {
	var list []int64
	for n := from + 1; n <= to; n++ {
		list = append(list, n)
	}
	return list
}

// TestLiveNarrowed follows one of two groups: what happens in the other is told only as far as it concerns the account.
func TestLiveNarrowed(t *testing.T) {
	w := newWorld(t)
	mine, _ := w.group("mine", "mine.example.test")
	other, _ := w.group("other", "other.example.test")
	for _, kind := range []string{"PRE", "POST"} {
		w.work(w.take(kind, other), kind, 20)
	}
	c := w.connect()
	c.subscribe("1", followLive, vars{"groups": []string{mine}})
	opening := c.live()
	want(t, "alarms of the group", opening.OpenAlarms, 0)
	w.take("PRE", other)
	own := w.take("PRE", mine)
	_, _, m := c.liveUntil(w.lastEvent())
	if len(m.Runs) != 1 || m.Runs[0].ID != own {
		t.Errorf("runs: %+v", m.Runs)
	}
	for _, e := range m.Events {
		if e.BatchID == nil || *e.BatchID != own {
			t.Errorf("of another group: %+v", e)
		}
	}
}

func TestLiveOfAWebsite(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("of the website", "site.example.test")
	watched, _ := w.group("watched")
	site := w.must(`mutation ($g: ID!, $m: ID!) { createWebsite(input: {domain: "site.example.test", manualDetectionGroupId: $g,
		autoDetectionGroupId: $m}) { website { id } } }`, vars{"g": group, "m": watched}).text(t, "createWebsite", "website", "id")
	other, _ := w.group("other", "other.example.test")
	c := w.connect()
	c.subscribe("1", followLive, vars{"websites": []string{site}})
	c.live()
	w.take("PRE", other)
	own := w.take("PRE", group)
	_, _, m := c.liveUntil(w.lastEvent())
	if len(m.Runs) != 1 || m.Runs[0].ID != own {
		t.Errorf("runs: %+v", m.Runs)
	}
}

func TestLiveRefusals(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("g", "g.example.test")
	many := slices.Repeat([]string{group}, 101)
	for name, v := range map[string]vars{
		"groupIds.0":   {"groups": []string{"00000000-0000-4000-8000-000000000000"}},
		"websiteIds.0": {"websites": []string{"nonsense"}},
		"groupIds":     {"groups": many},
		"websiteIds":   {"websites": many},
		"after":        {"after": w.lastEvent() + 1},
	} {
		c := w.connect()
		c.subscribe("1", followLive, v)
		if a := c.payload(c.next()); a.code() != "INVALID" || !strings.Contains(a.body, fmt.Sprintf(`"path":%q`, name)) {
			t.Errorf("%s: got %s", name, a.body)
		}
	}
}

// TestLiveIsPaced has an account in which much happens: it is told in few messages, none of which leaves anything out.
func TestLiveIsPaced(t *testing.T) {
	w := newWorld(t)
	start := w.lastEvent()
	c := w.connect()
	c.subscribe("1", followLive, vars{"after": start})
	c.live()
	began := time.Now()
	for i := range 40 {
		w.group(fmt.Sprint("group ", i))
	}
	var numbers []int64
	messages := 0
	for len(numbers) < 40 {
		m := c.live()
		messages++
		for _, e := range m.Events {
			numbers = append(numbers, e.Number)
		}
	}
	want(t, "numbers", numbers, consecutive(start, start+40))
	if most := 2 + int(time.Since(began)/(500*time.Millisecond)); messages > most {
		t.Errorf("%d messages in %s, want at most %d", messages, time.Since(began), most)
	}
}
