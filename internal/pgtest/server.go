package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

const urlEnv = "AFTERIMAGE_TEST_DATABASE_URL"

// shared is what all tests of this process have in common.
var shared struct {
	once       sync.Once
	url        string
	err        error
	membership *os.File // the lock by which this process counts as a user of the private cluster
}

// server returns the connection string of a database on the server that the tests of this process use.
func server() (string, error) {
	shared.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), setupTimeout)
		defer cancel()
		if shared.url = os.Getenv(urlEnv); shared.url != "" {
			shared.err = checkRole(ctx, shared.url)
			return
		}
		shared.url, shared.err = joinCluster(ctx)
	})
	if shared.err != nil {
		return "", fmt.Errorf("pgtest: no PostgreSQL to test with: %w", shared.err)
	}
	return shared.url, nil
}

// serverOf is server for a test, which fails without one.
func serverOf(t testing.TB) string {
	t.Helper()
	url, err := server()
	if err != nil {
		t.Fatal(err)
	}
	return url
}

func checkRole(ctx context.Context, base string) (err error) {
	if !strings.HasPrefix(base, "postgres://") && !strings.HasPrefix(base, "postgresql://") {
		return fmt.Errorf("%s must have the form postgres://role:password@host:port/database", urlEnv)
	}
	conn, err := pgx.Connect(ctx, base)
	if err != nil {
		return fmt.Errorf("%s: %w", urlEnv, err)
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	var exempt, creates bool
	const question = "SELECT rolsuper OR rolbypassrls, rolcreatedb AND rolcreaterole FROM pg_roles WHERE rolname = current_user"
	err = conn.QueryRow(ctx, question).Scan(&exempt, &creates)
	if err != nil {
		return fmt.Errorf("%s: %w", urlEnv, err)
	}
	if exempt || !creates {
		return fmt.Errorf("the role of %s must be bound by row level security and may create databases and roles; make one with: "+
			"CREATE ROLE afterimage_test LOGIN PASSWORD '…' NOSUPERUSER NOBYPASSRLS CREATEDB CREATEROLE", urlEnv)
	}
	return nil
}
