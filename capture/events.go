package capture

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/flow"
)

// eventHandler applies one kind of event to the observer's state.
type eventHandler struct {
	event string
	apply func(o *observer, raw []byte)
}

// handlers are the handlers of the subscribed events, by name.
var handlers = byEvent(
	on((*observer).frameNavigated),
	on((*observer).navigatedWithin),
	on((*observer).frameRequested),
	on((*observer).frameScheduled),
	on((*observer).frameStays),
	on((*observer).frameStopped),
	on(func(o *observer, _ proto.PageDomContentEventFired) { o.doc.parsed = true }),
	on(func(o *observer, _ proto.PageLoadEventFired) { o.doc.loaded = true }),
	on((*observer).dialogOpening),
	on((*observer).requestWillBeSent),
	on((*observer).responseReceived),
	on((*observer).loadingFinished),
	on(func(o *observer, e proto.NetworkRequestWillBeSentExtraInfo) { o.reuse.sent(e) }),
	on(func(o *observer, e proto.NetworkResponseReceivedExtraInfo) { o.reuse.answered(e) }),
	on((*observer).loadingFailed),
	on((*observer).socketOpened),
	on(func(o *observer, e proto.NetworkWebSocketClosed) { o.finished(e.RequestID) }),
	on(func(o *observer, _ proto.NetworkWebSocketFrameReceived) { o.messages++ }),
	on(func(o *observer, _ proto.NetworkEventSourceMessageReceived) { o.messages++ }),
	on((*observer).contextCreated),
	on((*observer).contextDestroyed),
	on(func(o *observer, _ proto.RuntimeExecutionContextsCleared) { clear(o.worlds) }),
	on(func(o *observer, e proto.RuntimeConsoleAPICalled) { o.console.called(e) }),
	on(func(o *observer, e proto.RuntimeExceptionThrown) { o.console.thrown(e) }),
	on(func(o *observer, e proto.LogEntryAdded) { o.console.logged(e) }),
	on((*observer).animationStarted),
	on(func(o *observer, _ proto.InspectorTargetCrashed) {
		o.abort(failed(ReasonCrashed, "the renderer crashed"))
	}),
	on(func(o *observer, e proto.FetchRequestPaused) {
		if o.reuse != nil { // never together with the other
			o.reuse.paused(e)
			return
		}
		if o.fence != nil {
			o.fenced(e)
			return
		}
		o.auth.paused(o.tab, e)
	}),
	on(func(o *observer, e proto.FetchAuthRequired) { o.auth.challenged(o.tab, e) }),
)

func byEvent(list ...eventHandler) map[string]func(*observer, []byte) {
	table := make(map[string]func(*observer, []byte), len(list))
	for _, h := range list {
		table[h.event] = h.apply
	}
	return table
}

