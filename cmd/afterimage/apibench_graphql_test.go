package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"
)

// The statements that a request of GraphQL may take: the token and, for each read, the binding of its transaction.
const (
	mostForList     = 6
	mostForOverview = 12
)

// inGraphQL measures filters, facets, overviews and series, which only GraphQL has.
func (c *seededAPI) inGraphQL(b *testing.B) {
	const item = `{ nodes { id address device differencePercent status previewLink createdAt } pageInfo { endCursor hasNextPage } }`
	list := func(filter string) string { return `{ comparisons(first: 15, filter: {` + filter + `}) ` + item + ` }` }
	group := fmt.Sprintf("018f0000-0000-7001-8000-%012x", 3)
	reviewer := fmt.Sprintf("018f0000-0000-7000-8000-%012x", 1)
	for _, row := range []struct {
		name, query string
		most        int
	}{
		{"filter/device", list(`devices: [DESKTOP]`), mostForList},
		{"filter/device-without-any", list(`devices: [MOBILE]`), mostForList},
		{"filter/percent", list(`minPercent: 9.5`), mostForList},
		{"filter/percent-without-any", list(`minPercent: 90`), mostForList},
		{"filter/text-rare", list(`text: "site-3.example.com/page/77"`), mostForList},
		{"filter/text-frequent", list(`text: "example.com"`), mostForList},
		{"filter/text-without-any", list(`text: "nowhere"`), mostForList},
		{"filter/category", list(`categories: [ALERT]`), mostForList},
		{"filter/verification", list(`verificationStatuses: [VERIFIED]`), mostForList},
		{"filter/console", list(`consoleChanges: [ADDED]`), mostForList},
		{"filter/console-without-any", list(`consoleChanges: [REMOVED]`), mostForList},
		{"filter/marked", list(`flapping: true`), mostForList},
		{"filter/reviewer", list(`reviewerIds: ["` + reviewer + `"]`), mostForList},
		{"filter/reviewer-without-any", list(`reviewerIds: ["` + group + `"]`), mostForList},
		{"facets/all", facetsOf(``), mostForList},
		{"facets/status", facetsOf(`statuses: [NEW, TO_FIX], devices: [DESKTOP]`), mostForList},
		{"facets/group", facetsOf(`groupIds: ["` + group + `"]`), mostForList},
		{"facets/text", facetsOf(`text: "site-3.example.com/page/77"`), mostForList},
		{"overview", `{ account { overview { sitesCount needsCount openAlarms runningCount sites(first: 200) { name needs openAlarms
			website { id } lastBatch { finishedAt comparisonsCount { new } } lastComparison(device: DESKTOP) { previewLink }
			nextRuns(first: 5) history(first: 5) { nodes { differencePercent } } } } } }`, mostForOverview},
		{"history/group", `{ group(id: "` + group + `") { history(first: 15) ` + item + ` openAlarms
			lastComparison(device: MOBILE) { id } } }`, mostForOverview},
		{"series/account", `{ account { series(from: "2026-01-01", to: "2026-12-31") { day captures changes falseAlarms meanDuration } } }`,
			mostForList + 1},
		{"series/group", `{ group(id: "` + group + `") { series(from: "2026-01-01", to: "2026-03-31") { day captures changes } } }`,
			mostForList + 1},
		{"sorted/groups", `{ groups(page: 1, orderBy: NAME) { nodes { name } } }`, mostForList},
		{"sorted/urls", `{ urls(page: 200, orderBy: ADDRESS) { nodes { href } } }`, mostForList},
		{"sorted/batches", `{ batches(page: 1, orderBy: FINISHED_AT) { nodes { name } } }`, mostForList},
	} {
		b.Run(row.name, func(b *testing.B) { c.measureGraphQL(b, row.query, row.most) })
	}
	for _, page := range []string{"first", "middle", "last"} {
		number := map[string]int{"first": 1, "middle": c.size.Comparisons() / 30, "last": c.size.Comparisons() / 15}[page]
		query := fmt.Sprintf(`{ comparisons(page: %d, perPage: 15, filter: {devices: [DESKTOP]}) %s }`, number, item)
		b.Run("filter-by-number/"+page, func(b *testing.B) { c.measureGraphQL(b, query, mostForList) })
	}
}

func facetsOf(filter string) string {
	return `{ comparisonFacets(filter: {` + filter + `}) { totalCount statuses { status count } devices { device count }
		categories { category count } groups { groupId count } websites { websiteId count } } }`
}

func (c *seededAPI) measureGraphQL(b *testing.B, query string, most int) {
	size := len(c.ask(b, query))
	c.log.take()
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		c.ask(b, query)
		took = append(took, time.Since(began))
	}
	asked := c.log.take()
	perRequest := float64(len(asked)) / float64(len(took))
	reportSpread(b, took)
	b.ReportMetric(perRequest, "statements/op")
	b.ReportMetric(float64(size), "bytes")
	if perRequest > float64(most)+0.5 { // a token is asked for again when a request takes longer than half a second
		b.Errorf("%.1f statements a request, at most %d are allowed: %s", perRequest, most, query)
	}
}

// ask sends an operation and returns the answer, which must have no errors.
func (c *seededAPI) ask(b *testing.B, query string) []byte {
	b.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		b.Fatal(err)
	}
	r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, c.url+"/graphql", bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || bytes.Contains(answer, []byte(`"errors"`)) {
		b.Fatalf("status %d, %v: %.300s", response.StatusCode, err, answer)
	}
	return answer
}
