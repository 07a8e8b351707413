package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"afterimage/vcd"
)

// read takes in what a request carries, with limits, so that the transports find nothing to stumble over. The error
// goes with the status.
func (s *Server) read(w http.ResponseWriter, r *http.Request) (int, *gqlerror.Error) {
	if r.Method == http.MethodGet {
		return s.readQuery(r)
	}
	if r.ContentLength > s.config.Limits.Body {
		w.Header().Set("Connection", "close")
		return http.StatusRequestEntityTooLarge, s.tooLarge()
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.config.Limits.Body))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return http.StatusRequestEntityTooLarge, s.tooLarge()
	case err != nil:
		return http.StatusBadRequest, coded(codeBadRequest, "The request ended early.")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return checkBody(body)
}

func (s *Server) tooLarge() *gqlerror.Error {
	return coded(codeTooLarge, "The request is longer than %d bytes.", s.config.Limits.Body)
}

// checkBody makes sure that a body is one GraphQL request. Batches of requests are refused: they would multiply all
// limits.
func checkBody(body []byte) (int, *gqlerror.Error) {
	if trimmed := bytes.TrimLeft(body, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' {
		return http.StatusBadRequest, coded(codeBadRequest, "Batching is not supported: send one operation per request.")
	}
	var request struct {
		Query         *string        `json:"query"`
		OperationName *string        `json:"operationName"`
		Variables     map[string]any `json:"variables"`
		Extensions    map[string]any `json:"extensions"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return http.StatusBadRequest, coded(codeBadRequest,
			"The body must be a JSON object with query, and optionally operationName, variables and extensions.")
	}
	if (request.Query == nil || *request.Query == "") && !namesDocument(request.Extensions) {
		return http.StatusBadRequest, coded(codeBadRequest, "The request has no query.")
	}
	return 0, nil
}

// readQuery checks the parameters of a GET request.
func (s *Server) readQuery(r *http.Request) (int, *gqlerror.Error) {
	if len(r.URL.RawQuery) > s.config.Limits.Query {
		return http.StatusRequestURITooLong, coded(codeTooLarge, "The URL is too long: use POST.")
	}
	parameters := r.URL.Query()
	objects := make(map[string]map[string]any)
	for _, name := range []string{"variables", "extensions"} {
		var object map[string]any
		if text := parameters.Get(name); text != "" && json.Unmarshal([]byte(text), &object) != nil {
			return http.StatusBadRequest, coded(codeBadRequest, "The parameter %s must be a JSON object.", name)
		}
		objects[name] = object
	}
	if parameters.Get("query") == "" && !namesDocument(objects["extensions"]) {
		return http.StatusBadRequest, coded(codeBadRequest, "The request has no query.")
	}
	return 0, nil
}

// refuseRequest answers a request that is not let in.
func refuseRequest(w http.ResponseWriter, status int, err *gqlerror.Error) {
	body, marshalErr := json.Marshal(map[string]gqlerror.List{"errors": {err}})
	if marshalErr != nil {
		status, body = http.StatusInternalServerError, nil
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that is gone needs no answer
}

// refuseCaller answers a request whose caller may not ask.
func (s *Server) refuseCaller(ctx context.Context, w http.ResponseWriter, err error) {
	shown := s.execution.presenter.present(ctx, err)
	refuseRequest(w, statusOf(w.Header(), vcd.CodeOf(err)), shown)
}

// statusOf is the HTTP status of a refusal, with the headers that go with it.
func statusOf(header http.Header, code vcd.Code) int {
	switch code {
	case vcd.CodeUnauthenticated:
		header.Set("WWW-Authenticate", "Bearer")
		return http.StatusUnauthorized
	case vcd.CodeForbidden, vcd.CodeActivateAccount:
		return http.StatusForbidden
	case vcd.CodeUnavailable:
		header.Set("Retry-After", "1")
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}
