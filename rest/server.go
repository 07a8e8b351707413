package rest

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"afterimage/graph"
)

// BasePath is where the API is mounted; all paths of the route table are relative to it.
const BasePath = "/api/v2"

//go:embed operations/*.graphql
var operationFiles embed.FS

// New returns the handler for every path below BasePath, and for the reference page at DocsPath. It checks all
// stored operations against the executor's schema and all routes against the operations, so that a mistake is
// reported at startup, with file and line.
func New(config Config) (http.Handler, error) {
	if config.PublicURL == "" {
		return nil, errors.New("the REST interface needs the address that its links begin with")
	}
	operations, err := fs.Sub(operationFiles, "operations")
	if err != nil {
		return nil, fmt.Errorf("opening the stored operations: %w", err)
	}
	s, err := newServer(config, operations, routes)
	if err != nil {
		return nil, err
	}
	described, err := describe(config.Executor.Schema(), s.operations, routes)
	if err != nil {
		return nil, fmt.Errorf("describing the REST interface: %w", err)
	}
	if s.reference, err = newReference(described); err != nil {
		return nil, err
	}
	return s, nil
}

// server answers requests. It keeps nothing between them.
type server struct {
	config     Config
	operations map[string]*operation
	tree       *node
	reference  reference
}

func newServer(config Config, operations fs.FS, table []route) (*server, error) {
	if config.Executor == nil || config.Authenticate == nil {
		return nil, errors.New("the REST interface needs an executor and an authenticator")
	}
	loaded, err := loadOperations(config.Executor.Schema(), operations)
	if err != nil {
		return nil, err
	}
	tree, err := newTree(table, loaded)
	if err != nil {
		return nil, err
	}
	return &server{config: config.withDefaults(), operations: loaded, tree: tree}, nil
}

// ServeHTTP answers one request. Every answer names its request id.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := s.setHeaders(w)
	defer func() {
		fault := recover()
		if fault == nil {
			return
		}
		if err, ok := fault.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(fault) // the way to drop a connection, not a fault
		}
		s.fail(w, r, id, serverError(fmt.Errorf("panic: %v\n%s", fault, debug.Stack())))
	}()
	if s.reference.serve(w, r) {
		return
	}
	r = r.WithContext(graph.WithRequestID(r.Context(), id))
	began := time.Now()
	answer, operation, failed := s.answer(w, r)
	if failed != nil {
		s.observe(operation, failed.status, began)
		s.drain(r)
		s.fail(w, r, id, failed)
		return
	}
	s.observe(operation, answer.status, began)
	write(w, answer)
}

// observe tells of a request that was answered, by the operation that it asked for; empty for none.
func (s *server) observe(operation string, status int, began time.Time) {
	if s.config.Observe != nil {
		s.config.Observe(operation, status, time.Since(began))
	}
}

// OperationNames are the names of the operations that requests can ask for; one that several routes share stands there again.
func OperationNames() []string {
	names := make([]string, len(routes))
	for i, r := range routes {
		names[i] = r.operation
	}
	return names
}

// drain reads what was not read of a body that is within the limit. Many clients read no answer before they have sent all
// of their body, and the connection would be closed under them.
func (s *server) drain(r *http.Request) {
	if r.ContentLength > 0 && r.ContentLength <= s.config.MaxBody {
		_, _ = io.Copy(io.Discard, r.Body)
	}
}

// answer takes a request through its steps: route, authentication, reading, binding, execution, wrapping. It also returns the name
// of the operation that the route asks for; empty for none.
func (s *server) answer(w http.ResponseWriter, r *http.Request) (reply, string, *failure) {
	place, parts := s.tree.find(requestSegments(r.URL))
	if place == nil {
		return reply{}, "", routeNotFound(r.URL.Path)
	}
	if r.Method == http.MethodOptions {
		w.Header().Set("Allow", strings.Join(place.allowed(), ", "))
		return reply{status: http.StatusNoContent}, "", nil
	}
	method := r.Method
	if method == http.MethodHead { // net/http leaves the body out
		method = http.MethodGet
	}
	target, ok := place.endpoints[method]
	if !ok {
		return reply{}, "", methodNotAllowed(r.Method, r.URL.Path, place.allowed())
	}
	answer, failed := s.operate(w, r, target, parts)
	return answer, target.operation.name, failed
}

// operate answers a request with the operation of an endpoint.
func (s *server) operate(w http.ResponseWriter, r *http.Request, target *endpoint, parts []string) (reply, *failure) {
	ctx, cancel := context.WithTimeout(r.Context(), s.config.Timeout)
	defer cancel()
	ctx, failed := s.authenticate(ctx, r)
	if failed != nil {
		return reply{}, failed
	}
	if failed := s.admit(ctx, w.Header()); failed != nil {
		return reply{}, failed
	}
	path, failed := target.bindPath(parts)
	if failed != nil {
		return reply{}, failed
	}
	if target.operation.secret {
		graph.NoTransform(w.Header())
	}
	in, failed := s.read(w, r, path)
	if failed != nil {
		return reply{}, failed
	}
	return s.run(ctx, r, target, in)
}

