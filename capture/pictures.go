package capture

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"

	"github.com/go-rod/rod/lib/proto"
)

const (
	maxDrawings     = 200     // SVG files that a page shows as pictures
	maxDrawingBytes = 1 << 20 // of one of them
	maxMovingBytes  = 4 << 20 // of all that may move, which the page is given
)

// drawings are the SVG files that a page shows as pictures. What moves inside of them runs by a clock that no script reaches.
type drawings struct {
	seen   []drawing
	named  int         // bytes of their addresses
	read   int         // how many of them have been looked at
	moving [][2]string // address and text of those that may move
	bytes  int         // of those
}

// drawing is one file, as the browser names it.
type drawing struct {
	request proto.NetworkRequestID
	address string
}

// arrived notes a file. Those that pages contain as data: addresses are reported like others.
func (d *drawings) arrived(e proto.NetworkResponseReceived) {
	if e.Type != proto.NetworkResourceTypeImage || e.Response.MIMEType != "image/svg+xml" || len(d.seen) >= maxDrawings {
		return
	}
	if d.named+len(e.Response.URL) <= maxMovingBytes {
		d.seen, d.named = append(d.seen, drawing{e.RequestID, e.Response.URL}), d.named+len(e.Response.URL)
	}
}

// movement is what an animation needs in the text of a file. Only elements have to be spelled in small letters.
var movement = regexp.MustCompile(`<([A-Za-z]+:)?(animate[A-Za-z]*|set)\b|@(?i:-[a-z]+-)?(?i:keyframes)\b`)

// toStill is what the page is given of a file that moves, within bounds: of one that is too large, only its address. Its movement cannot
// be stopped then. "" and false are for files that do not move.
func (d *drawings) toStill(address, text string) (string, bool) {
	switch {
	case !movement.MatchString(text):
		return "", false
	case len(text) > maxDrawingBytes || d.bytes+len(address)+len(text) > maxMovingBytes:
		return "", d.bytes+len(address) <= maxMovingBytes
	}
	return text, true
}

// dataText is the text of a data: address.
func dataText(address string) string {
	head, body, _ := strings.Cut(strings.TrimPrefix(address, "data:"), ",")
	text, err := url.PathUnescape(body)
	if err != nil {
		text = body
	}
	if strings.HasSuffix(strings.TrimSpace(head), ";base64") {
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return ""
		}
		return string(raw)
	}
	return text
}

// readDrawings reads files that have arrived since it was last called and keeps those that may move.
func (r *run) readDrawings() error {
	d := &r.events.drawings
	r.events.mu.Lock()
	files := d.seen[d.read:]
	d.read = len(d.seen)
	r.events.mu.Unlock()
	for _, file := range files { // one after the other: a page can have large ones
		text := ""
		if strings.HasPrefix(file.address, "data:") {
			text = dataText(file.address)
		} else if answer, err := resourceText(r, r.tab.Begin(proto.NetworkGetResponseBody{RequestID: file.request})); err == nil {
			text = answer
		}
		if text, moves := d.toStill(file.address, text); moves {
			d.moving, d.bytes = append(d.moving, [2]string{file.address, text}), d.bytes+len(file.address)+len(text)
		}
	}
	return r.ctx.Err()
}

// resourceText is what the browser has of a file.
func resourceText(r *run, pending Answer) (string, error) {
	raw, err := pending.Result(r.ctx)
	if err != nil {
		return "", err
	}
	answer, err := decodeAnswer[proto.NetworkGetResponseBodyResult](proto.NetworkGetResponseBody{}, raw)
	if err != nil {
		return "", err
	}
	if answer.Base64Encoded {
		text, err := base64.StdEncoding.DecodeString(answer.Body)
		return string(text), err
	}
	return answer.Body, nil
}

// stillDrawings shows the files that move as they are at their end, in all frames that our script has reached.
func (r *run) stillDrawings(worlds []proto.RuntimeExecutionContextID) error {
	if err := r.readDrawings(); err != nil || len(r.events.drawings.moving) == 0 {
		return err
	}
	for _, world := range worlds {
		_, _ = r.evaluate(call(world, "stillPictures", r.events.drawings.moving), stillBudget) // best effort, as in still
	}
	return r.ask("stillPictures", stillBudget, nil, r.events.drawings.moving)
}
