package bucket

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// What is missing when Google answers 404, which it does not say.
const (
	noBucket = "NoSuchBucket"
	noObject = "NoSuchKey"
)

// Google's descriptions of objects are small; a page of a list has a thousand.
const (
	maxGoogleAnswer  = 16 << 20
	maxGoogleProblem = 64 << 10
)

// googleError is a refusal by Google.
type googleError struct {
	status  int
	message string
	missing string // what a status of 404 means
}

func (e *googleError) Error() string {
	return fmt.Sprintf("HTTP %d: %s", e.status, cmp.Or(e.message, http.StatusText(e.status)))
}

// code is what S3 would call the reason: Google has a status and a text.
func (e *googleError) code() string {
	switch {
	case e.status == http.StatusUnauthorized:
		return "AuthenticationFailed"
	case e.status == http.StatusForbidden:
		return "AccessDenied"
	case e.status == http.StatusNotFound:
		return e.missing
	case e.status == http.StatusPreconditionFailed:
		return "PreconditionFailed"
	case e.status == http.StatusBadRequest && strings.Contains(strings.ToLower(e.message), "md5 hash"):
		return "BadDigest"
	}
	return ""
}

// ask sends a request; the caller closes the body of the answer, which is a success.
func (b *googleBucket) ask(ctx context.Context, method, address, mediaType string, body []byte, missing string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if mediaType != "" {
		request.Header.Set("Content-Type", mediaType)
	}
	answer, err := b.client.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode/100 == 2 {
		return answer, nil
	}
	defer answer.Body.Close()
	return nil, &googleError{status: answer.StatusCode, message: googleMessage(answer.Body), missing: missing}
}

// askFor asks for a description.
func (b *googleBucket) askFor(ctx context.Context, address, missing string, into any) error {
	answer, err := b.ask(ctx, http.MethodGet, address, "", nil, missing)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	return json.NewDecoder(io.LimitReader(answer.Body, maxGoogleAnswer)).Decode(into)
}

// googleMessage is what a refusal says: JSON, or of some servers text.
func googleMessage(body io.Reader) string {
	text, err := io.ReadAll(io.LimitReader(body, maxGoogleProblem))
	if err != nil {
		return ""
	}
	var problem struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(text, &problem) == nil {
		return problem.Error.Message
	}
	if strings.HasPrefix(http.DetectContentType(text), "text/plain") {
		return string(text)
	}
	return ""
}
