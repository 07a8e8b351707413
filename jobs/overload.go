package jobs

import (
	"fmt"
	"net/http"
	"time"

	"afterimage/capture"
	"afterimage/internal/retryafter"
	"afterimage/vcd/run"
)

// answeredStage is the stage of failures about the status of a page that was read.
const answeredStage = "status"

// overloaded reports whether a page says that the site gets too many requests. It is captured again later, which the
// error stands for. The last attempt keeps what it gets unless the site asks for a pause: a page closed for maintenance (503) shows
// that to its visitors, so it is the picture; a site that rejects our requests (429) has not been seen at all.
func overloaded(shot *capture.Shot, last bool, now time.Time) (*run.Overload, error) {
	overload := overloadOf(shot.Status, shot.RetryAfter, now)
	if overload == nil {
		return nil, nil
	}
	cause := fmt.Errorf("status %d, Retry-After %q", shot.Status, shot.RetryAfter)
	switch {
	case shot.Status == http.StatusTooManyRequests:
		return overload, &capture.Failure{Reason: capture.ReasonRateLimited, Stage: answeredStage, Err: cause}
	case last && overload.Wait == 0 && shot.PNG != nil:
		return overload, nil
	}
	return overload, &capture.Failure{Reason: capture.ReasonHTTPStatus, Stage: answeredStage, Err: cause, Status: shot.Status}
}

// overloadOf is what an answer says of the site's load, nil for nothing.
func overloadOf(status int, retryAfter string, now time.Time) *run.Overload {
	if status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
		return nil
	}
	return &run.Overload{Status: status, Wait: retryafter.Parse(retryAfter, now)}
}
