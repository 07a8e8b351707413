package chrome

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"
	"golang.org/x/sys/unix"

	"afterimage/capture"
	"afterimage/internal/toolpath"
)

//go:embed testdata/datagrams.html
var datagramsPage string

// namespaceVariable makes the test binary a program that lets a browser visit the page above in a network of its own: one
// whose only way out is read by us. Its value says whether the browser has our guard.
const namespaceVariable = "AFTERIMAGE_TEST_NETWORK"

// sent counts what came out of the network: datagrams and attempts to connect, by destination port.
type sent struct {
	Title    string
	UDP, TCP map[uint16]int
}

// TestNoDatagramLeaves: in a network of our own, where everything that leaves the machine passes before our eyes, a guarded
// browser sends nothing for a page that tries STUN, TURN, ICE, QUIC, name resolution and direct connections; the same browser
// without our guard does all of that, so that the silence means something.
func TestNoDatagramLeaves(t *testing.T) {
	if guarded := inNamespace(t, "guarded"); len(guarded.UDP) > 0 || len(guarded.TCP) > 0 || guarded.Title != "tried" {
		t.Errorf("a guarded browser sent %+v", guarded)
	}
	open := inNamespace(t, "open")
	t.Logf("a browser without guard sent, by port: UDP %v, TCP %v", open.UDP, open.TCP)
	for port, what := range map[uint16]string{53: "name resolution", 3478: "STUN", 4433: "QUIC"} {
		if open.UDP[port] == 0 {
			t.Errorf("a browser without guard sent no datagram for %s: %+v", what, open)
		}
	}
}

// inNamespace runs this binary in a network namespace of its own; without root it has the right to its devices by a user namespace.
func inNamespace(t *testing.T, mode string) sent {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), namespaceVariable+"="+mode, "TMPDIR="+ownConfig(t, 1).TempDir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
		cmd.SysProcAttr.AmbientCaps = []uintptr{unix.CAP_NET_ADMIN}
	}
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		t.Fatalf("no visit in a network namespace of its own, so nothing is known about datagrams (root, or unprivileged user "+
			"namespaces, and /dev/net/tun are needed): %v: %s", err, complaint.String())
	}
	var result sent
	if err := json.Unmarshal(out.Bytes(), &result); err != nil {
		t.Fatalf("%v in %q", err, out.String())
	}
	return result
}

// asNamespace is the program in the namespace.
func asNamespace() bool {
	mode := os.Getenv(namespaceVariable)
	if mode == "" {
		return false
	}
	visit := visitGuarded
	if mode == "open" {
		visit = visitOpen
	}
	result, err := watchNetwork(visit)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(result)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

func watchNetwork(visit func(ctx context.Context, address string, way *wayOut) (string, error)) (*sent, error) {
	way, err := openWayOut()
	if err != nil {
		return nil, err
	}
	site = newTestSite()
	defer site.close()
	site.pages["/datagrams"] = serve("text/html", datagramsPage)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	title, err := visit(ctx, site.server.URL+"/datagrams", way)
	if err != nil {
		return nil, err
	}
	err = way.read(time.Now(), func(*sent) bool { return false })
	way.seen.Title = title
	return &way.seen, errors.Join(err, way.tun.Close())
}

// visitGuarded captures the page as always.
func visitGuarded(ctx context.Context, address string, _ *wayOut) (string, error) {
	config := testConfig()
	config.Lanes, config.Logger = 1, slog.New(slog.NewTextHandler(os.Stderr, nil))
	p, err := Start(ctx, config)
	if err != nil {
		return "", err
	}
	shot, err := p.Capture(ctx, capture.Request{URL: address, Device: capture.Desktop, Scripts: []string{"window.attempts"}})
	if err := errors.Join(err, p.Close()); err != nil {
		return "", err
	}
	return shot.Title, nil
}

// visitOpen shows the page to a browser without our switches until everything that it can try has been seen.
func visitOpen(ctx context.Context, address string, way *wayOut) (string, error) {
	binary, err := toolpath.Browser()
	if err != nil {
		return "", err
	}
	p, err := startProcess(binary, os.TempDir(), nil, 0, slog.New(slog.DiscardHandler))
	if err != nil {
		return "", err
	}
	_, err = proto.TargetCreateTarget{URL: address}.Call(session{pipe: p.pipe, ctx: ctx})
	if err == nil {
		deadline, _ := ctx.Deadline()
		err = way.read(deadline, func(s *sent) bool { return s.UDP[53] > 0 && s.UDP[3478] > 0 && s.UDP[4433] > 0 })
	}
	return "", errors.Join(err, p.stop())
}

// wayOut is the default route of the namespace: a device whose packets we read.
type wayOut struct {
	tun  *os.File
	seen sent
}

func openWayOut() (*wayOut, error) {
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open /dev/net/tun: %w", err)
	}
	device, err := unix.NewIfreq("out0")
	if err != nil {
		return nil, err
	}
	device.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
	if err := unix.IoctlIfreq(fd, unix.TUNSETIFF, device); err != nil {
		return nil, fmt.Errorf("make a network device: %w", err)
	}
	if err := errors.Join(bringUp("lo"), bringUp("out0")); err != nil {
		return nil, err
	}
	if err := routeAll("out0", netip.MustParseAddr("198.51.100.2"), netip.MustParseAddr("2001:db8:1::2")); err != nil {
		return nil, err
	}
	return &wayOut{tun: os.NewFile(uintptr(fd), "out0"), seen: sent{UDP: map[uint16]int{}, TCP: map[uint16]int{}}}, nil
}

// read counts packets until enough is seen, or until the time is over and none waits.
func (w *wayOut) read(until time.Time, enough func(*sent) bool) error {
	if err := w.tun.SetReadDeadline(until.Add(100 * time.Millisecond)); err != nil {
		return err
	}
	packet := make([]byte, 64<<10)
	for !enough(&w.seen) {
		n, err := w.tun.Read(packet)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read what leaves: %w", err)
		}
		w.seen.count(packet[:n])
	}
	return nil
}

// count looks at an IP packet. What the kernel sends by itself (ICMP, multicast membership) is not the browser's doing.
func (s *sent) count(packet []byte) {
	protocol, payload := byte(0), []byte(nil)
	switch {
	case len(packet) >= 20 && packet[0]>>4 == 4:
		protocol, payload = packet[9], packet[min(len(packet), int(packet[0]&15)*4):]
	case len(packet) >= 40 && packet[0]>>4 == 6:
		protocol, payload = packet[6], packet[40:]
	}
	if len(payload) < 4 {
		return
	}
	switch port := binary.BigEndian.Uint16(payload[2:]); protocol {
	case unix.IPPROTO_UDP:
		s.UDP[port]++
	case unix.IPPROTO_TCP:
		s.TCP[port]++
	}
}
