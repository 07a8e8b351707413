package chrome

import (
	"context"
	"errors"
	"fmt"
	"time"

	"afterimage/capture"
	"afterimage/internal/egress"
)

// disposeTimeout is how long a browser may take to end a page's context before it is killed, once the page has finished its work.
const disposeTimeout = 3 * time.Second

// lane is one browser process with its own egress proxy. It captures one page at a time, each in its own tab, which is
// opened during the previous capture.
type lane struct {
	config *Config
	slot   int
	proxy  *egress.Proxy

	browser  *browser
	captures int
	next     *tab          // opened in advance
	tidied   chan struct{} // closed when the work after the last capture is done
}

func newLane(config *Config, slot int) (*lane, error) {
	proxy, err := egress.Listen(
		&egress.Dialer{Policy: config.Policy, Resolver: config.Resolver, Insecure: config.Insecure}, config.Logger)
	if err != nil {
		return nil, err
	}
	idle := make(chan struct{})
	close(idle)
	return &lane{config: config, slot: slot, proxy: proxy, tidied: idle}, nil
}

// capture captures one page.
func (l *lane) capture(ctx context.Context, req capture.Request) (shot *capture.Shot, err error) {
	err = l.use(ctx, req.Upstream(), func(ctx context.Context, t *tab) error {
		shot, err = capture.Page(ctx, t, req)
		return err
	})
	if err != nil {
		l.config.Logger.Debug("capture failed", "url", req.URL, "error", err)
		return nil, err
	}
	return shot, nil
}

// walk carries out the steps of a flow.
func (l *lane) walk(ctx context.Context, req capture.WalkRequest) (walked *capture.Walked, err error) {
	err = l.use(ctx, req.Request.Upstream(), func(ctx context.Context, t *tab) error {
		walked, err = capture.Walk(ctx, t, req)
		return err
	})
	return walked, err
}

// use runs the pipeline on one tab. It returns as soon as that is done; the cleanup continues in the background.
func (l *lane) use(ctx context.Context, upstream *egress.Upstream, run func(context.Context, *tab) error) error {
	<-l.tidied // bounded: disposing has a timeout, starting has one
	t, err := l.ready(ctx)
	if err != nil {
		return &capture.Failure{Reason: capture.ReasonBrowser, Stage: "context", Err: err}
	}
	t.visit = l.proxy.BeginThrough(upstream, l.config.MaxPageBytes)
	l.captures++
	next := l.openNext()
	pageCtx, unwatch := l.limitMemory(ctx, t.browser.process)
	err = run(pageCtx, t)
	unwatch()
	t.visit.End()
	l.tidied = make(chan struct{})
	go func() {
		defer close(l.tidied)
		l.tidy(t, silenceAfter(err))
		l.next = <-next
	}()
	return err
}

// ready returns a tab of a running browser, which it starts if necessary.
func (l *lane) ready(ctx context.Context) (*tab, error) {
	if l.browser != nil && !l.browser.alive() {
		l.config.Logger.Warn("browser exited, starting another", "lane", l.slot, "said", l.browser.process.output.String())
		l.kill()
	}
	if t := l.next; t != nil && t.browser == l.browser {
		l.next = nil
		return t, nil
	}
	if err := l.start(ctx); err != nil {
		return nil, err
	}
	return l.open(ctx)
}

func (l *lane) start(ctx context.Context) error {
	if l.browser != nil {
		return nil
	}
	flags := captureFlags(l.proxy.Addr(), l.config.RealTime, l.config.Insecure)
	b, err := startBrowser(ctx, l.config.Binary, l.config.TempDir, flags, l.slot, l.config.Logger)
	l.config.starts.add(err)
	if err != nil {
		return err
	}
	b.engine.Fonts = l.config.fonts
	b.realTime = l.config.RealTime
	l.browser, l.captures = b, 0
	return nil
}

// open opens a tab. A browser that cannot is replaced once.
func (l *lane) open(ctx context.Context) (*tab, error) {
	t, err := newTab(ctx, l.browser)
	if err == nil || ctx.Err() != nil {
		return t, err
	}
	l.config.Logger.Warn("browser failed to open a page, starting another browser", "lane", l.slot, "error", err)
	l.kill()
	if err := l.start(ctx); err != nil {
		return nil, err
	}
	return newTab(ctx, l.browser)
}

func newTab(ctx context.Context, b *browser) (*tab, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, errors.New("the browser did not open a page in time"))
	defer cancel()
	t, err := b.newTab(ctx)
	if err != nil {
		return nil, fmt.Errorf("open a page: %w", err)
	}
	return t, nil
}

// openNext opens the tab for the next capture while the current one waits for its page: a tab needs a renderer process,
// whose start would otherwise delay every capture. The channel yields nil when there is no tab.
func (l *lane) openNext() <-chan *tab {
	opened := make(chan *tab, 1)
	if l.captures >= l.config.RecycleAfter {
		opened <- nil
		return opened
	}
	b := l.browser
	go func() {
		next, err := newTab(context.Background(), b)
		if err != nil {
			l.config.Logger.Debug("next page not opened in advance", "lane", l.slot, "error", err)
		}
		opened <- next
	}()
	return opened
}

// tidy disposes of a used tab. A browser that does not respond, or has reached its limits, is ended; the next one is
// started on demand, since a lane may stay idle for long.
func (l *lane) tidy(used *tab, silence time.Duration) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), silence+disposeTimeout, errors.New("the browser did not respond"))
	defer cancel()
	if err := l.browser.dispose(ctx, used, silence); err != nil {
		l.config.Logger.Warn("browser failed to close a page, killing it", "lane", l.slot, "error", err)
		l.kill()
	} else if l.captures >= l.config.RecycleAfter || l.swollen() {
		l.stop()
	}
}

// silenceAfter is how long a page may still work after its capture, which ended with this error or none.
func silenceAfter(err error) time.Duration {
	var failure *capture.Failure
	if errors.As(err, &failure) && failure.Reason == capture.ReasonTimeout {
		return silenceAfterDeadline
	}
	return silenceTimeout
}

func (l *lane) kill() { l.end((*process).kill) }
func (l *lane) stop() { l.end((*process).stop) }

func (l *lane) end(how func(*process) error) {
	if l.browser == nil {
		return
	}
	if err := how(l.browser.process); err != nil {
		l.config.Logger.Error("browser left processes or files behind", "lane", l.slot, "error", err)
	}
	l.browser = nil
}

// close waits for the cleanup and ends the browser and the proxy.
func (l *lane) close() error {
	<-l.tidied
	l.stop()
	return l.proxy.Close()
}
