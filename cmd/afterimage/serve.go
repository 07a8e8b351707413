package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"afterimage/graph"
	"afterimage/internal/deadline"
	"afterimage/internal/edge"
	"afterimage/internal/gallery"
	"afterimage/internal/people"
	"afterimage/internal/ratelimit"
	"afterimage/internal/review"
	"afterimage/internal/tracing"
	"afterimage/internal/upload"
	"afterimage/rest"
	"afterimage/vcd/app"
	"afterimage/web"
)

// How long clients may take to send what they ask, and to take in what they get: slower ones hold a connection for nothing.
const (
	bodyPatience   = 30 * time.Second
	answerPatience = 5 * time.Minute
)

// How often guests may change something by the public link of a batch: those at one address, and all guests of a link.
const (
	guestChangesPerMinute = 60
	linkChangesPerMinute  = 120
)

// reportsPerMinute is how many reports of shared batches are made for an address.
const reportsPerMinute = 6

// signInsPerMinute is how many requests an address may make to sign in; an attempt takes three.
const signInsPerMinute = 60

// serveCmd runs the whole service.
type serveCmd struct {
	workFlags
	listenFlags
	openidFlags
	Origins               []string      `help:"Origins whose pages may use the API from a browser (CORS)." placeholder:"ORIGIN"`
	RateLimit             int           `help:"Maximum number of requests per minute that this process accepts per API token; 0: no limit." default:"1200"`
	SubaccountsPerHour    uint16        `help:"Subaccounts that an account may create per hour; 0: no limit." default:"30"`
	InvitationsPerHour    uint16        `help:"Invitations that an account may send per hour; 0: no limit." default:"30"`
	ConnectionsPerToken   uint16        `help:"Maximum number of WebSockets and event streams per API token that this process keeps open." default:"100"`
	ConnectionsPerAccount uint16        `help:"Maximum number of WebSockets and event streams per account, with all its tokens, that this process keeps open." default:"300"`
	OwnerEmail            string        `help:"Email address of the owner of the first account; without one, it gets no account mails." placeholder:"ADDRESS"`
	PlansURL              string        `help:"URL where owners choose a plan; without one, clients offer no upgrades." placeholder:"https://…"`
	TriggerWindow         time.Duration `help:"Delay between the last save of a page and the run that it triggers; saves in the meantime join the same run." default:"3m"`
	Documents             string        `help:"File with operations that clients can run by their SHA-256: a JSON object that maps hashes to texts." type:"existingfile" placeholder:"FILE"`
	DocumentsOnly         bool          `help:"Only run GraphQL operations that are in --documents. The REST API is not affected."`
	ImageRedirects        bool          `help:"When a program downloads a whole picture, redirect it to a signed link of the bucket, valid for 30 seconds."`
	NoWork                bool          `help:"Run the API server only; 'afterimage work' takes screenshots elsewhere."`
}

// Run serves until the program is asked to stop.
func (c *serveCmd) Run(ctx context.Context, g *globals) error {
	logger, err := g.Logger(os.Stderr)
	if err != nil {
		return err
	}
	s, err := c.start(ctx, g, logger)
	if err != nil {
		return err
	}
	if err := s.greet(ctx, g.DataDir, c.OwnerEmail, os.Stdout); err != nil {
		return errors.Join(err, s.stop())
	}
	select {
	case <-ctx.Done():
		return s.stop()
	case err := <-s.failed:
		return errors.Join(err, s.stop())
	}
}

// server is a running service.
type server struct {
	backend *backend
	workers *workers // nil with NoWork
	graph   *graph.Server
	gallery *gallery.Handler
	http    []*http.Server // the service, and what leads to it
	url     string
	failed  chan error
	watch   *watch
}

