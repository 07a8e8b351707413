package schema

import (
	"context"
	"io/fs"
	"log/slog"
)

// MigrateFrom is Migrate with other files.
func MigrateFrom(ctx context.Context, url string, files fs.FS) error {
	return migrateFrom(ctx, url, slog.New(slog.DiscardHandler), files)
}
