// Package db stores all data of package vcd in PostgreSQL.
//
// A [DB] implements app.Store of vcd/app and vcd.Feed. This package opens it and assembles its parts: the rooms (account,
// inventory, outbound, review, run), which hold the statements, and turns, which hands out work. They stand on pg, which reaches
// the database, and query, which builds statements; schema makes the tables.
//
// Every transaction is bound to one account. Queries filter by account, and row-level security hides all other accounts
// from a query that does not; see schema/migrations.
package db
