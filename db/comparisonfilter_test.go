package db_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"afterimage/db"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
)

// marking gives the comparisons of a seeded account what filters look for.
var marking = []string{
	`UPDATE comparisons SET flapping = hashtext(id::text || 'f') % 40 = 0, page_alarm = hashtext(id::text || 'p') % 30 = 0,
		truncated = hashtext(id::text || 't') % 50 = 0,
		confirmation = CASE hashtext(id::text || 'c') % 20 WHEN 0 THEN 'confirmed' WHEN 1 THEN 'vanished' END,
		console_change = CASE hashtext(id::text || 'o') % 25 WHEN 0 THEN 'added' WHEN 1 THEN 'mixed' ELSE 'unchanged' END`,
	`UPDATE urls SET html_title = CASE hashtext(id::text) % 3 WHEN 0 THEN 'ÉTÉ 100% _' WHEN 1 THEN 'Été \ straße' ELSE html_title END,
		address = CASE hashtext(id::text || 'a') % 4 WHEN 0 THEN upper(address) ELSE address END`,
	`INSERT INTO batch_changes (account_id, id, batch_id, fingerprint, kind, description, comparisons, desktop, all_good, not_sure, alerts,
		created_at) SELECT account_id, id, id, 'moved', 'moved', 'The PRICE moved by 10%', 1, 1, 1, 0, 0, created_at FROM batches`,
	`INSERT INTO comparison_changes (account_id, comparison_id, fingerprint, category, ruled, element, created_at)
		SELECT account_id, id, 'moved', 'all_good', 'all_good', '', created_at FROM comparisons WHERE hashtext(id::text || 'm') % 60 = 0`,
}

// criterion is a condition in both forms: as the store's filter, and in SQL that looks at every row.
type criterion struct {
	set   func(f *vcd.ComparisonFilter)
	naive string
}

