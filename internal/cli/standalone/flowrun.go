package standalone

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"afterimage/capture"
	"afterimage/capture/chrome"
	"afterimage/internal/capturecli"
	"afterimage/internal/cli"
	"afterimage/internal/egress"
	"afterimage/internal/flow"
)

// The exit codes of flow run.
const (
	flowFailed = 1 // a step failed
	flowNotRun = 2
)

// FlowRun carries out the steps of a flow without any service.
type FlowRun struct {
	File   string   `arg:"" help:"The flow, YAML or JSON; - is standard input."`
	Out    string   `help:"Folder for the pictures." type:"path" default:"." env:"-"`
	Device []string `help:"Device to emulate instead of those of the flow: desktop, mobile. May be repeated." enum:"desktop,mobile" env:"-"`
	Secret []string `help:"A secret that the flow needs, from an environment variable or a file. May be repeated." placeholder:"NAME=env:VARIABLE|file:PATH" sep:"none" env:"-"`
	JSON   bool     `name:"json" help:"Print the result as JSON." env:"-"`

	User            string   `help:"User name for basic authentication; the password is read from AFTERIMAGE_PASSWORD." env:"-"`
	KeepConsent     bool     `help:"Keep cookie banners and ads." env:"-"`
	Browser         string   `help:"Path of the browser; default: the best one installed." type:"path" placeholder:"PATH"`
	AllowHosts      []string `help:"Non-public hosts that may be visited: host, host:port or network." placeholder:"HOST[:PORT]"`
	InsecureTLS     []string `name:"insecure-tls" help:"Accept the certificate of this host even if it cannot be verified, for example a self-signed one." placeholder:"HOST[:PORT]" env:"-"`
	UserAgentSuffix string   `help:"Suffix of the user agent; may be empty." default:"${userAgentSuffix}"`
}

// Help is what follows the flags on the help page.
func (FlowRun) Help() string {
	return `Runs the steps, prints how long each one took, and writes DEVICE/NAME.png, .manifest.json and
.elements.json for each checkpoint to the folder --out. If a step fails, DEVICE/failed-step-N.png
shows the window at that moment, and the steps after it are skipped.

Secrets are given by the name of an environment variable or a file, never on the command line.
A secret that begins with otpauth://totp/ or totp: is the seed of one-time codes.

The exit code is 0 if all steps passed, 1 if one failed, and 2 if the flow could not be run: the
file is not a flow, a secret is missing, the first page cannot be reached.

Examples:
  afterimage flow run checkout.yaml --out shots
  afterimage flow run checkout.yaml --out shots --device mobile --json
  SHOP_PASSWORD=… afterimage flow run checkout.yaml --secret password=env:SHOP_PASSWORD
  afterimage flow run sign-in.yaml --secret password=file:/run/secrets/shop --secret code=file:/run/secrets/seed
  afterimage flow run checkout.yaml --allow-hosts localhost:8080
`
}

// Run runs.
func (c *FlowRun) Run(ctx context.Context, log *cli.LogFlags) error {
	passed, err := c.run(ctx, log)
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "afterimage: %s\n", explained(err))
		return cli.ExitStatus(flowNotRun)
	case !passed:
		return cli.ExitStatus(flowFailed)
	}
	return nil
}

// explained tells the sentence of a failed capture and the message of any other error.
func explained(err error) string {
	var failure *capture.Failure
	if errors.As(err, &failure) {
		return capturecli.Explain(err)
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}

func (c *FlowRun) run(ctx context.Context, log *cli.LogFlags) (passed bool, err error) {
	f, err := readFlow(c.File)
	if err != nil {
		return false, err
	}
	logger, err := log.Logger(os.Stderr)
	if err != nil {
		return false, err
	}
	secrets, err := readFlowSecrets(f, c.Secret, logger)
	if err != nil {
		return false, err
	}
	policy, err := egress.NewPolicy(c.AllowHosts...)
	if err != nil {
		return false, fmt.Errorf("--allow-hosts: %w", err)
	}
	dialer, err := trusting(ctx, policy, c.InsecureTLS)
	if err != nil {
		return false, err
	}
	pool, err := chrome.Start(ctx, chrome.Config{Binary: c.Browser, Policy: policy, Insecure: dialer.Insecure, Logger: logger})
	if err != nil {
		return false, fmt.Errorf("the browser did not start: %w", err)
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	command := capturecli.WalkCommand{
		Request: capture.WalkRequest{Flow: f, Request: c.request(), Secrets: secrets}, Devices: c.devices(f), Out: c.Out, JSON: c.JSON,
	}
	return command.Run(ctx, pool, os.Stdout)
}

func (c *FlowRun) request() capture.Request {
	r := capture.Request{HideConsent: !c.KeepConsent, UserAgentSuffix: c.UserAgentSuffix}
	if c.User != "" {
		r.Credentials = &capture.Credentials{User: c.User, Password: os.Getenv("AFTERIMAGE_PASSWORD")}
	}
	return r
}

// devices are those of the command line, else those of the flow.
func (c *FlowRun) devices(f *flow.Flow) []capture.Device {
	names := c.Device
	if len(names) == 0 {
		names = f.Devices
	}
	if len(names) == 0 {
		names = []string{string(capture.Desktop)}
	}
	var devices []capture.Device
	for _, name := range names {
		if d := capture.Device(name); !slices.Contains(devices, d) {
			devices = append(devices, d)
		}
	}
	return devices
}

// readFlowSecrets reads the secrets that a flow needs from where the command line says. No error repeats one.
func readFlowSecrets(f *flow.Flow, given []string, logger *slog.Logger) (map[string]capture.Secret, error) {
	needed, secrets := f.Needed(), make(map[string]capture.Secret)
	for _, spec := range given {
		name, source, ok := strings.Cut(spec, "=")
		kind, place, known := strings.Cut(source, ":")
		if !ok || !known || place == "" || kind != "env" && kind != "file" {
			return nil, errors.New("--secret must be NAME=env:VARIABLE or NAME=file:PATH")
		}
		if !slices.Contains(needed, name) {
			return nil, fmt.Errorf("--secret: the flow does not use a secret %q; it uses %s", name, listed(needed))
		}
		if _, twice := secrets[name]; twice {
			return nil, fmt.Errorf("--secret: %s is given twice", name)
		}
		text, err := readFlowSecret(name, kind, place, logger)
		if err != nil {
			return nil, err
		}
		if secrets[name], err = capture.NewSecret(text); err != nil {
			return nil, fmt.Errorf("--secret %s: %w", name, err)
		}
	}
	for _, name := range needed {
		if _, ok := secrets[name]; !ok {
			return nil, fmt.Errorf("the flow needs the secret %s: add --secret %s=env:VARIABLE or --secret %s=file:PATH", name, name, name)
		}
	}
	return secrets, nil
}

func readFlowSecret(name, kind, place string, logger *slog.Logger) (string, error) {
	if kind == "file" {
		return cli.ReadSecret("--secret "+name, place, false, logger)
	}
	text := os.Getenv(place)
	if text == "" {
		return "", fmt.Errorf("--secret %s: the environment variable %s is not set, or empty", name, place)
	}
	return text, nil
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
