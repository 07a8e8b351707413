// Package retryafter reads the header field Retry-After (RFC 9110, section 10.2.3).
package retryafter

import (
	"errors"
	"net/http"
	"strconv"
	"time"
)

// Max bounds what the other side can ask for, so that it cannot put work off for ever.
const Max = 24 * time.Hour

// Parse reads the field's value, seconds or a date, at a time of ours. It returns 0 to [Max]; 0 when the value says nothing useful.
func Parse(value string, now time.Time) time.Duration {
	switch seconds, err := strconv.ParseUint(value, 10, 31); {
	case err == nil:
		return min(time.Duration(seconds)*time.Second, Max)
	case errors.Is(err, strconv.ErrRange):
		return Max
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(0, at.Sub(now)), Max)
	}
	return 0
}
