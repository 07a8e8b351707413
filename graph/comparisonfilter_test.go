package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Filters are held against the comparisons themselves: what each has is set by hand, so that every condition has matches.
func TestFiltersOfComparisonsKeepWhatMatches(t *testing.T) {
	w := newWorld(t)
	_, ids := w.reviewed(3) // six comparisons, alternating devices
	for i, set := range []string{
		`difference_percent = 12.5, page_alarm = true, ai_status = 'verified', ai_alerts = 1`,
		`difference_percent = 50, flapping = true, ai_status = 'failed', ai_not_sure = 2`,
		`truncated = true, console_change = 'added', ai_status = 'verified', ai_all_good = 1`,
		`confirmation = 'vanished', console_change = 'mixed', ai_alerts = 1, ai_all_good = 3`,
		`confirmation = 'confirmed'`,
	} {
		w.set(`UPDATE comparisons SET `+set+` WHERE account_id = $1 AND id = $2`, string(w.account.ID), ids[i])
	}
	w.set(`UPDATE urls SET html_title = 'A title' WHERE account_id = $1`, string(w.account.ID))
	w.must(setByIDs, vars{"ids": ids[:2], "s": "TO_FIX"})
	reviewer := w.must(`{ viewer { tokenId } }`, nil).text(t, "viewer", "tokenId")
	for filter, matches := range map[string][]int{
		`minPercent: 12.5`:                            {0, 1},
		`maxPercent: 12.5, minPercent: 3`:             {0, 2, 3, 4, 5},
		`minPercent: 13, maxPercent: 49`:              {},
		`pageAlarm: true`:                             {0},
		`pageAlarm: false, flapping: false`:           {2, 3, 4, 5},
		`flapping: true`:                              {1},
		`truncated: true`:                             {2},
		`consoleChanges: [ADDED, REMOVED]`:            {2},
		`consoleChanges: [UNCHANGED]`:                 {0, 1, 4, 5},
		`confirmations: [VANISHED, NOT_POSSIBLE]`:     {3},
		`confirmations: [CONFIRMED]`:                  {4},
		`verificationStatuses: [VERIFIED]`:            {0, 2},
		`verificationStatuses: [FAILED, PENDING]`:     {1},
		`categories: [ALERT]`:                         {0, 3},
		`categories: [NOT_SURE, ALL_GOOD]`:            {1, 2},
		`reviewerIds: ["` + reviewer + `"]`:           {0, 1},
		`reviewerIds: ["` + ids[0] + `"]`:             {},
		`text: "EXAMPLE.test/1"`:                      w.onAddress(ids, "review.example.test/1"),
		`text: "title"`:                               {0, 1, 2, 3, 4, 5},
		`text: "100%"`:                                {},
		`devices: [MOBILE]`:                           w.onDevice(ids, "MOBILE"),
		`statuses: [TO_FIX], categories: [ALERT]`:     {0},
		`devices: [MOBILE, DESKTOP], minPercent: 0.1`: {0, 1, 2, 3, 4, 5},
	} {
		want := []string{}
		for _, i := range matches {
			want = append(want, ids[i])
		}
		a := w.must(`{ comparisons(first: 100, filter: {`+filter+`}) { nodes { id } totalCount }
			page: comparisons(page: 1, perPage: 100, filter: {`+filter+`}) { nodes { id } totalCount aboveThresholdCount }
			comparisonFacets(filter: {`+filter+`}) { totalCount statuses { count } devices { count } categories { count } groups { count }
				websites { websiteId count } } }`, nil)
		for _, list := range []string{"comparisons", "page"} {
			got := []string{}
			for _, n := range a.at(t, list, "nodes").([]any) {
				got = append(got, n.(map[string]any)["id"].(string))
			}
			if !slices.Equal(got, want) || fmt.Sprint(a.at(t, list, "totalCount")) != fmt.Sprint(len(want)) {
				t.Errorf("%s: %s has %v, want %v", filter, list, a.at(t, list), want)
			}
		}
		facets := a.at(t, "comparisonFacets").(map[string]any)
		for _, by := range []string{"statuses", "devices", "categories", "groups", "websites"} {
			sum := 0.0
			for _, f := range facets[by].([]any) {
				sum += f.(map[string]any)["count"].(float64)
			}
			if int(sum) != len(want) {
				t.Errorf("%s: %v by %s, want %d in all", filter, facets[by], by, len(want))
			}
		}
	}
	a := w.must(`mutation { setStatusOfComparisons(filter: {minPercent: 40, flapping: true}, status: TO_FIX) { matchedCount } }`, nil)
	want(t, "by a verdict", a.at(t, "setStatusOfComparisons", "matchedCount"), 1)
	w.set(`UPDATE comparisons SET page_alarm = false WHERE account_id = $1`, string(w.account.ID)) // no page change explains it
	w.sound()                                                                                      // the counts follow what was set by hand
}

