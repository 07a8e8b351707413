// Package devtools reads pages through the browser's own protocol, without anything of the capture pipeline or of the maps that it
// records. Benchmarks check with it what is said of two states of a page.
package devtools

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

//go:embed read.js
var readScript string

// Browser is a running browser.
type Browser struct {
	command *exec.Cmd
	profile string
	conn    *websocket.Conn
	write   sync.Mutex

	mu      sync.Mutex
	last    int64
	waiting map[int64]chan reply
	loaded  map[string]chan struct{} // by session: closed when its page has been loaded
	broken  error
}

type reply struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// Start starts a browser that reaches no other machine.
func Start(ctx context.Context) (*Browser, error) {
	profile, err := os.MkdirTemp("", "devtools")
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, "chromium-headless-shell", "--headless", "--no-sandbox", "--remote-debugging-port=0",
		"--user-data-dir="+profile, "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--hide-scrollbars",
		"--force-color-profile=srgb", "--disable-background-timer-throttling", "about:blank")
	b := &Browser{command: command, profile: profile, waiting: make(map[int64]chan reply), loaded: make(map[string]chan struct{})}
	if err := b.connect(ctx); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	go b.listen()
	return b, nil
}

// connect starts the process and dials the address that it writes to its error output.
func (b *Browser) connect(ctx context.Context) error {
	output, err := b.command.StderrPipe()
	if err != nil {
		return err
	}
	if err := b.command.Start(); err != nil {
		return fmt.Errorf("start the browser: %w", err)
	}
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		address, found := strings.CutPrefix(lines.Text(), "DevTools listening on ")
		if !found {
			continue
		}
		go func() {
			for lines.Scan() { // else the browser would wait for somebody to read
			}
		}()
		conn, response, err := websocket.DefaultDialer.DialContext(ctx, address, nil)
		if err != nil {
			return fmt.Errorf("connect to the browser: %w", err)
		}
		b.conn = conn
		return response.Body.Close()
	}
	return errors.Join(errors.New("the browser ended before it could be reached"), lines.Err())
}

// Close ends the browser.
func (b *Browser) Close() error {
	if b.conn != nil {
		_ = b.conn.Close()
	}
	if b.command.Process != nil {
		_ = b.command.Process.Kill()
		_ = b.command.Wait()
	}
	return os.RemoveAll(b.profile)
}

func (b *Browser) listen() {
	for {
		var m struct {
			reply

			ID      int64  `json:"id"`
			Method  string `json:"method"`
			Session string `json:"sessionId"`
		}
		err := b.conn.ReadJSON(&m)
		b.mu.Lock()
		switch {
		case err != nil:
			b.broken = fmt.Errorf("the browser is gone: %w", err)
			for id, answer := range b.waiting {
				close(answer)
				delete(b.waiting, id)
			}
		case m.Method == "Page.loadEventFired" && b.loaded[m.Session] != nil:
			close(b.loaded[m.Session])
			delete(b.loaded, m.Session)
		case b.waiting[m.ID] != nil:
			b.waiting[m.ID] <- m.reply
			delete(b.waiting, m.ID)
		}
		b.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// call sends a command and reads its result.
func (b *Browser) call(ctx context.Context, session, method string, params map[string]any, result any) error {
	answer := make(chan reply, 1)
	b.mu.Lock()
	b.last++
	id, broken := b.last, b.broken
	b.waiting[id] = answer
	b.mu.Unlock()
	if broken != nil {
		return broken
	}
	b.write.Lock()
	err := b.conn.WriteJSON(map[string]any{"id": id, "method": method, "params": params, "sessionId": session})
	b.write.Unlock()
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case r, ok := <-answer:
		switch {
		case !ok:
			return errors.New("the browser is gone")
		case r.Error != nil:
			return fmt.Errorf("%s: %s", method, r.Error.Message)
		case result == nil:
			return nil
		}
		return json.Unmarshal(r.Result, result)
	}
}

// Screen is the size of a screen.
type Screen struct {
	Width, Height int
	Mobile        bool
}

// patience is how long a page may take.
const patience = time.Minute

// Open loads a page in a tab and reads it.
func (b *Browser) Open(ctx context.Context, address string, screen Screen) (*Page, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var target struct {
		ID string `json:"targetId"`
	}
	if err := b.call(ctx, "", "Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return nil, err
	}
	var attached struct {
		Session string `json:"sessionId"`
	}
	if err := b.call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": target.ID, "flatten": true}, &attached); err != nil {
		return nil, err
	}
	p := &Page{browser: b, target: target.ID, session: attached.Session}
	if err := p.load(ctx, address, screen); err != nil {
		return nil, errors.Join(err, p.Close(ctx))
	}
	return p, nil
}

func (p *Page) load(ctx context.Context, address string, screen Screen) error {
	loaded := make(chan struct{})
	p.browser.mu.Lock()
	p.browser.loaded[p.session] = loaded
	p.browser.mu.Unlock()
	for _, command := range []struct {
		method string
		params map[string]any
	}{
		{"Page.enable", nil},
		{"Emulation.setDeviceMetricsOverride",
			map[string]any{"width": screen.Width, "height": screen.Height, "deviceScaleFactor": 1, "mobile": screen.Mobile}},
		{"Emulation.setEmulatedMedia",
			map[string]any{"features": []map[string]string{{"name": "prefers-reduced-motion", "value": "reduce"}}}},
		{"Page.navigate", map[string]any{"url": address}},
	} {
		if err := p.browser.call(ctx, p.session, command.method, command.params, nil); err != nil {
			return err
		}
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("%s was not loaded: %w", address, ctx.Err())
	case <-loaded:
	}
	names, err := json.Marshal(properties)
	if err != nil {
		return err
	}
	var content string
	if err := p.evaluate(ctx, readScript+"("+string(names)+")", &content); err != nil {
		return fmt.Errorf("read %s: %w", address, err)
	}
	return json.Unmarshal([]byte(content), &p.content)
}

// evaluate runs a script in the page and reads what it returns.
func (p *Page) evaluate(ctx context.Context, script string, result any) error {
	var answer struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Thrown *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	err := p.browser.call(ctx, p.session, "Runtime.evaluate",
		map[string]any{"expression": script, "awaitPromise": true, "returnByValue": true}, &answer)
	switch {
	case err != nil:
		return err
	case answer.Thrown != nil:
		return fmt.Errorf("%s %s", answer.Thrown.Text, answer.Thrown.Exception.Description)
	}
	return json.Unmarshal(answer.Result.Value, result)
}
