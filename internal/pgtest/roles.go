package pgtest

import (
	"context"
	"errors"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Roles that own nothing, on the server of the tests.
const (
	EverydayRole = "pgtest_everyday"
	SystemRole   = "pgtest_system"
)

// MakeRoles makes the roles above. They stay: other databases may have granted them rights.
func MakeRoles(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), setupTimeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, serverOf(t))
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, role := range []string{EverydayRole, SystemRole} {
		_, err := conn.Exec(ctx, "CREATE ROLE "+role+" LOGIN PASSWORD "+literal(conn.Config().Password))
		var failed *pgconn.PgError
		if errors.As(err, &failed) && (failed.Code == "42710" || failed.Code == "23505") { // there, or being made by another test
			continue
		}
		if err != nil {
			t.Fatalf("pgtest: the role of the tests must have CREATEROLE: %v", err)
		}
	}
}

// As returns the connection string of another role that has the same password.
func As(role, at string) string {
	u, err := url.Parse(at)
	if err != nil {
		return at
	}
	if password, ok := u.User.Password(); ok {
		u.User = url.UserPassword(role, password)
	} else {
		u.User = url.User(role)
	}
	return u.String()
}

// literal quotes a text for SQL; NULL is no password.
func literal(text string) string {
	if text == "" {
		return "NULL"
	}
	quoted := "E'"
	for _, c := range text {
		if c == '\'' || c == '\\' {
			quoted += "\\"
		}
		quoted += string(c)
	}
	return quoted + "'"
}
