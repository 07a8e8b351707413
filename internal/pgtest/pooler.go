package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/internal/toolpath"
)

const (
	poolerPort = 6432 // names the socket in a folder of its own
	poolerPoll = 10 * time.Millisecond
)

// Pooler is a PgBouncer in front of the server of the tests. It pools transactions, of any database and role.
type Pooler struct {
	t       testing.TB
	dir     string // of its configuration and socket
	account *syscall.Credential
	process *exec.Cmd
}

// NewPooler starts a PgBouncer, which ends with the test. Mode is what it pools: transaction, session or statement.
func NewPooler(t testing.TB, mode string) *Pooler {
	t.Helper()
	program := toolpath.Find("pgbouncer", filepath.Join("pgbouncer", "pgbouncer"))
	if program == "" {
		program = "/usr/sbin/pgbouncer" // where Debian has it, and ordinary users do not look
	}
	base, err := pgx.ParseConfig(serverOf(t))
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	p := &Pooler{t: t}
	if p.dir, err = os.MkdirTemp("", "pgb"); err != nil { // not that of the test: the path of a socket must be short
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(p.dir) })
	p.account = p.accountOf(base.Host)
	p.write("users", user(base.User, base.Password)+user(EverydayRole, base.Password)+user(SystemRole, base.Password))
	p.write("config", fmt.Sprintf(`[databases]
* = host=%s port=%d
[pgbouncer]
pool_mode = %s
listen_addr =
listen_port = %d
unix_socket_dir = %s
auth_type = trust
auth_file = %s
admin_users = %s
max_client_conn = 500
default_pool_size = 20
`, base.Host, base.Port, mode, poolerPort, p.dir, filepath.Join(p.dir, "users"), base.User))
	p.start(program)
	t.Cleanup(p.stop)
	return p
}

func user(name, password string) string { return fmt.Sprintf("%q %q\n", name, password) }

// accountOf is whom it runs as: it refuses to run as root, and the folder of a private server is for its account only.
func (p *Pooler) accountOf(host string) *syscall.Credential {
	if os.Geteuid() != 0 {
		return nil
	}
	const nobody = 65534
	account := &syscall.Credential{Uid: nobody, Gid: nobody}
	if info, err := os.Stat(host); err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Uid != 0 {
			account.Uid, account.Gid = stat.Uid, stat.Gid
		}
	}
	if err := os.Chown(p.dir, int(account.Uid), int(account.Gid)); err != nil {
		p.t.Fatalf("pgtest: %v", err)
	}
	return account
}

func (p *Pooler) write(name, content string) {
	file := filepath.Join(p.dir, name)
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		p.t.Fatalf("pgtest: %v", err)
	}
	if p.account == nil {
		return
	}
	if err := os.Chown(file, int(p.account.Uid), int(p.account.Gid)); err != nil {
		p.t.Fatalf("pgtest: %v", err)
	}
}

// start returns when it answers.
func (p *Pooler) start(program string) {
	p.t.Helper()
	log, err := os.OpenFile(filepath.Join(p.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		p.t.Fatalf("pgtest: %v", err)
	}
	defer log.Close()
	p.process = exec.CommandContext(context.WithoutCancel(p.t.Context()), program, filepath.Join(p.dir, "config"))
	p.process.Stdout, p.process.Stderr = log, log
	p.process.SysProcAttr = &syscall.SysProcAttr{Credential: p.account}
	if err := p.process.Start(); err != nil {
		p.t.Fatalf("pgtest: no PgBouncer to test with (make setup installs it): %v", err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.t.Context()), setupTimeout)
	defer cancel()
	ticker := time.NewTicker(poolerPoll)
	defer ticker.Stop()
	for !answers(ctx, p.URL(serverOf(p.t))) {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			said, _ := os.ReadFile(log.Name())
			p.t.Fatalf("pgtest: PgBouncer does not answer: %s", said)
		}
	}
}

func (p *Pooler) stop() {
	_ = p.process.Process.Kill() // it has nothing to keep
	_ = p.process.Wait()
}

// Restart ends all its connections at once, as after a crash, and starts it again.
func (p *Pooler) Restart() {
	p.t.Helper()
	program := p.process.Path
	p.stop()
	_ = os.Remove(filepath.Join(p.dir, ".s.PGSQL."+strconv.Itoa(poolerPort)))
	p.start(program)
}

// URL returns the way through the pooler to a database.
func (p *Pooler) URL(direct string) string {
	u, err := url.Parse(direct)
	if err != nil {
		return direct
	}
	query := u.Query()
	for _, name := range []string{"host", "port", "sslmode"} {
		query.Del(name)
	}
	query.Set("host", p.dir)
	query.Set("port", strconv.Itoa(poolerPort))
	u.Host = ""
	u.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20")
	return u.String()
}