// on decodes an event for a method of the observer. A page cannot forge events, so an event that cannot be decoded
// comes from a browser newer than rod's protocol: if a single field has another type, the others are used; anything
// else is ignored, and every wait has a time limit.
func on[Event proto.Event](apply func(*observer, Event)) eventHandler {
	var named Event
	return eventHandler{named.ProtoEvent(), func(o *observer, raw []byte) {
		var event Event
		if len(raw) > 0 {
			if err := json.Unmarshal(raw, &event); err != nil && !errors.As(err, new(*json.UnmarshalTypeError)) {
				return
			}
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		apply(o, event)
		o.wake()
	}}
}

func (o *observer) handle(method string, raw []byte) {
	if o.reuse == nil && strings.HasSuffix(method, "ExtraInfo") {
		return // two for each request, of no use otherwise
	}
	if apply, ok := handlers[method]; ok {
		apply(o, raw)
	}
}

func (o *observer) frameNavigated(e proto.PageFrameNavigated) {
	if e.Frame == nil || e.Frame.ParentID != "" {
		return
	}
	previous := o.doc
	o.doc = document{
		loader: e.Frame.LoaderID, requested: o.asked, url: e.Frame.URL + e.Frame.URLFragment, mime: e.Frame.MIMEType,
		count: previous.count + 1,
	}
	if previous.loader == e.Frame.LoaderID { // the response came before the commit
		o.doc.status, o.doc.pause, o.doc.attached, o.doc.refused = previous.status, previous.pause, previous.attached, previous.refused
		o.doc.count = previous.count
	}
	o.leaving = false
	// The end of what the replaced document was still loading is not always reported.
	clear(o.lingering)
	clear(o.assets)
	clear(o.answers)
	clear(o.data)
	o.workers = false
	maps.DeleteFunc(o.inFlight, func(_ proto.NetworkRequestID, r pendingRequest) bool { return r.loader != e.Frame.LoaderID })
}

func (o *observer) navigatedWithin(e proto.PageNavigatedWithinDocument) {
	if e.FrameID == o.tab.Frame() {
		o.doc.url = e.URL
	}
}

func (o *observer) frameRequested(e proto.PageFrameRequestedNavigation) {
	if e.FrameID == o.tab.Frame() && e.Disposition == proto.PageClientNavigationDispositionCurrentTab {
		o.leaving = true
	}
}

// frameScheduled records that the document is about to be replaced. A page that refreshes itself in a minute stays.
func (o *observer) frameScheduled(e proto.PageFrameScheduledNavigation) {
	if e.FrameID == o.tab.Frame() && e.Delay <= 1 { // seconds
		o.leaving = true
	}
}

func (o *observer) frameStays(e proto.PageFrameClearedScheduledNavigation) {
	if e.FrameID == o.tab.Frame() {
		o.leaving = false
	}
}

// frameStopped records that nothing more of the document will load, also if the page itself stopped it: then there is
// no other event.
func (o *observer) frameStopped(e proto.PageFrameStoppedLoading) {
	if e.FrameID == o.tab.Frame() && o.doc.count > 0 {
		o.doc.parsed, o.doc.loaded = true, true
	}
}

// dialogOpening answers dialogs: leaving is allowed, everything else is declined, as by a visitor who closes the
// dialog. The step of a flow may say otherwise.
func (o *observer) dialogOpening(e proto.PageJavascriptDialogOpening) {
	accept := e.Type == proto.PageDialogTypeBeforeunload || e.Type == proto.PageDialogTypeAlert ||
		o.dialogs == flow.AcceptDialogs
	o.tab.Post(proto.PageHandleJavaScriptDialog{Accept: accept, PromptText: e.DefaultPrompt})
	if e.Type == proto.PageDialogTypeBeforeunload || len(o.questions) >= maxDialogsKept {
		return
	}
	o.questions = append(o.questions, dialog{kind: e.Type, text: cut(e.Message, maxAddressKept), accepted: accept})
}

func (o *observer) contextCreated(e proto.RuntimeExecutionContextCreated) {
	if e.Context != nil && e.Context.Name == worldName {
		o.worlds[proto.PageFrameID(e.Context.AuxData["frameId"].Str())] = e.Context.ID
	}
}

func (o *observer) contextDestroyed(e proto.RuntimeExecutionContextDestroyed) {
	maps.DeleteFunc(o.worlds, func(_ proto.PageFrameID, id proto.RuntimeExecutionContextID) bool { return id == e.ExecutionContextID })
}

// animationStarted notes what is running by the browser's time, not by the position of something that scrolls.
func (o *observer) animationStarted(e proto.AnimationAnimationStarted) {
	move := e.Animation
	if move == nil || move.Source == nil || move.PlayState != "running" || move.ViewOrScrollTimeline != nil {
		return
	}
	if len(o.moves) < mostClosedMoves {
		o.moves = append(o.moves, move)
	}
}

// takeMoves returns the animations that have been told of, and forgets them.
func (o *observer) takeMoves() []*proto.AnimationAnimation {
	o.mu.Lock()
	defer o.mu.Unlock()
	moves := o.moves
	o.moves = nil
	return moves
}