// start brings everything up, cheap checks first, so that a mistake is told in one line and at once.
func (c *serveCmd) start(ctx context.Context, g *globals, logger *slog.Logger) (_ *server, err error) {
	check := c.check
	if c.NoWork {
		check = c.policy // there need be no browser
	}
	if c.TriggerWindow < time.Second || c.TriggerWindow > time.Hour {
		return nil, fmt.Errorf("--trigger-window must be between 1s and 1h, got %s", c.TriggerWindow)
	}
	policy, err := check()
	if err != nil {
		return nil, err
	}
	if err := c.checkProvider(); err != nil {
		return nil, err
	}
	listening, err := c.open(ctx, logger)
	if err != nil {
		return nil, err
	}
	s := &server{url: c.PublicURL, failed: make(chan error, 3)}
	if s.url == "" {
		var here bool
		if s.url, here = reachedAt(listening.scheme(), listening.service.Addr()); here {
			logger.WarnContext(ctx, "links only work on this machine: set --public-url for clients on other machines", "links", s.url)
		}
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, listening.close(), s.stop())
		}
	}()
	if s.watch, err = c.watch(ctx, s.failed, logger); err != nil {
		return nil, err
	}
	settings := func(config *app.Config) {
		c.settings(config)
		config.TriggerWindow = c.TriggerWindow
		config.PlansURL = c.PlansURL
		config.Frequencies.Subaccounts = int(c.SubaccountsPerHour)
		config.Frequencies.Invitations = int(c.InvitationsPerHour)
		config.MayReach = func(host string, port uint16) bool { return policy.CheckHost(host, port) == nil }
	}
	if s.backend, err = openBackend(ctx, g, needs{conns: c.conns(), images: true, settings: settings, watch: s.watch}, logger); err != nil {
		return nil, err
	}
	handler, err := c.handler(ctx, s, logger)
	if err != nil {
		return nil, err
	}
	handler = s.watch.health.Before(listening.handler(handler, s.url))
	s.watch.requests(s.graph)
	if !c.NoWork {
		if s.workers, err = c.workFlags.start(ctx, s.backend, s.graph, policy, s.watch.figures, logger); err != nil {
			return nil, err
		}
	}
	s.watch.started(s.backend, s.workers)
	s.serve(listening.service, handler, logger)
	if listening.redirect != nil {
		s.serve(listening.redirect, listening.redirector(), logger)
	}
	return s, nil
}

// reachedAt is the address of a listener for links. Here tells that it listens on all addresses of this machine, of which
// none can be picked for others: the links name localhost then.
func reachedAt(scheme string, listening net.Addr) (url string, here bool) {
	if tcp, ok := listening.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("%s://localhost:%d", scheme, tcp.Port), true
	}
	return scheme + "://" + listening.String(), false
}

// serve answers the requests of a listener until the server stops.
func (s *server) serve(listener net.Listener, handler http.Handler, logger *slog.Logger) {
	server := &http.Server{Handler: edge.Chunked(handler), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelDebug)}
	s.http = append(s.http, server)
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- fmt.Errorf("serve: %w", err)
		}
	}()
}

// showImages makes the handler of pictures, which with --image-redirects lets the bucket answer programs that download them.
func (c *serveCmd) showImages(ctx context.Context, s *server, logger *slog.Logger) error {
	s.gallery = gallery.New(s.backend.db, s.backend.service.Reviews, s.backend.files, logger)
	if !c.ImageRedirects {
		return nil
	}
	links, ok := s.backend.files.(gallery.Linker)
	if !ok {
		return errors.New("--image-redirects needs all pictures in one bucket: set --images to its URL, move all pictures there, and " +
			"remove --images-also")
	}
	if _, err := links.Link(ctx, strings.Repeat("0", 64), time.Second); err != nil { // signs without asking the bucket
		return fmt.Errorf("--image-redirects: %w", err)
	}
	s.gallery.RedirectTo(links)
	return nil
}

