// Package pgtest gives every test its own PostgreSQL database.
//
//	url := pgtest.New(t)                                  // empty
//	url := pgtest.Template(t, "db-"+fingerprint, migrate) // migrated once, copied per test
//
// All test processes of a user share one private cluster in memory, or in the temporary directory (see [TempDir]), so that only the
// first one has to create it. A background process owns the cluster: it stops it and deletes its data when no test process has used it for
// a while. Users are counted by a shared file lock, which the kernel releases however a test process ends.
//
// AFTERIMAGE_PGTEST_LINGER is how long the unused cluster waits for the next test process (20s).
// AFTERIMAGE_TEST_DATABASE_URL selects another server. Its role must be allowed to create databases and roles and must be neither a
// superuser nor exempt from row-level security, or tests would prove nothing about tenants.
//
// A missing PostgreSQL fails the test; it never skips it.
package pgtest
