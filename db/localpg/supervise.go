package localpg

import (
	"context"
	"time"
)

const (
	lookEvery    = 250 * time.Millisecond
	trimEvery    = time.Minute
	restartPause = 5 * time.Second // between two failed restarts
)

// supervise starts the server again when it dies while in use, and keeps its log small. It ends with ctx.
func (s *Server) supervise(ctx context.Context) {
	defer close(s.done)
	look, trim := time.NewTicker(lookEvery), time.NewTicker(trimEvery)
	defer look.Stop()
	defer trim.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-trim.C:
			if err := trimServerLog(s.folder.logFile(), maxServerLog); err != nil {
				s.log.Warn("private Postgres: log not trimmed", "error", err)
			}
		case <-look.C:
			if !s.pm.alive() {
				s.revive(ctx)
			}
		}
	}
}

// revive brings a dead server back: ours, or one that another user of the folder has already started. It tries until it
// succeeds or ctx ends.
func (s *Server) revive(ctx context.Context) {
	s.log.Error("private Postgres exited unexpectedly, restarting it", "dir", s.folder.dir, "pid", s.pm.pid)
	for ctx.Err() == nil {
		err := s.restart(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		s.log.Error("private Postgres could not be restarted", "dir", s.folder.dir, "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(restartPause):
		}
	}
}

func (s *Server) restart(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.StartTimeout)
	defer cancel()
	return s.repeat(ctx, func() (bool, error) {
		found, running, err := findPostmaster(s.folder.data())
		if err != nil {
			return false, err
		}
		if running {
			return true, s.adopt(ctx, found)
		}
		return true, s.relaunch(ctx)
	})
}
