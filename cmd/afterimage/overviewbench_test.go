package main

import (
	"testing"

	"afterimage/db/seed"
)

// BenchmarkOverview measures the first screen of a dashboard over HTTP, authentication included: all of 200 sites with their last
// batches, comparisons, histories and next runs, on an account with 40,000 comparisons.
func BenchmarkOverview(b *testing.B) {
	log := &statementLog{}
	s, token := api(b, log)
	c := &seededAPI{server: s, token: token, log: log, size: seed.Size{Groups: 200, URLs: 10, Batches: 21}}
	if err := seed.Fill(b.Context(), s.backend.db.Pool(), c.actor(b).Account, c.size, true); err != nil {
		b.Fatal(err)
	}
	log.take()
	c.measureGraphQL(b, `{ account { checksLeft overview { sitesCount needsCount openAlarms runningCount sites(first: 200) {
		name needs openAlarms website { id } lastBatch { finishedAt comparisonsCount { new } }
		lastComparison(device: DESKTOP) { previewLink } nextRuns(first: 5) history(first: 5) { nodes { differencePercent } } } } } }`,
		mostForOverview)
}
