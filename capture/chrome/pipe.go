package chrome

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/capture"
	"afterimage/internal/assetcache"
)

const (
	maxMessage   = 4 << 20 // bytes of an answer or event; larger ones are dropped, except answers in largeReplies
	keptOfLarge  = 64      // bytes kept of a dropped message: they contain the id of an answer
	pipeBuffer   = 1 << 20
	maxUnwritten = 1024 // commands waiting for the browser to read them
)

// largeReplies are the answers that may be large, with their limits in bytes. The content of all others is controlled
// by the page.
var largeReplies = map[string]int{
	proto.PageCaptureScreenshot{}.ProtoReq():          256 << 20, // base64
	proto.HeadlessExperimentalBeginFrame{}.ProtoReq(): 256 << 20, // likewise
	proto.DOMSnapshotCaptureSnapshot{}.ProtoReq():     64 << 20,
	proto.FetchGetResponseBody{}.ProtoReq():           assetcache.MaxBody/3*4 + 1<<10, // base64
}

// errPipeClosed is returned by every call once the browser has ended.
var errPipeClosed = errors.New("the browser's DevTools pipe is closed")

// errTargetGone is the end of commands that the browser has not answered before their target was closed.
var errTargetGone = errors.New("the browser has closed the target")

var errNotReading = errors.New("the browser has stopped reading commands")

// protocolError is the browser's answer to a command that it refused.
type protocolError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *protocolError) Error() string {
	return fmt.Sprintf("DevTools error %d: %s", e.Code, e.Message)
}

// eventHandler receives the events of one session in order. It runs on the pipe's reader: it must neither block nor
// call.
type eventHandler func(method string, params []byte)

// pipe speaks the DevTools protocol over a pair of pipes: JSON texts separated by NUL bytes (--remote-debugging-pipe).
//
// It is a proto.Client, so commands use rod's types, but it does not use rod's own client: that one reads each message
// three times with encoding/json and panics on malformed ones. Here a reply is passed to its waiter as raw bytes, so a
// screenshot of many megabytes is never parsed.
type pipe struct {
	logger *slog.Logger
	in     io.WriteCloser
	out    io.ReadCloser
	lastID atomic.Int64

	now       *immediate // nil where every command is left to the writer
	unwritten chan []byte
	closed    chan struct{}
	closeOnce sync.Once
	workers   sync.WaitGroup

	mu       sync.Mutex
	behind   int // commands that are left to the writer and not written yet
	waiting  map[int64]*reply
	handlers map[proto.TargetSessionID]eventHandler // "" = the browser itself
}

func newPipe(in io.WriteCloser, out io.ReadCloser, logger *slog.Logger) *pipe {
	p := &pipe{
		logger: logger, in: in, out: out, now: newImmediate(in),
		unwritten: make(chan []byte, maxUnwritten), closed: make(chan struct{}),
		waiting: make(map[int64]*reply), handlers: make(map[proto.TargetSessionID]eventHandler),
	}
	p.workers.Go(p.read)
	p.workers.Go(p.write)
	return p
}

// close closes both directions and waits for the workers. A browser whose pipe closes exits.
func (p *pipe) close() {
	p.shut()
	p.workers.Wait()
}

func (p *pipe) shut() {
	p.closeOnce.Do(func() {
		close(p.closed)
		_ = p.in.Close()
		_ = p.out.Close()
		p.mu.Lock()
		waiting := p.waiting
		p.waiting = nil // send adds nothing from here on
		p.mu.Unlock()
		for _, r := range waiting {
			r.end(nil, errPipeClosed)
		}
	})
}

// handle registers h for the events of a session; nil removes it.
func (p *pipe) handle(session proto.TargetSessionID, h eventHandler) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if h == nil {
		delete(p.handlers, session)
		return
	}
	p.handlers[session] = h
}

type outgoing struct {
	ID        int64                 `json:"id"`
	SessionID proto.TargetSessionID `json:"sessionId,omitempty"`
	Method    string                `json:"method"`
	Params    any                   `json:"params,omitempty"`
}

// reply is the reply to a pending command. It implements capture.Answer.
type reply struct {
	pipe    *pipe
	session proto.TargetSessionID
	method  string
	id      int64
	done    chan struct{} // closed when raw or err is set
	raw     []byte
	err     error
}

// start sends a command and returns immediately. Commands of one session are executed in the order in which they were
// started.
func (p *pipe) start(session proto.TargetSessionID, command proto.Request) *reply {
	return p.send(session, command.ProtoReq(), command)
}

func (p *pipe) send(session proto.TargetSessionID, method string, params any) *reply {
	r := &reply{pipe: p, session: session, method: method, id: p.lastID.Add(1), done: make(chan struct{})}
	text, err := json.Marshal(outgoing{ID: r.id, SessionID: session, Method: method, Params: params})
	if err != nil {
		r.end(nil, fmt.Errorf("encode the command: %w", err))
		return r
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting == nil {
		r.end(nil, errPipeClosed)
		return r
	}
	text = append(text, 0)
	if p.behind == 0 {
		text = p.now.write(text)
	}
	if len(text) > 0 {
		select {
		case p.unwritten <- text:
			p.behind++
		default:
			r.end(nil, errNotReading)
			return r
		}
	}
	p.waiting[r.id] = r
	return r
}

// giveUp drops a future answer.
func (p *pipe) giveUp(r *reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.waiting, r.id)
}

// forget drops a session whose target is gone: the browser does not answer its commands any more.
func (p *pipe) forget(session proto.TargetSessionID) {
	var owed []*reply
	p.mu.Lock()
	delete(p.handlers, session)
	for id, r := range p.waiting {
		if r.session == session {
			owed = append(owed, r)
			delete(p.waiting, id)
		}
	}
	p.mu.Unlock()
	for _, r := range owed {
		r.end(nil, errTargetGone)
	}
}

