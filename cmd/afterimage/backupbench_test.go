package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"afterimage/db/schema"
	"afterimage/db/seed"
	"afterimage/internal/backup"
	"afterimage/internal/blob"
	"afterimage/internal/pgtest"
	"afterimage/internal/secret"
)

// BenchmarkBackupAndRestore backs up an account with a history, again without news, and restores it elsewhere. One screenshot in ten
// has a picture of its own. With AFTERIMAGE_BENCH_FULL=1 there are 101,000 screenshots with pictures of 150 kB.
func BenchmarkBackupAndRestore(b *testing.B) {
	size, bytes := seed.Size{Groups: 10, URLs: 10, Batches: 11}, 20_000
	if os.Getenv("AFTERIMAGE_BENCH_FULL") != "" {
		size, bytes = seed.Size{Groups: 10, URLs: 100, Batches: 101}, 150_000
	}
	s, token := api(b, nil)
	actor, _, err := s.backend.service.Accounts.Authenticate(b.Context(), token)
	mustB(b, err)
	mustB(b, seed.Fill(b.Context(), s.backend.db.Pool(), actor.Account, size, true))
	mustB(b, s.backend.files.SetMark(b.Context(), "the installation"))
	_, err = s.backend.db.Pool().Exec(b.Context(), "SELECT set_config('afterimage.system', 'on', false)")
	mustB(b, err)
	givePictures(b, s.backend, bytes)
	shots := float64(size.Groups*size.URLs*size.Batches) / 100_000
	var rows float64
	mustB(b, s.backend.db.Pool().QueryRow(b.Context(), "SELECT pg_database_size(current_database())").Scan(&rows))
	for b.Loop() {
		r, err := backup.Open(b.Context(), backup.Folder(b.TempDir()), make([]byte, secret.KeySize), true)
		mustB(b, err)
		timed(b, "s/100k-backup", shots, func() { createBackup(b, r, s.backend) })
		var made *backup.Created
		timed(b, "s/100k-again", shots, func() { made = createBackup(b, r, s.backend) })
		files, err := blob.Open(b.TempDir())
		mustB(b, err)
		timed(b, "s/100k-pictures", shots, func() {
			_, err := r.RestoreFiles(b.Context(), made.Manifest, files, backup.Options{Parallel: 8})
			mustB(b, err)
		})
		timed(b, "s/100k-rows", shots, func() {
			part := func(ctx context.Context, table string, number int) ([]byte, error) {
				return r.Part(ctx, made.Manifest, table, number)
			}
			mustB(b, schema.Restore(b.Context(), pgtest.New(b), slog.New(slog.DiscardHandler), &made.Contents, part))
		})
		b.ReportMetric(float64(rowsOf(made.Manifest)), "rows")
		b.ReportMetric(float64(made.Bytes>>20), "MB-pictures")
		b.ReportMetric(rows/1e6/shots, "MB/100k-database") // with indexes; nearly every screenshot is compared
		mustB(b, r.Close())
	}
}

func createBackup(b *testing.B, r *backup.Repository, from *backend) *backup.Created {
	b.Helper()
	made, err := r.Create(b.Context(), from.db, from.files, backup.Options{Program: "test", Parallel: 8})
	mustB(b, err)
	if len(made.Faults) > 0 {
		b.Fatal(made.Faults[0])
	}
	return made
}

// timed reports how many seconds something takes for each unit.
func timed(b *testing.B, name string, units float64, do func()) {
	b.Helper()
	began := time.Now()
	do()
	b.ReportMetric(time.Since(began).Seconds()/units, name)
}

// givePictures gives one seeded image in ten a picture of random bytes, and the others one of these.
func givePictures(b *testing.B, to *backend, size int) {
	b.Helper()
	var images int
	mustB(b, to.db.Pool().QueryRow(b.Context(), "SELECT count(*) FROM images").Scan(&images))
	hashes := make([]string, max(1, images/10))
	content, draw := make([]byte, size), rand.NewChaCha8([32]byte{})
	for i := range hashes {
		_, _ = draw.Read(content)
		sum := sha256.Sum256(content)
		hashes[i] = hex.EncodeToString(sum[:])
		mustB(b, to.files.Put(b.Context(), hashes[i], content))
	}
	for _, statement := range []string{
		"INSERT INTO blobs (hash, size, reserved_at) SELECT hash, $2, now() FROM unnest($1::text[]) AS hash",
		`UPDATE images AS i SET hash = ($1::text[])[1 + n % cardinality($1::text[])], over = NULL, size = $2
			FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM images) AS numbered WHERE numbered.id = i.id`,
	} {
		_, err := to.db.Pool().Exec(b.Context(), statement, hashes, size)
		mustB(b, err)
	}
}

func mustB(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
