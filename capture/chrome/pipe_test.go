package chrome

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strconv"
	"testing"

	"github.com/go-rod/rod/lib/proto"
)

// fakePipe is a pipe whose browser is the test: it reads commands and writes messages.
func fakePipe(t *testing.T) (p *pipe, commands io.ReadCloser, messages io.WriteCloser) {
	t.Helper()
	commands, in := io.Pipe()
	out, messages := io.Pipe()
	p = newPipe(in, out, slog.New(slog.DiscardHandler))
	t.Cleanup(p.close)
	return p, commands, messages
}

func TestAnswers(t *testing.T) {
	p, commands, messages := fakePipe(t)
	go func() { _, _ = io.Copy(io.Discard, commands) }()
	for _, c := range []struct{ answer, result, problem string }{
		{`"result":{"value":[1]},"sessionId":"S"}`, `{"value":[1]}`, ""},
		{`"sessionId":"S","result":{"value":[2]}}`, `{"value":[2]}`, ""}, // as no Chromium writes it yet
		{`"error":{"code":-32000,"message":"no"},"sessionId":"S"}`, ``, "Page.enable: DevTools error -32000: no"},
		{`"result":`, ``, "decode the answer to Page.enable: unexpected end of JSON input"},
	} {
		r := p.start("S", proto.PageEnable{})
		if _, err := io.WriteString(messages, `{"id":`+strconv.FormatInt(r.id, 10)+`,`+c.answer+"\x00"); err != nil {
			t.Fatal(err)
		}
		<-r.Done()
		result, err := r.Result(t.Context())
		if string(result) != c.result || (err == nil) != (c.problem == "") || (err != nil && err.Error() != c.problem) {
			t.Errorf("%s gives %s (%v)", c.answer, result, err)
		}
	}
}

// TestAnswersEndWithThePipe: a browser that goes away leaves nobody waiting.
func TestAnswersEndWithThePipe(t *testing.T) {
	p, commands, messages := fakePipe(t)
	go func() { _, _ = io.Copy(io.Discard, commands) }()
	before := p.start("", proto.PageEnable{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	impatient := p.start("", proto.PageEnable{})
	if _, err := impatient.Result(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
	if err := messages.Close(); err != nil {
		t.Fatal(err)
	}
	<-before.Done()
	<-p.closed
	after := p.start("", proto.PageEnable{})
	for _, r := range []*reply{before, after} {
		<-r.Done()
		if _, err := r.Result(t.Context()); !errors.Is(err, errPipeClosed) {
			t.Errorf("without a pipe: %v", err)
		}
	}
}

// TestAnswersEndWithTheirTarget: nothing is kept of the commands that a closed target still owed an answer.
func TestAnswersEndWithTheirTarget(t *testing.T) {
	p, commands, _ := fakePipe(t)
	go func() { _, _ = io.Copy(io.Discard, commands) }()
	owed, other := p.start("S", proto.PageEnable{}), p.start("T", proto.PageEnable{})
	p.forget("S")
	if _, err := owed.Result(t.Context()); !errors.Is(err, errTargetGone) {
		t.Errorf("error is %v", err)
	}
	if isClosed(other.Done()) || len(p.waiting) != 1 {
		t.Errorf("%d commands wait, want the other target's", len(p.waiting))
	}
}

// TestBrowserThatDoesNotRead: commands are refused instead of blocking whoever sends them.
func TestBrowserThatDoesNotRead(t *testing.T) {
	p, _, _ := fakePipe(t)
	var last *reply
	for range maxUnwritten + 2 {
		last = p.start("", proto.PageEnable{})
	}
	if _, err := last.Result(t.Context()); !errors.Is(err, errNotReading) {
		t.Errorf("error is %v", err)
	}
}
