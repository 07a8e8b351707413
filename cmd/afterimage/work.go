package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	netmail "net/mail"
	"os"
	"runtime"
	"time"

	"afterimage/capture/chrome"
	"afterimage/graph"
	"afterimage/internal/assetcache"
	"afterimage/internal/cli"
	"afterimage/internal/egress"
	"afterimage/internal/figures"
	"afterimage/internal/location"
	"afterimage/internal/machine"
	"afterimage/internal/mail"
	"afterimage/internal/sitemap"
	"afterimage/internal/toolpath"
	"afterimage/internal/webhook"
	"afterimage/jobs"
	"afterimage/vcd"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// maxCaptures is how many captures a process runs concurrently at most.
const maxCaptures = 64

// stopGrace is how long running captures may go on when the program is asked to stop.
const stopGrace = 20 * time.Second

// workFlags say how screenshots are taken.
type workFlags struct {
	modelFlags
	privateFlags
	Browser          string        `help:"Path of the browser; default: the best one installed." type:"path" placeholder:"PATH"`
	Captures         int           `help:"Concurrent captures; 0: automatic, one per CPU (at least 2), up to 16 per CPU while pages wait for slow sites and CPU and memory are free." default:"0"`
	Regions          []string      `help:"Regions whose screenshots this process takes." enum:"us,eu" default:"us,eu"`
	AllowHosts       []string      `help:"Non-public hosts that may be captured: host, host:port or network." placeholder:"HOST[:PORT]"`
	CaptureDeadline  time.Duration `help:"Time limit for one page." default:"45s"`
	AssetCache       uint16        `help:"MB of memory for styles, scripts, fonts and pictures that the pages of a run share; 0: each page loads everything itself." default:"128"`
	HostCaptures     int           `help:"Concurrent captures per host, across all machines; 0: no limit." default:"4"`
	Countries        string        `help:"Country database (MMDB, such as GeoLite2 Country) that locates sites; default: the home region for all." type:"path" placeholder:"FILE"`
	Proxies          string        `help:"File that lists the upstream proxies for groups, one per line; see docs/operations/captures.md." type:"path" placeholder:"FILE"`
	UserAgentSuffix  string        `help:"Suffix of the user agent that identifies our visits to site owners; may be empty." default:"${userAgentSuffix}"`
	RescueAfter      time.Duration `help:"Time after which a stuck job is restarted; never before its own time limit. Jobs of killed processes restart within seconds." default:"3m"`
	SMTP             string        `secret:"" help:"Mail server: smtp://user:password@host:587 (STARTTLS) or smtps://…; default: files in mails/ in the data folder." placeholder:"URL"`
	SMTPFile         string        `name:"smtp-file" help:"File that contains the URL of the mail server." type:"path" placeholder:"FILE"`
	MailFrom         string        `help:"Sender address of mails." default:"Afterimage <afterimage@localhost>"`
	MailsPerAccount  uint16        `help:"Mails per hour from an account with its subaccounts to other addresses; excess mails are delayed; 0: no limit." default:"600"`
	MailsPerReceiver uint16        `help:"Mails per hour to one address from all other accounts; excess mails are delayed; 0: no limit." default:"60"`
	WebhookPause     time.Duration `help:"Delay before the first retry of a webhook; later delays scale with it. With 5s, ten attempts take three days." default:"5s"`
	RetryDelay       time.Duration `help:"Delay before a failed page is retried; doubles for the second retry." default:"10s"`
	ConfirmAfter     time.Duration `help:"Delay before a changed page in monitoring is captured again to confirm the change, at most 10m." default:"60s"`
	KeepEvents       time.Duration `help:"Retention of events, at least 168h; 0: forever." default:"2160h"`
	KeepDeliveries   time.Duration `help:"Retention of ended webhook deliveries and their attempts, at least 168h; 0: forever." default:"720h"`
	KeepMails        time.Duration `help:"Retention of mails that were sent or given up, at least 168h; 0: forever." default:"2160h"`
	KeepRuns         time.Duration `help:"Retention of runs in accounts that have no retention rule, at least 168h; 0: forever." default:"0"`
	PauseAfter       time.Duration `help:"Pause accounts whose tokens have been unused for this time, at least 24h; 0: never." default:"0"`

	upstreams    *egress.Upstreams // read from Proxies
	mostCaptures int               // Captures while pages compute; as many while they wait
}

// workers is a browser pool with the runner that feeds it.
type workers struct {
	pool      *chrome.Pool
	sitemaps  *sitemap.Reader
	runner    *jobs.Runner
	countries *location.Countries // nil without
}

// userAgent is what we call ourselves where no browser speaks for us.
const userAgent = "Afterimage"

