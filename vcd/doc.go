// Package vcd holds the words of visual change detection: what a Group, a URL, a Batch, a Queue entry, a Screenshot and a
// Comparison are, how they move from state to state, and what they need of the outside.
//
// The package knows no database, no browser and no transport. What it needs from them it states as ports ([Store], [Queue],
// [Feed], [Clock], [IDs], [Sealer]); packages db, jobs and cmd supply them.
//
// The use cases are in the rooms below: inventory (what is watched), run (from a request for screenshots to the last verdict),
// review (looking at what changed), account and outbound (events, webhooks, mails). Package app makes all of them from one
// [Config]. A use case takes an [Actor] and an input, validates, and runs in one transaction bound to the actor's account.
// Everything that happened is appended to the account's numbered events in the same commit.
package vcd
