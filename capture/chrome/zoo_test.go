package chrome

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"afterimage/capture"
	"afterimage/internal/toolpath"
)

//go:embed testdata/zoo.html
var zooPage string

// zooWorker does in workers what pages do; a service worker has no postMessage of its own.
const zooWorker = `
const done = () => { try { postMessage('done') } catch {} };
addEventListener('connect', (e) => fetch('http://VICTIM/shared-worker', {mode: 'no-cors'}).catch(() => {}).then(() => ` +
	`e.ports[0].postMessage('done')));
addEventListener('install', (e) => e.waitUntil(fetch('http://VICTIM/service-worker', {mode: 'no-cors'}).catch(() => {})));
try { importScripts('http://VICTIM/import-scripts') } catch {}
try { new WebSocket('ws://VICTIM/worker-socket') } catch {}
fetch('http://VICTIM/worker', {mode: 'no-cors'}).then(done, done);
`

// zooPages are what the page shows in frames and videos of its own.
var zooPages = map[string]struct{ kind, text string }{
	"frameset":   {"text/html", `<frameset><frame src="http://VICTIM/frame"></frameset>`},
	"styled.xml": {"text/xml", `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="http://VICTIM/xslt"?><root/>`},
	"playlist.m3u8": {"application/vnd.apple.mpegurl",
		"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://VICTIM/segment.ts\n#EXT-X-ENDLIST\n"},
}

// victim is a service on loopback that no page may reach. It counts connections and keeps datagrams.
type victim struct {
	tcp net.Listener
	udp net.PacketConn

	mu      sync.Mutex
	hits    int
	touched chan struct{} // receives once per connection, dropped when nobody looks
}

