package rest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// recordedWalk holds requests and the answers of the version before the contract was mended (commit 8bb886f), one a line.
const recordedWalk = "testdata/walk.jsonl"

// exchange is a request with the answer to it. Ids are replaced by what they name.
type exchange struct {
	Method, Target, Body string
	Status               int
	Answer               any
}

// The forms of what differs from run to run.
var (
	anyID    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	anyTime  = regexp.MustCompile(`\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?Z?)?`)
	anyUnix  = regexp.MustCompile(`\b1[67]\d{8}\b`)
	anyToken = regexp.MustCompile(`\b[0-9A-Za-z]{40}\b|\b[0-9a-f]{64}\b`)
)

// steady replaces what differs from run to run.
func steady(body string, of *caller) string {
	for _, kind := range slices.Sorted(maps.Keys(of.things)) {
		body = strings.ReplaceAll(body, of.things[kind], "{"+kind+"}")
	}
	body = anyID.ReplaceAllString(body, "{id}")
	body = anyTime.ReplaceAllString(body, "{time}")
	body = anyUnix.ReplaceAllString(body, "0")
	return anyToken.ReplaceAllString(body, "{token}")
}

// mended are the places of answers that were changed on purpose, with the reason.
var mended = map[string]string{
	"/account .company":      "a string is never null where a default exists",
	"/groups .cms":           "a string is never null where a default exists",
	"/comparisons .cms":      "a string is never null where a default exists",
	"/groups .proxy_country": "follows the region",
	"/batches .name":         "names tell the runs of a group apart",
	"/queues .url_link":      "a link has a scheme (open shapes, section 6)",

	"/account .magic_login_secret": "empty without an address for plans (open shapes, section 6)",
}

// TestAnswersAreAsRecorded sends what a client sent before the contract was mended: whatever it was answered, it is answered
// still. Answers may have more than they had.
func TestAnswersAreAsRecorded(t *testing.T) {
	c := newAccounts(t)
	c.adopt(c.owner, c.openBelow(c.owner, "below-owner"))
	f, err := os.Open(recordedWalk)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	requests, unused := 0, maps.Clone(mended)
	for ; lines.Scan(); requests++ {
		var before exchange
		if err := json.Unmarshal(lines.Bytes(), &before); err != nil {
			t.Fatal(err)
		}
		p := probe{method: before.Method, target: before.Target, body: before.Body, accept: "application/json"}
		answer := c.send(c.owner.token, p.fill(c.of(c.owner), c.of(c.owner)))
		var now any
		text := steady(answer.body, c.owner)
		if err := json.Unmarshal([]byte(text), &now); err != nil {
			now = text
		}
		request := before.Method + " " + before.Target
		if answer.status != before.Status {
			t.Errorf("%s: status %d, was %d: %s", request, answer.status, before.Status, answer.body)
		}
		resource := regexp.MustCompile(`^/\w+`).FindString(strings.TrimPrefix(before.Target, BasePath))
		for place, difference := range missing(before.Answer, now, resource+" ") {
			place = strings.Replace(place, " .data.", " .", 1)
			if mended[place] == "" {
				t.Errorf("%s: %s: %s", request, place, difference)
			}
			delete(unused, place)
		}
	}
	if requests == 0 || lines.Err() != nil {
		t.Fatalf("%d recorded requests: %v", requests, lines.Err())
	}
	for place := range unused {
		t.Errorf("%s is as it was, but listed as mended", place)
	}
}

// missing lists what a value no longer says, by place, with what it says instead. Places are those of JSON, without indexes.
func missing(before, now any, place string) map[string]string {
	out := map[string]string{}
	switch was := before.(type) {
	case map[string]any:
		is, ok := now.(map[string]any)
		if !ok {
			break
		}
		for key, value := range was {
			inside, known := is[key]
			if !known {
				out[place+"."+key] = "is gone"
				continue
			}
			maps.Copy(out, missing(value, inside, place+"."+key))
		}
		return out
	case []any:
		is, ok := now.([]any)
		if !ok || len(is) != len(was) {
			break
		}
		for i := range was {
			maps.Copy(out, missing(was[i], is[i], place))
		}
		return out
	}
	if fmt.Sprint(before) != fmt.Sprint(now) {
		out[place] = fmt.Sprintf("%v, was %v", now, before)
	}
	return out
}
