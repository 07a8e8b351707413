package buckettest

import (
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The credentials of the S3 server's administrator.
const (
	AccessKey = "afterimage-test"
	SecretKey = "a key that opens test buckets only"
)

// StartS3 starts versitygw, whose buckets are folders, until the test ends, and gives the process its credentials.
func StartS3(t testing.TB) *Server {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", SecretKey)
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	address := net.JoinHostPort(freeAddress(t))
	s := &Server{Endpoint: "http://" + address, Root: t.TempDir(), program: inProject(t, ".ci", "tool")}
	s.provider = provider{url: s3URL, create: func(t testing.TB, bucket string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(s.Root, bucket), 0o700); err != nil {
			t.Fatal(err)
		}
	}}
	gateway := command(t, s.program, "versitygw", "--port", address, "--iam-dir", t.TempDir(), "--iam-cache-disable", "--quiet",
		"--health", "/ready", "posix", s.Root)
	gateway.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+AccessKey, "ROOT_SECRET_KEY="+SecretKey)
	s.run(t, "/ready", gateway)
	return s
}

func s3URL(_ testing.TB, bucket, endpoint string) string {
	return "s3://" + bucket + "?" + url.Values{"endpoint": {endpoint}, "region": {"us-east-1"}}.Encode()
}

// File is where the S3 server keeps an object.
func (s *Server) File(bucket, key string) string {
	return filepath.Join(s.Root, bucket, filepath.FromSlash(key))
}

// AddUser makes a user of the S3 server with no rights beyond those that policies give.
func (s *Server) AddUser(t testing.TB, access, secret string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), s.program, "versitygw", "admin", "--access", AccessKey, "--secret", SecretKey,
		"--endpoint-url", s.Endpoint, "create-user", "--access", access, "--secret", secret, "--role", "user")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("create a user: %v\n%s", err, out)
	}
}
