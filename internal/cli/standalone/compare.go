package standalone

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/internal/assetcache"
	"afterimage/internal/cli"
	"afterimage/internal/compare"
	"afterimage/internal/compare/baseline"
	"afterimage/internal/compare/crawl"
	"afterimage/internal/compare/report"
	"afterimage/internal/egress"
	"afterimage/internal/sitemap"
)

// Compare compares two sites without any service.
type Compare struct {
	Before string `arg:"" optional:"" help:"Address of the current site, for example production; https is the default scheme."`
	After  string `arg:"" optional:"" help:"Address of the changed site, for example a preview."`

	Config    string   `help:"Read settings from this file; default: afterimage.yaml in the current folder, if there is one." placeholder:"FILE" type:"path" env:"-"`
	Paths     string   `help:"Compare the pages listed in this file, one path per line; - is standard input." placeholder:"FILE" xor:"pages" env:"-"`
	Sitemap   bool     `help:"Compare the pages of the sitemap of the first site." xor:"pages" env:"-"`
	Crawl     int      `help:"Compare at most N pages, found by following links on the first site." placeholder:"N" xor:"pages" env:"-"`
	Flow      string   `help:"Run this flow on both sites and compare its checkpoints." placeholder:"FILE" xor:"pages" env:"-"`
	Secret    []string `help:"A secret that the flow needs, from an environment variable or a file. May be repeated." placeholder:"NAME=env:VARIABLE|file:PATH" sep:"none" env:"-"`
	Storybook bool     `help:"Compare the stories of the Storybook at the first address." xor:"pages" env:"-"`
	Devices   []string `help:"Devices to emulate; default: desktop,mobile." enum:"desktop,mobile" env:"-"`

	Baseline string `help:"Compare one site with the baseline in this folder or bucket, such as s3://bucket/prefix?region=…&endpoint=…, gs://bucket/prefix, azblob://container/prefix." placeholder:"PLACE" env:"-"`
	Update   bool   `help:"Update the baseline instead of comparing." env:"-"`

	Report          string   `help:"Write the report to this folder." placeholder:"DIR" type:"path" env:"-"`
	PicturesURL     string   `name:"pictures-url" help:"Address under which that folder will be published, for the pictures in summary.md." placeholder:"URL" env:"-"`
	FailOn          string   `help:"Exit 1 at this severity or above: alert, unsure, any; default: unsure." enum:",alert,unsure,any" default:"" env:"-"`
	RequireComplete bool     `help:"Exit 2 if the screenshots do not show the whole page." env:"-"`
	MaxPercent      *float64 `help:"Tolerate changed pixels up to this percentage of a page, after row alignment." placeholder:"P" env:"-"`

	Ignore      []string `help:"Ignore the elements of a CSS selector, or a box: x,y,width,height, or desktop:x,y,width,height." placeholder:"WHAT" sep:"none" env:"-"`
	CSS         []string `name:"css" help:"Inject the CSS of this file." type:"existingfile" sep:"none" env:"-"`
	JS          []string `name:"js" help:"Run the JavaScript of this file." type:"existingfile" sep:"none" env:"-"`
	Header      []string `help:"Send this header to both sites: \"Name: value\"." placeholder:"HEADER" sep:"none" env:"-"`
	Cookie      []string `help:"Send this cookie to both sites: name=value." placeholder:"COOKIE" sep:"none" env:"-"`
	BasicAuth   string   `help:"User name for basic authentication; the password is read from AFTERIMAGE_PASSWORD." placeholder:"USER" env:"-"`
	KeepConsent bool     `help:"Keep cookie banners and ads." env:"-"`

	Concurrency int           `help:"Concurrent captures; default: the number of processors, at most 4." placeholder:"N" env:"-"`
	AssetCache  uint16        `help:"MB of memory for styles, scripts, fonts and pictures that the pages of a site share; 0: each page loads everything itself." default:"128" env:"-"`
	Deadline    time.Duration `help:"Time limit for a page; default: 45s." placeholder:"TIME" env:"-"`
	Date        time.Time     `help:"Time at which the clock of all pages starts, such as 2026-01-31T12:00:00Z; default: now." placeholder:"DATE" env:"-"`

	Browser         string   `help:"Path of the browser; default: the best one installed." type:"path" placeholder:"PATH"`
	AllowHosts      []string `help:"Non-public hosts that pages may load from, besides the two sites: host, host:port or network." placeholder:"HOST[:PORT]"`
	InsecureTLS     []string `name:"insecure-tls" help:"Accept the certificate of this host even if it cannot be verified, for example a self-signed one." placeholder:"HOST[:PORT]" env:"-"`
	UserAgentSuffix string   `help:"Suffix of the user agent; may be empty." default:"${userAgentSuffix}"`

	paths  []string           // that the settings list
	page   string             // the path in the address that is compared with a baseline
	stored *baseline.Baseline // nil for none
	store  baseline.Store     // of the baseline, if there is to be one
	close  func() error       // releases that store; nil if there is nothing to release
}

