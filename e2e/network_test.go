package e2e

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

const (
	// insideVariable is set in the process that has a network of its own.
	insideVariable = "AFTERIMAGE_E2E_INSIDE"
	// The network is one of those for tests of network devices (RFC 2544): it leads nowhere else.
	hubAddress = "198.18.0.1"
)

// inNetwork runs the calling test once more, in a process with a network of its own, and reports whether it did: then there is
// nothing left to do. What that process starts ends with it. Only root can have such a network: for everybody else all machines
// share the loopback device, and no line between them is cut.
func inNetwork(t *testing.T) (done bool) {
	t.Helper()
	if os.Getenv(insideVariable) != "" || os.Geteuid() != 0 {
		return false
	}
	// `ip netns` keeps its names under /run; a folder of its own takes them along when the process ends.
	const script = `mount --make-rprivate / && mount -t proc proc /proc && mount -t tmpfs tmpfs /run && mkdir /run/netns &&
ip link set lo up && ip link add hub type bridge && ip address add ` + hubAddress + `/24 dev hub && ip link set hub up && exec "$0" "$@"`
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", script, os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=0")
	cmd.Env = append(os.Environ(), insideVariable+"="+binary)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID, Pdeathsig: syscall.SIGKILL,
	}
	out := &logLines{t: t}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		t.Errorf("in a network of its own: %v", err)
	}
	return true
}

// logLines writes each line to the log of a test.
type logLines struct {
	t    *testing.T
	rest []byte
}

func (l *logLines) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		line, rest, found := bytes.Cut(l.rest, []byte{'\n'})
		if !found {
			return len(p), nil
		}
		l.t.Logf("%s", line)
		l.rest = rest
	}
}

// network is a set of machines at one switch, where this process is, too.
type network struct {
	t        *testing.T
	real     bool
	machines int
}

func newNetwork(t *testing.T) *network {
	return &network{t: t, real: os.Getenv(insideVariable) != ""}
}

// hub is the address of this process on the network.
func (n *network) hub() string {
	if n.real {
		return hubAddress
	}
	return "127.0.0.1"
}

// serve serves on the network, and returns the host.
func (n *network) serve(handler http.Handler) (host string) {
	n.t.Helper()
	server := httptest.NewUnstartedServer(handler)
	listener, err := new(net.ListenConfig).Listen(n.t.Context(), "tcp", n.hub()+":0")
	if err != nil {
		n.t.Fatal(err)
	}
	_ = server.Listener.Close()
	server.Listener = listener
	server.Start()
	n.t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return listener.Addr().String()
}

// machine has an address of its own.
type machine struct {
	*network
	name, address string
}

func (n *network) machine(name string) *machine {
	n.t.Helper()
	n.machines++
	m := &machine{network: n, name: name, address: fmt.Sprintf("127.0.0.%d", 1+n.machines)}
	if n.real {
		m.address = fmt.Sprintf("198.18.0.%d", 1+n.machines)
		n.ip("netns", "add", name)
		n.ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
		n.ip("link", "set", name, "master", "hub", "up")
		n.ip("-n", name, "address", "add", m.address+"/24", "dev", "eth0")
		n.ip("-n", name, "link", "set", "eth0", "up")
		n.ip("-n", name, "link", "set", "lo", "up")
	}
	return m
}

func (n *network) ip(args ...string) {
	n.t.Helper()
	if out, err := exec.CommandContext(n.t.Context(), "ip", args...).CombinedOutput(); err != nil {
		n.t.Fatalf("ip %v: %v\n%s", args, err, out)
	}
}

// command is a program that runs on the machine.
func (m *machine) command(program string, args ...string) *exec.Cmd {
	if !m.real {
		return exec.Command(program, args...)
	}
	return exec.Command("ip", append([]string{"netns", "exec", m.name, program}, args...)...)
}

// as is command for a program that refuses to run as root.
func (m *machine) as(user int, program string, args ...string) *exec.Cmd {
	if !m.real {
		return exec.Command(program, args...)
	}
	id := fmt.Sprint(user)
	return m.command("setpriv", append([]string{"--reuid", id, "--regid", id, "--clear-groups", program}, args...)...)
}

// cut lets nothing that this machine sends reach another one, as behind a firewall that drops packets without a word, until mended.
func (m *machine) cut(other *machine) (mend func()) {
	m.t.Helper()
	if !m.real {
		m.t.Log("only root can have networks: nothing is cut in this run")
		return func() {}
	}
	m.ip("-n", m.name, "route", "add", "blackhole", other.address+"/32")
	return func() { m.ip("-n", m.name, "route", "del", "blackhole", other.address+"/32") }
}
