package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"github.com/vektah/gqlparser/v2/ast"

	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// The walk through the specification: tables of requests with what they must be answered, in the order of the document.
// They are in specification_*_test.go, the shapes of resources in specification_shapes_test.go. Each row names the section
// that it comes from; "open" stands before the sections of the page that decides what the specification leaves open. An
// endpoint, a parameter or an input field without a row fails the test, and so does a field that may be null and was never
// seen with and without a value.

// specRow is one request. Its path and its body may hold {kind} for the id of a thing that the caller has and {64x} for a
// text of 64 letters. The request is made by the account owner, or by another one: "GET /account as subaccount". It may have headers:
// "GET /websites with x-wcd-plugin: 1".
//
// What is wanted of the answer is written one per line: "path = JSON", "path : shape", "path -> kind" to keep it as a thing,
// "path absent", "path has in order a b c", or only the path when it must be there. A path has dots, data.0.name;
// one dot alone is the whole answer.
type specRow struct {
	section string
	request string
	body    string
	status  int
	want    string
}

// many is a JSON list of n equal items.
func many(n int, item string) string {
	return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
}

// walker makes the requests of the rows.
type walker struct {
	*world
	schema  *ast.Schema
	callers map[string]*caller
	seen    map[string]*sighting // by place in a shape
	raw     string               // the last answer
}

// sighting tells what was seen of a field that may be null.
type sighting struct{ null, value bool }

func newWalker(t *testing.T) *walker {
	t.Helper()
	w := &walker{world: newWorld(t), callers: map[string]*caller{}, seen: map[string]*sighting{}}
	w.schema = w.world.schema
	owner := w.open("owner")
	w.partly = owner.name
	_, err := w.use.Accounts.SetPlan(t.Context(), owner.account.ID, account.PlanChange{
		AIVerification: vcd.Some(false), BrowserConsole: vcd.Some(false),
	})
	w.check(err)
	w.furnish(owner)
	flowing := w.open("flowing")
	_, err = w.use.Accounts.SetPlan(t.Context(), flowing.account.ID, account.PlanChange{
		AIVerification: vcd.Some(false), BrowserConsole: vcd.Some(false),
	})
	w.check(err)
	w.furnishFlow(flowing)
	flown := w.open("flown")
	w.furnishFlow(flown)
	w.runFlowInAllWays(flowing)
	rich := w.open("rich")
	_, err = w.use.Accounts.SetPlan(t.Context(), rich.account.ID, account.PlanChange{PlanLabel: vcd.Some("Gold")})
	w.check(err)
	w.furnish(rich)
	failed := w.openWithFailure()
	w.refuse(failed)
	w.synchronise(rich)
	below := w.openBelow(owner, "subaccount")
	owner.things["subaccount"] = string(below.account.ID)
	poor := w.open("poor")
	w.furnish(poor)
	_, err = w.use.Accounts.SetPlan(t.Context(), poor.account.ID, account.PlanChange{ChecksLimit: vcd.Some(0)})
	w.check(err)
	paused := w.open("paused")
	_, err = w.use.Accounts.PauseAccount(t.Context(), paused.account.ID)
	w.check(err)
	cancelled := w.open("cancelled")
	_, err = w.use.Accounts.CancelAccount(t.Context(), cancelled.account.ID)
	w.check(err)
	for _, c := range []*caller{owner, flowing, flown, rich, w.openTriggered(), w.openBelow(rich, "below"), failed, below, poor, paused,
		cancelled} {
		w.callers[c.name] = c
	}
	w.callers["nobody"] = &caller{name: "nobody"}
	return w
}

// synchronise does a synchronisation that was collected.
func (w *walker) synchronise(c *caller) {
	w.t.Helper()
	collection := c.things["collection"]
	_, err := w.use.Inventory.StartSync(w.t.Context(), c.actor, inventory.SyncStart{Collection: collection})
	w.check(err)
	w.check(w.use.Inventory.RunSync(w.t.Context(), c.actor, vcd.ID(collection)))
}

