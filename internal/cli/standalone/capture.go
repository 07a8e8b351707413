package standalone

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/internal/capturecli"
	"afterimage/internal/cli"
	"afterimage/internal/egress"
)

// Capture captures one page without any service.
type Capture struct {
	URL    string `arg:"" help:"URL of the page; https is the default scheme."`
	Device string `help:"Device to emulate: ${enum}." enum:"desktop,mobile" default:"desktop" env:"-"`
	Out    string `help:"Folder for the files." type:"path" default:"." env:"-"`
	Trace  bool   `help:"Print the time of each stage." env:"-"`

	CSS         []string      `name:"css" help:"Inject the CSS of this file." type:"existingfile" sep:"none" env:"-"`
	JS          []string      `name:"js" help:"Run the JavaScript of this file." type:"existingfile" sep:"none" env:"-"`
	User        string        `help:"User name for basic authentication; the password is read from AFTERIMAGE_PASSWORD." env:"-"`
	KeepConsent bool          `help:"Keep cookie banners and ads." env:"-"`
	CheckBoxes  bool          `help:"Take a second picture with a frame around each listed element, and report those whose position is wrong." env:"-"`
	Deadline    time.Duration `help:"Time limit for the page." default:"45s" env:"-"`

	Browser         string   `help:"Path of the browser; default: the best one installed." type:"path" placeholder:"PATH"`
	Proxies         string   `help:"File that lists upstream proxies, one per line; see docs/operations/captures.md." type:"path" placeholder:"FILE"`
	Proxy           string   `help:"Type of proxy to use from that file: ${enum}." enum:"none,static,residential" default:"none" env:"-"`
	ProxyCountry    string   `help:"Location of the proxy, a two-letter country code." default:"us" env:"-"`
	AllowHosts      []string `help:"Non-public hosts that may be captured: host, host:port or network." placeholder:"HOST[:PORT]"`
	InsecureTLS     []string `name:"insecure-tls" help:"Accept the certificate of this host even if it cannot be verified, for example a self-signed one." placeholder:"HOST[:PORT]" env:"-"`
	UserAgentSuffix string   `help:"Suffix of the user agent; may be empty." default:"${userAgentSuffix}"`
}

// UserAgentSuffix is how the owners of sites recognise our visits unless an operator decides otherwise.
const UserAgentSuffix = "Afterimage/1.0"

// Help is what follows the flags on the help page.
func (Capture) Help() string { return capturecli.Help }

// Run captures. Its exit code tells the reason of a failure.
func (c *Capture) Run(ctx context.Context, log *cli.LogFlags) error {
	err := c.capture(ctx, log)
	var failure *capture.Failure
	if !errors.As(err, &failure) {
		return err
	}
	fmt.Fprintf(os.Stderr, "afterimage: %s\n", capturecli.Explain(err))
	return cli.ExitStatus(capturecli.ExitCode(err))
}

func (c *Capture) capture(ctx context.Context, log *cli.LogFlags) (err error) {
	request, err := c.request()
	if err != nil {
		return err
	}
	policy, err := egress.NewPolicy(c.AllowHosts...)
	if err != nil {
		return fmt.Errorf("--allow-hosts: %w", err)
	}
	logger, err := log.Logger(os.Stderr)
	if err != nil {
		return err
	}
	dialer, err := trusting(ctx, policy, c.InsecureTLS)
	if err != nil {
		return err
	}
	pool, err := chrome.Start(ctx, chrome.Config{Binary: c.Browser, Policy: policy, Insecure: dialer.Insecure, Logger: logger})
	if err != nil {
		return fmt.Errorf("the browser did not start: %w", err)
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	return capturecli.Command{Request: request, Out: c.Out, Trace: c.Trace}.Run(ctx, pool, os.Stdout)
}

// trusting dials under a policy and accepts the certificates of the named hosts as they are.
func trusting(ctx context.Context, policy *egress.Policy, hosts []string) (*egress.Dialer, error) {
	dialer := &egress.Dialer{Policy: policy}
	if len(hosts) == 0 {
		return dialer, nil
	}
	insecure, err := egress.ReadInsecure(ctx, &egress.Dialer{Policy: policy}, hosts)
	if err != nil {
		return nil, fmt.Errorf("--insecure-tls: %w", err)
	}
	dialer.Insecure = insecure
	return dialer, nil
}

func (c *Capture) request() (capture.Request, error) {
	r := capture.Request{
		URL: c.URL, Device: capture.Device(c.Device), HideConsent: !c.KeepConsent, Deadline: c.Deadline, UserAgentSuffix: c.UserAgentSuffix,
		Probe: c.CheckBoxes,
	}
	if c.Deadline < time.Second || c.Deadline > 10*time.Minute {
		return r, fmt.Errorf("--deadline must be between 1s and 10m, got %s", c.Deadline)
	}
	if c.User != "" {
		r.Credentials = &capture.Credentials{User: c.User, Password: os.Getenv("AFTERIMAGE_PASSWORD")}
	}
	var err error
	if r.Styles, err = readAll(c.CSS); err != nil {
		return r, err
	}
	if r.Scripts, err = readAll(c.JS); err != nil {
		return r, err
	}
	r.Proxy, err = c.proxy()
	return r, err
}

func (c *Capture) proxy() (*capture.Proxy, error) {
	if c.Proxy == "none" {
		return nil, nil
	}
	if c.Proxies == "" {
		return nil, errors.New("--proxy needs --proxies, a file that lists the proxies")
	}
	upstreams, err := cli.ReadUpstreams(c.Proxies)
	if err != nil {
		return nil, fmt.Errorf("--proxies: %w", err)
	}
	country := strings.ToLower(c.ProxyCountry)
	upstream := upstreams.Pick(c.Proxy, country, c.URL)
	if upstream == nil {
		return nil, fmt.Errorf("--proxies: %s lists no %s proxy in %q", c.Proxies, c.Proxy, country)
	}
	return &capture.Proxy{Type: c.Proxy, Country: country, Upstream: upstream}, nil
}

func readAll(names []string) ([]string, error) {
	var texts []string
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		texts = append(texts, string(text))
	}
	return texts, nil
}