// Help is what follows the flags on the help page.
func (Compare) Help() string {
	return `Captures every page of both sites at the same moment of page time and with the same random
numbers, compares the pictures, judges the changes by rules and lists each change once for all
pages that show it. Differences that only come from the hosts (absolute links, canonical addresses,
banners that name the environment) do not count. Neither a server nor a database is needed.

Without --paths, --sitemap, --crawl, --flow and --storybook the two addresses themselves are compared. All settings
can be given in afterimage.yaml; flags override it.

The exit code is 0 if nothing changed or all changes are harmless, 1 if there are changes (see
--fail-on), 2 if some page could not be compared. A page whose pictures do not show everything is
listed under "Not fully captured"; with --require-complete, the exit code is then 2.

Examples:
  afterimage compare https://www.example.com https://preview.example.com
  afterimage compare www.example.com preview.example.com --crawl 50 --report out
  afterimage compare www.example.com http://localhost:3000 --paths paths.txt --devices mobile
  afterimage compare www.example.com preview.example.com --sitemap --ignore .ads --ignore 0,0,300,80
  afterimage compare storybook.example.com http://localhost:6006 --storybook
  afterimage compare www.example.com preview.example.com --flow checkout.yaml
  afterimage compare --baseline baseline --update www.example.com --crawl 20
  afterimage compare --baseline baseline https://preview.example.com
  afterimage compare --baseline 's3://bucket/main?region=eu-central-1' https://preview.example.com
  AFTERIMAGE_PASSWORD=… afterimage compare www.example.com preview.example.com --basic-auth preview
`
}

// Run compares.
func (c *Compare) Run(ctx context.Context, log *cli.LogFlags) error {
	code, err := c.compare(ctx, log)
	if ctx.Err() != nil {
		err = errors.New("the comparison was interrupted: there is no result")
	}
	return cli.Ended(code, err)
}

