package localpg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strconv"
	"syscall"
	"time"
)

const (
	// Role is the application's role: it owns [Database], is no superuser and does not bypass row level security.
	Role = "afterimage"
	// Database is the application's database.
	Database = "afterimage"

	adminRole           = "postgres"
	port                = 5432 // names the socket file only; nothing listens on TCP
	defaultStartTimeout = time.Minute
	pollEvery           = 20 * time.Millisecond
)

// Config says where a private cluster lives and how it is run.
type Config struct {
	// Dir is the folder of the cluster, e.g. <data>/postgres. It is created when missing. Required.
	Dir string
	// BinDir holds the initdb and postgres programs. Empty: they are searched, see [FindBinaries].
	BinDir string
	// Logger hears about starts, adoptions, restarts and stops. Nil: nobody does.
	Logger *slog.Logger
	// StartTimeout bounds creation, recovery and start together. Zero: one minute.
	StartTimeout time.Duration
	// Ephemeral is for tests: data is not flushed to disk, is thrown away when the last user stops and never survives
	// a stopped server, and [Role] may create databases.
	Ephemeral bool
}

// Server is a running private cluster. It is safe for concurrent use.
type Server struct {
	cfg    Config
	folder folder
	log    *slog.Logger
	bin    Binaries
	users  *fileLock

	pm     postmaster // written by Start and by the supervisor only; Stop reads it after the supervisor ended
	cancel context.CancelFunc
	done   chan struct{}
}

// Start makes sure that the cluster in cfg.Dir exists and runs, and that [Role] and [Database] exist in it.
//
// It fails with [ErrNotInstalled] when no usable PostgreSQL programs are found, with [ErrOtherMajor] when the data was
// written by another major version, and with a plain error naming the folder and the remedy when the folder cannot be
// used. ctx bounds the start only; the server runs until [Server.Stop].
func Start(ctx context.Context, cfg Config) (*Server, error) {
	if cfg.StartTimeout <= 0 {
		cfg.StartTimeout = defaultStartTimeout
	}
	log := cfg.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	ctx, cancelStart := context.WithTimeout(ctx, cfg.StartTimeout)
	defer cancelStart()

	place, err := openFolder(cfg.Dir)
	if err != nil {
		return nil, err
	}
	if place.account.shared {
		log.Warn("private Postgres runs as the system user nobody, which unrelated services may run as too: create one of its own with "+
			"`make setup` or useradd --system --no-create-home afterimage, and give it data and socket (chown -R) if they exist",
			"dir", place.dir)
	}
	bin, err := binariesFor(ctx, cfg.BinDir, place)
	if err != nil {
		return nil, err
	}
	users, err := openLock(place.usersLock())
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, folder: place, log: log, bin: bin, users: users, done: make(chan struct{})}
	if err := s.join(ctx); err != nil {
		users.close()
		return nil, fmt.Errorf("private Postgres in %s: %w", place.dir, err)
	}
	supervised, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel = cancel
	go s.supervise(supervised)
	return s, nil
}

// URL is the connection string of [Role] on [Database], e.g.
// postgres://afterimage@/afterimage?host=%2Fvar%2Flib%2Fafterimage%2Fpostgres%2Fsocket&port=5432&sslmode=disable.
// It stays the same for the life of the Server.
func (s *Server) URL() string { return socketURL(s.folder.socketDir, Role, Database) }

func socketURL(socketDir, role, database string) string {
	query := url.Values{"host": {socketDir}, "port": {strconv.Itoa(port)}, "sslmode": {"disable"}}
	u := url.URL{Scheme: "postgres", User: url.User(role), Host: "", Path: "/" + database, RawQuery: query.Encode()}
	return u.String()
}

// Stop gives the cluster up. When no other process uses it the server is shut down: a fast shutdown first, an immediate
// one when ctx ends or ten seconds pass, and a kill as the last resort, after which the next start recovers from the
// write-ahead log. Calling Stop again does nothing.
func (s *Server) Stop(ctx context.Context) error {
	s.cancel()
	<-s.done
	defer s.users.close()

	gate, err := openLock(s.folder.startLock())
	if err != nil {
		return err
	}
	defer gate.close()
	if err := gate.lock(context.WithoutCancel(ctx), syscall.LOCK_EX); err != nil {
		return err
	}
	alone, err := s.users.try(syscall.LOCK_EX)
	if errors.Is(err, os.ErrClosed) {
		return nil // stopped before
	}
	if err != nil {
		return err
	}
	if !alone {
		s.log.Info("private Postgres stays up for its other users", "dir", s.folder.dir)
		return nil
	}
	if err := s.pm.shutdown(ctx, s.log); err != nil {
		return fmt.Errorf("stop private Postgres in %s: %w", s.folder.dir, err)
	}
	s.log.Info("private Postgres stopped", "dir", s.folder.dir)
	if s.cfg.Ephemeral {
		return s.folder.discardData()
	}
	return nil
}