func newVictim(t *testing.T) *victim {
	t.Helper()
	v := &victim{touched: make(chan struct{}, 1000)}
	var err error
	if v.tcp, err = net.Listen("tcp4", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if v.udp, err = net.ListenPacket("udp4", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	var accepting sync.WaitGroup
	accepting.Go(v.accept)
	t.Cleanup(func() {
		if err := errors.Join(v.tcp.Close(), v.udp.Close()); err != nil {
			t.Error(err)
		}
		accepting.Wait()
	})
	return v
}

func (v *victim) accept() {
	for {
		conn, err := v.tcp.Accept()
		if err != nil {
			return
		}
		_ = conn.Close()
		v.mu.Lock()
		v.hits++
		v.mu.Unlock()
		select {
		case v.touched <- struct{}{}:
		default:
		}
	}
}

// connections counts those accepted so far. One of our own, made now, is behind all others in the queue.
func (v *victim) connections(t *testing.T) int {
	t.Helper()
	for len(v.touched) > 0 {
		<-v.touched
	}
	v.mu.Lock()
	before := v.hits
	v.mu.Unlock()
	conn, err := net.Dial("tcp4", v.tcp.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	for {
		<-v.touched
		v.mu.Lock()
		hits := v.hits
		v.mu.Unlock()
		if hits > before {
			return hits - 1
		}
	}
}

// datagram waits for a packet until the time is over.
func (v *victim) datagram(t *testing.T, until time.Time) bool {
	t.Helper()
	if err := v.udp.SetReadDeadline(until); err != nil {
		t.Fatal(err)
	}
	datagram := make([]byte, 2048)
	n, _, err := v.udp.ReadFrom(datagram)
	if err == nil {
		t.Logf("datagram of %d bytes: % x", n, datagram[:min(n, 48)]) // STUN has 21 12 a4 42 at byte 4, QUIC starts with c0 to ff
	}
	return err == nil
}

// serveZoo adds the page and what belongs to it to the site.
func (v *victim) serveZoo(t *testing.T) string {
	t.Helper()
	_, port, err := net.SplitHostPort(v.tcp.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	var aliases []string
	for _, host := range []string{
		"2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "127.1", "127.0.1", "127.0.0.1.", "127.1.2.3", "0", "0.0.0.0",
		"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
		"localhost", "LOCALHOST", "localhost.", "some.localhost", "ip6-localhost",
	} {
		aliases = append(aliases, host+":"+port)
	}
	list, err := json.Marshal(aliases)
	if err != nil {
		t.Fatal(err)
	}
	udpHost, udpPort, err := net.SplitHostPort(v.udp.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	fill := strings.NewReplacer("VICTIM", v.tcp.Addr().String(), "UDP", v.udp.LocalAddr().String(), "HOST", udpHost, "PORT", udpPort,
		"ALIASES", string(list))
	away := "http://" + v.tcp.Addr().String() + "/redirected"
	site.handle(t, "redirect", http.RedirectHandler(away, http.StatusFound).ServeHTTP)
	for _, status := range []int{301, 303, 307, 308} {
		site.handle(t, "redirect/"+strconv.Itoa(status), http.RedirectHandler(away+"-"+strconv.Itoa(status), status).ServeHTTP)
	}
	for path, page := range zooPages {
		site.handle(t, path, serve(page.kind, fill.Replace(page.text)))
	}
	site.handle(t, "refresh", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Refresh", "0;url="+away)
		serve("text/html", "")(w, r)
	})
	site.handle(t, "worker.js", serve("text/javascript", fill.Replace(zooWorker)))
	return site.handle(t, "zoo", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "<http://"+v.tcp.Addr().String()+"/link-header>; rel=preload; as=script")
		w.Header().Set("Content-Security-Policy-Report-Only", "img-src 'none'; report-uri http://"+v.tcp.Addr().String()+"/csp-report")
		w.Header().Set("Reporting-Endpoints", `default="https://`+v.tcp.Addr().String()+`/reports"`)
		serve("text/html", fill.Replace(zooPage))(w, r)
	})
}

// TestEgressZoo: no vector reaches the victim, and the deny log names what was tried.
func TestEgressZoo(t *testing.T) {
	v := newVictim(t)
	p := startPool(t, ownConfig(t, 1))
	request := capture.Request{URL: v.serveZoo(t), Device: capture.Desktop, Deadline: patient, Scripts: []string{"window.attempts"}}
	shot, err := p.Capture(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	if shot.Title != "zoo" || len(shot.Manifest.TimedOut) > 0 {
		t.Errorf("captured %q; not waited for: %q", shot.Title, shot.Manifest.TimedOut)
	}
	if n := v.connections(t); n != 0 {
		t.Errorf("%d connections reached the victim", n)
	}
	if v.datagram(t, time.Now().Add(50*time.Millisecond)) {
		t.Error("a datagram reached the victim")
	}
	denied := p.Denied()
	if len(denied) < 60 {
		t.Errorf("deny log has %d targets, want at least 60", len(denied))
	}
	targets := make(map[string]bool)
	for _, denial := range denied {
		targets[denial.Target] = true
	}
	victim := v.tcp.Addr().String()
	vectors := []string{
		"fetch", "image", "iframe", "redirected", "worker", "shared-worker", "service-worker", "import-scripts", "events",
		"meta-refresh", "stylesheet",
		"background", "script", "video", "preload", "import", "beacon", "link-header", "font", "object", "speculation-prefetch", "prefetch",
		"redirected-301", "redirected-303", "redirected-307", "redirected-308", "frame", "frame-location", "javascript-frame",
		"data-frame", "sandboxed",
		"worker-blob", "worker-nested", "worker-import", "worker-xhr", "worker-events", "paint-worklet", "audio-worklet", "csp-report",
		"ping", "keepalive",
		"import-map", "fe-image", "mask", "cursor", "image-set", "downloaded", "wasm",
	}
	if major(p.engine.Version) >= 152 { // where it may not prerender, which is switched off, it fetches; older ones do neither
		vectors = append(vectors, "speculation")
	}
	for _, vector := range vectors {
		if !targets["GET http://"+victim+"/"+vector] && !targets["POST http://"+victim+"/"+vector] {
			t.Errorf("the deny log does not have %s: it was not tried, or not refused", vector)
		}
	}
	for _, target := range []string{"POST http://" + victim + "/form", "POST http://" + victim + "/redirected-307", "CONNECT " + victim} {
		if !targets[target] {
			t.Errorf("the deny log does not have %s", target)
		}
	}
	for _, denial := range denied {
		t.Log(denial.Count, denial.Target, denial.Why)
	}
}

// TestEgressZooIsAlive: the same page in a browser without our guard does reach the victim, so the test above can fail.
func TestEgressZooIsAlive(t *testing.T) {
	v := newVictim(t)
	binary, err := toolpath.Browser()
	if err != nil {
		t.Fatal(err)
	}
	p, err := startProcess(binary, os.TempDir(), []string{"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"}, uidCount-1,
		slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.stop(); err != nil {
			t.Error(err)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	if _, err := (proto.TargetCreateTarget{URL: v.serveZoo(t)}).Call(session{pipe: p.pipe, ctx: ctx}); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		select {
		case <-v.touched:
		case <-ctx.Done():
			t.Fatal("an unguarded page did not reach the victim by TCP")
		}
	}
	if deadline, _ := ctx.Deadline(); !v.datagram(t, deadline) {
		t.Error("an unguarded page did not reach the victim by UDP")
	}
}
