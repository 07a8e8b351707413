package capture

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"
	"golang.org/x/net/publicsuffix"

	"afterimage/internal/page"
)

// leftOut is what our script in a document found that the picture does not show.
type leftOut struct {
	Parts  []leftPart `json:"parts"`
	Empty  string     `json:"empty"`  // the element that an application was to fill, of a page that shows nothing
	Busy   []string   `json:"busy"`   // what tells a reader to wait
	Closed []string   `json:"closed"` // frames whose content it cannot read
	Opened int        `json:"opened"` // 1 in such a frame
	Failed int        `json:"failed"` // 1 in what the browser shows of a document that did not load
}

// leftInFrames adds what frames say of themselves. A frame that is closed to the document around it may be in reach of ours.
func (r *run) leftInFrames(worlds []proto.RuntimeExecutionContextID) error {
	opened := 0
	for _, world := range worlds {
		answer, err := r.evaluate(call(world, "left"), stillBudget)
		if r.ctx.Err() != nil || errors.Is(err, errMoved) {
			return err
		}
		if err == nil { // best effort, as in still
			opened += r.addLeft(answer)
		}
	}
	if len(r.size.Closed) > opened {
		if err := r.inOtherProcesses("left", func(answer *proto.RuntimeEvaluateResult) { opened += r.addLeft(answer) }); err != nil {
			return err
		}
	}
	r.size.Closed = r.size.Closed[min(opened, len(r.size.Closed)):]
	return r.ctx.Err()
}

// addLeft adds what one frame says of itself and returns 1 if the document around it cannot read it.
func (r *run) addLeft(answer *proto.RuntimeEvaluateResult) int {
	var left leftOut
	if answer == nil || answer.Result == nil || answer.Result.Value.Unmarshal(&left) != nil {
		return 0
	}
	r.size.Parts, r.size.Closed = append(r.size.Parts, left.Parts...), append(r.size.Closed, left.Closed...)
	r.size.Busy = append(r.size.Busy, left.Busy...)
	r.size.Failed += left.Failed
	return left.Opened
}

const partsOfPage = "parts of the page"

// unready are the waits without which something is missing in the picture, as people call it.
var unready = []struct{ name, words string }{
	{"load", partsOfPage}, {"fonts", "fonts"}, {"images", "images"}, {"videos", "videos"}, {"busy", partsOfPage},
	{"scroll", "parts of the page further down"},
}

// tellMissing writes into the manifest what a reader could see of the page and the picture does not show.
func (r *run) tellMissing() {
	m, size := &r.shot.Manifest, &r.size
	var parts []page.Missing
	for i := range size.Parts {
		parts = append(parts, size.Parts[i].Missing)
	}
	if rows := size.Height - r.shot.Height; rows > 0 {
		parts = append(parts, page.Missing{Kind: page.MissingCut, Side: "below", Pixels: rows})
	}
	side := "right"
	if size.Left {
		side = "left"
	}
	if columns := size.Width - r.shot.Width; columns > 0 {
		parts = append(parts, page.Missing{Kind: page.MissingCut, Side: side, Pixels: columns})
	}
	if size.Aside > 0 {
		parts = append(parts, page.Missing{Kind: page.MissingAside, Side: side, Pixels: size.Aside})
	}
	parts = append(parts, size.unknownFrames()...)
	var loading []string
	for _, u := range unready {
		words := u.words
		if u.name == "load" {
			words += unansweredBy(m.FailedRequests)
		}
		if slices.Contains(m.TimedOut, u.name) && !slices.Contains(loading, words) {
			loading = append(loading, words)
		}
	}
	if names := unansweredBy(r.events.awaitedCode()); names != "" && !r.unanswered { // else it is named among what the document waits for
		loading = append(loading, partsOfPage+names)
	}
	if data := r.events.awaitedData(); len(data) > 0 && (len(size.Busy) == 0 || !r.events.awaitsData()) { // else words tell it better
		loading = append(loading, partsOfPage+" ("+strings.Join(data[:min(len(data), mostUnanswered)], ", ")+")")
	}
	if len(size.Busy) > 0 && r.events.awaitsData() { // otherwise what looks like waiting is all that visitors ever see
		loading = slices.DeleteFunc(loading, func(words string) bool { return words == partsOfPage })
		loading = append(loading, partsOfPage+" ("+strings.Join(size.Busy[:min(len(size.Busy), mostUnanswered)], ", ")+")")
	}
	if len(loading) > 0 {
		parts = append(parts, page.Missing{Kind: page.MissingLoading, Text: strings.Join(loading, ", ")})
	}
	m.Missing = append([]page.Missing{}, parts[:min(len(parts), page.MaxMissing)]...)
	for i := range m.Missing {
		m.Missing[i].Element, m.Missing[i].Text = cut(m.Missing[i].Element, maxElementText), cut(m.Missing[i].Text, maxElementText)
	}
	limitHeld(m.Missing)
	m.Complete = new(len(m.Missing) == 0)
	m.Empty = cut(size.Empty, maxElementText)
}

// unknownFrames are the frames that nobody could look into.
func (l *leftOut) unknownFrames() []page.Missing {
	parts := make([]page.Missing, len(l.Closed))
	for i, name := range l.Closed {
		parts[i] = page.Missing{Kind: page.MissingFrame, Element: name}
		if len(l.Closed) <= l.Failed { // otherwise some of them may have loaded
			parts[i].Text = "no answer that can be shown"
		}
	}
	return parts
}

