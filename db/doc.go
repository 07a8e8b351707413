// Package db stores everything of package vcd in PostgreSQL.
//
// A [DB] is vcd's Store and Feed. One pgx pool serves bun, through database/sql, and the background queue: jobs are inserted
// on the connection of the transaction itself (see borrowedTx), so that rows, jobs and events are committed together.
//
// Every transaction is bound to one account. Queries name the account, and row-level security hides all others from a query
// that does not; see migrations.
package db
