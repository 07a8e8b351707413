package capture

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/flow"
)

// target is an element of the page on which a step acts.
type target struct {
	world  proto.RuntimeExecutionContextID
	object proto.RuntimeRemoteObjectID
	name   string // as the flow calls it
}

// amount is how many elements our script has found in one way in one frame.
type amount struct {
	Exact    int `json:"exact"` // with exactly the words, to be seen
	Loose    int `json:"loose"` // with more words, likewise
	ExactAll int `json:"exactAll"`
	LooseAll int `json:"looseAll"`
}

// place is where the elements are that an alternative found.
type place struct {
	world proto.RuntimeExecutionContextID
	count int
}

// matched are the elements that a step's words fit.
type matched struct {
	way    int // the alternative
	level  string
	places []place
	total  int
	hidden int // elements that are there and cannot be seen, if none can
}

// match looks for an element in all frames. The first alternative that finds something that can be seen counts.
func (w *walk) match(element flow.Element) (*matched, error) {
	worlds, err := w.worlds()
	if err != nil {
		return nil, err
	}
	found := make([][]*amount, len(worlds))
	for i, world := range worlds {
		err := w.askIn(world, "find", scriptBudget, &found[i], element)
		if i > 0 && err != nil && w.ctx.Err() == nil && !w.moved() {
			found[i] = nil // a frame that has just been removed
			continue
		}
		if err != nil {
			return nil, err
		}
	}
	m := &matched{}
	for way := range element {
		for _, level := range []string{"exact", "loose"} {
			m.way, m.level, m.places, m.total = way, level, nil, 0
			for i, list := range found {
				if way >= len(list) {
					continue
				}
				if list[way] == nil {
					return nil, unable("the browser cannot parse the selector %s.", element[way])
				}
				count, all := list[way].of(level)
				m.total += count
				m.hidden += all - count
				m.places = append(m.places, place{worlds[i], count})
			}
			if m.total > 0 {
				m.hidden = 0
				return m, nil
			}
		}
	}
	return m, nil
}

func (a *amount) of(level string) (seen, all int) {
	if level == "exact" {
		return a.Exact, a.ExactAll
	}
	return a.Loose, a.LooseAll
}

// locate finds the one element that a step names.
func (w *walk) locate(element flow.Element) (*target, error) {
	m, err := w.match(element)
	if err != nil {
		return nil, err
	}
	if m.total == 0 {
		if m.hidden > 0 {
			return nil, unable("%s is on the page, but is not visible.", titled(element))
		}
		return nil, w.missing(element)
	}
	one := element[m.way]
	n := one.Nth
	switch {
	case n == 0 && m.total > 1:
		return nil, unable("%s matches %d elements: be more specific, or add nth.", titled(flow.Element{one}), m.total)
	case n > m.total:
		return nil, unable("%s was not found: there are only %d.", titled(flow.Element{one}), m.total)
	case n == 0:
		n = 1
	}
	for _, p := range m.places {
		if n > p.count {
			n -= p.count
			continue
		}
		object, err := w.handle(p.world, m.way, m.level, n-1)
		if err != nil {
			return nil, err
		}
		return &target{world: p.world, object: object, name: titled(flow.Element{one})}, nil
	}
	return nil, errMoved
}

func (w *walk) handle(world proto.RuntimeExecutionContextID, way int, level string, i int) (proto.RuntimeRemoteObjectID, error) {
	request := call(world, "take", way, level, i)
	request.ReturnByValue = false
	answer, err := w.evaluate(request, scriptBudget)
	if err == nil && (answer == nil || answer.Result == nil || answer.Result.ObjectID == "") {
		err = errMoved
	}
	if err != nil {
		return "", err
	}
	return answer.Result.ObjectID, nil
}

// missing says that there is no such element, and what comes nearest to it.
func (w *walk) missing(element flow.Element) error {
	worlds, err := w.worlds()
	if err != nil {
		return err
	}
	var best struct {
		Words string  `json:"words"`
		Score float64 `json:"score"`
		Kind  int     `json:"kind"`
	}
	best.Score = -1
	kinds, sought := 0, wordy(element)
	for _, world := range worlds {
		near := best
		if w.askIn(world, "nearest", scriptBudget, &near, sought) != nil {
			continue
		}
		kinds += near.Kind
		if near.Score > best.Score {
			best = near
		}
	}
	switch {
	case best.Words != "":
		return unable("%s was not found; nearest: “%s”.", titled(element), best.Words)
	case sought.Role != "" && sought.Role != flow.AnyRole && kinds == 0:
		return unable("%s was not found; the page shows no %s.", titled(element), sought.Role)
	}
	return unable("%s was not found.", titled(element))
}

