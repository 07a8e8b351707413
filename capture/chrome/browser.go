package chrome

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/capture"
)

const (
	startTimeout = time.Minute // for a browser's first answer on a busy machine
	// silenceTimeout is how long a page may take to finish its current work, which costs less than another browser. One that was waited
	// for until its deadline is not given as long again.
	silenceTimeout       = 3 * time.Second
	silenceAfterDeadline = time.Second
)

var errLoops = errors.New("the page does not stop running")

// browser is a running browser process that responds.
type browser struct {
	process *process
	engine  capture.Engine

	realTime bool // the browser has no frame control
}

func startBrowser(ctx context.Context, binary, tempDir string, flags []string, slot int, logger *slog.Logger) (*browser, error) {
	p, err := startProcess(binary, tempDir, flags, slot, logger)
	if err != nil {
		return nil, err
	}
	b := &browser{process: p}
	if err := b.greet(ctx); err != nil {
		output := p.output
		if stopErr := p.kill(); stopErr != nil {
			logger.Warn("browser that did not start left processes or files behind", "error", stopErr)
		}
		return nil, fmt.Errorf("%w%s", err, remedy(output.String()))
	}
	return b, nil
}

// greet asks for the version, which proves that the browser works, and starts watching for popups.
func (b *browser) greet(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, fmt.Errorf("the browser did not answer within %s", startTimeout))
	defer cancel()
	version, err := proto.BrowserGetVersion{}.Call(b.session(ctx, ""))
	if err != nil {
		return fmt.Errorf("start the browser: %w", err)
	}
	b.engine.Product, b.engine.Version, _ = strings.Cut(version.Product, "/")
	b.process.pipe.handle("", b.event)
	if err := (proto.TargetSetDiscoverTargets{Discover: true}).Call(b.session(ctx, "")); err != nil {
		return fmt.Errorf("start the browser: %w", err)
	}
	return nil
}

// remedy turns the browser's output before it ended into advice.
func remedy(output string) string {
	switch {
	case strings.Contains(output, "No usable sandbox"):
		return "; it has no usable sandbox: allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, or " +
			"kernel.apparmor_restrict_unprivileged_userns=0, or a container profile that permits them)"
	case strings.Contains(output, "error while loading shared libraries"):
		return "; a shared library is missing: run `make setup`. It said: " + lastLine(output)
	case output != "":
		return "; it said: " + lastLine(output)
	}
	return ""
}

func lastLine(text string) string {
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		return text[i+1:]
	}
	return text
}

// session is the client for rod's requests: the browser itself ("") or one of its targets, with a context.
func (b *browser) session(ctx context.Context, id proto.TargetSessionID) session {
	return session{pipe: b.process.pipe, id: id, ctx: ctx}
}

// event closes popups of a page that the browser's own switch let through.
func (b *browser) event(method string, raw []byte) {
	var e proto.TargetTargetCreated
	if method != e.ProtoEvent() || json.Unmarshal(raw, &e) != nil || e.TargetInfo == nil {
		return
	}
	if e.TargetInfo.Type == proto.TargetTargetInfoTypePage && e.TargetInfo.OpenerID != "" {
		b.process.pipe.post("", proto.TargetCloseTarget{TargetID: e.TargetInfo.TargetID})
	}
}

// newTab opens an empty page in a new context: no cookie, cache, storage or connection is shared with any other.
func (b *browser) newTab(ctx context.Context) (*tab, error) {
	whole := b.session(ctx, "")
	made, err := proto.TargetCreateBrowserContext{DisposeOnDetach: true}.Call(whole)
	if err != nil {
		return nil, err
	}
	deny := b.process.pipe.start("", proto.BrowserSetDownloadBehavior{
		Behavior: proto.BrowserSetDownloadBehaviorBehaviorDeny, BrowserContextID: made.BrowserContextID,
	})
	target, err := b.newTarget(whole, made.BrowserContextID)
	if err != nil {
		return nil, err
	}
	if _, err := deny.Result(ctx); err != nil {
		return nil, err
	}
	attached, err := proto.TargetAttachToTarget{TargetID: target.TargetID, Flatten: true}.Call(whole)
	if err != nil {
		return nil, err
	}
	t := &tab{browser: b, contextID: made.BrowserContextID, targetID: target.TargetID, session: attached.SessionID}
	if !b.realTime {
		t.virtual = newVirtualTime(b.process, t.session)
	}
	return t, nil
}

// newTarget opens an empty page whose frames we issue, if the browser supports that: the headless shell does, full
// Chromium does not.
func (b *browser) newTarget(whole session, contextID proto.BrowserBrowserContextID) (*proto.TargetCreateTargetResult, error) {
	target := proto.TargetCreateTarget{URL: "about:blank", BrowserContextID: contextID}
	if b.realTime {
		return target.Call(whole)
	}
	framed := target
	framed.EnableBeginFrameControl, framed.Width, framed.Height = true, new(1440), new(900)
	made, err := framed.Call(whole)
	if errors.As(err, new(*protocolError)) {
		b.realTime = true
		return target.Call(whole)
	}
	return made, err
}

// dispose closes a tab with its context and everything in it. The page's unload handlers do not run: one that never
// ends would keep the browser from rendering the next page. A page that is already in an endless loop would do so, too,
// and outlive its tab: it does not respond within the given silence, which is an error.
func (b *browser) dispose(ctx context.Context, t *tab, silence time.Duration) error {
	b.process.pipe.handle(t.session, nil)
	if t.virtual != nil {
		t.virtual.workers.close()
	}
	silenced := b.process.pipe.start(t.session, proto.EmulationSetScriptExecutionDisabled{Value: true})
	waiting, cancel := context.WithTimeoutCause(ctx, silence, errLoops)
	defer cancel()
	if _, err := silenced.Result(waiting); errors.Is(err, errLoops) {
		return err
	}
	err := proto.TargetDisposeBrowserContext{BrowserContextID: t.contextID}.Call(b.session(ctx, ""))
	b.process.pipe.forget(t.session)
	return err
}

// alive reports whether the browser's pipe is open.
func (b *browser) alive() bool {
	select {
	case <-b.process.pipe.closed:
		return false
	default:
		return true
	}
}
