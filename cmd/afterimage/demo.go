package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"afterimage/internal/cli"
	"afterimage/internal/demo"
	"afterimage/internal/samplesite"
	"afterimage/vcd"
	"afterimage/vcd/account"
)

// demoCmd runs the main job on a server of its own, with everything in a temporary folder.
type demoCmd struct {
	URLs    []string `arg:"" optional:"" name:"url" help:"Pages to capture instead of the sample site; change them when prompted. Internal hosts are allowed."`
	Keep    bool     `help:"Keep the service running afterwards." env:"-"`
	JSON    bool     `name:"json" help:"Print the table as a JSON array and nothing else on standard output." env:"-"`
	Browser string   `help:"Path of the browser; default: the best one installed." type:"path" placeholder:"PATH"`
}

// Run demonstrates.
func (c *demoCmd) Run(ctx context.Context, g *globals) (err error) {
	dir, err := os.MkdirTemp("", "afterimage-demo-")
	if err != nil {
		return fmt.Errorf("create a temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	logFile, err := os.Create(filepath.Join(dir, "log.txt"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, logFile.Close()) }()
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // the database's own user must be able to pass
		return err
	}
	show, err := c.pages(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, show.close()) }()
	settings := globals{DataDir: dir, LogFlags: g.LogFlags, HomeRegion: g.HomeRegion}
	logger, err := settings.Logger(logFile)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "Starting a private database, the browser and the service …")
	err = c.run(ctx, &settings, logger, show)
	if err != nil && ctx.Err() == nil && !errors.Is(err, demo.ErrFailed) {
		_ = logFile.Sync()
		tail(os.Stderr, logFile.Name())
	}
	return err
}

// run starts the service, runs the demonstration on it and prints the table.
func (c *demoCmd) run(ctx context.Context, g *globals, logger *slog.Logger, show *show) (err error) {
	serve := serveCmd{TriggerWindow: vcd.DefaultTriggerWindow, listenFlags: listenFlags{Listen: "127.0.0.1:0"}, workFlags: workFlags{
		Browser: c.Browser, Regions: []string{"us", "eu"}, AllowHosts: show.hosts, CaptureDeadline: 45 * time.Second,
		RescueAfter: 3 * time.Minute,
		MailFrom:    "afterimage@localhost", WebhookPause: 5 * time.Second,
	}}
	s, err := serve.start(ctx, g, logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	_, token, err := s.backend.service.Accounts.CreateAccount(ctx, account.Input{NameFirst: "Demo", Email: "demo@localhost"})
	if err != nil {
		return plain(err)
	}
	fmt.Fprintf(os.Stderr, "Afterimage serves at %s\n", s.url)
	started := time.Now()
	rows, batch, err := demo.Run(ctx, demo.Config{
		Server: s.url, Token: token.Plain, Pages: show.pages, Change: show.change, Progress: os.Stderr, Live: cli.IsTerminal(os.Stderr),
	})
	if err != nil && !errors.Is(err, demo.ErrFailed) {
		return err
	}
	if printErr := c.print(rows, time.Since(started)); printErr != nil {
		return printErr
	}
	if c.Keep {
		fmt.Fprintf(os.Stderr, "\nReview the run in the dashboard; this link signs you in once, within ten minutes:\n\n  %s\n\n"+
			"The service keeps running at %s until you press Ctrl-C. Its API token:\n\n  %s\n",
			s.graph.SignInLink(s.url, token.Plain, "/runs/"+batch), s.url, token.Plain)
		<-ctx.Done()
	} else if !c.JSON {
		fmt.Fprintln(os.Stderr, "\nThe links only work while the service runs: use --keep to keep it running.")
	}
	return err
}

func (c *demoCmd) print(rows []demo.Row, took time.Duration) error {
	if c.JSON {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(rows)
	}
	fmt.Println()
	demo.Table(os.Stdout, rows)
	compared := 0
	for _, r := range rows {
		if r.Comparison != "" {
			compared++
		}
	}
	fmt.Printf("\n  %s taken and compared in %.1f s\n", vcd.Plural(compared, "screenshot pair"), took.Seconds())
	return nil
}

// show is what the demonstration captures.
type show struct {
	pages  []demo.Page
	hosts  []string // that may be captured although they are internal
	change func(context.Context) error
	close  func() error
}

// pages are the addresses given, else those of the sample site, which is served on a free port.
func (c *demoCmd) pages(ctx context.Context) (*show, error) {
	if len(c.URLs) == 0 {
		return sampleShow(ctx)
	}
	s := &show{close: func() error { return nil }, change: c.askForChange}
	for _, raw := range c.URLs {
		u, err := url.Parse(raw)
		if err != nil || u.Host == "" {
			return nil, fmt.Errorf("%q is not a URL; include the scheme, as in https://example.com/", raw)
		}
		s.pages = append(s.pages, demo.Page{URL: raw})
		s.hosts = append(s.hosts, hostPort(u))
	}
	return s, nil
}

// hostPort is the host with its port, given or of the scheme.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "443"
		if u.Scheme == "http" {
			port = "80"
		}
	}
	return net.JoinHostPort(u.Hostname(), port)
}

func (c *demoCmd) askForChange(ctx context.Context) error {
	fmt.Fprint(os.Stderr, "\nNow change the pages, then press Enter … ")
	pressed := make(chan error, 1)
	go func() {
		_, err := bufio.NewReader(os.Stdin).ReadString('\n')
		pressed <- err
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-pressed:
		if errors.Is(err, io.EOF) {
			return nil // nobody there to press a key: go on
		}
		return err
	}
}

func sampleShow(ctx context.Context) (*show, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serve the sample site: %w", err)
	}
	site := samplesite.New()
	server := &http.Server{Handler: site, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }()
	base := listener.Addr().String()
	s := &show{hosts: []string{base}, close: server.Close}
	s.change = func(context.Context) error {
		site.Change()
		fmt.Fprintln(os.Stderr, "Publishing the next release of the sample site")
		return nil
	}
	for _, page := range samplesite.Pages() {
		s.pages = append(s.pages, demo.Page{URL: "http://" + base + page.Path, Name: page.Title})
	}
	return s, nil
}

// tail shows the end of the log when the demonstration went wrong.
func tail(out io.Writer, path string) {
	const shown = 4 << 10
	log, err := os.ReadFile(path)
	if err != nil {
		return
	}
	fmt.Fprintf(out, "Last lines of the service log:\n%s\n", log[max(0, len(log)-shown):])
}
