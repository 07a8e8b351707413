package db_test

import (
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"

	"afterimage/db/schema"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
)

// beforeLongLists takes back what migration 0029 adds, and spoils what it counts anew.
var beforeLongLists = []string{
	`ALTER TABLE comparisons DROP COLUMN reviewer_id`,
	`ALTER TABLE urls DROP COLUMN lower_address, DROP COLUMN lower_title`,
	`ALTER TABLE comparison_counts DROP COLUMN differing`,
	`UPDATE comparison_counts SET count = 0`,
	`DROP INDEX comparisons_console, comparisons_page_alarm, comparisons_flapping, comparisons_truncated, comparisons_confirmation`,
	`CREATE INDEX comparisons_marked ON comparisons (account_id)`,
	`DELETE FROM schema_migrations WHERE name = '0029'`,
}

func TestLongListsAreComputedFromWhatIsThere(t *testing.T) {
	w := seeded(t)
	for _, sql := range beforeLongLists {
		w.AsSystem(sql)
	}
	must(t, schema.Migrate(t.Context(), w.DB.Pool().Config().ConnString(), slog.New(slog.DiscardHandler)))
	w.soundCounts()
	var comparisons, differing, reviewed int
	must(t, w.AsAccount(w.Account.ID, func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT sum(count), sum(differing),
			(SELECT count(*) FROM comparisons WHERE reviewer_id IS NOT NULL) FROM comparison_counts`).
			Scan(&comparisons, &differing, &reviewed)
	}))
	if comparisons != 2400 || differing != 240 || reviewed == 0 {
		t.Errorf("%d comparisons are counted, %d of them differ; %d have a reviewer", comparisons, differing, reviewed)
	}
	byAddress := vcd.URLFilter{Search: vcdtest.Pointer("SITE-1.")}
	found, err := w.Service.Inventory.URLs(t.Context(), w.Actor, byAddress, vcd.Page{Size: 1, Total: true})
	must(t, err)
	if found.Total != 100 {
		t.Errorf("%d URLs are found", found.Total)
	}
}
