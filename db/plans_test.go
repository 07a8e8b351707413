package db_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"afterimage/internal/vcdtest"

	"github.com/jackc/pgx/v5"

	"afterimage/vcd"
	"afterimage/vcd/inventory"
)

// plan is what PostgreSQL says of a part of a plan.
type plan struct {
	Type   string `json:"Node Type"`
	Filter string `json:"Join Filter"`
	Plans  []plan
}

// comparesAllPairs lists the conditions by which a plan joins that are checked for all pairs of rows.
func (p plan) comparesAllPairs() []string {
	var found []string
	if p.Type == "Nested Loop" && p.Filter != "" {
		found = append(found, p.Filter)
	}
	for _, part := range p.Plans {
		found = append(found, part.comparesAllPairs()...)
	}
	return found
}

// fewByNature are the conditions of joins of which one side has few rows in any account, or which are planned without nested loops when
// there are many.
var fewByNature = []string{
	`(q.id = "*SELECT* 1".id)`,        // the comparisons that wait for one screenshot
	"(w.subject_id = subject.id)",     // the same
	"(s.group_id = g.id)",             // one URL of one group
	"(w.id = wg.website_id)",          // websites of the groups of a page
	"(c.id = i.comparison_id)",        // what a review changed, see inBulk
	"(u.id = held.id)",                // URLs that are deleted, see inBulk
	"held.lower_name",                 // the tags of one request
	"lower(n.n)",                      // the same
	"(u.account_id = a.id)",           // one user
	"(i.account_id = a.id)",           // one invitation
	"(h.account_id = c_1.account_id)", // accounts without webhooks, in the background
	"site_refusals.",                  // the pages of one host
	"(q.group_id = e.group_id)",       // comparisons of other runs that wait for those that are cancelled
	"(b.id = bg.batch_id)",            // runs, which come one by one
	"(a.id = due.id)",                 // accounts, in the background
	"compared.image_id)",              // the pictures of a part of a deleted run, in the background
	"taken.image_id)",                 // the same
}

// TestStatementsLookRowsUp: whatever PostgreSQL knows of an account, no statement compares all its rows with all others. Without reading
// whole tables, and with statistics of another account alone, a plan for a few rows is what an account gets that has just brought
// thousands.
func TestStatementsLookRowsUp(t *testing.T) {
	w := newWorld(t)
	w.fillVerification(w.FillEverything("known"))
	for _, table := range append(w.tenantTables(), "accounts") {
		w.Exec("ALTER TABLE " + table + " SET (autovacuum_enabled = off)") // it would learn of the other account
		w.Exec("ANALYZE " + table)
	}
	w.Actor = vcd.Actor{Account: w.NewAccount("bob@example.com", 0).ID}
	statements := vcdtest.RecordStatements(w.DB)
	w.fillVerification(w.FillEverything("new"))
	w.readLists()
	w.editURLs()
	w.removeRuns()
	explained, seen := 0, map[string]bool{}
	for _, text := range statements.Take() {
		if seen[text] {
			continue
		}
		seen[text] = true
		explained++
		for _, condition := range w.explain(text) {
			if !containsAny(condition, fewByNature) {
				t.Errorf("all pairs are compared by %s in\n%s", condition, text)
			}
		}
	}
	if explained < 300 {
		t.Errorf("only %d statements were explained", explained)
	}
}

// explain tells by which conditions a statement compares all pairs of rows.
func (w *world) explain(text string) []string {
	w.T.Helper()
	var roots []struct{ Plan plan }
	err := pgx.BeginFunc(w.T.Context(), w.DB.SystemPool(), func(tx pgx.Tx) error {
		const settings = `SELECT set_config('afterimage.system', 'on', true), set_config('enable_seqscan', 'off', true),
			set_config('enable_bitmapscan', 'off', true)`
		if _, err := tx.Exec(w.T.Context(), settings); err != nil {
			return err
		}
		var document string
		err := tx.QueryRow(w.T.Context(), "EXPLAIN (FORMAT JSON) "+text).Scan(&document)
		return errors.Join(err, json.Unmarshal([]byte(document), &roots))
	})
	if err != nil || len(roots) != 1 {
		w.T.Fatalf("%d plans of\n%s\n%v", len(roots), text, err)
	}
	return roots[0].Plan.comparesAllPairs()
}

