// Package buckettest starts real servers of buckets for tests, one for each provider, and a proxy in front of them that
// fails on demand. It knows nothing of the product.
package buckettest

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Server is a running server of buckets.
type Server struct {
	Endpoint string // http://127.0.0.1:…
	Root     string // of S3 only: the folder with a folder for each bucket
	program  string // of S3 only: the path of .ci/tool
	provider
}

// provider is what the servers do differently.
type provider struct {
	url    func(t testing.TB, bucket, endpoint string) string
	create func(t testing.TB, bucket string)
}

// Bucket makes a bucket and returns its URL.
func (s *Server) Bucket(t testing.TB, name string) string {
	t.Helper()
	s.create(t, name)
	return s.URL(t, name, s.Endpoint)
}

// URL is that of a bucket at an endpoint, such as that of a [Proxy]. Google's client knows its endpoint from the environment,
// which is set until the test ends: open the bucket before asking for another URL.
func (s *Server) URL(t testing.TB, bucket, endpoint string) string {
	t.Helper()
	return s.url(t, bucket, endpoint)
}

// run starts a program that serves until the test ends, and waits until the path is answered.
func (s *Server) run(t testing.TB, ready string, command *exec.Cmd) {
	t.Helper()
	output := &bytes.Buffer{}
	command.Stdout, command.Stderr = output, output
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		t.Fatalf("start the server of buckets: %v", err)
	}
	ended := make(chan struct{})
	go func() { _ = command.Wait(); close(ended) }()
	t.Cleanup(func() { _ = command.Process.Kill(); <-ended })
	s.await(t, ready, ended, output)
}

// command is one that outlives the context of the test until its cleanup ends it.
func command(t testing.TB, program string, arguments ...string) *exec.Cmd {
	t.Helper()
	return exec.CommandContext(context.WithoutCancel(t.Context()), program, arguments...)
}

// inProject is the path of a file of the project, which is above the working folder of every test.
func inProject(t testing.TB, name ...string) string {
	t.Helper()
	folder, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(folder, "go.mod")); missing == nil {
			return filepath.Join(append([]string{folder}, name...)...)
		}
		if folder == filepath.Dir(folder) {
			break
		}
		folder = filepath.Dir(folder)
	}
	t.Fatalf("no project above the working folder (%v)", err)
	return ""
}

func freeAddress(t testing.TB) (host, port string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	host, port, err = net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return host, port
}

// startPatience is far longer than a server takes to start, unless it must be built first.
const startPatience = 10 * time.Minute

func (s *Server) await(t testing.TB, ready string, ended <-chan struct{}, output *bytes.Buffer) {
	t.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	deadline := time.After(startPatience)
	for {
		if answer, err := http.Get(s.Endpoint + ready); err == nil { //nolint:noctx // it answers at once or not at all
			answer.Body.Close()
			if answer.StatusCode < http.StatusInternalServerError {
				return
			}
		}
		select {
		case <-again.C:
		case <-ended:
			t.Fatalf("the server of buckets ended:\n%s", output)
		case <-deadline:
			t.Fatal("the server of buckets did not start")
		}
	}
}
