// Package vcd defines the domain model of visual change detection: what a Group, a URL, a Batch, a Queue entry, a Screenshot
// and a Comparison are, their state transitions, and the ports they need.
//
// The package does not depend on a database, a browser or a transport. It declares what it needs from them as ports ([Store],
// [Queue], [Feed], [Clock], [IDs], [Sealer]); packages db, jobs and cmd implement them.
//
// The use cases are in the rooms below: inventory (what is watched), run (from a request for screenshots to the last
// verdict), review (looking at what changed), account and outbound (events, webhooks, mails). Package app builds all of them
// from one [Config]. A use case takes an [Actor] and an input, validates it, and runs in one transaction bound to the actor's
// account. The same commit appends everything that happened to the account's numbered events.
package vcd