// end is called once, by whoever removed the reply from waiting.
func (r *reply) end(raw []byte, err error) {
	if err != nil {
		err = fmt.Errorf("%s: %w", r.method, err)
	}
	r.raw, r.err = raw, err
	close(r.done)
}

// Done implements capture.Answer.
func (r *reply) Done() <-chan struct{} { return r.done }

// Result implements capture.Answer.
func (r *reply) Result(ctx context.Context) ([]byte, error) {
	select {
	case <-r.done:
		return r.result()
	case <-ctx.Done():
		r.pipe.giveUp(r)
		return nil, fmt.Errorf("%s: %w", r.method, context.Cause(ctx))
	}
}

// Call implements proto.Client: it sends a command and returns its result as JSON.
func (p *pipe) Call(ctx context.Context, sessionID, method string, params any) ([]byte, error) {
	return p.send(proto.TargetSessionID(sessionID), method, params).Result(ctx)
}

// post sends a command and ignores its answer. It never blocks.
func (p *pipe) post(session proto.TargetSessionID, command proto.Request) {
	p.giveUp(p.start(session, command))
}

// result extracts the result from the answer. Chromium writes {"id":1,"result":{…},"sessionId":"…"}, which need not be
// parsed for that; errors and everything else that looks different are parsed.
func (r *reply) result() ([]byte, error) {
	if r.err != nil {
		return nil, r.err
	}
	tail := "}"
	if r.session != "" {
		tail = `,"sessionId":"` + string(r.session) + `"}`
	}
	cut, begins := bytes.CutPrefix(r.raw, fmt.Appendf(nil, `{"id":%d,"result":`, r.id))
	cut, ends := bytes.CutSuffix(cut, []byte(tail))
	if begins && ends {
		return cut, nil
	}
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  *protocolError  `json:"error"`
	}
	if err := json.Unmarshal(r.raw, &answer); err != nil {
		return nil, fmt.Errorf("decode the answer to %s: %w", r.method, err)
	}
	if answer.Error != nil {
		return nil, fmt.Errorf("%s: %w", r.method, answer.Error)
	}
	return answer.Result, nil
}

func (p *pipe) write() {
	for {
		select {
		case text := <-p.unwritten:
			if _, err := p.in.Write(text); err != nil {
				p.shut()
				return
			}
			p.mu.Lock()
			p.behind--
			p.mu.Unlock()
		case <-p.closed:
			return
		}
	}
}

func (p *pipe) read() {
	defer p.shut()
	reader := bufio.NewReaderSize(p.out, pipeBuffer)
	for {
		message, whole, err := p.readMessage(reader)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				p.logger.Debug("browser pipe ended", "error", err)
			}
			return
		}
		p.dispatch(message, whole)
	}
}

// readMessage returns one message without its NUL; the caller owns its memory. For a message that is too large, it
// returns only the beginning and skips the rest: the page must not control how much memory we use.
func (p *pipe) readMessage(reader *bufio.Reader) (message []byte, whole bool, err error) {
	limit := maxMessage
	whole = true
	for {
		part, err := reader.ReadSlice(0)
		if whole {
			message = append(slices.Grow(message, max(len(part), min(len(message), maxMessage))), part...) // twice as large each time
		}
		if len(message) > limit {
			if limit = p.limit(message); len(message) > limit {
				message, whole = message[:keptOfLarge], false
			}
		}
		switch {
		case err == nil && whole:
			return message[:len(message)-1], true, nil
		case err == nil:
			return message, false, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		}
	}
}

// limit is the maximum size of the message with this beginning.
func (p *pipe) limit(message []byte) int {
	id, ok := replyID(message)
	if !ok {
		return maxMessage
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.waiting[id]; r != nil {
		return max(maxMessage, largeReplies[r.method])
	}
	return maxMessage
}

// dispatch delivers a message. A handler that panics, on a message that no browser should send, costs this browser and
// not the program.
func (p *pipe) dispatch(message []byte, whole bool) {
	defer func() {
		if fault := recover(); fault != nil {
			p.logger.Error("malformed event from the browser, replacing the browser", "fault", fault)
			p.shut()
		}
	}()
	if id, ok := replyID(message); ok {
		p.mu.Lock()
		waiter := p.waiting[id]
		delete(p.waiting, id)
		p.mu.Unlock()
		switch {
		case waiter == nil: // nobody is waiting any more
		case whole:
			waiter.end(message, nil)
		default:
			waiter.end(nil, capture.ErrAnswerTooLarge)
		}
		return
	}
	if !whole {
		return
	}
	var event struct {
		SessionID proto.TargetSessionID `json:"sessionId"`
		Method    string                `json:"method"`
		Params    json.RawMessage       `json:"params"`
	}
	if err := json.Unmarshal(message, &event); err != nil || event.Method == "" {
		p.logger.Debug("browser sent a message that is not understood", "error", err)
		return
	}
	p.mu.Lock()
	h := p.handlers[event.SessionID]
	p.mu.Unlock()
	if h != nil {
		h(event.Method, event.Params)
	}
}

// replyPrefix is the beginning of Chromium's answers, {"id":12,…; events have no such member.
var replyPrefix = []byte(`{"id":`)

func replyID(message []byte) (int64, bool) {
	rest, ok := bytes.CutPrefix(message, replyPrefix)
	if !ok {
		return 0, false
	}
	end := bytes.IndexAny(rest, ",}")
	if end < 0 {
		return 0, false
	}
	id, err := strconv.ParseInt(string(rest[:end]), 10, 64)
	return id, err == nil
}