// wordy is the first alternative that names the element as readers do, if there is one.
func wordy(element flow.Element) flow.Locator {
	for _, l := range element {
		if l.Role+l.Text+l.Label+l.Placeholder != "" {
			return l
		}
	}
	return element[0]
}

// on calls a function of our script with an element first.
func (w *walk) on(t *target, function string, result any, args ...any) error {
	list, err := json.Marshal(args)
	if err != nil || len(args) == 0 {
		list = []byte("[]")
	}
	request := proto.RuntimeCallFunctionOn{
		ObjectID: t.object, ReturnByValue: true, AwaitPromise: true,
		FunctionDeclaration: fmt.Sprintf("function() { return afterimage.%s(this, ...%s); }", function, list),
	}
	return w.called(request, result)
}

func (w *walk) called(request proto.RuntimeCallFunctionOn, result any) error {
	raw, err := w.await(request, scriptBudget)
	if err != nil {
		return err
	}
	if raw == nil {
		return failed(ReasonTimeout, "the page's scripts keep it from answering")
	}
	answer, err := decodeAnswer[proto.RuntimeCallFunctionOnResult](request, raw)
	switch {
	case err != nil:
		return err
	case answer.ExceptionDetails != nil:
		return fmt.Errorf("our script in the page: %s", exceptionText(answer.ExceptionDetails))
	case result == nil || answer.Result == nil:
		return nil
	}
	return answer.Result.Value.Unmarshal(result)
}

// point is a place in the window.
type point struct{ X, Y float64 }

// usable finds the element of a step, brings it into view and makes sure that the step can be done with it: it stands still, is
// enabled, and nothing lies over it. The place is where to press.
func (w *walk) usable(element flow.Element) (t *target, at point, err error) {
	err = w.until(func() error {
		if t, err = w.locate(element); err != nil {
			return err
		}
		var obstacle string
		if err := w.on(t, "obstacle", &obstacle, w.step.Kind); err != nil {
			return err
		}
		if obstacle != "" {
			return unable("%s %s.", t.name, obstacle)
		}
		drawn, err := w.surrogate(t)
		if err != nil {
			return err
		}
		at, err = w.reach(t, drawn)
		return err
	})
	return t, at, err
}

// surrogate is what is drawn for an element, usually itself.
func (w *walk) surrogate(t *target) (*target, error) {
	request := proto.RuntimeCallFunctionOn{
		ObjectID: t.object, FunctionDeclaration: "function() { return afterimage.surrogate(this) ?? this; }",
	}
	raw, err := w.await(request, scriptBudget)
	if err != nil {
		return nil, err
	}
	if raw == nil {
		return nil, failed(ReasonTimeout, "the page's scripts keep it from answering")
	}
	answer, err := decodeAnswer[proto.RuntimeCallFunctionOnResult](request, raw)
	if err != nil {
		return nil, err
	}
	if answer.Result == nil || answer.Result.ObjectID == "" {
		return nil, errMoved
	}
	return &target{world: t.world, object: answer.Result.ObjectID, name: t.name}, nil
}

// reach brings an element into view and returns a place in it that nothing covers.
func (w *walk) reach(t, drawn *target) (point, error) {
	if _, err := w.command(proto.DOMScrollIntoViewIfNeeded{ObjectID: drawn.object}); err != nil {
		return point{}, err
	}
	at, err := w.middle(drawn)
	if err != nil {
		return point{}, err
	}
	if _, err := w.clock.Wait(w.ctx, nil, firstPause); err != nil {
		return point{}, err
	}
	again, err := w.middle(drawn)
	if err != nil {
		return point{}, err
	}
	if math.Abs(at.X-again.X) > 1 || math.Abs(at.Y-again.Y) > 1 {
		return point{}, unable("%s does not stop moving.", t.name)
	}
	return again, w.clear(t, again)
}