// openTriggered opens an account with two runs that saves of a page have started, and their comparison.
func (w *walker) openTriggered() *caller {
	w.t.Helper()
	c := w.open("triggered")
	w.furnish(c)
	w.must(c, http.MethodPost, "/groups/"+c.things["monitoring"]+"/add-urls", c.fill(`{"urls":[{"id":"{url}"}]}`))
	w.must(c, http.MethodPut, "/groups/"+c.things["monitoring"], `{"confirm_changes":false}`)
	for _, pixels := range []string{"before", "after"} {
		w.must(c, http.MethodPost, "/monitoring/trigger", c.fill(
			`{"group_id":"{monitoring}","type":"post_save","urls":[{"url":"{domain}/page","title":"T","post_id":7}],"editor":"Ada"}`))
		w.clock.Advance(vcd.DefaultTriggerWindow)
		started, err := w.use.Runs.RunDueTrigger(w.t.Context())
		w.check(err)
		if !started {
			w.t.Fatal("the trigger started no run")
		}
		batches, err := w.use.Runs.Batches(w.t.Context(), c.actor, vcd.BatchFilter{}, vcd.Page{Size: 1})
		w.check(err)
		w.work(c, string(batches.Items[0].ID), pixels, 2)
	}
	return c
}

// openWithFailure opens an account with a comparison without a difference, and then a capture that failed.
func (w *walker) openWithFailure() *caller {
	w.t.Helper()
	c := w.open("failed")
	w.furnish(c)
	w.must(c, http.MethodPut, "/groups/"+c.things["group"], `{"cms":"wordpress"}`)
	w.must(c, http.MethodPut, "/groups/"+c.things["group"]+"/urls/"+c.things["url"], `{"css":"a{}","js":"b()"}`)
	w.run(c, "pre", "same", 0)
	w.run(c, "post", "same", 0)
	batch := w.create(c, "/screenshots/take", `{"group_ids":["`+c.things["group"]+`"],"sc_type":"pre"}`)
	for _, e := range w.todo(c, batch) {
		_, err := w.use.Runs.BeginCapture(w.t.Context(), c.actor, e.ID)
		w.check(err)
		w.check(w.use.Runs.FailCapture(w.t.Context(), c.actor, e.ID, run.CaptureFailure{Reason: "timeout",
			Sentence: "The page took too long."}))
	}
	return c
}

var repeated = regexp.MustCompile(`\{(\d+)x\}`)

// fill puts things and long texts in the places of a request.
func (c *caller) fill(text string) string {
	text = repeated.ReplaceAllStringFunc(text, func(place string) string {
		n, _ := strconv.Atoi(repeated.FindStringSubmatch(place)[1])
		return strings.Repeat("x", n)
	})
	return slot.ReplaceAllStringFunc(text, func(place string) string {
		if id, ok := c.things[strings.Trim(place, "{}")]; ok {
			return id
		}
		return place
	})
}

// cutHeaders takes the headers off a request: "GET /websites with x-wcd-plugin: 1, x-wcd-domain: a.test".
func cutHeaders(request string) (rest string, header http.Header) {
	header = http.Header{}
	rest, headers, _ := strings.Cut(request, " with ")
	for line := range strings.SplitSeq(headers, ", ") {
		if name, value, named := strings.Cut(line, ": "); named {
			header.Set(name, value)
		}
	}
	return rest, header
}

// parse splits a request into caller, method and path.
func (w *walker) parse(t *testing.T, request string) (c *caller, method, path string) {
	t.Helper()
	request, name, named := strings.Cut(request, " as ")
	if !named {
		name = "owner"
	}
	method, path, _ = strings.Cut(request, " ")
	if c = w.callers[name]; c == nil {
		t.Fatalf("%s: there is no caller %s", request, name)
	}
	return c, method, c.fill(path)
}

func (w *walker) walk(t *testing.T, row specRow) {
	t.Helper()
	request, header := cutHeaders(row.request)
	c, method, path := w.parse(t, request)
	if c.token != "" {
		header.Set("Authorization", "Bearer "+c.token)
	}
	answer := w.askBy(header, method, BasePath+path, c.fill(row.body), "application/json")
	name := fmt.Sprintf("%s: %s %.300s", row.section, row.request, row.body)
	if answer.status != row.status {
		t.Errorf("%s: got %d, want %d: %.600s", name, answer.status, row.status, answer.body)
		return
	}
	w.raw = answer.body
	var value any
	if answer.body != "" {
		if err := json.Unmarshal([]byte(answer.body), &value); err != nil {
			t.Errorf("%s: no JSON: %s", name, answer.body)
			return
		}
	}
	if object, ok := value.(map[string]any); ok && answer.status < 300 && !strings.Contains(row.want, "message") {
		for _, failure := range []string{"message", "error", "errors"} {
			if _, there := object[failure]; there {
				t.Errorf("%s: success has a top-level %s", name, failure)
			}
		}
	}
	for line := range strings.Lines(row.want) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if problem := w.expect(c, value, line); problem != "" {
			t.Errorf("%s: %s: %s in %.900s", name, line, problem, answer.body)
		}
	}
}

