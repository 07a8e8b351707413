-- Everyday work by a role that does not own the tables (decision 78). What is here changes nothing for a database with one role: the owner
-- grants roles their rights with `afterimage migrate --grant-to`, and only then are there policies that ask for proof.

-- The key of the proofs, which the role of everyday work cannot read: no row before a role is granted its rights. HMAC takes the key
-- twice, padded with other bytes; both are stored, because PostgreSQL has no function for that.
CREATE TABLE tenant_seal (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    key bytea NOT NULL CHECK (length(key) = 32),
    inner_key bytea NOT NULL CHECK (length(inner_key) = 64),
    outer_key bytea NOT NULL CHECK (length(outer_key) = 64)
);

-- The account that a transaction is bound to, if it was our program that bound it: any session may set afterimage.account, but only who
-- has the key can prove it. Policies ask once for each table of a query, not for each row.
DO $do$
BEGIN
    EXECUTE format($create$
        CREATE FUNCTION bound_account() RETURNS uuid
        LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER
        AS $$
        DECLARE
            account text := current_setting('afterimage.account', true);
        BEGIN
            IF account <> '' AND current_setting('afterimage.proof', true) = (
                SELECT encode(sha256(s.outer_key || sha256(s.inner_key || convert_to(account, 'UTF8'))), 'hex') FROM %1$I.tenant_seal AS s)
            THEN
                RETURN account::uuid;
            END IF;
            RETURN NULL;
        END
        $$;
        REVOKE EXECUTE ON FUNCTION bound_account() FROM PUBLIC;
        $create$, current_schema());
END
$do$;

-- Three functions touch other accounts than the one that they are given, with the rights of the owner of the tables. Others than the owner
-- must be bound to that one.
CREATE FUNCTION refuse_unbound(account uuid) RETURNS void
LANGUAGE plpgsql STABLE
AS $$
BEGIN
    IF NOT pg_has_role(session_user, current_user, 'MEMBER') AND account IS DISTINCT FROM bound_account() THEN
        RAISE insufficient_privilege USING MESSAGE = 'the transaction is not bound to this account';
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION checks_left_above(subaccount uuid) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    remaining bigint;
BEGIN
    PERFORM refuse_unbound(subaccount);
    PERFORM set_config('afterimage.system', 'on', true);
    SELECT above.checks_limit - above.checks_done - above.checks_reserved INTO remaining
    FROM accounts AS own JOIN accounts AS above ON above.id = own.parent_id WHERE own.id = subaccount;
    PERFORM set_config('afterimage.system', 'off', true);
    RETURN remaining; -- null for a full account
END
$$;

CREATE OR REPLACE FUNCTION settle_checks_above(subaccount uuid, promised bigint, used bigint, returned bigint) RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
    settled boolean;
BEGIN
    PERFORM refuse_unbound(subaccount);
    PERFORM set_config('afterimage.system', 'on', true);
    UPDATE accounts AS above SET checks_done = above.checks_done + used,
        checks_reserved = above.checks_reserved + promised - used - returned
    FROM accounts AS own
    WHERE own.id = subaccount AND above.id = own.parent_id
        AND (promised = 0 OR above.checks_limit - above.checks_done - above.checks_reserved >= promised);
    settled := FOUND;
    PERFORM set_config('afterimage.system', 'off', true);
    RETURN settled; -- false: not enough checks are left there
END
$$;

CREATE OR REPLACE FUNCTION limit_tokens_of(owner uuid, creator uuid, allowed text[], at timestamptz) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM refuse_unbound(owner);
    PERFORM set_config('afterimage.system', 'on', true);
    WITH families AS (
        SELECT owner AS id UNION ALL SELECT a.id FROM accounts AS a WHERE a.parent_id = owner
    ), limited AS (
        UPDATE tokens AS t SET
            scopes = CASE WHEN allowed = '{}' THEN t.scopes
                ELSE ARRAY(SELECT s.name FROM unnest(t.scopes) WITH ORDINALITY AS s (name, n) WHERE s.name = ANY (allowed) ORDER BY s.n) END,
            revoked_at = CASE WHEN allowed = '{}' THEN at END
        FROM families AS f
        WHERE t.account_id = f.id AND t.creator_id = creator AND t.revoked_at IS NULL AND NOT t.scopes <@ allowed
        RETURNING t.account_id, t.id
    )
    UPDATE invitations AS i SET revoked_at = at FROM limited AS l
    WHERE i.account_id = l.account_id AND i.inviter_id = l.id AND i.accepted_at IS NULL AND i.revoked_at IS NULL;
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;