// handler is the map of the service's addresses.
func (c *serveCmd) handler(ctx context.Context, s *server, logger *slog.Logger) (http.Handler, error) {
	config := graph.Config{Service: s.backend.service, BaseURL: s.url, Origins: c.Origins, Logger: logger,
		Pictures: upload.New(s.backend.db, s.backend.files)}
	var err error
	if config.Documents, err = c.documents(); err != nil {
		return nil, err
	}
	config.DocumentsOnly = c.DocumentsOnly
	config.Observe = s.watch.operation
	config.Trace = func(ctx context.Context, what string) (context.Context, func(error)) { return tracing.Begin(ctx, what) }
	config.Limits.ConnectionsPerToken, config.Limits.ConnectionsPerAccount = int(c.ConnectionsPerToken), int(c.ConnectionsPerAccount)
	if c.RateLimit > 0 {
		config.Limiter = ratelimit.New(c.RateLimit, time.Now)
	}
	s.graph, err = graph.New(config)
	if err != nil {
		return nil, err
	}
	v2, err := rest.New(rest.Config{
		Executor: s.graph, Authenticate: s.graph.Authenticate, Admit: s.graph.Admit, Logger: logger, PublicURL: s.url,
		Observe: s.watch.request,
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/graphql", tracing.Handler("/graphql", edge.Compress(s.graph))) // streams, too
	bounded := func(path string, handler http.Handler) { mux.Handle(path, deadline.Answers(handler, answerPatience)) }
	mux.Handle("GET "+graph.SDLPath, edge.CompressStatic(s.graph.SDL()))
	bounded("/session", s.graph.Session())
	if err := c.showImages(ctx, s, logger); err != nil {
		return nil, err
	}
	bounded(gallery.Prefix, s.gallery)
	shown := review.Config{
		Reviews: s.backend.service.Reviews, Origin: s.graph, Assets: guestAssets(), Crops: s.gallery, Logger: logger,
		Limits: review.Limits{
			ByAddress: ratelimit.New(guestChangesPerMinute, time.Now), ByLink: ratelimit.New(linkChangesPerMinute, time.Now),
			Reports: ratelimit.New(reportsPerMinute, time.Now),
		},
	}
	if !c.NoWork {
		shown.Printer = s
	}
	reviews := review.New(shown)
	bounded(review.Prefix, reviews)
	bounded(review.BatchPrefix, reviews)
	bounded(review.ReportPrefix, reviews)
	mountWebRoot(bounded)
	bounded("/guest/", edge.CompressStatic(web.Guest()))
	provider, err := c.provider(s.url, c.AllowHosts)
	if err != nil {
		return nil, err
	}
	signIns, err := people.New(people.Config{
		Base: s.url, Accounts: s.backend.service.Accounts, Sessions: s.graph, Limiter: ratelimit.New(signInsPerMinute, time.Now),
		Provider: provider, Logger: logger,
	})
	if err != nil {
		return nil, err
	}
	bounded(people.Prefix, signIns)
	bounded("/signin/", edge.CompressStatic(web.SignIn()))
	bounded("/graphiql/", s.graph.SignedIn(edge.CompressStatic(web.GraphiQL()), http.RedirectHandler("/signin/", http.StatusSeeOther)))
	mountDashboard(mux, s.graph)
	api := deadline.Answers(s.graph.CrossOrigin(edge.Compress(v2), "GET", "POST", "PUT", "PATCH", "DELETE"), answerPatience)
	api = tracing.Handler(rest.BasePath, api)
	bounded(graph.UploadPrefix, s.graph.Uploads())
	return deadline.Requests(edge.Heard(edge.RequestIDs(besideMux(api, mux))), bodyPatience), nil
}

func guestAssets() (a review.Assets) {
	a.Script, a.Style = web.GuestFiles()
	return a
}

// mountWebRoot answers what clients of the REST API open beside it.
func mountWebRoot(mount func(path string, handler http.Handler)) {
	pages := rest.PublicPages(review.Prefix)
	mount("GET "+rest.PublicPagePath, pages)
	mount("GET "+rest.PublicPagePath+"/{$}", pages)
	mount(rest.TrialPath, rest.NoTrials())
}

// besideMux answers the REST API without the mux, which redirects paths with an empty part instead of saying that there
// is nothing.
func besideMux(api, mux http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") && !strings.HasPrefix(r.URL.Path, graph.UploadPrefix) {
			api.ServeHTTP(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// Print creates a PDF file with a browser of the workers.
func (s *server) Print(ctx context.Context, document, footer string) ([]byte, error) {
	if s.workers == nil {
		return nil, review.ErrNoBrowser
	}
	return s.workers.pool.Print(ctx, document, footer)
}

// stop ends what was started, in the opposite order.
func (s *server) stop() error {
	var errs []error
	if s.watch != nil {
		s.watch.stopping()
	}
	if s.http != nil {
		errs = append(errs, s.drain()...)
	}
	if s.workers != nil {
		errs = append(errs, s.workers.stop())
	}
	if s.backend != nil {
		errs = append(errs, s.backend.close())
	}
	errs = append(errs, s.watch.stop())
	return errors.Join(errs...)
}

// drain lets requests end. Subscriptions would go on for ever: they are told to come back elsewhere.
func (s *server) drain() (errs []error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	s.graph.Close()
	for _, server := range s.http {
		if err := server.Shutdown(ctx); err != nil {
			errs = append(errs, server.Close())
		}
	}
	s.gallery.Wait()
	return errs
}
