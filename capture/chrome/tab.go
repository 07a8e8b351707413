package chrome

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"

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
}

var _ capture.Tab = (*tab)(nil)

func (t *tab) GetSessionID() proto.TargetSessionID { return t.session }

func (t *tab) Call(ctx context.Context, sessionID, method string, params any) ([]byte, error) {
	return t.browser.process.pipe.Call(ctx, sessionID, method, params)
}

func (t *tab) CallAll(ctx context.Context, commands ...proto.Request) error {
	pipe := t.browser.process.pipe
	replies := make([]*reply, len(commands))
	for i, command := range commands {
		replies[i] = pipe.start(t.session, command)
	}
	var first error
	for _, r := range replies {
		if _, err := pipe.wait(ctx, r); first == nil {
			first = err
		}
	}
	return first
}

func (t *tab) Post(command proto.Request) { t.browser.process.pipe.post(t.session, command) }

func (t *tab) Screenshot(ctx context.Context, command proto.PageCaptureScreenshot) ([]byte, error) {
	pipe := t.browser.process.pipe
	result, err := pipe.wait(ctx, pipe.start(t.session, command))
	if err != nil {
		return nil, err
	}
	return screenshotData(result)
}

// screenshotData takes the picture out of {"data":"…"}. Base64 needs no JSON escapes, so the text between the quotes is the
// data; decoding it as a proto.PageCaptureScreenshotResult costs tens of milliseconds per picture.
func screenshotData(result []byte) ([]byte, error) {
	text, begins := bytes.CutPrefix(result, []byte(`{"data":"`))
	text, ends := bytes.CutSuffix(text, []byte(`"}`))
	if !begins || !ends {
		return nil, errors.New("the browser's screenshot answer has no picture")
	}
	picture := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(picture, text)
	if err != nil {
		return nil, fmt.Errorf("decode the screenshot: %w", err)
	}
	return picture[:n], nil
}

func (t *tab) Handle(handler func(method string, params []byte)) {
	t.browser.process.pipe.handle(t.session, handler)
}

// Frame is the target's id: Chromium names a page's main frame like its target.
func (t *tab) Frame() proto.PageFrameID { return proto.PageFrameID(t.targetID) }
func (t *tab) Engine() capture.Engine   { return t.browser.engine }
func (t *tab) Guard() capture.Guard     { return t.visit }
func (t *tab) Clock() capture.Clock     { return capture.RealTime{} }