const maxHeld = 40_000 // bytes of all that the elements of a page hold out of sight

// limitHeld keeps what elements hold out of sight as long as there is room for all of it: half of it cannot be compared.
func limitHeld(parts []page.Missing) {
	room := maxHeld
	for i := range parts {
		if room -= len(parts[i].Holds); room < 0 {
			parts[i].Holds = ""
		}
	}
}

const mostUnanswered = 3 // that are named

// unansweredBy names resources that never came, such as " (menu.js, map.js)"; "" for none.
func unansweredBy(failed []page.FailedRequest) string {
	if names := namesOf(failed); names != "" {
		return " (" + names + ")"
	}
	return ""
}

// awaited names what keeps the document from being read or drawn: scripts and styles that block it, and its own rest.
func (o *observer) awaited() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return namesOf(o.pending(func(id proto.NetworkRequestID, r pendingRequest) bool {
		return r.blocks || string(id) == string(r.loader) && r.loader == o.doc.loader
	}))
}

// namesOf names the first resources that were not answered.
func namesOf(failed []page.FailedRequest) string {
	var names []string
	for _, f := range failed {
		if u, err := url.Parse(f.URL); err == nil && f.Error == page.NoAnswer && len(names) < mostUnanswered {
			names = append(names, cmp.Or(u.Path[strings.LastIndexByte(u.Path, '/')+1:], u.Host))
		}
	}
	return strings.Join(names, ", ")
}

// newsWords are the words of addresses at which a page waits for something to happen. What it shows does not depend on the answers.
var newsWords = wordSet("poll polling longpoll longpolling lp comet cometd bayeux faye signalr sockjs socket sockets websocket ws hub " +
	"hubs stream streaming sse subscribe subscription subscriptions listen wait push notify notification notifications presence realtime " +
	"heartbeat ping alive keepalive since lasteventid")

// visitWords are those at which a page tells of the visit.
var visitWords = wordSet("beacon beacons collect track tracking tracker telemetry analytics metrics stats event events log logs rum csp " +
	"pixel hit hits vitals")

func wordSet(list string) map[string]bool {
	words := make(map[string]bool)
	for word := range strings.FieldsSeq(list) {
		words[word] = true
	}
	return words
}

// inWords takes the words out of a path or the name of a parameter: "long-poll", "longPoll".
var inWords = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)

// asksForNews tells from a request of a script that no part of the page waits for its answer: it is kept open until something happens, it
// is asked again and again, it tells of the visit, or it goes to another site.
func (o *observer) asksForNews(q *proto.NetworkRequest) bool {
	u, err := url.Parse(q.URL)
	page, _ := url.Parse(o.doc.url)
	if err != nil || page == nil || !sameSite(u.Hostname(), page.Hostname()) || o.answers[placeOf(q.URL)] {
		return true
	}
	if wanted := field(q.Headers, "Accept"); strings.Contains(wanted, "event-stream") || strings.Contains(wanted, "ndjson") {
		return true
	}
	query := q.Method == http.MethodPost && strings.Contains(field(q.Headers, "Content-Type"), "json")
	if q.Method != http.MethodGet && !query {
		return true
	}
	places := []string{u.Path}
	for name, values := range u.Query() {
		places = append(append(places, strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))), values...)
	}
	return slices.ContainsFunc(inWords.FindAllString(strings.Join(places, " "), -1), func(word string) bool {
		word = strings.ToLower(word)
		return newsWords[word] || q.Method == http.MethodPost && visitWords[word]
	})
}

// sameSite reports whether two hosts belong together, such as www.example.com and api.example.com.
func sameSite(a, b string) bool {
	if a == b {
		return true
	}
	one, err := publicsuffix.EffectiveTLDPlusOne(a)
	if err != nil {
		return false
	}
	other, err := publicsuffix.EffectiveTLDPlusOne(b)
	return err == nil && one == other
}

// placeOf is an address without its query: what is asked again there with another one is the same question.
func placeOf(address string) string {
	place, _, _ := strings.Cut(address, "?")
	return place
}

// endsAtOnce tells from the kind of an answer that it is of use only as a whole.
func endsAtOnce(mime string) bool {
	return strings.Contains(mime, "json") && !strings.Contains(mime, "ndjson") && !strings.Contains(mime, "seq") ||
		strings.Contains(mime, "html") || strings.HasSuffix(mime, "xml")
}

// forPage reports whether a part of the page waits for the answer to a request of a script.
func (r pendingRequest) forPage() bool { return r.data && !r.news && !(r.begun && r.streams) }

// awaitedData lists what scripts have asked for to show it and have not got, briefly: by path, on other hosts of the site with these.
func (o *observer) awaitedData() []string {
	var list []string
	for _, f := range o.pending(func(_ proto.NetworkRequestID, r pendingRequest) bool { return r.overdue && r.forPage() }) {
		u, err := url.Parse(f.URL)
		if err != nil {
			continue
		}
		name := u.Path
		if page, err := url.Parse(o.doc.url); err != nil || page.Host != u.Host {
			name = u.Host + name
		}
		if !slices.Contains(list, name) {
			list = append(list, cut(name, maxElementText))
		}
	}
	return list
}
