// Package pg reaches PostgreSQL: pools, roles, transactions that are bound to one account, what they send with their commit, and the
// feed that wakes those who wait for events.
//
// One pgx pool serves both bun, through database/sql, and the background queue: jobs are inserted on the connection of the
// transaction itself (see borrowedTx), so that rows, jobs and events are committed together.
package pg