// command sends a command about an element. One that the browser refuses has gone with its element.
func (w *walk) command(command proto.Request) ([]byte, error) {
	raw, err := w.await(command, scriptBudget)
	switch {
	case errors.Is(err, errMoved), w.ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, unable("the element disappeared before the step was done.")
	case raw == nil:
		return nil, failed(ReasonTimeout, "the page's scripts keep it from answering")
	}
	return raw, nil
}

// middle is the middle of an element's first part in the window.
func (w *walk) middle(t *target) (point, error) {
	request := proto.DOMGetContentQuads{ObjectID: t.object}
	raw, err := w.command(request)
	if err != nil {
		return point{}, err
	}
	answer, err := decodeAnswer[proto.DOMGetContentQuadsResult](request, raw)
	if err != nil {
		return point{}, err
	}
	var size point
	if err := w.ask("screenSize", scriptBudget, &size); err != nil {
		return point{}, err
	}
	for _, quad := range answer.Quads {
		left, top, right, bottom := boundsOf(quad)
		left, top, right, bottom = max(left, 0), max(top, 0), min(right, size.X), min(bottom, size.Y)
		if right-left >= 1 && bottom-top >= 1 {
			return point{math.Floor((left + right) / 2), math.Floor((top + bottom) / 2)}, nil
		}
	}
	return point{}, unable("%s cannot be scrolled into view.", t.name)
}

func boundsOf(quad proto.DOMQuad) (left, top, right, bottom float64) {
	left, top, right, bottom = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i := 0; i+1 < len(quad); i += 2 {
		left, right = min(left, quad[i]), max(right, quad[i])
		top, bottom = min(top, quad[i+1]), max(bottom, quad[i+1])
	}
	return left, top, right, bottom
}

// clear makes sure that what is at a place is the element.
func (w *walk) clear(t *target, at point) error {
	var scrolled point
	if err := w.ask("offset", scriptBudget, &scrolled); err != nil {
		return err
	}
	look := proto.DOMGetNodeForLocation{X: int(at.X + scrolled.X), Y: int(at.Y + scrolled.Y)}
	raw, err := w.command(look)
	if err != nil {
		return err
	}
	node, err := decodeAnswer[proto.DOMGetNodeForLocationResult](look, raw)
	if err != nil {
		return err
	}
	world := w.events.worldOf(node.FrameID)
	if world == 0 {
		return unable("%s is covered by a frame of another site.", t.name)
	}
	hit, err := w.resolve(node.BackendNodeID, world)
	if err != nil {
		return err
	}
	ask := proto.RuntimeCallFunctionOn{
		ObjectID: t.object, ReturnByValue: true, Arguments: []*proto.RuntimeCallArgument{{ObjectID: hit}},
		FunctionDeclaration: "function(hit) { return afterimage.covers(this, hit); }",
	}
	if world != t.world { // what is in another frame cannot be compared with the element, and is none of its parts
		ask.ObjectID, ask.Arguments = hit, nil
		ask.FunctionDeclaration = "function() { return afterimage.named(this instanceof Element ? this : this.parentElement); }"
	}
	var by string
	if err := w.called(ask, &by); err != nil {
		return err
	}
	if by != "" {
		return unable("%s is covered by %s.", t.name, by)
	}
	return nil
}

func (w *walk) resolve(node proto.DOMBackendNodeID, world proto.RuntimeExecutionContextID) (proto.RuntimeRemoteObjectID, error) {
	request := proto.DOMResolveNode{BackendNodeID: node, ExecutionContextID: world}
	raw, err := w.command(request)
	if err != nil {
		return "", err
	}
	answer, err := decodeAnswer[proto.DOMResolveNodeResult](request, raw)
	if err != nil {
		return "", err
	}
	if answer.Object == nil || answer.Object.ObjectID == "" {
		return "", errMoved
	}
	return answer.Object.ObjectID, nil
}

// titled is an element at the beginning of a sentence, which leaves a selector as it is.
func titled(e flow.Element) string {
	if len(e) > 0 && e[0].CSS != "" {
		return "the element " + e.String()
	}
	return e.String()
}

// worldOf is our script's execution context in a frame; 0 for none.
func (o *observer) worldOf(frame proto.PageFrameID) proto.RuntimeExecutionContextID {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.worlds[frame]
}
