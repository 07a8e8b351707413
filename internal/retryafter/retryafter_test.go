package retryafter

import (
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"":                              0,
		"soon":                          0,
		"-5":                            0,
		"120":                           2 * time.Minute,
		"90000":                         Max,
		"1000000000":                    Max,
		"99999999999999999999":          Max,
		"-99999999999999999999":         0,
		"Sun, 01 Mar 2026 12:00:30 GMT": 30 * time.Second,
		"Sun, 01 Mar 2026 11:59:00 GMT": 0,
		"Sun, 01 Mar 2099 12:00:00 GMT": Max,
	} {
		if got := Parse(value, now); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}