func (c *Compare) compare(ctx context.Context, log *cli.LogFlags) (code int, err error) {
	if err := c.readSettings(); err != nil {
		return 0, err
	}
	options, err := c.options(ctx)
	if c.close != nil {
		defer func() { err = errors.Join(err, c.close()) }()
	}
	if err != nil {
		return 0, err
	}
	policy, err := c.policy(options)
	if err != nil {
		return 0, err
	}
	dialer, err := trusting(ctx, policy, c.InsecureTLS)
	if err != nil {
		return 0, err
	}
	logger, err := log.Logger(os.Stderr)
	if err != nil {
		return 0, err
	}
	switch {
	case c.Flow != "":
		err = c.readFlow(options, logger)
	case len(c.Secret) > 0:
		err = errors.New("--secret is for --flow, which is not given")
	default:
		options.Paths, err = c.pages(ctx, options, dialer)
	}
	if err != nil {
		return 0, err
	}
	options.Listed = c.Paths == "" && len(c.paths) == 0 && (c.Sitemap || c.Crawl != 0)
	if err := options.Check(); err != nil {
		return 0, err
	}
	var folder *report.Folder
	if c.Report != "" {
		if folder, err = report.Open(c.Report); err != nil {
			return 0, err
		}
	}
	pool, err := chrome.Start(ctx, chrome.Config{
		Binary: c.Browser, Policy: policy, Insecure: dialer.Insecure, Logger: logger, Lanes: options.Concurrency,
	})
	if err != nil {
		return 0, fmt.Errorf("the browser did not start: %w", err)
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	if options.Flow != nil {
		options.Flow.Browser = pool
	}
	if c.Update {
		return 0, c.record(ctx, pool, options)
	}
	return c.run(ctx, pool, options, folder)
}

// run compares, prints the result and writes the report, if there is a folder for one.
func (c *Compare) run(ctx context.Context, pool *chrome.Pool, options *compare.Options, folder *report.Folder) (code int, err error) {
	progress := report.Progress{Out: os.Stderr, Live: cli.IsTerminal(os.Stderr)}
	var album compare.Album
	if folder != nil {
		album = folder
	}
	page, err := cli.ReportPage(folder)
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	result, err := compare.Run(ctx, pool, options, album, progress.Show)
	if err != nil {
		return 0, err
	}
	result.RequireComplete = c.RequireComplete
	made := report.Run{
		Started: begun, Took: time.Since(begun), FailOn: compare.FailOn(c.FailOn), PicturesURL: c.PicturesURL, Page: page,
		Version: cli.Version,
	}
	if err := cli.Publish(ctx, folder, c.Report, result, made); err != nil {
		return 0, err
	}
	return result.ExitCode(made.FailOn), cli.TellGitHub(result, made)
}

// options reads the flags but for the pages.
func (c *Compare) options(ctx context.Context) (o *compare.Options, err error) {
	o = &compare.Options{
		KeepConsent: c.KeepConsent, Deadline: c.Deadline, UserAgentSuffix: c.UserAgentSuffix, Concurrency: c.Concurrency, Date: c.Date,
		Assets: assetcache.New(int64(c.AssetCache) << 20),
	}
	if c.MaxPercent != nil {
		o.MaxPercent = *c.MaxPercent
	}
	if err := c.sites(ctx, o); err != nil {
		return nil, err
	}
	for _, device := range c.Devices {
		o.Devices = append(o.Devices, capture.Device(device))
	}
	if len(o.Devices) == 0 {
		o.Devices = []capture.Device{capture.Desktop, capture.Mobile}
	}
	if o.Date.IsZero() {
		o.Date = time.Now().Truncate(time.Second)
	}
	for _, what := range c.Ignore {
		if err := o.Ignore.Add(what); err != nil {
			return nil, fmt.Errorf("--ignore: %w", err)
		}
	}
	if c.PicturesURL != "" && !strings.HasPrefix(c.PicturesURL, "https://") && !strings.HasPrefix(c.PicturesURL, "http://") {
		return nil, fmt.Errorf("--pictures-url: %q does not begin with https:// or http://", c.PicturesURL)
	}
	if o.Styles, err = readAll(c.CSS); err != nil {
		return nil, err
	}
	if o.Scripts, err = readAll(c.JS); err != nil {
		return nil, err
	}
	return o, c.identify(o)
}

// sites reads the addresses of both sides, or that of one and the baseline.
func (c *Compare) sites(ctx context.Context, o *compare.Options) (err error) {
	switch {
	case c.Update && c.Baseline == "":
		return errors.New("--update needs --baseline, the folder or bucket of the baseline")
	case c.Baseline != "" && c.After == "":
		return errors.New("give the address of the site that is compared with the baseline")
	case c.Baseline == "" && (c.Before == "" || c.After == ""):
		return errors.New("give the addresses of two sites, or write them into afterimage.yaml as before and after")
	}
	if o.After, err = compare.ParseSite(c.After); err != nil {
		return fmt.Errorf("AFTER: %w", err)
	}
	if c.Baseline != "" {
		o.After, c.page = o.After.Split() // pages are stored by their paths
		return c.openBaseline(ctx, o)
	}
	if o.Before, err = compare.ParseSite(c.Before); err != nil {
		return fmt.Errorf("BEFORE: %w", err)
	}
	return nil
}

// identify reads what both sites are sent besides the addresses.
func (c *Compare) identify(o *compare.Options) error {
	for _, text := range c.Header {
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return fmt.Errorf("--header: %q has no colon; write \"Name: value\"", text)
		}
		o.Headers = append(o.Headers, capture.Header{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
	}
	for _, text := range c.Cookie {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("--cookie: %q has no equals sign; write name=value", text)
		}
		o.Cookies = append(o.Cookies, capture.Cookie{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
	}
	if c.BasicAuth != "" {
		password, ok := os.LookupEnv("AFTERIMAGE_PASSWORD")
		if !ok {
			return errors.New("--basic-auth: the password is missing; give it in the environment variable AFTERIMAGE_PASSWORD")
		}
		o.Credentials = &capture.Credentials{User: c.BasicAuth, Password: password}
	}
	return nil
}

// policy lets pages load from public addresses and from the two sites, wherever they are: who runs the program has named them.
func (c *Compare) policy(o *compare.Options) (*egress.Policy, error) {
	policy, err := egress.NewPolicy(append([]string{o.Before.HostPort(), o.After.HostPort()}, c.AllowHosts...)...)
	if err != nil {
		return nil, fmt.Errorf("--allow-hosts: %w", err)
	}
	return policy, nil
}

// pages are the paths that are compared.
func (c *Compare) pages(ctx context.Context, o *compare.Options, dialer *egress.Dialer) ([]string, error) {
	site := o.Before
	if c.Baseline != "" {
		site = o.After
	}
	agent := strings.TrimSpace("Mozilla/5.0 " + c.UserAgentSuffix)
	crawler := &crawl.Crawler{Dialer: dialer, Agent: agent, Headers: o.Headers, Cookies: o.Cookies, Credentials: o.Credentials}
	switch {
	case c.Paths != "":
		paths, err := readPaths(c.Paths, o.Before, o.After)
		if err != nil {
			return nil, fmt.Errorf("--paths: %w", err)
		}
		return paths, nil
	case c.Sitemap:
		return sitemapPages(ctx, sitemap.New(dialer, agent), site)
	case c.Storybook:
		return stories(ctx, crawler, site, o.After)
	case c.Crawl != 0:
		paths, err := crawler.Find(ctx, site, c.Crawl)
		if err != nil {
			return nil, fmt.Errorf("--crawl: %w", err)
		}
		return paths, nil
	case len(c.paths) > 0:
		paths, err := compare.ReadPaths(strings.NewReader(strings.Join(c.paths, "\n")), o.Before, o.After)
		if err != nil {
			return nil, fmt.Errorf("paths: %w", err)
		}
		return paths, nil
	case c.stored != nil && c.page == "/":
		return c.stored.Paths(), nil
	case c.Baseline != "":
		return []string{c.page}, nil
	}
	return []string{""}, nil
}

func readPaths(name string, sides ...compare.Site) ([]string, error) {
	if name == "-" {
		return compare.ReadPaths(os.Stdin, sides...)
	}
	list, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer list.Close()
	return compare.ReadPaths(list, sides...)
}

// stories are those of a Storybook. What only the other one has is new: there is nothing to compare it with.
func stories(ctx context.Context, crawler *crawl.Crawler, site, other compare.Site) ([]string, error) {
	paths, err := crawler.Stories(ctx, site)
	if err != nil || site == other {
		return paths, named("--storybook", err)
	}
	others, err := crawler.Stories(ctx, other)
	if err != nil {
		return nil, named("--storybook", err)
	}
	for _, path := range others {
		if !slices.Contains(paths, path) {
			fmt.Fprintf(os.Stderr, "%s is new and is not compared.\n", other.Address(path))
		}
	}
	return paths, nil
}

// named puts the flag before an error, if there is one.
func named(flag string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", flag, err)
}

// sitemapPages are the pages of a site's sitemaps.
func sitemapPages(ctx context.Context, reader *sitemap.Reader, site compare.Site) ([]string, error) {
	defer reader.Close()
	var pages compare.Pages
	read, err := reader.Read(ctx, site.Domain(), func(addresses []string) error {
		for _, address := range addresses {
			if path, ok := site.PathOfAny(address); ok && compare.CheckPath(path) == nil {
				if err := pages.Add(path); err != nil {
					return err
				}
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("--sitemap: %w", err)
	case len(pages.List()) == 0 && len(read.Problems) > 0:
		return nil, fmt.Errorf("--sitemap: %s", strings.Join(read.Problems, " "))
	case len(pages.List()) == 0:
		return nil, fmt.Errorf("--sitemap: the sitemap of %s lists no pages of that site", site)
	}
	if read.NoPages > 0 {
		fmt.Fprintf(os.Stderr, "The sitemap of %s lists %d files that are not pages; they are not compared.\n", site, read.NoPages)
	}
	for _, problem := range read.Problems {
		fmt.Fprintln(os.Stderr, problem)
	}
	return pages.List(), nil
}
