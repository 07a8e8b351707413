package db_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/inventory"
	"afterimage/vcd/review"
	"afterimage/vcd/run"
)

// fillVerification does the same for the tables of verification, in the group of fillEverything, and of flows.
func (w *world) fillVerification(g *vcd.Group, u *vcd.URL, _, _ *run.Taken) {
	w.T.Helper()
	w.FillFlow(g.Name)
	w.Verifying()
	w.Round(g, false, 2, vcdtest.Lamp(vcd.CategoryNotSure))
	w.Rule(review.FeedbackRuleInput{RegionID: vcdtest.Number(1)})
	w.Round(g, false, 2, vcdtest.Lamp(vcd.CategoryNotSure))
	_, err := w.Service.Outbound.RelayMails(w.T.Context()) // one account at a time
	must(w.T, err)
	_, err = w.Service.Reviews.CorrectLearnedNoise(w.T.Context(), w.Actor, review.NoiseCorrectionInput{
		URL: u.ID, Device: vcd.Desktop, Selector: vcdtest.Pointer("html > body > h1"), Correction: review.CorrectContent,
	})
	must(w.T, err)
	w.reviewAndComment(g)
	w.tagged(g)
	w.AsSystem("INSERT INTO batch_traces (account_id, batch_id, traceparent) SELECT account_id, id, $2 FROM batches WHERE account_id = $1",
		string(w.Actor.Account), "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	w.AsSystem(`INSERT INTO page_sessions (account_id, batch_id, group_id, device, flow_id, entry_id, status, round, attempts, changed_step,
			held_until, error_msg, sealed, created_at)
		SELECT account_id, batch_id, group_id, device, id, id, 'done', 1, 0, 0, now(), '', convert_to(id::text, 'UTF8'), now()
		FROM queue_entries WHERE account_id = $1 LIMIT 1`, string(w.Actor.Account))
	w.Send(w.BeginUpload(g, vcd.QueuePre, "1", 1).Batch, "checkout/step 2", "pixels")
	w.NewUser("zoe@"+g.Name+".example.com", vcd.RoleReviewer)
	w.FillTrial(g.Name)
}

// reviewAndComment does the same for the tables of reviews.
func (w *world) reviewAndComment(g *vcd.Group) {
	w.T.Helper()
	ctx, reviews := w.T.Context(), w.Service.Reviews
	found, err := reviews.Comparisons(ctx, w.Actor, vcd.ComparisonFilter{GroupIDs: &[]vcd.ID{g.ID}}, vcd.Page{Size: 1}, false)
	must(w.T, err)
	c := found.Items[0]
	_, err = reviews.SetComparisonStatus(ctx, w.Actor, c.ID, vcd.ComparisonToFix)
	must(w.T, err)
	_, err = reviews.SetStatusOfChange(ctx, w.Actor, c.BatchID, vcdtest.Lamp(vcd.CategoryNotSure).Fingerprint, vcd.ComparisonOK)
	must(w.T, err)
	_, err = reviews.AddComment(ctx, w.Actor, c.ID, "A comment.")
	must(w.T, err)
	_, err = reviews.ShareBatch(ctx, w.Actor, c.BatchID, nil, vcd.LinkRead)
	must(w.T, err)
	_, err = reviews.UpdateBrand(ctx, w.Actor, review.BrandChange{Color: vcd.Some("#1a5fb4")})
	must(w.T, err)
}

// tenantTables lists the tables with an account, from the catalogue.
func (w *world) tenantTables() []string {
	w.T.Helper()
	rows, err := w.DB.Pool().Query(w.T.Context(), `
		SELECT c.relname::text FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
		WHERE a.attname = 'account_id' AND c.relkind IN ('r', 'p') ORDER BY 1`)
	must(w.T, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(w.T, err)
	return tables
}

func TestRowLevelSecurityAloneKeepsAccountsApart(t *testing.T) {
	w := newWorld(t)
	w.fillVerification(w.FillEverything("a"))
	other := w.NewAccount("bob@example.com", 0)
	w.Actor = vcd.Actor{Account: other.ID}
	w.fillVerification(w.FillEverything("b"))
	tables := w.tenantTables()
	for _, known := range []string{"tokens", "events", "groups", "urls", "queue_entries", "comparisons", "lanes"} {
		if !slices.Contains(tables, known) {
			t.Fatalf("the catalogue does not list %s among %v", known, tables)
		}
	}
	for _, table := range tables {
		w.checkGuard(table, other.ID)
	}
	accounts := -1
	must(t, w.AsAccount(w.Account.ID, func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), "SELECT count(*) FROM accounts").Scan(&accounts)
	}))
	if accounts != 1 {
		t.Errorf("an account sees %d accounts", accounts)
	}
}

// checkGuard looks at one table with the eyes of account A, of nobody, and of the system.
func (w *world) checkGuard(table string, other vcd.ID) {
	w.T.Helper()
	if !vcdtest.Value[bool](w.World, "SELECT relrowsecurity AND relforcerowsecurity FROM pg_class WHERE oid = $1::regclass", table) {
		w.T.Errorf("%s: row level security is not forced", table)
	}
	if n := vcdtest.Value[int](w.World, fmt.Sprintf("SELECT count(*) FROM %s WHERE account_id = $1", table), string(other)); n == 0 {
		w.T.Errorf("%s: the test has no rows of the other account", table)
	}
	foreign, own := -1, -1
	count := fmt.Sprintf("SELECT count(*) FILTER (WHERE account_id = $1), count(*) FILTER (WHERE account_id <> $1) FROM %s", table)
	must(w.T, w.AsAccount(w.Account.ID, func(tx pgx.Tx) error {
		return tx.QueryRow(w.T.Context(), count, string(other)).Scan(&foreign, &own)
	}))
	if foreign != 0 || own == 0 {
		w.T.Errorf("%s: account A sees %d rows of account B and %d of its own", table, foreign, own)
	}
	must(w.T, w.DB.Pool().QueryRow(w.T.Context(), count, string(other)).Scan(&foreign, &own))
	if foreign != 0 || own != 0 {
		w.T.Errorf("%s: without an account %d rows are seen", table, foreign+own)
	}
	changed := int64(-1)
	must(w.T, w.AsAccount(w.Account.ID, func(tx pgx.Tx) error {
		tag, err := tx.Exec(w.T.Context(), fmt.Sprintf("UPDATE %s SET account_id = account_id WHERE account_id = $1", table), string(other))
		changed = tag.RowsAffected()
		return err
	}))
	if changed != 0 {
		w.T.Errorf("%s: account A can write %d rows of account B", table, changed)
	}
	var refused *pgconn.PgError
	err := w.AsAccount(w.Account.ID, func(tx pgx.Tx) error {
		_, err := tx.Exec(w.T.Context(), fmt.Sprintf("UPDATE %s SET account_id = $1", table), string(other))
		return err
	})
	if !errors.As(err, &refused) || refused.Code != "42501" { // insufficient privilege
		w.T.Errorf("%s: account A can hand its rows over to account B: %v", table, err)
	}
}

// sharedTables are those whose rows belong to no account, with the accounts themselves, whose guard is another. A new table
// belongs to an account, or here.
var sharedTables = []string{
	"accounts", "allowances", "backlog", "blobs", "host_refusals", "hosts", "image_store", "schema_migration_locks", "schema_migrations",
	"secret_probe", "shares",
	"sign_in_attempts", "tenant_seal", "test_jobs", "workers",
}

func TestEveryTableBelongsToAnAccountOrIsKnownToBeShared(t *testing.T) {
	w := newWorld(t)
	rows, err := w.DB.Pool().Query(t.Context(), `
		SELECT c.relname::text FROM pg_class AS c
		WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE 'river\_%'
			AND NOT EXISTS (SELECT FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attname = 'account_id')
		ORDER BY 1`)
	must(t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	if diff := cmp.Diff(sharedTables, tables); diff != "" {
		t.Errorf("tables without an account (-known +there):\n%s", diff)
	}
}

func TestRowsCannotPointIntoAnotherAccount(t *testing.T) {
	w := newWorld(t)
	mine, _ := w.Group("mine", 1, inventory.GroupChange{})
	other := w.NewAccount("bob@example.com", 0)
	_, urls := func() (*vcd.Group, []*vcd.URL) {
		w.Actor = vcd.Actor{Account: other.ID}
		return w.Group("theirs", 1, inventory.GroupChange{})
	}()
	insert := `INSERT INTO group_urls (account_id, group_id, url_id, desktop, mobile, url_created_at) VALUES ($1, $2, $3, true, ` +
		`true, now())`
	if err := w.AsAccount(w.Account.ID, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), insert, string(w.Account.ID), string(mine.ID), string(urls[0].ID))
		return err
	}); err == nil {
		t.Error("a group of A holds a URL of B")
	}
	if err := w.AsAccount(w.Account.ID, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), insert, string(other.ID), string(mine.ID), string(urls[0].ID))
		return err
	}); err == nil {
		t.Error("A wrote a row for B")
	}
}

func TestForeignIDsAreNotFound(t *testing.T) {
	w := newWorld(t)
	g, u, pre, post := w.FillEverything("a")
	entry := vcdtest.Value[string](w.World, "SELECT queue_id::text FROM comparisons LIMIT 1")
	shot := vcdtest.Value[string](w.World, "SELECT before_id::text FROM comparisons LIMIT 1")
	comparison := vcdtest.Value[string](w.World, "SELECT id::text FROM comparisons LIMIT 1")
	token := vcdtest.Value[string](w.World, "SELECT token FROM comparisons LIMIT 1")
	trial := w.FillTrial("a")
	stranger := vcd.Actor{Account: w.NewAccount("bob@example.com", 0).ID}
	s, c := w.Service, t.Context()
	for name, ask := range map[string]func() error{
		"Group":      func() error { _, err := s.Inventory.Group(c, stranger, g.ID); return err },
		"Url":        func() error { _, err := s.Inventory.URL(c, stranger, u.ID); return err },
		"Batch":      func() error { _, err := s.Runs.Batch(c, stranger, pre.Batches[0].ID); return err },
		"Queue":      func() error { _, err := s.Runs.QueueEntry(c, stranger, vcd.ID(entry)); return err },
		"Screenshot": func() error { _, err := s.Reviews.Screenshot(c, stranger, vcd.ID(shot)); return err },
		"Comparison": func() error { _, err := s.Reviews.Comparison(c, stranger, vcd.ID(comparison)); return err },
		"FlowTrial":  func() error { _, err := s.Inventory.FlowTrial(c, stranger, trial); return err },
		"Account":    func() error { _, err := s.Accounts.Account(c, vcd.Actor{Account: vcd.ID(shot)}); return err },
		"by token":   func() error { _, err := s.Reviews.ComparisonByToken(c, stranger, token); return err },
		"cancel":     func() error { _, err := s.Runs.CancelBatch(c, stranger, post.Batches[0].ID); return err },
		"retry":      func() error { _, err := s.Runs.RetryFailed(c, stranger, post.Batches[0].ID, false); return err },
		"finish":     func() error { _, err := s.Runs.FinishUpload(c, stranger, pre.Batches[0].ID, 1); return err },
		"rename":     func() error { _, err := s.Runs.RenameBatch(c, stranger, post.Batches[0].ID, "x"); return err },
		"verdict": func() error {
			_, err := s.Reviews.SetComparisonStatus(c, stranger, vcd.ID(comparison), vcd.ComparisonOK)
			return err
		},
		"renew link": func() error { _, err := s.Reviews.RenewPublicLink(c, stranger, vcd.ID(comparison)); return err },
		"update": func() error {
			_, err := s.Inventory.UpdateGroup(c, stranger, g.ID, inventory.GroupChange{})
			return err
		},
		"delete":     func() error { return s.Inventory.DeleteGroup(c, stranger, g.ID) },
		"delete URL": func() error { return s.Inventory.DeleteURL(c, stranger, u.ID) },
	} {
		if err := ask(); vcd.CodeOf(err) != vcd.CodeNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, count := range map[string]func() (int, error){
		"groups": func() (int, error) {
			l, err := s.Inventory.GroupsByIDs(c, stranger, []vcd.ID{g.ID})
			return len(l), err
		},
		"URLs": func() (int, error) { l, err := s.Inventory.URLsByIDs(c, stranger, []vcd.ID{u.ID}); return len(l), err },
		"batches": func() (int, error) {
			l, err := s.Runs.BatchesByIDs(c, stranger, []vcd.ID{pre.Batches[0].ID})
			return len(l), err
		},
		"entries": func() (int, error) {
			l, err := s.Runs.QueueEntriesByIDs(c, stranger, []vcd.ID{vcd.ID(entry)})
			return len(l), err
		},
		"shots": func() (int, error) {
			l, err := s.Reviews.ScreenshotsByIDs(c, stranger, []vcd.ID{vcd.ID(shot)})
			return len(l), err
		},
		"comparisons": func() (int, error) {
			l, err := s.Reviews.ComparisonsByIDs(c, stranger, []vcd.ID{vcd.ID(comparison)})
			return len(l), err
		},
		"events": func() (int, error) { l, err := s.Outbound.EventsAfter(c, stranger, 0, nil, 100); return len(l), err },
	} {
		if n, err := count(); n != 0 || err != nil {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
	w.CheckInvariants()
}

func TestAccountsAreKeptApartThroughAPoolerAsRolesThatOwnNothing(t *testing.T) {
	t.Parallel()
	vcdtest.RunThrough(t, "pooler,roles", "TestRowsCannotPointIntoAnotherAccount", "TestForeignIDsAreNotFound")
}

// A function that looks beyond an account runs with the rights of the owner of the tables, also after it was replaced.
func TestFunctionsThatLookBeyondAnAccountAreOfTheOwner(t *testing.T) {
	w := newWorld(t)
	const functions = `SELECT coalesce(string_agg(proname, ', ' ORDER BY proname), '') FROM pg_proc
		WHERE pronamespace = current_schema()::regnamespace AND prosrc LIKE '%set_config(''afterimage.system'', ''on''%'`
	if all := vcdtest.Value[string](w.World, functions); !slices.Contains(strings.Split(all, ", "), "image_by_token") {
		t.Fatalf("these look beyond an account: %s", all)
	}
	if others := vcdtest.Value[string](w.World, functions+" AND (NOT prosecdef OR proconfig IS NULL)"); others != "" {
		t.Errorf("these do not run with the rights of the owner: %s", others)
	}
}
