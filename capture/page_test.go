package capture

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"
	"github.com/ysmood/gson"
	"go.uber.org/goleak"

	"afterimage/internal/egress"
	"afterimage/internal/page"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// impatient is a clock on which every budget is used up at once, unless what is waited for is there already or, for an
// answer of the browser, under way.
type impatient struct{ now time.Time }

func (c *impatient) Now() time.Time { c.now = c.now.Add(time.Millisecond); return c.now }

func (c *impatient) Virtual() bool { return false }

func (c *impatient) Start(context.Context, Network, time.Time) error { return nil }

func (c *impatient) Hold(_ context.Context, done <-chan struct{}, _ bool) error { <-done; return nil }

func (c *impatient) Picture(ctx context.Context, answer Answer, _ image.Point, _, _ bool) ([]byte, error) {
	return PictureOf(answer.Result(ctx))
}

func (c *impatient) Wait(ctx context.Context, done <-chan struct{}, budget time.Duration) (bool, error) {
	if done != nil && budget != loadBudget && budget != quietBudget { // the budget of a question to the page
		<-done
	}
	select {
	case <-done:
		return true, nil
	default:
		return false, context.Cause(ctx)
	}
}

// fakeTab plays a browser: what it sends when it is told to navigate, and what our script would answer.
type fakeTab struct {
	clock    Clock
	guard    *fakeGuard
	events   []string // "method params", sent on Page.navigate
	navigate string   // the answer
	answers  map[string]string
	handler  func(string, []byte)
	posted   []string
	asked    []string
	paint    func(*image.Gray) // what moves in the pictures; may be nil
	padding  int               // bytes that follow each picture
}

const (
	eventResponse = `Network.responseReceived ` +
		`{"requestId":"L","loaderId":"L","frameId":"F","type":"Document","response":{"url":"http://example.com/","status":200,` +
		`"mimeType":"text/html","headers":{}}}`
	eventCommit = `Page.frameNavigated {"frame":{"id":"F","loaderId":"L","url":"http://example.com/","mimeType":"text/html"}}`
	eventWorld  = `Runtime.executionContextCreated {"context":{"id":7,"name":"afterimage","auxData":{"frameId":"F"}}}`
	eventParsed = `Page.domContentEventFired {}`
	eventLoad   = `Page.loadEventFired {}`
)

// bodySnapshot is of a document with nothing but a body that says "hello".
const bodySnapshot = `{"strings":["#document","BODY","visible","1","#text","hello"],"documents":[{
	"nodes":{"parentIndex":[-1,0,1],"nodeType":[9,1,3],"nodeName":[0,1,4],"attributes":[[],[],[]]},
	"layout":{"nodeIndex":[1,2],"bounds":[[0,0,900,400000],[0,0,90,20]],"text":[-1,5],"styles":[[2,3],[]]}}]}`

func newFakeTab(events ...string) *fakeTab {
	return &fakeTab{
		clock: &impatient{}, guard: &fakeGuard{ctx: context.Background()}, events: events, navigate: "{}",
		answers: map[string]string{"scroll": "true", "settle": `{"waited":["dom"],"unready":[]}`,
			"still": `{"width":20,"height":900,"title":"t"}`, "maybeMoving": "false"},
	}
}

func (f *fakeTab) Call(_ context.Context, _, _ string, command any) ([]byte, error) {
	request, _ := command.(proto.Request)
	return f.answer(request), nil
}

// fakeAnswer has always arrived.
type fakeAnswer []byte

func (a fakeAnswer) Result(context.Context) ([]byte, error) { return a, nil }

func (a fakeAnswer) Done() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}

func (f *fakeTab) answer(command proto.Request) []byte {
	switch command := command.(type) {
	case proto.PageNavigate:
		for _, event := range f.events {
			name, raw, _ := strings.Cut(event, " ")
			f.handler(name, []byte(raw))
		}
		return []byte(f.navigate)
	case proto.RuntimeEvaluate:
		name, _, _ := strings.Cut(strings.TrimPrefix(command.Expression, "afterimage."), "(")
		f.asked = append(f.asked, name)
		value := f.answers[name]
		if value == "" {
			value = "null"
		}
		return fmt.Appendf(nil, `{"result":{"value":%s}}`, value)
	case proto.DOMSnapshotCaptureSnapshot:
		return []byte(bodySnapshot)
	case proto.PageCaptureScreenshot:
		return fmt.Appendf(nil, `{"data":"%s"}`, base64.StdEncoding.EncodeToString(f.picture(command)))
	}
	return []byte("{}")
}

