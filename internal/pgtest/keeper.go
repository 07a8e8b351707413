package pgtest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"afterimage/db/localpg"
)

const (
	answerFD    = 3
	keeperEnv   = "AFTERIMAGE_PGTEST_KEEPER"
	readyPrefix = "ready "
	lingerEnv   = "AFTERIMAGE_PGTEST_LINGER" // a duration, e.g. 2s
	linger      = 20 * time.Second           // unused for that long, the cluster goes
	stopTimeout = 2 * time.Minute
)

// init turns a test binary into the keeper when it was started as one, before any test can run.
func init() {
	if dir := os.Getenv(keeperEnv); dir != "" {
		os.Exit(keep(place{dir: dir}))
	}
}

// keep starts the cluster, tells its connection string through file descriptor 3, waits until nobody uses it any more,
// stops it and removes its data. It returns the exit code.
func keep(at place) int {
	signal.Ignore(syscall.SIGHUP) // the terminal's end is not ours
	syscall.CloseOnExec(answerFD) // the server must not hold the asker's pipe open
	tell := os.NewFile(answerFD, "answer")
	logFile, err := os.OpenFile(at.keeperLog(), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		_, _ = fmt.Fprint(tell, err)
		return 1
	}
	defer logFile.Close()
	log := slog.New(slog.NewTextHandler(logFile, nil))
	server, err := startCluster(at, log)
	if err != nil {
		log.Error("start", "error", err)
		_, _ = fmt.Fprint(tell, err)
		return 1
	}
	if _, err := tell.WriteString(readyPrefix + server.URL()); err != nil {
		log.Error("tell that the cluster is ready", "error", err) // the asker is gone; others may come
	}
	_ = tell.Close()
	closing, err := waitUnused(at, lingerTime())
	if err != nil {
		log.Error("wait for the users to leave", "error", err)
	}
	if closing != nil {
		defer closing.Close() // until then newcomers wait, and then start a keeper of their own
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if err := errors.Join(os.Remove(at.urlFile()), server.Stop(ctx)); err != nil {
		log.Error("stop", "error", err)
		return 1
	}
	return 0
}

func startCluster(at place, log *slog.Logger) (*localpg.Server, error) {
	ctx, cancel := context.WithTimeout(context.Background(), setupTimeout)
	defer cancel()
	server, err := localpg.Start(ctx, localpg.Config{Dir: at.cluster(), Logger: log, Ephemeral: true})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(at.urlFile(), []byte(server.URL()), 0o600); err != nil {
		return nil, errors.Join(err, server.Stop(ctx))
	}
	return server, nil
}

func lingerTime() time.Duration {
	if given, err := time.ParseDuration(os.Getenv(lingerEnv)); err == nil && given > 0 {
		return given
	}
	return linger
}

// waitUnused returns with users.lock held exclusively, after the lock was free twice, linger apart: between two packages
// of one `go test ./...` there is often nobody.
func waitUnused(at place, linger time.Duration) (*os.File, error) {
	for {
		quiet, err := lockFile(at.usersLock(), syscall.LOCK_EX)
		if err != nil {
			return nil, err
		}
		if err := quiet.Close(); err != nil {
			return nil, err
		}
		<-time.After(linger)
		closing, err := os.OpenFile(at.usersLock(), os.O_RDWR, 0)
		if err != nil {
			return nil, err
		}
		if err := syscall.Flock(int(closing.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
			return closing, nil
		}
		_ = closing.Close()
	}
}
