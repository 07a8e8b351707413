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

// credentials are the variables by which a process finds them.
var credentials = map[string]string{
	"AWS_ACCESS_KEY_ID": AccessKey, "AWS_SECRET_ACCESS_KEY": SecretKey, "AWS_EC2_METADATA_DISABLED": "true",
}

// GiveCredentials gives this process those of the S3 server for good: where tests run at the same time, none can set variables.
func GiveCredentials() error {
	for name, value := range credentials {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}

// StartS3 starts versitygw, whose buckets are folders, until the test ends, and gives the process its credentials unless it has them.
func StartS3(t testing.TB) *Server {
	t.Helper()
	for name, value := range credentials {
		if os.Getenv(name) != value {
			t.Setenv(name, value)
		}
	}
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
