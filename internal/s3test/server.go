// Package s3test starts a real S3 server for tests, and a proxy in front of it that fails on demand. It knows nothing of
// the product.
package s3test

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// The credentials of the server's administrator.
const (
	AccessKey = "afterimage-test"
	SecretKey = "a key that opens test buckets only"
)

// Server is a running versitygw. Its buckets are folders.
type Server struct {
	Endpoint string // http://127.0.0.1:…
	Root     string // the folder with a folder for each bucket
	program  string
}

// Start starts a server that ends with the test, and gives the process its credentials.
func Start(t testing.TB) *Server {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", SecretKey)
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	s := &Server{Root: t.TempDir(), program: program(t)}
	address := freeAddress(t)
	s.Endpoint = "http://" + address
	accounts, output := t.TempDir(), &bytes.Buffer{}
	command := exec.CommandContext(context.WithoutCancel(t.Context()), s.program, "versitygw", "--port", address,
		"--iam-dir", accounts, "--iam-cache-disable", "--quiet", "--health", "/ready", "posix", s.Root)
	command.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+AccessKey, "ROOT_SECRET_KEY="+SecretKey)
	command.Stdout, command.Stderr = output, output
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		t.Fatalf("start versitygw: %v", err)
	}
	ended := make(chan struct{})
	go func() { _ = command.Wait(); close(ended) }()
	t.Cleanup(func() { _ = command.Process.Kill(); <-ended })
	s.await(t, ended, output)
	return s
}

// program is the path of the gateway, which .ci/tool builds once.
func program(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	for err == nil {
		tool := filepath.Join(folder, ".ci", "tool")
		if _, missing := os.Stat(tool); missing == nil {
			return tool
		}
		if folder == filepath.Dir(folder) {
			break
		}
		folder = filepath.Dir(folder)
	}
	t.Fatalf("no .ci/tool above the working folder (%v)", err)
	return ""
}

func freeAddress(t testing.TB) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// startPatience is far longer than the server takes to start, unless it must be built first.
const startPatience = 10 * time.Minute

func (s *Server) await(t testing.TB, ended <-chan struct{}, output *bytes.Buffer) {
	t.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	deadline := time.After(startPatience)
	for {
		if answer, err := http.Get(s.Endpoint + "/ready"); err == nil { //nolint:noctx // it answers at once or not at all
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case <-again.C:
		case <-ended:
			t.Fatalf("versitygw ended:\n%s", output)
		case <-deadline:
			t.Fatal("versitygw did not start")
		}
	}
}

// Bucket makes a bucket and returns its URL.
func (s *Server) Bucket(t testing.TB, name string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(s.Root, name), 0o700); err != nil {
		t.Fatal(err)
	}
	return URL(name, s.Endpoint)
}

// URL is that of a bucket at an endpoint, such as that of a [Proxy].
func URL(bucket, endpoint string) string {
	return "s3://" + bucket + "?" + url.Values{"endpoint": {endpoint}, "region": {"us-east-1"}}.Encode()
}

// File is where the server keeps an object.
func (s *Server) File(bucket, key string) string {
	return filepath.Join(s.Root, bucket, filepath.FromSlash(key))
}

// AddUser makes a user with no rights beyond those that policies give.
func (s *Server) AddUser(t testing.TB, access, secret string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), s.program, "versitygw", "admin", "--access", AccessKey, "--secret", SecretKey,
		"--endpoint-url", s.Endpoint, "create-user", "--access", access, "--secret", secret, "--role", "user")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("create a user: %v\n%s", err, out)
	}
}
