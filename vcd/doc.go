// Package vcd holds the words and the rules of visual change detection: what a Group, a URL, a Batch, a Queue
// entry, a Screenshot and a Comparison are, how they move from state to state, and who may see them.
//
// The package knows no database, no browser and no transport. What it needs from them it states as ports
// ([Store], [Queue], [Feed], [Clock], [IDs], [Sealer]); package db, jobs and cmd supply them. A use case is a method
// of [Service]: it takes an [Actor] and an input, validates, and runs in one transaction bound to the actor's
// account. Everything that happened is appended to the account's numbered events in the same commit.
package vcd
