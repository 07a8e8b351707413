package cli

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
)

// maxSecretFile is far longer than any secret, in bytes.
const maxSecretFile = 64 << 10

// ReadSecret reads a file with one line, or several where that is allowed. It warns where others could read it, too: container engines
// mount secrets like that, where there are no others.
func ReadSecret(setting, path string, lines bool, logger *slog.Logger) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", setting, err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o004 != 0 {
		logger.Warn("all users of this machine can read a file with a secret: remove that permission (chmod o-r)", "setting", setting,
			"file", path)
	}
	content, err := io.ReadAll(io.LimitReader(file, maxSecretFile+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w", setting, err)
	}
	secret := strings.TrimSpace(string(content))
	if secret == "" || len(content) > maxSecretFile || !lines && strings.ContainsAny(secret, "\r\n") {
		return "", fmt.Errorf("%s: %s must contain only the secret, on one line", setting, path)
	}
	return secret, nil
}
