package chrome

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"afterimage/capture"
)

const startTimeout = 30 * time.Second // for a browser to answer its first command on a busy machine

type params = map[string]any

// browser is a running process that answers.
type browser struct {
	process *process
	engine  capture.Engine
}

func startBrowser(ctx context.Context, binary, tempDir, proxyAddr string, slot int, logger *slog.Logger) (*browser, error) {
	p, err := startProcess(binary, tempDir, captureFlags(proxyAddr), slot, logger)
	if err != nil {
		return nil, err
	}
	b := &browser{process: p}
	if err := b.greet(ctx); err != nil {
		output := p.output
		if stopErr := p.kill(); stopErr != nil {
			logger.Warn("browser that did not start left something behind", "error", stopErr)
		}
		return nil, fmt.Errorf("%w%s", err, remedy(output.String()))
	}
	return b, nil
}

// greet asks for the version, which proves that the browser works, and starts watching for popups.
func (b *browser) greet(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, fmt.Errorf("the browser did not answer within %s", startTimeout))
	defer cancel()
	var version struct {
		Product string `json:"product"`
	}
	if err := b.call(ctx, "Browser.getVersion", nil, &version); err != nil {
		return fmt.Errorf("start the browser: %w", err)
	}
	b.engine.Product, b.engine.Version, _ = strings.Cut(version.Product, "/")
	b.process.pipe.handle("", b.event)
	if err := b.call(ctx, "Target.setDiscoverTargets", params{"discover": true}, nil); err != nil {
		return fmt.Errorf("start the browser: %w", err)
	}
	return nil
}

// remedy turns what the browser said before it ended into advice.
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

func (b *browser) call(ctx context.Context, method string, arguments, result any) error {
	return b.process.pipe.call(ctx, "", method, arguments, result)
}

// event closes what a page opens: popups that the browser's own switch let through.
func (b *browser) event(method string, raw []byte) {
	if method != "Target.targetCreated" {
		return
	}
	var e struct {
		TargetInfo struct {
			TargetID string `json:"targetId"`
			Type     string `json:"type"`
			OpenerID string `json:"openerId"`
		} `json:"targetInfo"`
	}
	if json.Unmarshal(raw, &e) != nil || e.TargetInfo.Type != "page" || e.TargetInfo.OpenerID == "" {
		return
	}
	r := b.process.pipe.start("", "Target.closeTarget", params{"targetId": e.TargetInfo.TargetID})
	b.process.pipe.giveUp(r.id)
}

// newTab opens an empty page in a new context: no cookie, cache, storage or connection is shared with any other.
func (b *browser) newTab(ctx context.Context) (*tab, error) {
	t := &tab{browser: b}
	var made struct {
		ContextID string `json:"browserContextId"`
	}
	if err := b.call(ctx, "Target.createBrowserContext", params{"disposeOnDetach": true}, &made); err != nil {
		return nil, err
	}
	t.contextID = made.ContextID
	deny := b.process.pipe.start("", "Browser.setDownloadBehavior", params{"behavior": "deny", "browserContextId": t.contextID})
	var target struct {
		TargetID string `json:"targetId"`
	}
	if err := b.call(ctx, "Target.createTarget", params{"url": "about:blank", "browserContextId": t.contextID}, &target); err != nil {
		return nil, err
	}
	if _, err := b.process.pipe.wait(ctx, deny); err != nil {
		return nil, err
	}
	t.targetID = target.TargetID
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	if err := b.call(ctx, "Target.attachToTarget", params{"targetId": t.targetID, "flatten": true}, &attached); err != nil {
		return nil, err
	}
	t.session = attached.SessionID
	return t, nil
}

// dispose ends a tab with its context and everything in it.
func (b *browser) dispose(ctx context.Context, t *tab) error {
	b.process.pipe.handle(t.session, nil)
	return b.call(ctx, "Target.disposeBrowserContext", params{"browserContextId": t.contextID}, nil)
}

// alive tells whether the browser's pipe is open.
func (b *browser) alive() bool {
	select {
	case <-b.process.pipe.closed:
		return false
	default:
		return true
	}
}
