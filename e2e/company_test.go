package e2e

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"afterimage/internal/buckettest"
)

// company is the service as a company runs it: servers behind a proxy and workers, each on a machine of its own, with one database
// behind PgBouncer, which they reach as roles that own nothing, and one bucket.
type company struct {
	*service // through the proxy
	net      *network
	database *pgServer
	site     *badSite
	told     *receiver
	servers  []*node
	workers  []*node
	key      string
	bucket   *buckettest.Server
}

// node is a machine with one process of the service.
type node struct {
	*machine
	company *company
	running *program
	dir     string
	bucket  *buckettest.Proxy // its way to the pictures
	args    []string
}

const companyBucket = "company-pictures"

func newCompany(t *testing.T, built string, servers, workers, pages int) *company {
	t.Helper()
	network := newNetwork(t)
	c := &company{
		net: network, bucket: buckettest.StartS3(t), key: newKey(t), site: &badSite{paths: ordinaryPages(pages)}, told: newReceiver(t),
	}
	c.bucket.Bucket(t, companyBucket)
	c.database = newPGServer(network.machine("database"))
	c.site.host = network.serve(c.site)
	c.migrate(built)
	front := &balancer{}
	c.service = &service{t: t, installation: installation{dir: dataDir(t)}, url: "http://" + network.serve(front.proxy())}
	for i := range servers {
		n := c.node("serve"+itoa(i+1), "serve", "--no-work", "--insecure-http", "--public-url", c.url, "--rate-limit=0",
			"--trusted-proxies", network.hub())
		n.args = append(n.args, "--listen", n.address+":8080")
		front.backends = append(front.backends, n.address+":8080")
		c.servers = append(c.servers, n)
	}
	for i := range workers {
		c.workers = append(c.workers, c.node("work"+itoa(i+1), "work", "--captures=1", "--capture-deadline=60s", "--retry-delay=100ms",
			"--rescue-after=1s", "--webhook-pause=100ms", "--public-url", c.url))
	}
	for _, n := range append(c.servers, c.workers...) {
		n.start(built)
	}
	first := &service{t: t, program: c.servers[0].running}
	c.token = first.firstToken()
	return c
}

func newKey(t *testing.T) string {
	t.Helper()
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(key)
}

// migrate makes or changes the tables, as the role that owns them, and grants the two others what they need.
func (c *company) migrate(built string) {
	c.net.t.Helper()
	cmd := exec.CommandContext(c.net.t.Context(), built, "migrate", "--grant-to", everydayRole, "--grant-system-to", systemRole,
		"--data-dir", dataDir(c.net.t), "--database-url", c.database.direct(ownerRole, companyDatabase), "--images",
		c.bucket.URL(c.net.t, companyBucket, c.bucket.Endpoint), "--log-level", "error")
	cmd.Env = append(cmd.Environ(), "AFTERIMAGE_SECRET_KEY="+c.key)
	if out, err := cmd.CombinedOutput(); err != nil {
		c.net.t.Fatalf("migrate: %v\n%s", err, out)
	}
}

func (c *company) node(name, command string, args ...string) *node {
	c.net.t.Helper()
	n := &node{machine: c.net.machine(name), company: c, dir: dataDir(c.net.t)}
	n.bucket = c.bucket.NewProxyAt(c.net.t, c.net.hub())
	n.args = append([]string{command}, c.places(n.dir, n.bucket.Endpoint)...)
	n.args = append(append(n.args, "--allow-hosts", c.net.hub(), "--log-format=json"), args...)
	return n
}

// places are the flags that say where the database and the pictures are.
func (c *company) places(dir, endpoint string) []string {
	return []string{
		"--data-dir", dir, "--images", c.bucket.URL(c.net.t, companyBucket, endpoint), "--database-url", c.database.pooled(everydayRole),
		"--database-system-url", c.database.pooled(systemRole), "--database-direct-url", c.database.direct(everydayRole, companyDatabase),
	}
}

// start returns when the process serves or works.
func (n *node) start(built string) {
	n.t.Helper()
	cmd := n.command(built, n.args...)
	cmd.Env = append(cmd.Environ(), "AFTERIMAGE_SECRET_KEY="+n.company.key)
	n.running = startCommand(n.t, n.name, cmd)
	n.running.allowed = companyDisturbed
	if n.args[0] == "serve" {
		n.running.expect(`serves at (https?://\S+)`)
		return
	}
	waitFor(n.t, n.name+" to start", func() bool {
		select {
		case <-n.running.done:
			n.t.Fatalf("%s did not start:\n%s", n.name, n.running.text())
		default:
		}
		return strings.Contains(n.running.text(), `"working"`)
	})
}

// companyDisturbed is what may be logged while the network, the bucket or the database is away.
var companyDisturbed = append([]string{
	"background work failed", "request failed", "a GraphQL operation could not be carried out", "a preview could not be stored",
}, withoutDatabase...)

// balancer passes requests on to one server after the other, as any reverse proxy does, and passes over those that are down.
type balancer struct {
	backends []string
	next     atomic.Uint32
}

func (b *balancer) proxy() http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetXForwarded()
			r.Out.URL.Scheme, r.Out.Host = "http", r.In.Host
		},
		Transport: b,
	}
}

// RoundTrip implements http.RoundTripper.
func (b *balancer) RoundTrip(r *http.Request) (response *http.Response, err error) {
	var body []byte
	if r.Body != nil {
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	for range b.backends {
		if r.Body != nil {
			r.Body = io.NopCloser(bytes.NewReader(body)) // an attempt that failed has closed it
		}
		r.URL.Host = b.backends[int(b.next.Add(1))%len(b.backends)]
		if response, err = http.DefaultTransport.RoundTrip(r); err == nil || !mayRepeat(r, err) {
			return response, err
		}
	}
	return nil, err
}

// mayRepeat reports whether a request has had no effect: nobody took the connection, or it only reads.
func mayRepeat(r *http.Request, err error) bool {
	var failed *net.OpError
	return r.Context().Err() == nil && (errors.As(err, &failed) && failed.Op == "dial" || r.Method == http.MethodGet)
}
