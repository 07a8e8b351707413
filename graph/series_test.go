package graph_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A batch belongs to the day of the account's time zone on which it was started.
func TestSeriesCountByTheAccountsDays(t *testing.T) {
	w := newWorld(t) // it is noon of 1 March in UTC
	w.must(`mutation { updateAccount(input: {timezone: "Asia/Tokyo"}) { account { id } } }`, nil)
	group, _ := w.group("shop", "shop.example.test")
	other, _ := w.group("other", "other.example.test")
	website := w.must(`mutation ($m: ID!, $a: ID!) { createWebsite(input: {domain: "shop.example.test", manualDetectionGroupId: $m,
		autoDetectionGroupId: $a}) { website { id } } }`, vars{"m": group, "a": other}).text(t, "createWebsite", "website", "id")
	w.work(w.take("PRE", group, other), "before", 0)
	w.clock.Advance(4 * time.Hour) // in Tokyo it is 1 o'clock of 2 March
	batch := w.take("POST", group)
	w.clock.Advance(time.Minute)
	w.work(batch, "after", 3)
	ids := w.must(`{ comparisons(first: 1) { nodes { id } } }`, nil).text(t, "comparisons", "nodes", 0, "id")
	w.must(setByIDs, vars{"ids": []string{ids}, "s": "FALSE_POSITIVE"})
	const fields = `series(from: "2026-02-28", to: "2026-03-02") { day captures comparisons changes falseAlarms runs longestDuration }`
	a := w.must(`query ($g: ID!, $w: ID!) { account { `+fields+` overview { sites { `+fields+` } } }
		group(id: $g) { `+fields+` } website(id: $w) { `+fields+` } }`, vars{"g": group, "w": website})
	lines := func(path ...any) string {
		var all []string
		for _, d := range a.at(t, append(path, "series")...).([]any) {
			day := d.(map[string]any)
			all = append(all, fmt.Sprint(day["day"], " ", day["captures"], " ", day["comparisons"], " ", day["changes"], " ",
				day["falseAlarms"], " ", day["runs"], " ", day["longestDuration"]))
		}
		return strings.Join(all, "; ")
	}
	whole := "2026-02-28 0 0 0 0 0 <nil>; 2026-03-01 4 0 0 0 1 0; 2026-03-02 2 2 2 1 1 60"
	want(t, "account", lines("account"), whole)
	want(t, "website", lines("website"), whole)
	want(t, "site", lines("account", "overview", "sites", 0), whole)
	want(t, "group", lines("group"), "2026-02-28 0 0 0 0 0 <nil>; 2026-03-01 2 0 0 0 1 0; 2026-03-02 2 2 2 1 1 60")
	for args, field := range map[string]string{
		`from: "2026-03-02", to: "2026-03-01"`:           "to",
		`from: "2025-03-01", to: "2026-03-02"`:           "to",
		`from: "2026-03-01T10:00:00Z", to: "2026-03-02"`: "from",
		`from: "2026-03-01", to: "tomorrow"`:             "to",
	} {
		a := w.post(`{ account { series(`+args+`) { day } } }`, nil)
		if a.code() != "INVALID" || a.Errors[0].Extensions.Fields[0].Path != field {
			t.Errorf("%s: %s", args, a.body)
		}
	}
}
