// Package pgtest gives every test a PostgreSQL database of its own.
//
//	url := pgtest.New(t)                                  // empty
//	url := pgtest.Template(t, "db-"+fingerprint, migrate) // migrated once, copied per test
//
// All test processes of a user share one private cluster in the temporary directory, so that only the first one pays for
// its creation. A background process owns the cluster: it stops it and removes its data when no test process has used it
// for a while. Users are counted by a shared file lock, which the kernel releases however a test process ends.
//
// Environment: AFTERIMAGE_PGTEST_LINGER is how long the unused cluster stays for the next test process (20s).
// The environment variable AFTERIMAGE_TEST_DATABASE_URL names another server to use. Its role must be allowed to create
// databases and must be neither a superuser nor exempt from row level security, because tests would then prove nothing
// about tenants.
//
// A missing PostgreSQL fails the test; it never skips it.
package pgtest
