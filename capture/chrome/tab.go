package chrome

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/capture"
	"afterimage/internal/egress"
)

// tab is one page in a browser context of its own. It implements capture.Tab.
type tab struct {
	browser   *browser
	contextID proto.BrowserBrowserContextID
	targetID  proto.TargetTargetID
	session   proto.TargetSessionID
	visit     *egress.Visit
	virtual   *virtualTime // nil without frame control
}

var _ capture.Tab = (*tab)(nil)

func (t *tab) GetSessionID() proto.TargetSessionID { return t.session }

func (t *tab) Call(ctx context.Context, sessionID, method string, params any) ([]byte, error) {
	return t.browser.process.pipe.Call(ctx, sessionID, method, params)
}

func (t *tab) Begin(command proto.Request) capture.Answer {
	return t.browser.process.pipe.start(t.session, command)
}

func (t *tab) Post(command proto.Request) { t.browser.process.pipe.post(t.session, command) }

func (t *tab) Handle(handler func(method string, params []byte)) {
	t.browser.process.pipe.handle(t.session, func(method string, params []byte) {
		if t.virtual == nil || !t.virtual.event(method, params) {
			handler(method, params)
		}
	})
}

// Frame is the target's id: in Chromium, the id of a page's main frame equals that of its target.
func (t *tab) Frame() proto.PageFrameID { return proto.PageFrameID(t.targetID) }
func (t *tab) Engine() capture.Engine   { return t.browser.engine }
func (t *tab) Guard() capture.Guard     { return t.visit }

// Clock is the virtual clock if the browser supports it.
func (t *tab) Clock() capture.Clock {
	if t.virtual == nil {
		return capture.RealTime{}
	}
	return t.virtual
}
