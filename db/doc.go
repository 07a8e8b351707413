// Package db keeps everything of package vcd in PostgreSQL.
//
// A [DB] is vcd's Store and Feed. One pgx pool serves bun, which speaks through database/sql, and the background queue:
// jobs are inserted on the very connection of a transaction (see borrowedTx), so that rows, jobs and events are one commit.
//
// Every transaction is bound to one account. Queries name the account, and row level security hides all others from a
// query that forgot; see migrations.
package db
