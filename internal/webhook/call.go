package webhook

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// Limits of a call.
const (
	CallTimeout  = 10 * time.Second
	maxRedirects = 3 // that a call follows on the same host
)

// Call asks for an address by GET, unsigned and without a body, so that a CMS wakes up. It follows redirects on the same host only.
// What it returns is as for Send; id names the call in the log.
func (s *Sender) Call(ctx context.Context, address, id string) (Attempt, error) {
	limited, cancel := context.WithTimeout(ctx, CallTimeout)
	defer cancel()
	return s.record(ctx, id, func(a *Attempt) error { return s.get(limited, address, a) })
}

func (s *Sender) get(ctx context.Context, address string, a *Attempt) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", s.agent)
	client := *s.client
	client.CheckRedirect = func(next *http.Request, before []*http.Request) error {
		if next.URL.Host != before[0].URL.Host || len(before) > maxRedirects {
			return http.ErrUseLastResponse
		}
		return nil
	}
	err = s.ask(&client, req, a)
	if a.Status >= 300 && a.Status < 400 {
		a.Problem = "The site redirected to another host or too often (" + strconv.Itoa(a.Status) + ")."
	}
	return err
}