// check refuses bad flags before anything is started, and finds the browser.
func (f *workFlags) check() (*egress.Policy, error) {
	if f.Captures < 0 || f.Captures > maxCaptures {
		return nil, fmt.Errorf("--captures must be between 0 and %d, got %d", maxCaptures, f.Captures)
	}
	if f.CaptureDeadline < time.Second || f.CaptureDeadline > 10*time.Minute {
		return nil, fmt.Errorf("--capture-deadline must be between 1s and 10m, got %s", f.CaptureDeadline)
	}
	if f.PauseAfter != 0 && f.PauseAfter < 24*time.Hour {
		return nil, fmt.Errorf("--pause-after must be 0 or at least 24h, got %s", f.PauseAfter)
	}
	for name, keep := range map[string]time.Duration{
		"events": f.KeepEvents, "deliveries": f.KeepDeliveries, "mails": f.KeepMails, "runs": f.KeepRuns,
	} {
		if keep != 0 && keep < vcd.MinRetention {
			return nil, fmt.Errorf("--keep-%s must be 0 or at least %.0fh, got %s", name, vcd.MinRetention.Hours(), keep)
		}
	}
	if f.ConfirmAfter < 0 || f.ConfirmAfter > 10*time.Minute {
		return nil, fmt.Errorf("--confirm-after must be between 0 and 10m, got %s", f.ConfirmAfter)
	}
	if _, err := f.model(); err != nil {
		return nil, err
	}
	f.mostCaptures = f.Captures
	if f.Captures == 0 {
		processors := runtime.GOMAXPROCS(0) // that a control group allows
		f.Captures = min(maxCaptures, max(2, processors))
		f.mostCaptures = min(maxCaptures, 16*processors)
	}
	if f.Browser == "" {
		browser, err := toolpath.Browser()
		if err != nil {
			return nil, err
		}
		f.Browser = browser
	}
	if _, err := os.Stat(f.Browser); err != nil {
		return nil, fmt.Errorf("--browser: %w", err)
	}
	if f.Proxies != "" {
		var err error
		if f.upstreams, err = cli.ReadUpstreams(f.Proxies); err != nil {
			return nil, fmt.Errorf("--proxies: %w", err)
		}
	}
	return f.policy()
}

// policy is who may be sent requests.
func (f *workFlags) policy() (*egress.Policy, error) {
	policy, err := egress.NewPolicy(f.AllowHosts...)
	if err != nil {
		return nil, fmt.Errorf("--allow-hosts: %w", err)
	}
	return policy, nil
}

// spareConns are the database connections beside those of captures: for requests, comparisons and River.
const spareConns = 16

// conns is how many database connections this process may need at the same time. Captures that wait for their sites need none.
func (f *workFlags) conns() int { return spareConns + max(f.Captures, f.mostCaptures/4) }

// settings are those of the use cases.
func (f *workFlags) settings(config *app.Config) {
	config.ConfirmAfter, config.RetryDelay, config.HostCaptures = f.ConfirmAfter, f.RetryDelay, max(0, f.HostCaptures)
	config.Frequencies.MailsPerAccount, config.Frequencies.MailsPerReceiver = int(f.MailsPerAccount), int(f.MailsPerReceiver)
	if f.VerifyURL != "" {
		config.ModelBudget = f.VerifyBudget
	}
}

