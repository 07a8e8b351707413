package remote

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
)

// TestARefusedScreenshotWaitsLongerEachTime: what the server asks for is the least, because pictures may arrive slowly before it.
func TestARefusedScreenshotWaitsLongerEachTime(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "5")
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprintf(w, `{"errors":[{"message":"Later.","extensions":{"code":%q,"retryAfter":5}}]}`, codeRateLimited)
	}))
	defer server.Close()
	c, err := New(server.URL, "token", "test")
	if err != nil {
		t.Fatal(err)
	}
	var pauses []time.Duration
	c.pause = func(_ context.Context, d time.Duration) error { pauses = append(pauses, d); return nil }
	_, err = c.Send(t.Context(), "b", &Screenshot{Name: "a", PNG: []byte("x")})
	want := []time.Duration{5 * time.Second, 5 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second}
	if err == nil || !slices.Equal(pauses, want) {
		t.Errorf("waited %v, want %v; error %v", pauses, want, err)
	}
}
