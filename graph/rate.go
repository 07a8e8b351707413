package graph

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"afterimage/graph/resolver"
)

// Limiter counts the requests of each API token: one point per request, plus points for the cost of an operation.
type Limiter interface {
	// Limit returns the points per minute.
	Limit() int
	// Take takes one point, or returns how long to wait for one.
	Take(key string) (remaining int, wait time.Duration)
	// Charge takes points for admitted work; the balance may become negative.
	Charge(key string, points int)
}

// The headers in which clients read how much they may ask for.
const (
	rateLimitHeader     = "X-RateLimit-Limit"
	rateRemainingHeader = "X-RateLimit-Remaining"
	retryAfterHeader    = "Retry-After"
)

// costOfPoint is the cost of an operation that counts like one request more.
const costOfPoint = 500

// Admit counts a request of the context's actor, which must come from Authenticate, and sets the rate limit headers.
// The error is a refusal in the format of operation errors, with the seconds to wait.
func (s *Server) Admit(ctx context.Context, header http.Header) error {
	if refused := s.execution.admit(ctx, header); refused != nil {
		return refused
	}
	return nil
}

func (e *execution) admit(ctx context.Context, header http.Header) *gqlerror.Error {
	key := rateKey(ctx)
	if e.limiter == nil || key == "" {
		return nil
	}
	remaining, wait := e.limiter.Take(key)
	header.Set(rateLimitHeader, strconv.Itoa(e.limiter.Limit()))
	header.Set(rateRemainingHeader, strconv.Itoa(remaining))
	if wait == 0 {
		return nil
	}
	seconds := int(math.Ceil(wait.Seconds()))
	header.Set(retryAfterHeader, strconv.Itoa(seconds))
	err := coded(codeRateLimited, "Too Many Attempts.")
	err.Extensions["retryAfter"] = seconds
	return err
}

// charge counts what an operation costs beyond the request that brought it. On a WebSocket, one request brings many
// operations: there each counts like a request, and is refused like one.
func (e *execution) charge(ctx context.Context, cost int) *gqlerror.Error {
	if e.limiter == nil {
		return nil
	}
	if carrierOf(ctx) == bySocket {
		if err := e.admit(ctx, http.Header{}); err != nil {
			return err
		}
	}
	if points := cost / costOfPoint; points > 0 {
		e.limiter.Charge(rateKey(ctx), points)
	}
	return nil
}

// rateKey is what the requests of the context's actor are counted under: its token or its session.
func rateKey(ctx context.Context) string {
	actor, _ := resolver.ActorOf(ctx)
	return string(actor.Credential())
}