// expect holds an answer against one line; it returns what is wrong.
func (w *walker) expect(c *caller, answer any, line string) string {
	line = c.fill(line)
	path, wanted, equal := strings.Cut(line, " = ")
	if equal {
		var want any
		if err := json.Unmarshal([]byte(wanted), &want); err != nil {
			return err.Error()
		}
		if got, ok := at(answer, path); !ok || !reflect.DeepEqual(got, want) {
			return fmt.Sprintf("got %v", got)
		}
		return ""
	}
	if path, kind, ok := strings.Cut(line, " -> "); ok {
		id, _ := at(answer, path)
		c.things[kind], _ = id.(string)
		return ""
	}
	if path, gone := strings.CutSuffix(line, " absent"); gone {
		if _, there := at(answer, path); there {
			return "it is there"
		}
		return ""
	}
	if path, names, ok := strings.Cut(line, " has in order "); ok {
		return inOrder(w.raw, path, names)
	}
	path, shape, shaped := strings.Cut(line, " : ")
	got, ok := at(answer, path)
	switch {
	case !ok:
		return "it is not there"
	case shaped:
		return w.fits(got, shape, path)
	}
	return ""
}

// inOrder reports whether an object of an answer has its members in an order.
func inOrder(raw, path, names string) string {
	object := gjson.Parse(raw)
	for path != "" && path != "." {
		name, rest, _ := strings.Cut(path, ".")
		all, err := members(object)
		i := slices.IndexFunc(all, func(m member) bool { return m.name == name })
		if err != nil || i < 0 {
			return "it is not there"
		}
		object, path = all[i].value, rest
	}
	all, err := members(object)
	var got []string
	for _, m := range all {
		got = append(got, m.name)
	}
	if err != nil || strings.Join(got, " ") != names {
		return "got " + strings.Join(got, " ")
	}
	return ""
}

// at is the value at a path. The names of the fields under errors are dotted themselves.
func at(value any, path string) (any, bool) {
	if path == "" || path == "." {
		return value, true
	}
	name, rest, _ := strings.Cut(path, ".")
	switch value := value.(type) {
	case map[string]any:
		if inner, there := value[path]; there {
			return inner, true
		}
		inner, there := value[name]
		if !there {
			return nil, false
		}
		return at(inner, rest)
	case []any:
		if i, err := strconv.Atoi(name); err == nil && i < len(value) {
			return at(value[i], rest)
		}
	}
	return nil, false
}

var leafShapes = map[string]*regexp.Regexp{
	"uuid":      regexp.MustCompile(`^"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"$`),
	"string":    regexp.MustCompile(`^".*"$`),
	"integer":   regexp.MustCompile(`^-?\d+$`),
	"number":    regexp.MustCompile(`^-?\d+(\.\d+)?$`),
	"boolean":   regexp.MustCompile(`^(true|false)$`),
	"timestamp": regexp.MustCompile(`^"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"$`),
	"iso8601":   regexp.MustCompile(`^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)"$`),
	"unix":      regexp.MustCompile(`^\d{9,11}$`),
	"clock":     regexp.MustCompile(`^"\d\d:\d\d"$`),
	"weekday":   regexp.MustCompile(`^"(Mon|Tue|Wed|Thu|Fri|Sat|Sun)"$`),
	"link":      regexp.MustCompile(`^"https?://.+"$`),
	"token":     regexp.MustCompile(`^"[A-Za-z0-9]{40}"$`),
	"day":       regexp.MustCompile(`^(\d+|"last")$`),
	"flag":      regexp.MustCompile(`^(true|false)$`),
}

