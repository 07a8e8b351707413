package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"time"
)

// Upload is a run that is filled with screenshots.
type Upload struct {
	BatchID        string
	Open           bool // more can be sent
	Shards         int
	FinishedShards []int
}

// UploadRequest says what will be sent.
type UploadRequest struct {
	Group  Group
	Pre    bool
	Build  string // empty for none
	Shards int
	Name   string // of the run; empty for the server's
}

// BeginUpload begins a run, or finds the one of the build.
func (c *Client) BeginUpload(ctx context.Context, r UploadRequest) (*Upload, error) {
	switch {
	case r.Group.Monitoring:
		return nil, fmt.Errorf("--group: %q is a monitoring group, whose pages the server captures: upload into another group",
			r.Group.Name)
	case !r.Group.Enabled:
		return nil, fmt.Errorf("--group: the group %q is disabled: enable it in the dashboard", r.Group.Name)
	}
	input := map[string]any{"groupId": r.Group.ID, "scType": "POST", "shards": r.Shards}
	if r.Pre {
		input["scType"] = TypePre
	}
	if r.Build != "" {
		input["build"] = r.Build
	}
	if r.Name != "" {
		input["name"] = r.Name
	}
	var answer struct{ BeginUpload *Upload }
	err := c.do(ctx, beginUploadDocument, map[string]any{"input": input}, &answer)
	return answer.BeginUpload, err
}

// FinishUpload says that a shard, from 1, has sent all.
func (c *Client) FinishUpload(ctx context.Context, batch string, shard int) (*Upload, error) {
	var answer struct{ FinishUpload *Upload }
	err := c.do(ctx, finishUploadDocument, map[string]any{"batch": batch, "shard": shard}, &answer)
	return answer.FinishUpload, err
}

// maxSends is how often a screenshot is sent at most: doing so again is harmless.
const maxSends = 6

// Screenshot is a picture that somebody else took, with what is known of it.
type Screenshot struct {
	Name, Device string
	PNG          []byte
	Elements     []byte // a JSON array of what it shows; nil when that is not known
}

// Send sends a screenshot. It reports whether it is new in the run.
func (c *Client) Send(ctx context.Context, batch string, s *Screenshot) (added bool, err error) {
	for tries := 1; ; tries++ {
		added, err = c.sendOnce(ctx, batch, s)
		var refused *Refusal
		pause := time.Second << tries
		switch {
		case err == nil || tries == maxSends || ctx.Err() != nil:
			return added, err
		case errors.As(err, &refused) && !refused.passes(false):
			return false, err
		case refused != nil && refused.wait() > 0:
			pause = max(pause, refused.wait()) // what it waits for may be pictures that arrive slowly
		}
		if err := c.pause(ctx, min(pause, maxPause)); err != nil {
			return false, err
		}
	}
}

// body is what is sent of the screenshot: the file alone, or a form.
func (s *Screenshot) body() (body []byte, contentType string, err error) {
	if s.Elements == nil {
		return s.PNG, "image/png", nil
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for _, part := range []struct {
		name, kind string
		content    []byte
	}{{"picture", "image/png", s.PNG}, {"elements", "application/json", s.Elements}} {
		header := textproto.MIMEHeader{}
		header.Set("Content-Disposition", fmt.Sprintf(`form-data; name=%q; filename=%q`, part.name, part.name))
		header.Set("Content-Type", part.kind)
		into, err := w.CreatePart(header)
		if err == nil {
			_, err = into.Write(part.content)
		}
		if err != nil {
			return nil, "", fmt.Errorf("make the form: %w", err)
		}
	}
	err = w.Close()
	return form.Bytes(), w.FormDataContentType(), err
}

func (c *Client) sendOnce(ctx context.Context, batch string, s *Screenshot) (added bool, err error) {
	body, contentType, err := s.body()
	if err != nil {
		return false, err
	}
	query := url.Values{"name": {s.Name}, "device": {s.Device}}
	address := c.Address("/api/uploads/" + url.PathEscape(batch) + "?" + query.Encode())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	r.Header.Set("Content-Type", contentType)
	answer, err := c.send(r)
	if err != nil {
		return false, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return false, c.unreachable(ctx, err)
	}
	var decoded struct {
		Added  *bool
		Errors []*Refusal
	}
	switch err := json.Unmarshal(text, &decoded); {
	case err == nil && len(decoded.Errors) > 0:
		return false, decoded.Errors[0].at(answer.Header)
	case answer.StatusCode == http.StatusRequestEntityTooLarge:
		return false, &Refusal{Message: fmt.Sprintf("a proxy in front of the server refuses the %d bytes of the file: raise its limit for "+
			"/api/uploads/ to 21 MiB (nginx: client_max_body_size)", len(body))}
	case err != nil || decoded.Added == nil:
		return false, c.notOurs(answer)
	}
	return *decoded.Added, nil
}
