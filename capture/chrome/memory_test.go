package chrome

import (
	"testing"
	"time"

	"afterimage/capture"
)

// memoryEater takes 64 MiB at a time, written to so that they are real, and gives nothing back.
const memoryEater = `<script>for (const kept = [];;) kept.push(new Uint8Array(64 << 20).fill(1))</script>`

// TestMemoryOfAPageIsLimited: a page that eats memory costs its own capture and the browser, and nothing else.
func TestMemoryOfAPageIsLimited(t *testing.T) {
	config := ownConfig(t, 1)
	config.MaxMemory = 1 << 30
	p := startPool(t, config)
	first := p.lanes[0].browser.process
	begin := time.Now()
	_, err := p.Capture(t.Context(), capture.Request{URL: site.page(t, memoryEater), Device: capture.Desktop, Deadline: 3 * time.Minute})
	if wantReason(t, err, capture.ReasonCrashed); t.Failed() {
		return
	}
	<-first.exited
	t.Logf("ended after %s", time.Since(begin))
	takeWith(t, p, capture.Request{URL: site.page(t, plainPage)})
}

// TestBrowserThatHasGrownIsReplaced: a limit below what any browser takes makes each one be replaced.
func TestBrowserThatHasGrownIsReplaced(t *testing.T) {
	config := ownConfig(t, 1)
	config.RecycleMemory = 1 << 20
	p := startPool(t, config)
	first := p.lanes[0].browser.process
	used, err := first.memory()
	if err != nil || used.lasting < 10<<20 || used.all < used.lasting || used.all > 500<<20 {
		t.Errorf("an idle browser takes %+v (%v)", used, err)
	}
	t.Logf("an idle browser takes %d MiB, %d of them lasting", used.all>>20, used.lasting>>20)
	takeWith(t, p, capture.Request{URL: site.page(t, plainPage)})
	<-first.exited
	takeWith(t, p, capture.Request{URL: site.page(t, plainPage)})
}
