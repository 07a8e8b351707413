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

// Limiter counts what each API token asks for: a point for a request, and for an operation as much more as it costs.
type Limiter interface {
	// Limit is how many points a minute has.
	Limit() int
	// Take takes one point, or tells how long it takes until there is one.
	Take(key string) (remaining int, wait time.Duration)
	// Charge takes points for what is let in already, into debt where there are too few.
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

// Admit counts a request of the context's actor, who must come from Authenticate, and tells in the header how many are
// left. The error is a refusal of the form that operations have, with the seconds to wait.
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

// rateKey is what the requests of the context's actor are counted under: its token.
func rateKey(ctx context.Context) string {
	actor, _ := resolver.ActorOf(ctx)
	return string(actor.Token)
}
