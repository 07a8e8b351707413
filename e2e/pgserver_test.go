package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"

	"afterimage/internal/toolpath"
)

const (
	nobody          = 65534
	postgresPort    = 5432
	pgbouncerPort   = 6432
	ownerRole       = "company_owner"
	everydayRole    = "company"
	systemRole      = "company_system"
	companyDatabase = "company"
)

// pgServer is a PostgreSQL with PgBouncer in front of it, on a machine and a small disk of their own.
type pgServer struct {
	*machine
	dir      string
	disk     *smallDisk
	postgres *begun
	pooler   *begun
}

// begun is a program that somebody waits for.
type begun struct {
	*exec.Cmd
	ended chan struct{}
}

func newPGServer(m *machine) *pgServer {
	m.t.Helper()
	p := &pgServer{machine: m, dir: dataDir(m.t)}
	p.disk = newSmallDisk(m.t, p.dir)
	if os.Geteuid() == 0 {
		p.must(os.Chown(p.dir, nobody, nobody))
	}
	data := filepath.Join(p.dir, "data")
	if out, err := p.as(nobody, p.program("initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8").
		CombinedOutput(); err != nil {
		m.t.Fatalf("%v\n%s", err, out)
	}
	p.write("data/pg_hba.conf", "host all all "+p.address+"/16 trust\nhost all all 127.0.0.0/8 trust\n")
	p.write("data/postgresql.auto.conf", fmt.Sprintf("listen_addresses = '%s'\nport = %d\nunix_socket_directories = ''\n"+
		"max_connections = 200\nmax_wal_size = 128MB\nshared_buffers = 128MB\nlog_min_messages = fatal\n", p.address, postgresPort))
	var users strings.Builder
	for _, role := range []string{ownerRole, everydayRole, systemRole} {
		fmt.Fprintf(&users, "%q \"\"\n", role)
	}
	p.write("users", users.String())
	p.write("pooler", fmt.Sprintf("[databases]\n* = host=%s port=%d\n[pgbouncer]\npool_mode = transaction\nlisten_addr = %s\n"+
		"listen_port = %d\nunix_socket_dir =\nauth_type = trust\nauth_file = %s\nmax_client_conn = 1000\ndefault_pool_size = 40\n",
		p.address, postgresPort, p.address, pgbouncerPort, filepath.Join(p.dir, "users")))
	p.startPostgres()
	p.startPooler()
	m.t.Cleanup(func() { p.stop(p.pooler); p.stop(p.postgres) })
	p.makeRoles()
	return p
}

func (p *pgServer) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *pgServer) write(name, content string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	p.must(os.WriteFile(path, []byte(content), 0o600))
	if os.Geteuid() == 0 {
		p.must(os.Chown(path, nobody, nobody))
	}
}

// program is one of those that come with the newest PostgreSQL of this machine, or that `make setup` has unpacked.
func (p *pgServer) program(name string) string {
	p.t.Helper()
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	p.must(err)
	if len(found) > 0 {
		return found[len(found)-1]
	}
	path := toolpath.Find(name, filepath.Join("postgres", "bin", name))
	if path == "" {
		p.t.Fatalf("no %s: make setup installs it", name)
	}
	return path
}

// startPostgres returns when it takes questions. After a crash it does not start while a process of the server before is there: one that
// had just been begun when the others were listed.
func (p *pgServer) startPostgres() {
	p.t.Helper()
	begin := func() { p.postgres = p.begin(p.program("postgres"), "-D", filepath.Join(p.dir, "data")) }
	begin()
	waitFor(p.t, "PostgreSQL", func() bool {
		select {
		case <-p.postgres.ended:
			begin()
		default:
		}
		return p.answers(p.direct("postgres", "postgres"))
	})
}

func (p *pgServer) startPooler() {
	p.t.Helper()
	program := toolpath.Find("pgbouncer", filepath.Join("pgbouncer", "pgbouncer"))
	if program == "" {
		program = "/usr/sbin/pgbouncer" // where Debian has it, and ordinary users do not look
	}
	p.pooler = p.begin(program, filepath.Join(p.dir, "pooler"))
}

// begin starts a program, what it says goes to a file.
func (p *pgServer) begin(program string, args ...string) *begun {
	p.t.Helper()
	log, err := os.OpenFile(filepath.Join(p.t.TempDir(), filepath.Base(program)+".log"), os.O_CREATE|os.O_WRONLY, 0o600)
	p.must(err)
	defer func() { _ = log.Close() }()
	cmd := p.as(nobody, program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	p.must(cmd.Start())
	b := &begun{cmd, make(chan struct{})}
	go func() {
		_ = cmd.Wait()
		close(b.ended)
	}()
	return b
}

func (p *pgServer) stop(b *begun) {
	_ = b.Process.Signal(syscall.SIGINT) // a fast shutdown
	<-b.ended
}

func (p *pgServer) answers(url string) bool {
	conn, err := pgx.Connect(p.t.Context(), url)
	return err == nil && conn.Close(p.t.Context()) == nil
}

func (p *pgServer) makeRoles() {
	p.t.Helper()
	conn, err := pgx.Connect(p.t.Context(), p.direct("postgres", "postgres"))
	p.must(err)
	for _, role := range []string{ownerRole, everydayRole, systemRole} {
		_, err = conn.Exec(p.t.Context(), "CREATE ROLE "+role+" LOGIN")
		p.must(err)
	}
	_, err = conn.Exec(p.t.Context(), "CREATE DATABASE "+companyDatabase+" OWNER "+ownerRole)
	p.must(err)
	p.must(conn.Close(p.t.Context()))
}

// direct is the URL of the database itself, pooled that of the way through PgBouncer.
func (p *pgServer) direct(role, database string) string { return p.url(role, database, postgresPort) }

func (p *pgServer) pooled(role string) string { return p.url(role, companyDatabase, pgbouncerPort) }

func (p *pgServer) url(role, database string, port int) string {
	return "postgres://" + role + "@" + p.address + ":" + strconv.Itoa(port) + "/" + database + "?sslmode=disable"
}

// crash ends the server as a power failure would, and starts it again.
func (p *pgServer) crash() {
	p.t.Helper()
	children := childrenOf(p.t, p.postgres.Process.Pid)
	_ = p.postgres.Process.Kill()
	<-p.postgres.ended
	waitFor(p.t, "the server's children to see that it has gone", func() bool { return !slices.ContainsFunc(children, runs) })
	p.startPostgres()
}

// restartPooler ends all connections at once.
func (p *pgServer) restartPooler() {
	p.t.Helper()
	_ = p.pooler.Process.Kill()
	<-p.pooler.ended
	p.startPooler()
}
