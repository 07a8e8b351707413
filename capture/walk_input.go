package capture

import (
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/internal/flow"
)

func (w *walk) tap(t *target, at point) error {
	if w.device.Touch {
		return w.touch(t, at)
	}
	return w.inputs(mouse(proto.InputDispatchMouseEventTypeMouseMoved, at, false),
		mouse(proto.InputDispatchMouseEventTypeMousePressed, at, true),
		mouse(proto.InputDispatchMouseEventTypeMouseReleased, at, true))
}

func mouse(kind proto.InputDispatchMouseEventType, at point, button bool) proto.InputDispatchMouseEvent {
	event := proto.InputDispatchMouseEvent{Type: kind, X: at.X, Y: at.Y}
	if button {
		event.Button, event.ClickCount = proto.InputMouseButtonLeft, 1
	}
	return event
}

// touch touches the page with a finger. The browser makes a click of that some time after it has answered, unless the page keeps it
// from doing so.
func (w *walk) touch(t *target, at point) error {
	if err := w.on(t, "expectClick", nil); err != nil {
		return err
	}
	err := w.give(sendTime,
		proto.InputDispatchTouchEvent{
			Type: proto.InputDispatchTouchEventTypeTouchStart, TouchPoints: []*proto.InputTouchPoint{{X: at.X, Y: at.Y}},
		}, proto.InputDispatchTouchEvent{Type: proto.InputDispatchTouchEventTypeTouchEnd, TouchPoints: []*proto.InputTouchPoint{}})
	if err == nil {
		_, err = w.framesUntil(w.tab.Begin(call(t.world, "clicked")).Done())
	}
	if err != nil {
		return err
	}
	return w.attend()
}

// These are wall times. Inputs reach the page beside our other commands: before it gets time, they have to be there, so that they
// happen at the same moment of its time in every run.
const (
	inputTime  = 2 * time.Second       // for an input that the page takes without a frame
	sendTime   = 50 * time.Millisecond // for one that it takes with the next frame
	framePause = 20 * time.Millisecond // until a frame has had its effect
	mostFrames = 25                    // that are issued for an input
)

// inputs gives the page inputs of which the last needs no frame.
func (w *walk) inputs(list ...proto.Request) error {
	if err := w.give(inputTime, list...); err != nil {
		return err
	}
	return w.attend()
}

// framed gives the page an input that it takes with a frame.
func (w *walk) framed(input proto.Request) error {
	if err := w.give(sendTime, input); err != nil {
		return err
	}
	return w.attend()
}

// give gives the page inputs. One that makes it go to another document may not be answered.
func (w *walk) give(within time.Duration, list ...proto.Request) error {
	if clock, ok := w.clock.(Stepper); ok {
		w.holdClocks(true)
		if err := clock.Mark(w.ctx); err != nil { // asks the page for its time, so that it has held its clocks by then
			return err
		}
	}
	w.tab.Begin(proto.InputSetIgnoreInputEvents{})
	defer w.tab.Begin(proto.InputSetIgnoreInputEvents{Ignore: true})
	var last Answer
	for _, input := range list {
		last = w.tab.Begin(input)
	}
	taken, err := RealTime{}.Wait(w.ctx, last.Done(), within)
	if err == nil && !taken {
		taken, err = w.framesUntil(last.Done())
	}
	if err == nil && !taken {
		_, err = w.clock.Wait(w.ctx, last.Done(), inputBudget)
	}
	return err
}

// framesUntil issues frames until done is closed, or there were many. The page's time stands still meanwhile.
func (w *walk) framesUntil(done <-chan struct{}) (bool, error) {
	clock, ok := w.clock.(Stepper)
	if !ok {
		return RealTime{}.Wait(w.ctx, done, mostFrames*framePause)
	}
	for range mostFrames {
		if ready, err := (RealTime{}).Wait(w.ctx, done, framePause); err != nil || ready {
			return ready, err
		}
		if err := clock.Frame(w.ctx); err != nil {
			return false, err
		}
	}
	return RealTime{}.Wait(w.ctx, done, framePause)
}

const (
	mostReplies = 10              // requests, one after another, that an input leads to at once
	replyTime   = 3 * time.Second // wall time for each of them
)

// attend lets the page do what an input leads to at once, before its time goes on: requests that are answered by then are answered at
// the same moment of its time in every run.
func (w *walk) attend() error {
	clock, ok := w.clock.(Stepper)
	if !ok {
		return nil
	}
	for range mostReplies {
		if err := clock.Frame(w.ctx); err != nil {
			return err
		}
		if w.restless || w.moved() || w.events.isIdle() {
			break
		}
		answered, err := RealTime{}.Wait(w.ctx, w.events.Idle(), replyTime)
		if err != nil {
			return err
		}
		if !answered {
			break
		}
	}
	w.holdClocks(false)
	return clock.Align(w.ctx)
}

// holdClocks keeps scripts from seeing that time jumps while they handle an input, or lets them see it again.
func (w *walk) holdClocks(on bool) {
	for _, world := range append(w.events.otherWorlds(), w.events.world()) {
		if world != 0 { // the document is not being replaced
			w.tab.Begin(call(world, "holdClocks", w.token, on))
		}
	}
}

// strokes are the events of one key.
func strokes(key flow.Key) []proto.Request {
	event := proto.InputDispatchKeyEvent{
		Type: proto.InputDispatchKeyEventTypeRawKeyDown, Key: key.Key, Code: key.Code, WindowsVirtualKeyCode: key.Number,
		NativeVirtualKeyCode: key.Number, Modifiers: key.Modifiers,
	}
	if key.Text != "" {
		event.Type, event.Text, event.UnmodifiedText = proto.InputDispatchKeyEventTypeKeyDown, key.Text, key.Text
	}
	up := event
	up.Type, up.Text, up.UnmodifiedText = proto.InputDispatchKeyEventTypeKeyUp, "", ""
	return []proto.Request{event, up}
}