func (s *server) authenticate(ctx context.Context, r *http.Request) (context.Context, *failure) {
	token, ok := bearerToken(r.Header.Get("Authorization"))
	if !ok {
		return nil, unauthenticated()
	}
	known, err := s.config.Authenticate(ctx, token)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, unavailable(unlogged(fmt.Errorf("authentication: %w", err), err))
	case err != nil:
		return nil, readRefusal(err).failure(fieldTexts{})
	}
	return known, nil
}

func (s *server) admit(ctx context.Context, header http.Header) *failure {
	if s.config.Admit == nil {
		return nil
	}
	if err := s.config.Admit(ctx, header); err != nil {
		return readRefusal(err).failure(fieldTexts{})
	}
	return nil
}

const maxTokenLength = 256

func bearerToken(header string) (string, bool) {
	scheme, token, _ := strings.Cut(strings.TrimSpace(header), " ")
	token = strings.TrimSpace(token)
	return token, strings.EqualFold(scheme, "Bearer") && token != "" && len(token) <= maxTokenLength
}

// read takes in the query, and the body of the methods that have one.
func (s *server) read(w http.ResponseWriter, r *http.Request, path map[string]string) (request, *failure) {
	query, failed := readQuery(r)
	if failed != nil {
		return request{}, failed
	}
	in := request{path: path, query: query, header: r.Header}
	switch r.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		in.body, failed = readBody(w, r, s.config.MaxBody)
	}
	return in, failed
}

func (s *server) run(ctx context.Context, r *http.Request, target *endpoint, in request) (reply, *failure) {
	bound, failed := target.operation.bind(in)
	if failed != nil {
		return reply{}, failed
	}
	data, failed := s.execute(ctx, target.operation, bound)
	if failed != nil {
		return reply{}, failed
	}
	done, err := target.wrapper.answer(outcome{
		data: data, path: in.path, variables: bound.variables, address: s.address(r), rawQuery: r.URL.RawQuery,
	})
	switch {
	case errors.Is(err, errMissing):
		return reply{}, target.missing(in.path)
	case err != nil:
		return reply{}, serverError(fmt.Errorf("operation %s: %w", target.operation.name, err))
	}
	return done, nil
}

func (s *server) execute(ctx context.Context, op *operation, bound binding) ([]byte, *failure) {
	response := s.config.Executor.Execute(ctx, op.name, op.document, bound.variables)
	switch {
	case response == nil && ctx.Err() != nil:
		return nil, unavailable(fmt.Errorf("operation %s: %w", op.name, context.Cause(ctx)))
	case response == nil:
		return nil, serverError(fmt.Errorf("operation %s: the executor gave no response", op.name))
	case len(response.Errors) > 0 && ctx.Err() != nil:
		return nil, unavailable(unlogged(fmt.Errorf("operation %s: %w", op.name, context.Cause(ctx)), response.Errors.Unwrap()...))
	case len(response.Errors) > 0:
		return nil, s.refuse(op, bound.places, response)
	}
	return op.presentNulls(response.Data), nil
}

func (s *server) refuse(op *operation, sent places, response *graphql.Response) *failure {
	failed := refuse(response.Errors, func(path string) string { return sent.sent(op.fieldName(path)) })
	if failed.cause != nil {
		failed.cause = fmt.Errorf("operation %s: %w", op.name, response.Errors)
	}
	return failed
}

// address is the request's own address without its query.
func (s *server) address(r *http.Request) string {
	return strings.TrimSuffix(s.config.PublicURL, "/") + strings.TrimSuffix(r.URL.EscapedPath(), "/")
}

// fail writes an answer other than success and logs what its cause was, if it has one.
func (s *server) fail(w http.ResponseWriter, r *http.Request, id string, f *failure) {
	if f.cause != nil {
		s.config.Logger.Log(r.Context(), f.level(r), "request failed",
			"request_id", id, "method", r.Method, "path", r.URL.Path, "status", f.status, "error", f.cause)
	}
	for name, value := range f.header {
		w.Header().Set(name, value)
	}
	write(w, reply{f.status, f.body()})
}

// level is how loudly a failure is logged: quietly when the client has left, which is nobody's fault, and as a warning
// when it passes by itself.
func (f *failure) level(r *http.Request) slog.Level {
	switch {
	case r.Context().Err() != nil:
		return slog.LevelDebug
	case f.status == http.StatusServiceUnavailable:
		return slog.LevelWarn
	}
	return slog.LevelError
}