func (f *fakeTab) Begin(command proto.Request) Answer                     { return fakeAnswer(f.answer(command)) }
func (f *fakeTab) Post(command proto.Request)                             { f.posted = append(f.posted, command.ProtoReq()) }
func (f *fakeTab) Handle(handler func(method string, p []byte))           { f.handler = handler }
func (f *fakeTab) InFrames(context.Context, string, string, int) [][]byte { return nil }
func (f *fakeTab) Frame() proto.PageFrameID                               { return "F" }
func (f *fakeTab) GetSessionID() proto.TargetSessionID                    { return "S" }
func (f *fakeTab) Engine() Engine                                         { return Engine{Product: "Fake", Version: "1.2.3", Fonts: "f0"} }
func (f *fakeTab) Guard() Guard                                           { return f.guard }
func (f *fakeTab) Clock() Clock                                           { return f.clock }

func (f *fakeTab) picture(command proto.PageCaptureScreenshot) []byte {
	clip := command.Clip
	page := image.NewGray(image.Rect(0, int(clip.Y), int(clip.Width), int(clip.Y+clip.Height)))
	if f.paint != nil {
		f.paint(page)
	}
	return append(encode(page), make([]byte, f.padding)...)
}

func encode(page image.Image) []byte {
	var picture bytes.Buffer
	_ = png.Encode(&picture, page) // cannot fail: a buffer takes everything, and the sizes are those of tests
	return picture.Bytes()
}

type fakeGuard struct {
	ctx     context.Context
	failure error
}

func (g *fakeGuard) Context() context.Context { return g.ctx }
func (g *fakeGuard) Failure(string) error     { return g.failure }
func (g *fakeGuard) Received() int64          { return 1 }
func (g *fakeGuard) Reuse(int64)              {}

var example = Request{URL: "http://example.com/", Device: Desktop}

func reasonOf(t *testing.T, err error) Reason {
	t.Helper()
	var failure *Failure
	if !errors.As(err, &failure) {
		t.Fatalf("error is %v, want a failure", err)
	}
	return failure.Reason
}

func TestPageRunsItsStagesInOrder(t *testing.T) {
	tab := newFakeTab(eventResponse, eventCommit, eventWorld, eventParsed, eventLoad)
	tab.answers["still"] = `{"width":20,"height":200000,"title":"t"}`
	req := example
	req.Styles, req.Scripts = []string{"a{}"}, []string{"mine()"}
	shot, err := Page(t.Context(), tab, req)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"styles", "images", "scroll", "mine", "settle", "styles", "matched", "still", "maybeMoving",
		"variables"}; !slices.Equal(tab.asked, want) {
		t.Errorf("asked the page for %q, want %q", tab.asked, want)
	}
	var names []string
	for _, s := range shot.Manifest.Stages {
		names = append(names, s.Stage)
	}
	if got := strings.Join(names,
		" "); got != "guard context goto load status rest consent styles images scroll scripts settle hide still shot elements" {
		t.Errorf("stages are %q", got)
	}
	if !shot.Truncated || shot.Height != MaxHeight || shot.Manifest.PageHeight != 200000 || shot.Title != "t" {
		t.Errorf("shot is %d high, truncated %v, of %d", shot.Height, shot.Truncated, shot.Manifest.PageHeight)
	}
	if want := []page.Element{{Box: page.Box{Width: 20, Height: MaxHeight}, Selector: "body", Tag: "body", Text: "hello",
		Parent: -1, Exact: [4]float64{0, 0, 900, 400_000}, Style: 1}}; !slices.Equal(shot.Content.Elements, want) {
		t.Errorf("elements are %+v", shot.Content.Elements)
	}
	if !slices.Equal(shot.Manifest.WaitedFor, []string{"dom"}) {
		t.Errorf("waited for %q", shot.Manifest.WaitedFor)
	}
	text, err := json.Marshal(shot.Manifest)
	if err != nil || strings.Contains(string(text), "null") {
		t.Errorf("manifest is %s (%v)", text, err)
	}
}

func TestPageThatDoesNotComeToRest(t *testing.T) {
	pending := `Network.requestWillBeSent ` +
		`{"requestId":"1","loaderId":"L","frameId":"F","type":"Fetch","request":{"url":"http://example.com/x"}}`
	for name, test := range map[string]struct {
		events  []string
		timeout []string
	}{
		"load is missing":    {[]string{eventResponse, eventCommit, eventWorld, eventParsed}, []string{"load", "network"}},
		"request stays open": {[]string{eventResponse, eventCommit, eventWorld, eventParsed, eventLoad, pending}, []string{"network"}},
		"media do not count": {[]string{eventResponse, eventCommit, eventWorld, eventParsed, eventLoad, strings.Replace(pending, "Fetch",
			"Media", 1)}, nil},
		"sockets neither": {[]string{eventResponse, eventCommit, eventWorld, eventParsed, eventLoad, strings.Replace(pending, "Fetch",
			"EventSource", 1)}, nil},
		"nor worker's script": {[]string{eventResponse, eventCommit, eventWorld, eventParsed, eventLoad,
			strings.Replace(pending, `"loaderId":"L"`, `"loaderId":""`, 1)}, nil},
	} {
		shot, err := Page(t.Context(), newFakeTab(test.events...), example)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(shot.Manifest.TimedOut, test.timeout) {
			t.Errorf("%s: timed out %q, want %q", name, shot.Manifest.TimedOut, test.timeout)
		}
	}
	_, err := Page(t.Context(), newFakeTab(eventResponse, eventCommit, eventWorld), example)
	if reason := reasonOf(t, err); reason != ReasonTimeout {
		t.Errorf("a document without end: %s", reason)
	}
}

