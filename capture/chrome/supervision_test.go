package chrome

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/capture"
	"afterimage/internal/toolpath"
)

const plainPage = "<title>plain</title><p>plain"

// TestSandbox reads from the kernel that the process which runs a page's code is filtered and unprivileged.
func TestSandbox(t *testing.T) {
	p := startPool(t, ownConfig(t, 1))
	looked := false
	address := site.page(t, plainPage)
	probe := &probeTab{tab: openTab(t, p), before: func() {
		for _, pid := range descendants(t, p.lanes[0].browser.process.pid) {
			if !strings.Contains(commandOf(pid), "--type=renderer") {
				continue
			}
			looked = true
			status := readStatus(t, pid)
			if status["Seccomp"] != "2" || status["NoNewPrivs"] != "1" {
				t.Errorf("renderer %d: Seccomp %s, NoNewPrivs %s", pid, status["Seccomp"], status["NoNewPrivs"])
			}
			if uid := strings.Fields(status["Uid"]); uid[0] == "0" || uid[1] == "0" {
				t.Errorf("renderer %d runs as root", pid)
			}
			if status["CapEff"] != "0000000000000000" {
				t.Errorf("renderer %d has capabilities %s", pid, status["CapEff"])
			}
		}
	}}
	if _, err := capture.Page(t.Context(), probe, capture.Request{URL: address, Device: capture.Desktop}); err != nil {
		t.Fatal(err)
	}
	if !looked {
		t.Error("no renderer was found")
	}
}

func TestBrowserKilledFromOutside(t *testing.T) {
	p := startPool(t, ownConfig(t, 1))
	address := site.page(t, plainPage)
	takeWith(t, p, capture.Request{URL: address})
	for range 3 {
		<-p.lanes[0].tidied
		first := p.lanes[0].browser.process
		if err := syscall.Kill(first.pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		<-first.exited
		if shot := takeWith(t, p, capture.Request{URL: address}); shot.Title != "plain" {
			t.Errorf("title is %q", shot.Title)
		}
	}
}

func TestBrowserKilledDuringCapture(t *testing.T) {
	p := startPool(t, ownConfig(t, 1))
	address := site.handle(t, "deadly", func(_ http.ResponseWriter, r *http.Request) {
		_ = syscall.Kill(p.lanes[0].browser.process.pid, syscall.SIGKILL)
		<-r.Context().Done()
	})
	_, err := p.Capture(t.Context(), capture.Request{URL: address, Device: capture.Desktop, Deadline: patient})
	wantReason(t, err, capture.ReasonBrowser)
	takeWith(t, p, capture.Request{URL: site.page(t, plainPage)})
}

// TestBrowserThatDoesNotObey: a stopped browser neither captures nor disposes; it is killed and replaced.
func TestBrowserThatDoesNotObey(t *testing.T) {
	p := startPool(t, ownConfig(t, 1))
	address := site.handle(t, "freezing", func(_ http.ResponseWriter, r *http.Request) {
		_ = syscall.Kill(p.lanes[0].browser.process.pid, syscall.SIGSTOP)
		<-r.Context().Done()
	})
	frozen := p.lanes[0].browser.process
	begin := time.Now()
	const deadline = 5 * time.Second // long enough for a busy machine to ask for the page, which stops the browser
	_, err := p.Capture(t.Context(), capture.Request{URL: address, Device: capture.Desktop, Deadline: deadline})
	wantReason(t, err, capture.ReasonTimeout)
	<-frozen.exited
	if took := time.Since(begin); took > deadline+time.Minute { // a busy machine may be slow to end it; otherwise it stays for ever
		t.Errorf("the browser was gone after %s, more than a minute after the deadline", took)
	}
	takeWith(t, p, capture.Request{URL: site.page(t, plainPage)})
}

// TestAPageMayFinishItsWork: a browser is not ended because its page still worked for a second when its capture was over, as ordinary
// pages do on a busy machine. One that is too busy for two seconds more is tried again.
func TestAPageMayFinishItsWork(t *testing.T) {
	asked, over := make(chan struct{}), make(chan struct{})
	held := site.handle(t, "held", func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-over
	})
	script := fmt.Sprintf("const held = new XMLHttpRequest(); held.open('GET', %q, false); held.send()", held)
	p := startPool(t, ownConfig(t, 1))
	var err error
	for range 3 {
		tab := openTab(t, p)
		tab.browser.process.pipe.start(tab.session, proto.RuntimeEvaluate{Expression: script})
		<-asked
		time.AfterFunc(1200*time.Millisecond, func() { over <- struct{}{} })
		if err = tab.browser.dispose(t.Context(), tab, silenceAfter(nil)); err == nil {
			return
		}
		p.lanes[0].kill()
	}
	t.Error(err)
}

