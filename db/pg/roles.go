package pg

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Errors of roles that cannot do what they are given for.
var (
	// ErrNoSystemRole means that no role can do work that concerns all accounts.
	ErrNoSystemRole = errors.New("the role of --database-url is bound to one account at a time: give the URL of the role that sees all " +
		"accounts with --database-system-url (AFTERIMAGE_DATABASE_SYSTEM_URL)")
	// ErrUnboundRole means that row level security would hold nothing back.
	ErrUnboundRole = errors.New("the role of --database-url sees all accounts: use the role of everyday work there, and this role " +
		"in --database-system-url")
)

// Standing is what a role may do in a database.
type Standing struct {
	Role     string
	exempt   bool   // from row level security
	granted  bool   // roles other than the owner have been granted rights
	owner    bool   // of the tables, or a member of that role
	everyday bool   // bound to the account of a transaction
	system   bool   // sees all accounts
	Owned    string // by this role; empty without tables
	sealed   bool   // there is a table with the seal
}

// StandingOf asks what the role of a pool may do.
func StandingOf(ctx context.Context, pool *pgxpool.Pool) (s Standing, err error) {
	const question = `SELECT r.rolname, r.rolsuper OR r.rolbypassrls, p.granted, coalesce(pg_has_role(r.oid, c.relowner, 'USAGE'), true),
			coalesce(p.everyday, false), coalesce(p.system, false), coalesce(pg_get_userbyid(c.relowner), ''),
			to_regclass('tenant_seal') IS NOT NULL
		FROM pg_roles AS r LEFT JOIN pg_class AS c ON c.oid = to_regclass('accounts')
		CROSS JOIN LATERAL (
			SELECT count(*) FILTER (WHERE polname = 'everyday') > 0 AS granted,
				bool_or(pg_has_role(r.oid, role, 'USAGE')) FILTER (WHERE polname = 'everyday') AS everyday,
				bool_or(pg_has_role(r.oid, role, 'USAGE')) FILTER (WHERE polname = 'tenant' AND role NOT IN (0, c.relowner)) AS system
			FROM pg_policy CROSS JOIN LATERAL unnest(polroles) AS role
			WHERE polrelid = c.oid AND polname IN ('everyday', 'tenant')) AS p
		WHERE r.rolname = current_user`
	err = pool.QueryRow(ctx, question).Scan(&s.Role, &s.exempt, &s.granted, &s.owner, &s.everyday, &s.system, &s.Owned, &s.sealed)
	if err != nil {
		return s, fmt.Errorf("ask the database about its role: %w", err)
	}
	return s, nil
}

// checkRoles refuses roles with which the program would not see what it needs, or more than it should. It only warns about a role
// to which row level security does not apply: the queries are correct without it, but the safety net is missing.
func (d *DB) checkRoles(ctx context.Context) error {
	s, err := StandingOf(ctx, d.pool)
	if err != nil {
		return err
	}
	switch {
	case s.exempt:
		d.logger.WarnContext(ctx, "the database role is exempt from row level security: use one that is neither a superuser nor BYPASSRLS",
			"role", s.Role)
	case !s.granted || s.owner:
	case s.system:
		return ErrUnboundRole
	case !s.everyday:
		return ungranted("--database-url", s)
	case d.system == nil:
		return ErrNoSystemRole
	}
	if d.system != nil {
		other, err := StandingOf(ctx, d.system.pool)
		if err != nil {
			return fmt.Errorf("--database-system-url: %w", err)
		}
		if other.granted && !other.system && !other.owner && !other.exempt {
			return ungranted("--database-system-url", other)
		}
	}
	if !s.granted || !s.sealed {
		return nil
	}
	if err := d.SystemPool().QueryRow(ctx, "SELECT key FROM tenant_seal").Scan((*[]byte)(&d.seal)); err != nil {
		return fmt.Errorf("read the key that binds transactions to accounts: %w", err)
	}
	return nil
}

func ungranted(flag string, s Standing) error {
	return fmt.Errorf("the role %s of %s has no rights in this database: run 'afterimage migrate --grant-to ROLE --grant-system-to ROLE' "+
		"as the owner of its tables, %s", s.Role, flag, s.Owned)
}

// RefuseOthers fails unless the role owns the tables, or there are none.
func (s Standing) RefuseOthers() error {
	if s.owner || s.exempt {
		return nil
	}
	return fmt.Errorf("the tables of this database belong to the role %s, and %s may not change them: %w", s.Owned, s.Role, errNotOwner)
}

var errNotOwner = errors.New("connect as their owner, with --database-direct-url if it is set, else with --database-url")
