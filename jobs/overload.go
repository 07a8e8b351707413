package jobs

import (
	"fmt"
	"net/http"
	"time"

	"afterimage/capture"
	"afterimage/internal/retryafter"
	"afterimage/vcd/run"
)

// overloaded reports whether a page says that the site gets too many requests. It is captured again later, which the
// error stands for. The last attempt keeps what it gets: a site closed for maintenance (503) shows that to its
// visitors, so it is the picture; a site that rejects our requests (429) has not been seen at all.
func overloaded(shot *capture.Shot, last bool, now time.Time) (*run.Overload, error) {
	if shot.Status != http.StatusTooManyRequests && shot.Status != http.StatusServiceUnavailable {
		return nil, nil
	}
	overload := &run.Overload{Status: shot.Status, Wait: retryafter.Parse(shot.RetryAfter, now)}
	cause := fmt.Errorf("status %d, Retry-After %q", shot.Status, shot.RetryAfter)
	switch {
	case shot.Status == http.StatusTooManyRequests:
		return overload, &capture.Failure{Reason: capture.ReasonRateLimited, Stage: "status", Err: cause}
	case last:
		return overload, nil
	}
	return overload, &capture.Failure{Reason: capture.ReasonHTTPStatus, Stage: "status", Err: cause}
}
