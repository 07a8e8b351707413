package graph

import (
	"context"
	"net/http"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/transport"

	"afterimage/graph/resolver"
	"afterimage/graph/view"
	"afterimage/vcd"
	"afterimage/vcd/app"
)

// Server serves /graphql and its related endpoints. Create it with New.
type Server struct {
	config    Config
	service   *app.Service
	execution *execution
	origins   origins

	connections *connections
	links       signInLinks

	post   transport.POST
	get    transport.GET
	events transport.SSE

	closing context.Context // ends when the server closes
	close   context.CancelFunc
	mu      sync.Mutex
	open    sync.WaitGroup // streams and sockets
}

// New returns a server. Its error explains what is wrong with the configuration.
func New(config Config) (*Server, error) {
	config, err := config.withDefaults()
	if err != nil {
		return nil, err
	}
	resolvers := &resolver.Resolver{Service: config.Service, Links: view.Links{Base: config.BaseURL}}
	s := &Server{
		config:      config,
		service:     config.Service,
		execution:   newExecution(config, resolvers),
		origins:     newOrigins(config),
		connections: newConnections(config.Limits),
		events:      transport.SSE{KeepAlivePingInterval: config.Timing.Ping},
	}
	if err := s.execution.validateTrusted(config.Documents); err != nil {
		return nil, err
	}
	s.closing, s.close = context.WithCancel(context.Background())
	return s, nil
}

// Close ends all streams and returns when they have ended. Clients are told to reconnect, so that another server can
// serve them. Requests without a stream are not affected.
func (s *Server) Close() {
	s.mu.Lock()
	s.close()
	s.mu.Unlock()
	s.open.Wait()
}

// allowedMethods are those of /graphql.
const allowedMethods = "GET, POST, OPTIONS"

// ServeHTTP answers a request to /graphql.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx := WithRequestID(r.Context(), s.nameRequest(w.Header()))
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	defer s.recover(ctx, w)
	s.origins.allowReading(header, r)
	if r.Method == http.MethodOptions {
		header.Set("Allow", allowedMethods)
		s.origins.answerPreflight(header, r, http.MethodGet, http.MethodPost)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	how, status, reason := classify(r)
	if how == byNothing {
		if status == http.StatusMethodNotAllowed {
			header.Set("Allow", allowedMethods)
		}
		refuseRequest(w, status, coded(codeBadRequest, "%s", reason))
		return
	}
	ctx, err := s.authenticate(ctx, r, how)
	if err != nil {
		s.refuseCaller(ctx, w, err)
		return
	}
	if err := s.execution.admit(ctx, header); err != nil {
		refuseRequest(w, http.StatusTooManyRequests, err)
		return
	}
	r = r.WithContext(graphql.StartOperationTrace(withCarrier(withHeader(ctx, header), how)))
	if how == bySocket {
		s.serveSocket(w, r)
		return
	}
	if status, err := s.read(w, r); err != nil {
		refuseRequest(w, status, err)
		return
	}
	switch how {
	case byGet:
		s.get.Do(w, r, s.execution)
	case byEvents:
		s.serveEvents(w, r)
	default:
		s.post.Do(w, r, s.execution)
	}
}

// recover answers a request whose handling panicked.
func (s *Server) recover(ctx context.Context, w http.ResponseWriter) {
	fault := recover()
	if fault == nil {
		return
	}
	if fault == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so, too
		panic(fault)
	}
	_ = s.execution.presenter.recovered(ctx, fault) // logs it
	refuseRequest(w, http.StatusInternalServerError, coded(string(vcd.CodeInternal), "Server Error"))
}

// alive is a context that also ends when the server closes. False when it is closing already; else the caller must call
// done when its stream has ended.
func (s *Server) alive(ctx context.Context) (_ context.Context, cancel context.CancelFunc, done func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Err() != nil {
		return nil, nil, nil, false
	}
	s.open.Add(1)
	ctx, cancel = context.WithCancel(ctx)
	stop := context.AfterFunc(s.closing, cancel)
	return ctx, cancel, func() { stop(); cancel(); s.open.Done() }, true
}
