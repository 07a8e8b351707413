package demo

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
)

const restPath = "/api/v2"

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 16 << 20

// queueEntry is the part of the REST resource that the table shows.
type queueEntry struct {
	URL      string // its id
	URLLink  string `json:"url_link"`
	Device   string
	SCType   string `json:"sc_type"`
	ErrorMsg string `json:"error_msg"`
}

// step orders the entries of a page: it is captured, then compared.
func (q queueEntry) step() int {
	if q.SCType == "compare" {
		return 1
	}
	return 0
}

// client speaks REST v2 and GraphQL.
type client struct {
	server string // scheme and host
	token  string
}

func (c *client) post(ctx context.Context, path string, body, answer any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.do(ctx, http.MethodPost, c.server+restPath+path, bytes.NewReader(encoded), answer)
}

func (c *client) do(ctx context.Context, method, url string, body io.Reader, answer any) error {
	r, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return err
	}
	if response.StatusCode >= http.StatusBadRequest {
		return refused(method, url, response.StatusCode, raw)
	}
	if answer == nil {
		return nil
	}
	if err := json.Unmarshal(raw, answer); err != nil {
		return fmt.Errorf("%s %s: cannot decode the response: %w", method, url, err)
	}
	return nil
}

// refused says what the server's error body says.
func refused(method, url string, status int, raw []byte) error {
	var body struct{ Message string }
	if json.Unmarshal(raw, &body) != nil || body.Message == "" {
		body.Message = http.StatusText(status)
	}
	return fmt.Errorf("%s %s: %d %s", method, url, status, body.Message)
}

// list reads all pages of a list.
func list[T any](ctx context.Context, c *client, path string) ([]T, error) {
	var all []T
	for url := c.server + restPath + path; url != ""; {
		var page struct {
			Data  []T
			Links struct{ Next *string }
		}
		if err := c.do(ctx, http.MethodGet, url, http.NoBody, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Data...)
		url = ""
		if page.Links.Next != nil {
			url = *page.Links.Next
		}
	}
	return all, nil
}

func sortBy[T any, K cmp.Ordered](items []T, key func(T) K) {
	slices.SortStableFunc(items, func(a, b T) int { return cmp.Compare(key(a), key(b)) })
}
