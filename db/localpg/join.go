package localpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// orphanGrace is how long backends of a killed server may hold the next one up.
const orphanGrace = 10 * time.Second

// join makes the server run and registers this process as a user of it.
func (s *Server) join(ctx context.Context) error {
	return s.repeat(ctx, func() (bool, error) { return s.attempt(ctx) })
}

// repeat calls step until it is done, fails or ctx ends. The start lock is held for the length of a step only, so that
// another process that must act first can.
func (s *Server) repeat(ctx context.Context, step func() (bool, error)) error {
	gate, err := openLock(s.folder.startLock())
	if err != nil {
		return err
	}
	defer gate.close()
	tick := time.NewTicker(5 * pollEvery)
	defer tick.Stop()
	for {
		if err := gate.lock(ctx, syscall.LOCK_EX); err != nil {
			return err
		}
		done, err := step()
		if err != nil || done {
			return err
		}
		if _, err := gate.try(syscall.LOCK_UN); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("another process uses this data folder, but its server cannot be reached from here "+
				"(does it run in another container?): %w", ctx.Err())
		case <-tick.C:
		}
	}
}

// attempt adopts a running server, or starts one when nobody else uses the folder. It answers false when somebody does
// and the server is down: theirs to restart. Starting a second server next to one that is alive but invisible, in
// another container that shares the folder, would destroy the data.
func (s *Server) attempt(ctx context.Context) (bool, error) {
	alone, err := s.users.try(syscall.LOCK_EX)
	if err != nil {
		return false, err
	}
	found, running, err := findPostmaster(s.folder.data())
	if err != nil {
		return false, err
	}
	switch {
	case running:
		if err = s.adopt(ctx, found); err == nil {
			s.folder.socketDir = s.pm.socketDir // its maker may have had another temporary directory
		}
	case alone:
		err = s.startAnew(ctx)
	}
	if err != nil || (!running && !alone) {
		return false, err
	}
	if err := s.bootstrap(ctx); err != nil {
		if !running { // nobody would know of the server that was started for this caller
			err = errors.Join(err, s.pm.shutdown(context.WithoutCancel(ctx), s.log))
		}
		return false, err
	}
	// From exclusive or nothing to shared: nobody can come between, every taker holds the start lock.
	return s.users.try(syscall.LOCK_SH)
}

func (s *Server) adopt(ctx context.Context, found postmaster) error {
	if err := s.waitReady(ctx, &found); err != nil {
		return err
	}
	s.pm = found
	s.log.Info("private Postgres adopted", "dir", s.folder.dir, "pid", found.pid)
	return nil
}

func (s *Server) startAnew(ctx context.Context) error {
	if s.cfg.Ephemeral {
		if err := s.folder.discardData(); err != nil {
			return err
		}
	}
	major, err := clusterMajor(s.folder.data())
	switch {
	case errors.Is(err, os.ErrNotExist):
		if err := s.create(ctx); err != nil {
			return err
		}
	case err != nil:
		return err
	case major != s.bin.Major:
		return fmt.Errorf("%w: version %d appeared while starting", ErrOtherMajor, major)
	}
	return s.relaunch(ctx)
}

// relaunch starts the server on existing data. Backends orphaned by a killed server need a moment to notice and end;
// until then the new one refuses to start next to them.
func (s *Server) relaunch(ctx context.Context) error {
	patience, cancel := context.WithTimeout(ctx, orphanGrace)
	defer cancel()
	tick := time.NewTicker(5 * pollEvery)
	defer tick.Stop()
	for {
		err := s.launchReady(ctx)
		if err == nil || !strings.Contains(err.Error(), "pre-existing shared memory block") {
			return err
		}
		select {
		case <-patience.Done():
			return err
		case <-tick.C:
		}
	}
}

func (s *Server) launchReady(ctx context.Context) error {
	said, err := serverLogSize(s.folder.logFile())
	if err != nil {
		return err
	}
	started, err := s.launch(ctx)
	if err != nil {
		return err
	}
	if err := s.waitReady(ctx, &started); err != nil {
		// A server that is not ready in time must not stay behind with nobody who knows of it.
		stopped := started.shutdown(context.WithoutCancel(ctx), s.log)
		return errors.Join(fmt.Errorf("%w: %s", err, serverLogSince(s.folder.logFile(), said)), stopped)
	}
	s.pm = started
	s.log.Info("private Postgres started", "dir", s.folder.dir, "pid", started.pid, "version", s.bin.Major)
	return nil
}

// waitReady waits until the server answers. A server that is still recovering refuses connections for a while.
func (s *Server) waitReady(ctx context.Context, pm *postmaster) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		if !pm.alive() {
			return errors.New("the server ended while starting")
		}
		if err := s.ping(ctx, pm); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the server does not answer: %w", ctx.Err())
		case <-tick.C:
		}
	}
}

func (s *Server) ping(ctx context.Context, pm *postmaster) error {
	if pm.socketDir == "" { // found so young that its pid file did not tell yet
		found, running, err := findPostmaster(pm.dataDir)
		if err != nil || !running || found.socketDir == "" {
			return errors.New("the server has not opened its socket")
		}
		*pm = found
	}
	conn, err := pgx.Connect(ctx, socketURL(pm.socketDir, adminRole, "postgres"))
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// bootstrap makes the role and the database when they are missing; a process killed in between is made up for.
func (s *Server) bootstrap(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, socketURL(s.folder.socketDir, adminRole, "postgres"))
	if err != nil {
		return fmt.Errorf("prepare role and database: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	rights := "NOCREATEDB NOCREATEROLE"
	if s.cfg.Ephemeral {
		rights = "CREATEDB CREATEROLE" // tests make databases, and roles for them
	}
	for _, statement := range []string{
		"CREATE ROLE " + Role + " LOGIN NOSUPERUSER NOBYPASSRLS " + rights,
		"CREATE DATABASE " + Database + " OWNER " + Role,
	} {
		if _, err := conn.Exec(ctx, statement); err != nil && !alreadyExists(err) {
			return fmt.Errorf("prepare role and database: %w", err)
		}
	}
	return nil
}

// alreadyExists knows PostgreSQL's codes duplicate_object (roles) and duplicate_database.
func alreadyExists(err error) bool {
	var failed *pgconn.PgError
	return errors.As(err, &failed) && (failed.Code == "42710" || failed.Code == "42P04")
}
