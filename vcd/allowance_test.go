package vcd

import (
	"testing"
	"time"
)

func TestHowLongToWaitIsSaidInWords(t *testing.T) {
	for wait, want := range map[time.Duration]string{
		time.Millisecond:            "Too many. Try again in 1 second.",
		time.Second:                 "Too many. Try again in 1 second.",
		1100 * time.Millisecond:     "Too many. Try again in 2 seconds.",
		119 * time.Second:           "Too many. Try again in 119 seconds.",
		2*time.Minute + time.Second: "Too many. Try again in 3 minutes.",
	} {
		if got := RateLimited("Too many.", wait).(*Error).Message; got != want { //nolint:errorlint,forcetypeassert // it is one
			t.Errorf("%s: %q, want %q", wait, got, want)
		}
	}
}
