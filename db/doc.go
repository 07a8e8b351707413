// Package db stores all data of package vcd in PostgreSQL.
//
// A [DB] implements vcd.Store and vcd.Feed. One pgx pool serves both bun, through database/sql, and the background
// queue: jobs are inserted on the connection of the transaction itself (see borrowedTx), so that rows, jobs and events
// are committed together.
//
// Every transaction is bound to one account. Queries filter by account, and row-level security hides all other accounts
// from a query that does not; see migrations.
package db
