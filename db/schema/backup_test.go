package schema_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"afterimage/db"
	"afterimage/db/schema"
	"afterimage/internal/backup"
	"afterimage/internal/pgtest"
	"afterimage/internal/vcdtest"
)

// dumped is a dump in memory.
type dumped struct {
	*backup.Contents
	parts map[string][][]byte
}

func (d *dumped) part(_ context.Context, table string, number int) ([]byte, error) {
	return d.parts[table][number], nil
}

func dump(t *testing.T, w *world) *dumped {
	t.Helper()
	d := &dumped{parts: map[string][][]byte{}}
	keep := func(_ context.Context, table string, lines []byte) error {
		d.parts[table] = append(d.parts[table], lines)
		return nil
	}
	contents, err := w.DB.Dump(t.Context(), keep, keep)
	must(t, err)
	for i := range contents.Tables {
		contents.Tables[i].Parts = len(d.parts[contents.Tables[i].Name])
	}
	d.Contents = contents
	return d
}

// TestADumpIsRestored: with all rows of all accounts, the guards of the tables in place, and nothing that contradicts.
func TestADumpIsRestored(t *testing.T) {
	w := seeded(t)
	d := dump(t, w)
	if files := slices.Concat(d.parts[""]...); !strings.Contains(string(files), "\t") {
		t.Errorf("the list of files is %.200q", files)
	}
	url := pgtest.New(t)
	quiet := slog.New(slog.DiscardHandler)
	must(t, schema.Restore(t.Context(), url, quiet, d.Contents, d.part))
	restored, err := db.Open(t.Context(), db.Config{URL: url})
	must(t, err)
	defer restored.Close()
	if want, got := facts(t, w.DB, w.Account.ID), facts(t, restored, w.Account.ID); want != got {
		t.Errorf("there are %s\nwant %s", got, want)
	}
	if diff := cmp.Diff(guards(t, w.DB), guards(t, restored)); diff != "" {
		t.Errorf("the guards of the tables differ (-before +after):\n%s", diff)
	}
	was, err := w.DB.CheckInvariants(t.Context())
	must(t, err)
	is, err := restored.CheckInvariants(t.Context())
	must(t, err)
	if fmt.Sprint(was) != fmt.Sprint(is) {
		t.Errorf("contradictions: %v, were %v", is, was)
	}
	if err := schema.Restore(t.Context(), url, quiet, d.Contents, d.part); !errors.Is(err, schema.ErrInUse) {
		t.Errorf("a second time: %v", err)
	}
}

// guards are the foreign keys, the triggers and the policies of all tables.
func guards(t *testing.T, d *db.DB) (all []string) {
	t.Helper()
	const question = `SELECT 'key ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated
			FROM pg_constraint WHERE contype = 'f'
		UNION ALL SELECT 'trigger ' || tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
		UNION ALL SELECT 'security ' || relname || relrowsecurity || relforcerowsecurity FROM pg_class
			WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'test_jobs' -- which tests add
		ORDER BY 1`
	rows, err := d.Pool().Query(t.Context(), question)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var guard string
		must(t, rows.Scan(&guard))
		all = append(all, guard)
	}
	must(t, rows.Err())
	return all
}

// TestADumpThatDoesNotFit is refused, and nothing of it is kept.
func TestADumpThatDoesNotFit(t *testing.T) {
	w := newWorld(t)
	quiet := slog.New(slog.DiscardHandler)
	for want, spoil := range map[string]func(*dumped){
		"newer version of afterimage":           func(d *dumped) { d.Migrations = append(d.Migrations, "9999") },
		"rows instead of 7":                     func(d *dumped) { table(d, "accounts").Rows = 7 },
		"table accounts of the backup does not": func(d *dumped) { table(d, "accounts").Columns = []string{"id"} },
		"table accounts":                        func(d *dumped) { d.parts["accounts"][0] = []byte("nonsense\n") },
		"violates foreign key":                  func(d *dumped) { table(d, "accounts").Rows, table(d, "accounts").Parts = 0, 0 },
	} {
		d := dump(t, w)
		spoil(d)
		url := pgtest.New(t)
		if err := schema.Restore(t.Context(), url, quiet, d.Contents, d.part); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
		if err := schema.RefuseAccounts(t.Context(), url); err != nil {
			t.Errorf("%s: something was kept: %v", want, err)
		}
	}
}

func table(d *dumped, name string) *backup.Table {
	for i := range d.Tables {
		if d.Tables[i].Name == name {
			return &d.Tables[i]
		}
	}
	return nil
}

// TestFilesAreHeld: while a backup is made, nothing is removed, and afterwards it is.
func TestFilesAreHeld(t *testing.T) {
	w := newWorld(t)
	must(t, w.DB.ReserveBlob(t.Context(), strings.Repeat("a", 64), 1))
	sweep := func() int {
		swept, err := w.DB.SweepBlobs(t.Context(), time.Now().Add(time.Hour), 10,
			func(_ context.Context, hashes []string) ([]string, error) { return hashes, nil })
		must(t, err)
		return swept
	}
	check, release, err := w.DB.HoldFiles(t.Context())
	must(t, err)
	_, releaseOther, err := w.DB.HoldFiles(t.Context())
	must(t, err)
	if n := sweep(); n != 0 {
		t.Errorf("%d files were removed during a backup", n)
	}
	must(t, check(t.Context()))
	release()
	releaseOther()
	if check(t.Context()) == nil {
		t.Error("a hold that was given up is still there")
	}
	if n := sweep(); n != 1 {
		t.Errorf("%d files were removed afterwards", n)
	}
}

func TestADumpIsRestoredThroughAPooler(t *testing.T) {
	t.Parallel()
	vcdtest.RunThrough(t, "pooler", "TestADumpIsRestored")
}
