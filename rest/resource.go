package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
)

// ErrNotFound is the error for a resource that does not exist.
var ErrNotFound = errors.New("there is no such resource")

// Resources reads single resources as the API shows them, without an HTTP request, so that webhook payloads equal
// API responses.
type Resources struct {
	server *server
}

// NewResources returns a reader that uses the executor.
func NewResources(executor Executor) (*Resources, error) {
	operations, err := fs.Sub(operationFiles, "operations")
	if err != nil {
		return nil, fmt.Errorf("opening the stored operations: %w", err)
	}
	nobody := func(context.Context, string) (context.Context, error) {
		return nil, errors.New("there are no requests here")
	}
	s, err := newServer(Config{Executor: executor, Authenticate: nobody}, operations, routes)
	if err != nil {
		return nil, err
	}
	return &Resources{server: s}, nil
}

// folders are where the interface shows things, by their kind.
var folders = map[string]string{
	"batch": "/batches/", "comparison": "/comparisons/", "queue_entry": "/queues/", "webhook": "/webhooks/", "group": "/groups/",
	"flow_run": "/flow-runs/",
}

// PathOf is where the API shows the object of a kind with an id.
func (r *Resources) PathOf(kind, id string) string {
	if kind == "account" {
		return BasePath + "/account"
	}
	return BasePath + folders[kind] + id
}

// Checks returns how many checks the caller's account has used and has left. It is what is told of an account, whose own
// form has secrets.
func (r *Resources) Checks(ctx context.Context) (json.RawMessage, error) {
	data, err := r.Read(ctx, "/account")
	if err != nil {
		return nil, err
	}
	var checks struct {
		ID        string `json:"id"`
		Done      int    `json:"checks_done"`
		Left      int    `json:"checks_left"`
		Limit     int    `json:"checks_limit"`
		RenewalAt string `json:"renewal_at"`
	}
	if err := json.Unmarshal(data, &checks); err != nil {
		return nil, fmt.Errorf("reading the account's checks: %w", err)
	}
	return json.Marshal(checks)
}

// Of returns the object of a kind with an id, as the API shows it. The context carries the caller for the executor.
func (r *Resources) Of(ctx context.Context, kind, id string) (json.RawMessage, error) {
	folder, ok := folders[kind]
	if !ok {
		return nil, fmt.Errorf("the interface does not show a %q by itself", kind)
	}
	return r.Read(ctx, folder+id)
}

// Read returns the value of "data" in the GET response for a path below BasePath, such as /batches/<id>. The context
// carries the caller for the executor.
func (r *Resources) Read(ctx context.Context, path string) (json.RawMessage, error) {
	place, parts := r.server.tree.find(segments(path))
	if place == nil || place.endpoints[http.MethodGet] == nil {
		return nil, fmt.Errorf("nothing can be read at %s", path)
	}
	target := place.endpoints[http.MethodGet]
	named, failed := target.bindPath(parts)
	if failed != nil {
		return nil, ErrNotFound
	}
	bound, failed := target.operation.bind(request{path: named})
	if failed != nil {
		return nil, fmt.Errorf("reading %s: %s", path, failed.message)
	}
	data, failed := r.server.execute(ctx, target.operation, bound)
	switch {
	case failed != nil && failed.status == http.StatusNotFound:
		return nil, ErrNotFound
	case failed != nil:
		return nil, fmt.Errorf("reading %s: %s: %w", path, failed.message, failed.cause)
	}
	answer, err := target.wrapper.answer(outcome{data: data, path: named, variables: bound.variables})
	switch {
	case errors.Is(err, errMissing):
		return nil, ErrNotFound
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	var wrapped struct {
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(answer.body, &wrapped); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return wrapped.Data, nil
}