// fits tells what is wrong with a value. A shape is a leaf's, a closed set of words (a|b), a list ([shape]), a map
// ({} shape), or the name of a resource; a question mark after it allows null.
func (w *walker) fits(value any, shape, place string) string {
	if inner, nullable := strings.CutSuffix(shape, "?"); nullable {
		seen := w.seen[place]
		if seen == nil {
			seen = &sighting{}
			w.seen[place] = seen
		}
		if value == nil {
			seen.null = true
			return ""
		}
		seen.value, shape = true, inner
	}
	if inner, isMap := strings.CutPrefix(shape, "{} "); isMap {
		return w.fitsMap(value, inner, place)
	}
	if inner, isList := strings.CutPrefix(shape, "["); isList {
		list, ok := value.([]any)
		if !ok {
			return fmt.Sprintf("%s: %v is no list", place, value)
		}
		for _, item := range list {
			if problem := w.fits(item, strings.TrimSuffix(inner, "]"), place+"[]"); problem != "" {
				return problem
			}
		}
		return ""
	}
	if fields, known := shapes[shape]; known {
		return w.fitsFields(value, shape, fields)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	pattern := leafShapes[shape]
	if pattern == nil {
		pattern = regexp.MustCompile(`^"(` + shape + `)"$`)
	}
	if !pattern.Match(text) {
		return fmt.Sprintf("%s: %s is no %s", place, text, shape)
	}
	return ""
}

func (w *walker) fitsMap(value any, shape, place string) string {
	object, ok := value.(map[string]any)
	if !ok {
		return fmt.Sprintf("%s: %v is no object", place, value)
	}
	for key, item := range object {
		if problem := w.fits(item, shape, place+"{}"); problem != "" {
			return key + ": " + problem
		}
	}
	return ""
}

// fitsFields holds an object against the fields of a resource: all of them, but for those with a question mark after their
// name, and no other.
func (w *walker) fitsFields(value any, resource, fields string) string {
	object, ok := value.(map[string]any)
	if !ok {
		return fmt.Sprintf("%v is no %s", value, resource)
	}
	var names []string
	for line := range strings.Lines(fields) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		name, optional := strings.CutSuffix(words[0], "?")
		shape := strings.Join(words[1:], " ")
		names = append(names, name)
		item, there := object[name]
		if !there && optional {
			continue
		}
		if !there {
			return fmt.Sprintf("%s has no %s", resource, name)
		}
		if problem := w.fits(item, shape, resource+"."+name); problem != "" {
			return problem
		}
	}
	for name := range object {
		if !slices.Contains(names, name) {
			return fmt.Sprintf("%s has %s, which the specification does not name", resource, name)
		}
	}
	return ""
}

var specification = slices.Concat(
	specifiedTransport, specifiedAccounts, specifiedGroups, specifiedURLs, specifiedWebsites, specifiedFlows, specifiedRuns, specifiedRules,
	specifiedReviews, specifiedTriggers,
)

func TestSpecification(t *testing.T) {
	w := newWalker(t)
	for _, row := range specification {
		w.walk(t, row)
	}
	for place, seen := range w.seen {
		if _, known := neverSeen[place]; known {
			continue
		}
		if !seen.null || !seen.value {
			t.Errorf("no row shows %s with and without a value: null %t, value %t", place, seen.null, seen.value)
		}
	}
}

// TestEveryEndpointHasASpecificationRow makes sure that every method of every route is asked, and that every parameter and
// every input field is sent, by a row that is answered with success.
func TestEveryEndpointHasASpecificationRow(t *testing.T) {
	schema := loadSchema(t)
	operations, tree := loadRoutes(t, schema)
	sent, asked := map[string]bool{}, map[string]bool{}
	known := &caller{things: map[string]string{}}
	for _, name := range slot.FindAllString(fmt.Sprint(specification), -1) {
		known.things[strings.Trim(name, "{}")] = idA
	}
	for _, row := range specification {
		request, header := cutHeaders(row.request)
		request, _, _ = strings.Cut(request, " as ")
		method, path, _ := strings.Cut(request, " ")
		if row.status >= http.StatusBadRequest {
			continue
		}
		p := probe{name: row.section, method: method, target: BasePath + known.fill(path), body: known.fill(row.body), header: header}
		operation, variables := bindProbe(t, tree, p)
		asked[method+" "+operation] = true
		for _, place := range leavesOf(variables, "") {
			sent[operation+" "+place] = true
		}
	}
	for _, r := range routes {
		for _, method := range strings.Fields(r.methods) {
			if !asked[method+" "+r.operation] {
				t.Errorf("%s %s: no row of the specification asks it", method, r.pattern)
			}
		}
		for _, p := range operations[r.operation].parameters {
			for _, place := range leafPlaces(schema, p.variable, p.typ) {
				if !sent[r.operation+" "+place] {
					t.Errorf("%s %s: no row of the specification sends %s", r.methods, r.pattern, snakeCase(place))
				}
			}
		}
	}
}