// criteria are conditions of all kinds, given two reviewers.
func criteria(one, two vcd.ID) []criterion {
	all := []criterion{
		{func(f *vcd.ComparisonFilter) { f.Flapping = vcdtest.Pointer(true) }, "c.flapping = true"},
		{func(f *vcd.ComparisonFilter) { f.PageAlarm = vcdtest.Pointer(true) }, "c.page_alarm = true"},
		{func(f *vcd.ComparisonFilter) { f.Truncated = vcdtest.Pointer(true) }, "c.truncated = true"},
		{func(f *vcd.ComparisonFilter) { f.Truncated = vcdtest.Pointer(false) }, "c.truncated = false"},
		{func(f *vcd.ComparisonFilter) { f.AboveThreshold = vcdtest.Pointer(true) }, "c.above_threshold = true"},
		{func(f *vcd.ComparisonFilter) { f.LeastPercent = vcdtest.Pointer(2.5) }, "c.difference_percent >= 2.5"},
		{func(f *vcd.ComparisonFilter) { f.Confirmations = &[]vcd.ChangeConfirmation{vcd.ChangeVanished} }, "c.confirmation = 'vanished'"},
		{func(f *vcd.ComparisonFilter) { f.ConsoleChange = &[]vcd.ConsoleChange{vcd.ConsoleMixed} }, "c.console_change = 'mixed'"},
		{func(f *vcd.ComparisonFilter) {
			f.ConsoleChange = &[]vcd.ConsoleChange{vcd.ConsoleAdded, vcd.ConsoleRemoved}
		}, "c.console_change IN ('added', 'removed')"},
		{func(f *vcd.ComparisonFilter) { f.ReviewerIDs = &[]vcd.ID{one} }, reviewedBy(one)},
		{func(f *vcd.ComparisonFilter) { f.ReviewerIDs = &[]vcd.ID{one, two} }, reviewedBy(one, two)},
		{func(f *vcd.ComparisonFilter) { f.ReviewerIDs = &[]vcd.ID{vcd.RandomIDs{}.NewID()} }, "false"},
	}
	for _, text := range []string{
		"été", "STRASSE", "straße", "100%", "_", `\`, "EXAMPLE.com", "page/77", "e/7", "nowhere", "Page 7", "price", "10%",
	} {
		pattern := "'%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%'"
		all = append(all, criterion{func(f *vcd.ComparisonFilter) { f.Text = &text },
			"(u.address ILIKE " + pattern + " OR u.html_title ILIKE " + pattern + " OR EXISTS (SELECT FROM comparison_changes AS x " +
				"JOIN batch_changes AS bc USING (account_id, fingerprint) " +
				"WHERE x.comparison_id = c.id AND bc.description ILIKE " + pattern + "))"})
	}
	return all
}

// reviewedBy is the condition that the newest review of a comparison is by one of the people.
func reviewedBy(people ...vcd.ID) string {
	return fmt.Sprintf(`(SELECT v.reviewer_id FROM review_items AS i JOIN reviews AS v ON v.id = i.review_id
		WHERE i.comparison_id = c.id ORDER BY v.id DESC LIMIT 1) = ANY('{%s}')`, strings.Join(strs(people), ","))
}

func strs(ids []vcd.ID) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	return texts
}

// review has somebody review every n-th comparison, and returns who.
func (w *world) review(every int) vcd.ID {
	w.T.Helper()
	who, now := vcd.RandomIDs{}.NewID(), w.Clock.Now()
	all, err := w.Service.Reviews.Comparisons(w.T.Context(), w.Actor, vcd.ComparisonFilter{}, vcd.Page{Size: 5000}, false)
	must(w.T, err)
	var items []vcd.ReviewItem
	for i, c := range all.Items {
		if i%every == 0 {
			items = append(items, vcd.ReviewItem{Comparison: c.ID, Before: c.Status, After: vcd.ComparisonToFix})
		}
	}
	must(w.T, w.DB.InTx(w.T.Context(), w.Actor, func(ctx context.Context, tx *db.Tx) error {
		r := &vcd.Review{ID: vcd.RandomIDs{}.NewID(), Reviewer: vcd.Person{Kind: vcd.ActorUser, ID: who, Name: "Ann"}, CreatedAt: now}
		return tx.InsertReview(ctx, r, items)
	}))
	return who
}

// TestFiltersKeepWhatEveryRowSays reads pages by random combinations of criteria, and compares them with queries that look
// at every row.
func TestFiltersKeepWhatEveryRowSays(t *testing.T) {
	w := seeded(t)
	for _, sql := range marking {
		w.AsSystem(sql)
	}
	all := criteria(w.review(7), w.review(11))
	rapid.Check(t, func(r *rapid.T) {
		var f vcd.ComparisonFilter
		conditions := []string{"true"}
		for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(all)-1), 1, 2, rapid.ID[int]).Draw(r, "criteria") {
			narrower := f
			if all[i].set(&narrower); replaced(f, narrower) {
				continue
			}
			f = narrower
			conditions = append(conditions, all[i].naive)
		}
		number := rapid.IntRange(1, 4).Draw(r, "page")
		want := w.naive(r, strings.Join(conditions, " AND "))
		page, err := w.Service.Reviews.Comparisons(t.Context(), w.Actor, f, vcd.Page{Size: 40, Number: number, Total: true}, true)
		if err != nil {
			r.Fatal(err)
		}
		got := make([]vcd.ID, len(page.Items))
		for i, c := range page.Items {
			got[i] = c.ID
		}
		from, to := min((number-1)*40, len(want)), min(number*40, len(want))
		if !slices.Equal(got, want[from:to]) || page.Total != len(want) {
			r.Fatalf("%v: %d of %d, want %d of %d", conditions, len(got), page.Total, to-from, len(want))
		}
	})
	w.soundCounts()
}

// replaced reports whether a filter has another value of a criterion than the one before it.
func replaced(f, g vcd.ComparisonFilter) bool {
	return f.Text != nil && f.Text != g.Text || f.ReviewerIDs != nil && f.ReviewerIDs != g.ReviewerIDs ||
		f.ConsoleChange != nil && f.ConsoleChange != g.ConsoleChange || f.Truncated != nil && f.Truncated != g.Truncated
}

// naive lists what a condition keeps, newest first.
func (w *world) naive(r *rapid.T, condition string) (ids []vcd.ID) {
	err := w.AsAccount(w.Account.ID, func(tx pgx.Tx) error {
		rows, err := tx.Query(w.T.Context(), `SELECT c.id::text FROM comparisons AS c JOIN urls AS u ON u.id = c.url_id WHERE `+condition+
			` ORDER BY c.created_at DESC, c.id DESC`)
		if err != nil {
			return err
		}
		ids, err = pgx.CollectRows(rows, pgx.RowTo[vcd.ID])
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
	return ids
}

// soundCounts holds what is kept beside the comparisons against them.
func (w *world) soundCounts() {
	w.T.Helper()
	broken, err := w.DB.CheckInvariants(w.T.Context())
	must(w.T, err)
	for _, b := range broken {
		if text := fmt.Sprint(b); strings.HasPrefix(text, "the counts") || strings.Contains(text, "reviewer") {
			w.T.Errorf("broken invariant: %s", b)
		}
	}
}
