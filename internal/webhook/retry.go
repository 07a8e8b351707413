package webhook

import (
	"math/rand/v2"
	"time"

	"afterimage/internal/retryafter"
)

// pauses stand between the attempts at a delivery: ten attempts within three days and a few hours.
var pauses = [...]time.Duration{
	FirstPause, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
	10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

// MaxAttempts is the number of attempts before a delivery is given up.
const MaxAttempts = len(pauses) + 1

// jitter spreads the attempts of many deliveries that failed at the same moment by this part of their pause.
const jitter = 0.2

// Retry returns the backoff after a failed attempt, counted from 1, and false after the last one. A receiver's
// Retry-After is honoured if it is longer. chance is a random number in [0, 1) for the jitter.
func Retry(attempt int, asked time.Duration, chance float64) (time.Duration, bool) {
	if attempt < 1 || attempt > len(pauses) {
		return 0, false
	}
	pause := pauses[attempt-1]
	pause += time.Duration((chance*2 - 1) * jitter * float64(pause))
	return max(pause, min(asked, retryafter.Max)), true
}

// FirstPause is the mean pause before the second attempt.
const FirstPause = 5 * time.Second

// Plan is [Retry] with all pauses stretched or shrunk in proportion to the first one, and with chance from the system. A receiver's
// Retry-After stays as it is.
func Plan(first time.Duration) func(attempt int, asked time.Duration) (time.Duration, bool) {
	return func(attempt int, asked time.Duration) (time.Duration, bool) {
		pause, again := Retry(attempt, 0, rand.Float64()) //nolint:gosec // spreads load, keeps no secret
		pause = time.Duration(float64(pause) * (float64(first) / float64(FirstPause)))
		return max(pause, min(asked, retryafter.Max)), again
	}
}
