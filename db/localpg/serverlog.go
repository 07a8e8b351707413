package localpg

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const (
	maxServerLog = 8 << 20 // bytes, for postgres.log and for postgres.log.1 each
	maxErrorText = 8       // lines of the server's own words in an error
)

// openServerLog opens the log for appending: only so may it be emptied while the server writes.
func openServerLog(path string) (*os.File, error) {
	if err := trimServerLog(path, maxServerLog); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Clean(path), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the server's log: %w", err)
	}
	return file, nil
}

// trimServerLog moves a log above limit bytes to path.1, in place of the one before. The content is copied and the file
// emptied, because the running server keeps writing to the same open file.
func trimServerLog(path string, limit int64) error {
	size, err := serverLogSize(path)
	if err != nil || size <= limit {
		return err
	}
	source, err := os.Open(filepath.Clean(path))
	if err != nil {
		return err
	}
	defer source.Close()
	kept, err := os.OpenFile(filepath.Clean(path+".1"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err = source.Seek(-limit, io.SeekEnd); err == nil {
		_, err = io.Copy(kept, io.LimitReader(source, limit))
	}
	if err := errors.Join(err, kept.Close()); err != nil {
		return err
	}
	return os.Truncate(path, 0)
}

func serverLogSize(path string) (int64, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("look at the server's log: %w", err)
	}
	return info.Size(), nil
}

// serverLogSince is what the server said after the offset, shortened for an error.
func serverLogSince(path string, offset int64) string {
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return err.Error()
	}
	defer file.Close()
	said, err := io.ReadAll(io.NewSectionReader(file, offset, 64<<10))
	if err != nil {
		return err.Error()
	}
	return lastLines(said)
}

func lastLines(text []byte) string {
	lines := strings.Split(string(bytes.TrimSpace(text)), "\n")
	if len(lines) > maxErrorText {
		lines = lines[len(lines)-maxErrorText:]
	}
	return strings.Join(lines, " | ")
}
