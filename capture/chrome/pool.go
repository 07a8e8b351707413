// Package chrome keeps headless browsers running and provides their pages to the capture pipeline.
//
// A [Pool] has lanes. Each lane is one browser process, controlled over a pipe (there is no debugging port), run as an
// unprivileged user if we are root, always with its sandbox enabled, and with a filtering egress proxy as its only
// network access. A browser that crashes, hangs or grows too large is replaced without leaving anything behind.
package chrome

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"afterimage/capture"
	"afterimage/internal/egress"
	"afterimage/internal/toolpath"
)

// ErrClosed is returned by captures on a closed pool.
var ErrClosed = errors.New("the browser pool is closed")

const (
	defaultRecycleAfter = 200
	maxLanes            = 64
)

// Config configures how a pool runs its browsers.
type Config struct {
	Binary       string           // the browser; "" = the best that Find finds
	Lanes        int              // concurrent captures, each in its own browser process; 0 = 1, at most 64
	Warm         int              // browsers that keep running when they are not used; 0 = one for each lane
	Policy       *egress.Policy   // addresses that may be dialled; nil = public addresses only
	Insecure     *egress.Insecure // servers whose certificates are accepted as they are; nil = none
	Logger       *slog.Logger     // nil = none
	TempDir      string           // for profile folders; "" = the system's. An unprivileged user must be able to enter it
	RecycleAfter int              // captures after which a browser is replaced; 0 = 200
	RealTime     bool             // use wall time for pages even if the browser has frame control
	MaxPageBytes int64            // received for one page; 0 = capture.MaxPageBytes

	// Memory of one browser with all its processes, in bytes; Linux only.
	MaxMemory     int64 // beyond this the page being captured has crashed it; 0 = 2 GiB
	RecycleMemory int64 // beyond this it is replaced after a capture, not counting renderers; 0 = 512 MiB

	Resolver *net.Resolver // for the names in pages' addresses; nil = the system's

	fonts  string      // fingerprint
	starts *browserLog // of browsers of all lanes
}

// Pool captures pages. It is safe for concurrent use.
type Pool struct {
	config Config
	lanes  []*lane
	engine capture.Engine

	idle    *idleLanes
	ender   sync.WaitGroup
	closing chan struct{}
	once    sync.Once
	err     error
}

// Start checks that a browser works and uses its proxy only, and returns a pool of config.Lanes lanes. The browser of
// the first lane is then running; the others start on demand.
func Start(ctx context.Context, config Config) (*Pool, error) {
	if err := config.complete(); err != nil {
		return nil, err
	}
	if err := sweepProfiles(config.TempDir); err != nil {
		config.Logger.Warn("could not remove profile folders left by an earlier process", "error", err)
	}
	config.starts = &browserLog{}
	p := &Pool{config: config, idle: newIdleLanes(config.Lanes), closing: make(chan struct{})}
	for slot := range config.Lanes {
		l, err := newLane(&p.config, slot)
		if err != nil {
			return nil, errors.Join(err, p.Close())
		}
		p.lanes = append(p.lanes, l)
		p.idle.putEnded(l)
	}
	if err := p.lanes[0].start(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	if err := checkMajor(p.lanes[0].browser.engine.Version); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	if err := p.lanes[0].browser.checkUDP(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.engine = p.lanes[0].browser.engine
	if config.Warm < config.Lanes {
		p.ender.Go(p.endUnused)
	}
	return p, nil
}

func (c *Config) complete() error {
	if c.Binary == "" {
		binary, err := toolpath.Browser()
		if err != nil {
			return err
		}
		c.Binary = binary
	}
	if c.Lanes == 0 {
		c.Lanes = 1
	}
	if c.Lanes < 0 || c.Lanes > maxLanes {
		return fmt.Errorf("browser lanes must be 1 to %d, not %d", maxLanes, c.Lanes)
	}
	if c.Warm <= 0 {
		c.Warm = c.Lanes
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.TempDir == "" {
		c.TempDir = os.TempDir()
	}
	if c.RecycleAfter <= 0 {
		c.RecycleAfter = defaultRecycleAfter
	}
	if c.MaxPageBytes <= 0 {
		c.MaxPageBytes = capture.MaxPageBytes
	}
	if c.MaxMemory <= 0 {
		c.MaxMemory = defaultMaxMemory
	}
	if c.RecycleMemory <= 0 {
		c.RecycleMemory = defaultRecycleMemory
	}
	var err error
	c.fonts, err = fontsFingerprint(fontConfig)
	return err
}

// Version is the browser's product and build, for example "HeadlessChrome/156.0.8078.79".
func (p *Pool) Version() string { return p.engine.String() }

// Released is the approximate release date of the browser's major version; the zero time when unknown.
func (p *Pool) Released() time.Time { return Released(p.engine.Version) }

// Capture waits for a lane and captures one page. The error is a *capture.Failure, or that of the context when no lane
// became free. The time spent waiting for a lane does not count against the request's deadline.
func (p *Pool) Capture(ctx context.Context, req capture.Request) (*capture.Shot, error) {
	l, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	defer p.idle.put(l)
	return l.capture(ctx, req)
}

// Walk waits for a lane and carries out the steps of a flow. The error is that of capture.Walk, or that of the context when no lane
// became free.
func (p *Pool) Walk(ctx context.Context, req capture.WalkRequest) (*capture.Walked, error) {
	l, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	defer p.idle.put(l)
	return l.walk(ctx, req)
}

// take waits for a lane.
func (p *Pool) take(ctx context.Context) (*lane, error) {
	select {
	case <-p.closing:
		return nil, ErrClosed
	default:
	}
	select {
	case <-p.idle.free:
		return p.idle.pop().lane, nil
	case <-p.closing:
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Denied lists the targets that pages requested and the egress policy refused, for all lanes.
func (p *Pool) Denied() []egress.Denial {
	var denied []egress.Denial
	for _, l := range p.lanes {
		denied = append(denied, l.proxy.Denied()...)
	}
	return denied
}

// Close waits for running captures and ends all browsers. No process and no profile folder is left.
func (p *Pool) Close() error {
	p.once.Do(func() {
		close(p.closing)
		for range p.lanes {
			<-p.idle.free
		}
		p.ender.Wait()
		errs := make([]error, len(p.lanes))
		var all sync.WaitGroup
		for i, l := range p.lanes {
			all.Go(func() { errs[i] = l.close() })
		}
		all.Wait()
		p.err = errors.Join(errs...)
	})
	return p.err
}
