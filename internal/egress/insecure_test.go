package egress_test

import (
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	"afterimage/internal/egress"
)

// TestACertificateIsAcceptedOfTheNamedServerOnly: two servers show the same one, and one of them is named.
func TestACertificateIsAcceptedOfTheNamedServerOnly(t *testing.T) {
	var addresses []string
	for range 2 {
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, r.Proto)
		}))
		server.EnableHTTP2 = true
		server.Config.ErrorLog = log.New(io.Discard, "", 0) // of the handshakes that are refused
		server.StartTLS()
		t.Cleanup(server.Close)
		addresses = append(addresses, server.Listener.Addr().String())
	}
	named, other := addresses[0], addresses[1]
	policy, err := egress.NewPolicy("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	dialer := &egress.Dialer{Policy: policy}
	if dialer.DialTLS() != nil {
		t.Error("without named servers TLS is not that of other clients")
	}
	if dialer.Insecure, err = egress.ReadInsecure(t.Context(), dialer, []string{named}); err != nil {
		t.Fatal(err)
	}
	if keys := dialer.Insecure.Keys(); len(keys) != 1 {
		t.Errorf("the keys are %q", keys)
	}
	for range 2 { // the second time it is known
		if err := dialer.Insecure.Admit(t.Context(), dialer.DialContext, named); err != nil {
			t.Errorf("the named server: %v", err)
		}
		var borrowed *egress.BorrowedError
		err := dialer.Insecure.Admit(t.Context(), dialer.DialContext, other)
		if !errors.As(err, &borrowed) || borrowed.Named != named || egress.CauseOf(err) != egress.Untrusted {
			t.Errorf("the other server: %v", err)
		}
	}
	client := &http.Client{Transport: &http.Transport{
		DialContext: dialer.DialContext, DialTLSContext: dialer.DialTLS(), ForceAttemptHTTP2: true,
	}}
	t.Cleanup(client.CloseIdleConnections)
	for address, want := range map[string]string{named: "HTTP/2.0", other: ""} {
		got := ""
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+address, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Do(request)
		if err == nil {
			body, _ := io.ReadAll(response.Body)
			_ = response.Body.Close()
			got = string(body)
		}
		if got != want {
			t.Errorf("%s answers %q, want %q (%v)", address, got, want, err)
		}
	}
}