func containsAny(text string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// readLists reads every list in every way in which pages are found.
func (w *world) readLists() {
	w.T.Helper()
	s, c := w.Service, w.T.Context()
	found, err := s.Inventory.Groups(c, w.Actor, vcd.GroupFilter{}, vcd.Page{Size: 15})
	must(w.T, err)
	batches, err := s.Runs.Batches(c, w.Actor, vcd.BatchFilter{}, vcd.Page{Size: 15})
	must(w.T, err)
	of, text, tags := []vcd.ID{found.Items[0].ID}, "new", []string{"a", "b"}
	read := func(_ any, err error) {
		w.T.Helper()
		must(w.T, err)
	}
	for _, p := range []vcd.Page{{Size: 15}, {Size: 15, Number: 1, Total: true}, {Size: 15, Number: 100, Total: true}} {
		read(s.Inventory.Websites(c, w.Actor, vcd.WebsiteFilter{}, p))
		read(s.Inventory.Groups(c, w.Actor, vcd.GroupFilter{}, p))
		for _, f := range []vcd.URLFilter{{}, {Tags: &tags}, {GroupIDs: &of}, {Search: &text}} {
			read(s.Inventory.URLs(c, w.Actor, f, p))
		}
		for _, f := range []vcd.SelectionFilter{{GroupID: of[0]}, {GroupID: of[0], Tags: &tags}, {GroupID: of[0], Search: &text}} {
			read(s.Inventory.Selections(c, w.Actor, f, p))
		}
		for _, f := range []vcd.BatchFilter{{}, {GroupIDs: &of}} {
			read(s.Runs.Batches(c, w.Actor, f, p))
		}
		for _, f := range []vcd.QueueFilter{{}, {GroupIDs: &of}} {
			read(s.Runs.QueueEntries(c, w.Actor, f, p, true))
		}
		for _, f := range []vcd.ComparisonFilter{{}, {GroupIDs: &of}, {Changes: &[]string{"aa"}, OnlyThese: true}, {Text: &text}} {
			read(s.Reviews.Comparisons(c, w.Actor, f, p, true))
		}
		read(s.Reviews.Screenshots(c, w.Actor, vcd.ScreenshotFilter{}, p))
		read(s.Reviews.FeedbackRules(c, w.Actor, vcd.FeedbackRuleFilter{}, p))
	}
	var runs []vcd.ID
	for _, b := range batches.Items {
		read(s.Reviews.Gate(c, w.Actor, b.ID))
		runs = append(runs, b.ID)
	}
	read(s.Reviews.ComparisonFacets(c, w.Actor, vcd.ComparisonFilter{BatchIDs: &runs}))
	read(s.Runs.PartsOf(c, w.Actor, runs))
	read(s.Runs.UnseenIn(c, w.Actor, runs))
}

// editURLs switches the devices of the URLs of a group, takes them out of it, and deletes those of another.
func (w *world) editURLs() {
	w.T.Helper()
	found, err := w.Service.Inventory.Groups(w.T.Context(), w.Actor, vcd.GroupFilter{}, vcd.Page{Size: 2})
	must(w.T, err)
	edits := []inventory.URLEdit{{Desktop: vcd.Some(false)}, {Remove: inventory.RemoveFromGroup}, {Remove: inventory.RemoveEntirely}}
	for i, edit := range edits {
		_, err = w.Service.Inventory.EditURLs(w.T.Context(), w.Actor, found.Items[i/2].ID, vcd.SelectionFilter{}, edit, 1000)
		must(w.T, err)
	}
}

// removeRuns takes away what there is, in the foreground and in the background.
func (w *world) removeRuns() {
	w.T.Helper()
	runs := w.Service.Runs
	w.Clock.Advance(24 * time.Hour)
	_, err := runs.RemoveExpired(w.T.Context(), time.Hour)
	must(w.T, err)
	batches, err := runs.Batches(w.T.Context(), w.Actor, vcd.BatchFilter{}, vcd.Page{Size: 15})
	must(w.T, err)
	for _, b := range batches.Items {
		_, err := runs.CancelBatch(w.T.Context(), w.Actor, b.ID)
		must(w.T, err)
		must(w.T, runs.DeleteBatch(w.T.Context(), w.Actor, b.ID))
	}
	for more := true; more; {
		ended, err := runs.EndCancelled(w.T.Context(), 10)
		must(w.T, err)
		removed, err := runs.RemoveDeleted(w.T.Context(), 10)
		must(w.T, err)
		more = ended || removed
	}
}
