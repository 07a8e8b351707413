package remote

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// maxPicture is the size of a picture in bytes.
const maxPicture = 256 << 20

// picture downloads a picture by its link. The server may be known to this program by another address than to itself, so only
// the path of the link counts.
func (c *Client) picture(ctx context.Context, link string) ([]byte, error) {
	u, err := url.Parse(link)
	if err != nil {
		return nil, fmt.Errorf("the link of a picture cannot be read: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base.Scheme+"://"+c.base.Host+u.RequestURI(), http.NoBody)
	if err != nil {
		return nil, err
	}
	answer, err := c.send(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("a picture cannot be read: %s answers with HTTP status %d", r.URL.Redacted(), answer.StatusCode)
	}
	file, err := io.ReadAll(io.LimitReader(answer.Body, maxPicture+1))
	if err != nil {
		return nil, c.unreachable(ctx, err)
	}
	if len(file) > maxPicture {
		return nil, fmt.Errorf("a picture is larger than %d MiB", maxPicture>>20)
	}
	return file, nil
}