func TestRendererCrash(t *testing.T) {
	p := startPool(t, ownConfig(t, 1))
	tab := openTab(t, p)
	probe := &probeTab{tab: tab, before: func() { tab.Post(proto.PageCrash{}) }}
	_, err := capture.Page(t.Context(), probe, capture.Request{URL: site.page(t, plainPage), Device: capture.Desktop})
	wantReason(t, err, capture.ReasonCrashed)
	takeWith(t, p, capture.Request{URL: site.page(t, plainPage)})
}

func TestRecycling(t *testing.T) {
	config := ownConfig(t, 1)
	config.RecycleAfter = 2
	p := startPool(t, config)
	address := site.page(t, plainPage)
	first := p.lanes[0].browser.process
	takeWith(t, p, capture.Request{URL: address})
	takeWith(t, p, capture.Request{URL: address})
	<-first.exited
	takeWith(t, p, capture.Request{URL: address})
	if p.lanes[0].browser.process.pid == first.pid {
		t.Error("the browser was not replaced")
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	config := ownConfig(t, 2)
	p, err := Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	takeWith(t, p, capture.Request{URL: site.page(t, plainPage)})
	<-p.lanes[0].tidied
	pids := descendants(t, p.lanes[0].browser.process.pid)
	if len(pids) < 3 {
		t.Fatalf("found only %d processes of the browser", len(pids))
	}
	gone := watchEnds(t, pids)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	gone()
	if left, _ := filepath.Glob(filepath.Join(config.TempDir, "*")); len(left) > 0 {
		t.Errorf("folders are left: %q", left)
	}
	if _, err := p.Capture(t.Context(), capture.Request{}); !errors.Is(err, ErrClosed) {
		t.Errorf("capture on a closed pool: %v", err)
	}
}

func TestStartSaysWhatIsMissing(t *testing.T) {
	_, err := Start(t.Context(), Config{Binary: "/nonexistent/chromium"})
	if err == nil || !strings.Contains(err.Error(), "/nonexistent/chromium") {
		t.Errorf("missing browser: %v", err)
	}
	_, err = Start(t.Context(), Config{Binary: "/bin/false", TempDir: os.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "start the browser") {
		t.Errorf("browser that ends at once: %v", err)
	}
}

func TestCaptureGivesUpWaitingForALane(t *testing.T) {
	p := startPool(t, ownConfig(t, 1))
	entered, release := make(chan struct{}), make(chan struct{})
	slow := site.handle(t, "slow", func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-release
		serve("text/html", plainPage)(w, r)
	})
	done := make(chan error)
	go func() {
		_, err := p.Capture(context.Background(), capture.Request{URL: slow, Device: capture.Desktop})
		done <- err
	}()
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Capture(ctx, capture.Request{URL: slow}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want the context's", err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestLeakingBrowserIsRefused: a browser without the WebRTC switch is found out before it captures anything.
func TestLeakingBrowserIsRefused(t *testing.T) {
	binary, err := toolpath.Browser()
	if err != nil {
		t.Fatal(err)
	}
	p, err := startProcess(binary, os.TempDir(), sameEveryTimeFlags, uidCount-2, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.stop(); err != nil {
			t.Error(err)
		}
	})
	b := &browser{process: p}
	if err := b.checkUDP(t.Context()); !errors.Is(err, ErrLeaks) {
		t.Errorf("the check says %v", err)
	}
}
