package buckettest

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"
)

// StartGoogle starts fake-gcs-server, which keeps what it is given in memory, until the test ends. It asks for no credentials.
func StartGoogle(t testing.TB) *Server {
	t.Helper()
	host, port := freeAddress(t)
	s := &Server{Endpoint: "http://" + net.JoinHostPort(host, port)}
	s.provider = provider{url: googleURL, create: s.createGoogle}
	s.run(t, "/_internal/healthcheck", command(t, inProject(t, ".ci", "tool"), "fake-gcs-server", "-scheme", "http", "-host", host,
		"-port", port, "-public-host", host, "-external-url", s.Endpoint, "-backend", "memory", "-log-level", "error"))
	return s
}

func googleURL(t testing.TB, bucket, endpoint string) string {
	t.Helper()
	t.Setenv("STORAGE_EMULATOR_HOST", strings.TrimPrefix(endpoint, "http://")) // with a scheme, a part of the client asks for the host http
	return "gs://" + bucket
}

func (s *Server) createGoogle(t testing.TB, bucket string) {
	t.Helper()
	described, err := json.Marshal(map[string]string{"name": bucket})
	if err != nil {
		t.Fatal(err)
	}
	address := s.Endpoint + "/storage/v1/b?project=test"
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, bytes.NewReader(described))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("create a bucket: %s", answer.Status)
	}
}