func (f *workFlags) start(
	ctx context.Context, b *backend, executor *graph.Server, policy *egress.Policy, counted *figures.Figures, logger *slog.Logger,
) (_ *workers, err error) {
	told, err := newResources(executor)
	if err != nil {
		return nil, err
	}
	mails, err := f.mailConfig(b.mails, executor.BaseURL())
	if err != nil {
		return nil, err
	}
	model, err := f.model()
	if err != nil {
		return nil, err
	}
	w := &workers{}
	var locate inventory.Locate
	if f.Countries != "" {
		if w.countries, err = location.Open(f.Countries, nil); err != nil {
			return nil, fmt.Errorf("--countries: %w", err)
		}
		locate = func(ctx context.Context, domain string) (vcd.Region, error) {
			region, err := w.countries.Nearest(ctx, domain)
			return vcd.Region(region), err
		}
	}
	w.pool, err = chrome.Start(ctx, chrome.Config{
		Binary: f.Browser, Lanes: f.mostCaptures, Warm: f.Captures, Policy: policy, Logger: logger,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the browser did not start: %w", err), w.closeCountries())
	}
	warnOfOldBrowser(ctx, w.pool, time.Now(), logger)
	regions := make([]vcd.Region, len(f.Regions))
	for i, region := range f.Regions {
		regions[i] = vcd.Region(region)
	}
	load, err := f.load()
	if err != nil {
		return nil, errors.Join(err, w.pool.Close(), w.closeCountries())
	}
	w.sitemaps = sitemap.New(&egress.Dialer{Policy: policy}, userAgent)
	w.runner, err = jobs.Start(ctx, jobs.Config{
		Pool: b.db.SystemPool(), Listen: b.db.ListenPool(), Service: b.service, Clock: b.clock, Images: b.db, Files: b.files,
		Capturer: throughPipeline(b.later, w.pool), Walker: w.pool, Sitemaps: w.sitemaps, Logger: logger,
		Sender: webhook.NewSender(&egress.Dialer{Policy: policy}, nil, "Afterimage-Webhooks/1.0", nil, logger), Resources: told,
		RetryPlan: webhook.Plan(f.WebhookPause),
		Mail:      mails, Model: model, ModelPatience: f.VerifyTimeout,
		Regions: regions, Captures: f.Captures, MostCaptures: f.mostCaptures, Load: load,
		Compares: max(1, runtime.NumCPU()/2), Comparer: comparer,
		Deadline: f.CaptureDeadline, RescueAfter: f.RescueAfter, PauseAfter: f.PauseAfter, UserAgentSuffix: f.UserAgentSuffix,
		Upstreams: f.upstreams, Figures: counted,
		Locate: locate, Home: b.home, Assets: assetcache.New(int64(f.AssetCache) << 20),
		Keep: run.Retention{Events: f.KeepEvents, Deliveries: f.KeepDeliveries, Mails: f.KeepMails, Runs: f.KeepRuns},
	})
	if err != nil {
		return nil, errors.Join(err, w.pool.Close(), w.closeCountries())
	}
	return w, nil
}

// load reads the load of this machine, which the number of captures follows unless it is fixed.
func (f *workFlags) load() (jobs.LoadReader, error) {
	if f.mostCaptures <= f.Captures {
		return nil, nil
	}
	return machine.NewMeter()
}

// oldBrowser is the age from which a browser that opens strangers' pages is warned about.
const oldBrowser = 61 * 24 * time.Hour

// warnOfOldBrowser tells the operator that the holes closed in newer browsers are open in this one.
func warnOfOldBrowser(ctx context.Context, browser interface {
	Version() string
	Released() time.Time
}, now time.Time, logger *slog.Logger) {
	released := browser.Released()
	if released.IsZero() || now.Sub(released) <= oldBrowser {
		return
	}
	logger.WarnContext(ctx,
		"the browser is more than two months old and lacks security fixes: update it with `make setup` or your package manager",
		"browser", browser.Version(), "released", released.Format(time.DateOnly))
}

// mailConfig says how mails are sent.
func (f *workFlags) mailConfig(folder mail.Folder, baseURL string) (jobs.MailConfig, error) {
	config := jobs.MailConfig{Transport: folder, From: f.MailFrom, BaseURL: baseURL}
	if _, err := netmail.ParseAddress(f.MailFrom); err != nil {
		return config, fmt.Errorf("--mail-from must be an email address, such as Afterimage <alerts@example.com>: %w", err)
	}
	if f.SMTP == "" {
		return config, nil
	}
	server, err := mail.NewSMTP(f.SMTP, nil)
	if err != nil {
		return config, fmt.Errorf("--smtp: %w", err)
	}
	config.Transport = server
	return config, nil
}

func (w *workers) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopGrace)
	defer cancel()
	err := errors.Join(w.runner.Stop(ctx), w.pool.Close(), w.closeCountries())
	w.sitemaps.Close()
	return err
}

func (w *workers) closeCountries() error {
	if w.countries == nil {
		return nil
	}
	return w.countries.Close()
}

// workCmd takes screenshots for a server that runs elsewhere.
type workCmd struct {
	workFlags
	PublicURL string `help:"URL under which clients reach the service, for links in webhooks and mails." default:"http://localhost:8080" placeholder:"https://…"`
}

// Run works until the program is asked to stop.
func (c *workCmd) Run(ctx context.Context, g *globals) error {
	logger, err := g.Logger(os.Stderr)
	if err != nil {
		return err
	}
	policy, err := c.check()
	if err != nil {
		return err
	}
	failed := make(chan error, 1)
	seen, err := c.watch(ctx, failed, logger)
	if err != nil {
		return err
	}
	b, w, err := c.begin(ctx, g, policy, seen, logger)
	if err != nil {
		return errors.Join(err, seen.stop())
	}
	seen.started(b, w)
	logger.InfoContext(ctx, "working", "captures", c.Captures, "regions", c.Regions, "browser", w.pool.Version())
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	seen.stopping()
	return errors.Join(err, w.stop(), b.close(), seen.stop())
}

// begin starts the workers on the backend.
func (c *workCmd) begin(
	ctx context.Context, g *globals, policy *egress.Policy, seen *watch, logger *slog.Logger,
) (*backend, *workers, error) {
	b, err := openBackend(ctx, g, needs{conns: c.conns(), images: true, settings: c.settings, watch: seen}, logger)
	if err != nil {
		return nil, nil, err
	}
	executor, err := graph.New(graph.Config{Service: b.service, BaseURL: c.PublicURL, Logger: logger})
	if err != nil {
		return nil, nil, errors.Join(err, b.close())
	}
	w, err := c.start(ctx, b, executor, policy, seen.figures, logger)
	if err != nil {
		return nil, nil, errors.Join(err, b.close())
	}
	return b, w, nil
}
