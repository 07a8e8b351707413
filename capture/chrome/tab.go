package chrome

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"

	"afterimage/capture"
	"afterimage/internal/egress"
)

// tab is one page in a browser context of its own. It implements capture.Tab.
type tab struct {
	browser   *browser
	contextID string
	targetID  string
	session   string
	visit     *egress.Visit
}

var _ capture.Tab = (*tab)(nil)

func (t *tab) Call(ctx context.Context, method string, params, result any) error {
	return t.browser.process.pipe.call(ctx, t.session, method, params, result)
}

func (t *tab) CallAll(ctx context.Context, commands []capture.Command) error {
	pipe := t.browser.process.pipe
	replies := make([]*reply, len(commands))
	for i, command := range commands {
		replies[i] = pipe.start(t.session, command.Method, command.Params)
	}
	var first error
	for i, r := range replies {
		raw, err := pipe.wait(ctx, r)
		if err == nil {
			err = decodeReply(commands[i].Method, raw, nil)
		}
		if first == nil {
			first = err
		}
	}
	return first
}

func (t *tab) Post(method string, params any) {
	r := t.browser.process.pipe.start(t.session, method, params)
	t.browser.process.pipe.giveUp(r.id)
}

func (t *tab) Screenshot(ctx context.Context, params any) ([]byte, error) {
	pipe := t.browser.process.pipe
	const method = "Page.captureScreenshot"
	raw, err := pipe.wait(ctx, pipe.start(t.session, method, params))
	if err != nil {
		return nil, err
	}
	return screenshotData(raw)
}

// screenshotData takes the picture out of {"id":1,"result":{"data":"…"}}. Base64 needs no JSON escapes, so the text between
// the quotes is the data; parsing the whole with encoding/json costs tens of milliseconds per picture.
func screenshotData(raw []byte) ([]byte, error) {
	_, rest, found := bytes.Cut(raw, []byte(`"result":{"data":"`))
	if !found {
		if err := decodeReply("Page.captureScreenshot", raw, nil); err != nil {
			return nil, err
		}
		return nil, errors.New("the browser's screenshot answer has no picture")
	}
	end := bytes.IndexByte(rest, '"')
	if end < 0 {
		return nil, errors.New("the browser's screenshot answer is cut off")
	}
	picture := make([]byte, base64.StdEncoding.DecodedLen(end))
	n, err := base64.StdEncoding.Decode(picture, rest[:end])
	if err != nil {
		return nil, fmt.Errorf("decode the screenshot: %w", err)
	}
	return picture[:n], nil
}

func (t *tab) Handle(handler func(method string, params []byte)) {
	t.browser.process.pipe.handle(t.session, handler)
}

func (t *tab) Frame() string          { return t.targetID } // Chromium names a page's main frame like its target
func (t *tab) Engine() capture.Engine { return t.browser.engine }
func (t *tab) Guard() capture.Guard   { return t.visit }
func (t *tab) Clock() capture.Clock   { return capture.RealTime{} }