// set runs a statement as the account.
func (w *world) set(sql string, args ...any) {
	w.t.Helper()
	w.check(pgx.BeginFunc(w.t.Context(), w.store.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(w.t.Context(), "SELECT set_config('afterimage.account', $1, true)", string(w.account.ID)); err != nil {
			return err
		}
		_, err := tx.Exec(w.t.Context(), sql, args...)
		return err
	}))
}

// onAddress are the places of the comparisons of an address.
func (w *world) onAddress(ids []string, address string) []int {
	return w.having(ids, "address", address)
}

// onDevice are the places of the comparisons on a device.
func (w *world) onDevice(ids []string, device string) []int { return w.having(ids, "device", device) }

func (w *world) having(ids []string, field, value string) []int {
	w.t.Helper()
	var places []int
	for i, id := range ids {
		if w.must(`query ($id: ID) { comparison(id: $id) { `+field+` } }`, vars{"id": id}).text(w.t, "comparison", field) == value {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		w.t.Fatalf("no comparison has the %s %s", field, value)
	}
	return places
}

func TestFacetsCountByEveryCriterion(t *testing.T) {
	w := newWorld(t)
	_, ids := w.reviewed(2)
	w.must(setByIDs, vars{"ids": ids[:1], "s": "TO_FIX"})
	for _, filter := range []string{`{}`, `{minPercent: 1}`} { // from counts, and one comparison after the other
		a := w.must(`{ comparisonFacets(filter: `+filter+`) { totalCount statuses { status count } devices { device count }
			categories { category count } groups { group { name } count } websites { website { id } count } } }`, nil)
		want(t, filter, a.at(t, "comparisonFacets"), "map[categories:[map[category:<nil> count:4]] "+
			"devices:[map[count:2 device:DESKTOP] map[count:2 device:MOBILE]] groups:[map[count:4 group:map[name:review]]] "+
			"statuses:[map[count:3 status:NEW] map[count:1 status:TO_FIX]] totalCount:4 websites:[map[count:4 website:<nil>]]]")
	}
}

func TestFiltersOutOfRangeAreRefused(t *testing.T) {
	w := newWorld(t)
	group, _ := w.group("shop", "shop.example.test")
	many := strings.Repeat(`"`+group+`",`, 1001)
	for filter, field := range map[string]string{
		`minPercent: 5, maxPercent: 4`:                   "filter.maxPercent",
		`minPercent: -1`:                                 "filter.minPercent",
		`maxPercent: 100.5`:                              "filter.maxPercent",
		`devices: []`:                                    "filter.devices",
		`categories: []`:                                 "filter.categories",
		`verificationStatuses: []`:                       "filter.verificationStatuses",
		`consoleChanges: []`:                             "filter.consoleChanges",
		`confirmations: []`:                              "filter.confirmations",
		`reviewerIds: []`:                                "filter.reviewerIds",
		`text: ""`:                                       "filter.text",
		`text: "` + strings.Repeat("a", 201) + `"`:       "filter.text",
		`from: "2026-03-02", to: "2026-02-28"`:           "to",
		`from: "yesterday"`:                              "from",
		`ids: [` + many + `]`:                            "filter.ids",
		`groupIds: [` + many + `]`:                       "filter.groupIds",
		`reviewerIds: [` + many + `]`:                    "filter.reviewerIds",
		`changes: [` + strings.Repeat(`"a",`, 101) + `]`: "filter.changes",
	} {
		for _, query := range []string{
			`{ comparisons(filter: {` + filter + `}) { nodes { id } } }`,
			`{ comparisonFacets(filter: {` + filter + `}) { totalCount } }`,
			`mutation { setStatusOfComparisons(filter: {` + filter + `}, status: OK) { matchedCount } }`,
		} {
			a := w.post(query, nil)
			if a.code() != "INVALID" || len(a.Errors[0].Extensions.Fields) != 1 || a.Errors[0].Extensions.Fields[0].Path != field {
				t.Errorf("%.100s: %s", query, a.body)
			}
		}
	}
	for _, unknown := range []string{
		`{ comparisons(filter: {colour: "red"}) { nodes { id } } }`, `{ groups(orderBy: COLOUR) { nodes { id } } }`,
	} {
		if a := w.post(unknown, nil); a.code() != "GRAPHQL_VALIDATION_FAILED" {
			t.Errorf("%s: %s", unknown, a.body)
		}
	}
}