func TestPageThatFails(t *testing.T) {
	withStatus := func(status string) string {
		return strings.Replace(eventResponse, `"status":200`, `"status":`+status, 1)
	}
	proxied := strings.Replace(eventResponse, `"headers":{}`, `"headers":{"proxy-status":"afterimage; error=dns_error"}`, 1)
	for name, test := range map[string]struct {
		tab  *fakeTab
		want Reason
	}{
		"crash":       {newFakeTab(eventResponse, `Inspector.targetCrashed {}`, eventCommit), ReasonCrashed},
		"needs login": {newFakeTab(withStatus("401"), eventCommit, eventWorld, eventParsed, eventLoad), ReasonCredentials},
		"proxy spoke": {newFakeTab(proxied, eventCommit, eventWorld, eventParsed, eventLoad), ReasonConnect},
		"error": {&fakeTab{clock: &impatient{}, guard: &fakeGuard{ctx: t.Context()},
			navigate: `{"errorText":"net::ERR_CERT_DATE_INVALID"}`}, ReasonTLS},
		"tunnel": {&fakeTab{clock: &impatient{}, guard: &fakeGuard{t.Context(), &egress.Refusal{}},
			navigate: `{"errorText":"net::ERR_TUNNEL_CONNECTION_FAILED"}`}, ReasonBlockedAddress},
		"download": {&fakeTab{clock: &impatient{}, guard: &fakeGuard{ctx: t.Context()}, events: []string{eventResponse},
			navigate: `{"errorText":"net::ERR_ABORTED","isDownload":true}`}, ReasonDownload},
		"moves for ever": {newFakeTab(eventResponse, eventCommit, eventParsed, eventLoad), ReasonRedirectLoop}, // our script never appears
	} {
		_, err := Page(t.Context(), test.tab, example)
		if reason := reasonOf(t, err); reason != test.want {
			t.Errorf("%s: reason is %q (%v), want %q", name, reason, err, test.want)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(egress.ErrTooLarge)
	tab := newFakeTab(eventResponse, eventCommit, eventWorld, eventParsed)
	tab.guard.ctx = ctx
	tab.clock = RealTime{}
	_, err := Page(t.Context(), tab, example)
	if reason := reasonOf(t, err); reason != ReasonTooLarge {
		t.Errorf("too large: %q (%v)", reason, err)
	}
}

func TestDialogsAreAnswered(t *testing.T) {
	tab := newFakeTab(eventResponse, eventCommit, eventWorld, `Page.javascriptDialogOpening {"type":"confirm"}`, eventParsed, eventLoad)
	if _, err := Page(t.Context(), tab, example); err != nil {
		t.Fatal(err)
	}
	if want := []string{"Page.handleJavaScriptDialog"}; !slices.Equal(tab.posted, want) {
		t.Errorf("posted %q, want %q", tab.posted, want)
	}
}

// TestEventsWithoutTheirFields: a browser of another version must not bring us down.
func TestEventsWithoutTheirFields(t *testing.T) {
	aborted := 0
	o := newObserver(newFakeTab(), func(*Failure) { aborted++ })
	for name := range handlers {
		for _, raw := range []string{"", "{}", "[]", `{"frame":5,"type":{}}`, `{"args":[null],"stackTrace":{"callFrames":[null]}}`} {
			o.handle(name, []byte(raw))
		}
	}
	if doc := o.current(); doc.count != 0 || aborted == 0 {
		t.Errorf("document is %+v, aborted %d times", doc, aborted)
	}
	o.handle("Page.frameNavigated", []byte(`{"frame":{"id":"F","url":"http://example.com/","loaderId":"L","gatedAPIFeatures":"new"}}`))
	if doc := o.current(); doc.url != "http://example.com/" || doc.loader != "L" {
		t.Errorf("a field of another type spoiled the others: %+v", doc)
	}
}

func TestConsoleIsBounded(t *testing.T) {
	var c console
	for range 500 {
		text := gson.NewFrom(`"` + strings.Repeat("ü", 5000) + `\u0000"`)
		c.called(proto.RuntimeConsoleAPICalled{Type: "log", Args: []*proto.RuntimeRemoteObject{{Type: "string", Value: text}}})
	}
	if len(c.entries) != page.MaxConsoleEntries || len(c.entries[0].Text) > maxConsoleText ||
		strings.ContainsAny(c.entries[0].Text, "\x00\uFFFD") {
		t.Errorf("%d entries, first of %d bytes", len(c.entries), len(c.entries[0].Text))
	}
}
