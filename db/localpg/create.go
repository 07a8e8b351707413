package localpg

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// create makes a new cluster in a sibling folder and renames it into place, so that data is either missing or whole.
// The caller holds the start lock, so a leftover data.new belongs to a killed process.
func (s *Server) create(ctx context.Context) error {
	fresh := s.folder.fresh()
	if err := os.RemoveAll(fresh); err != nil {
		return fmt.Errorf("remove a half-made cluster: %w", err)
	}
	// C collation sorts the same on every machine and every C library version; the UTF-8 character type lets lower()
	// and upper() know letters outside ASCII. Systems without it get the plain C locale.
	err := s.initdb(ctx, fresh, "--locale=C", "--lc-ctype=C.UTF-8")
	if err != nil && ctx.Err() == nil {
		if removed := os.RemoveAll(fresh); removed != nil {
			return removed
		}
		err = s.initdb(ctx, fresh, "--locale=C")
	}
	if err != nil {
		return err
	}
	if err := os.Rename(fresh, s.folder.data()); err != nil {
		return fmt.Errorf("put the new cluster into place: %w", err)
	}
	return syncFolder(s.folder.dir)
}

func (s *Server) initdb(ctx context.Context, dir string, locale ...string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	if err := s.folder.account.claim(dir); err != nil {
		return err
	}
	arguments := append([]string{"-D", dir, "-U", adminRole, "--encoding=UTF8", "--data-checksums",
		"--auth-local=trust", "--auth-host=reject"}, locale...)
	if s.cfg.Ephemeral {
		arguments = append(arguments, "--no-sync")
	}
	command := exec.CommandContext(ctx, s.bin.initdb(), arguments...)
	command.Dir = "/"
	command.Env = environment(s.folder)
	command.SysProcAttr = s.folder.account.attributes()
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Run(); err != nil {
		return fmt.Errorf("create a cluster with %s: %w: %s", s.bin.initdb(), err, lastLines(output.Bytes()))
	}
	return nil
}

// environment is all that the server's programs get to see: none of our settings and secrets, and none of the PG
// variables, which would change what they do.
func environment(f folder) []string {
	env := []string{"LC_ALL=C", "TZ=UTC", "HOME=" + f.dir}
	for _, name := range []string{"PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR"} {
		if value, set := os.LookupEnv(name); set {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// syncFolder makes a rename inside the folder survive a power cut.
func syncFolder(dir string) error {
	handle, err := os.Open(filepath.Clean(dir))
	if err != nil {
		return err
	}
	defer handle.Close()
	return handle.Sync()
}
