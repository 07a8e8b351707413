-- When groups run next; accounts below accounts, whose checks count twice; and what is known of tokens and periods.

SELECT set_config('afterimage.system', 'on', true); -- row level security binds this file too

ALTER TABLE groups ADD COLUMN next_run_at timestamptz;

-- Only the program can tell when a schedule runs next. What was planned before it could gets a first run within the hour
-- and follows its schedule from there.
UPDATE groups SET next_run_at = date_trunc('hour', now()) + interval '1 hour'
WHERE monitoring AND enabled AND schedule_type <> 'off' AND deleted_at IS NULL;

ALTER TABLE groups ADD CONSTRAINT groups_next_run_check
    CHECK ((next_run_at IS NOT NULL) = (monitoring AND enabled AND schedule_type <> 'off' AND deleted_at IS NULL));

CREATE INDEX groups_due ON groups (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX groups_scheduled ON groups (account_id, next_run_at) WHERE next_run_at IS NOT NULL;

ALTER TABLE accounts
    ADD COLUMN checks_before bigint NOT NULL DEFAULT 0 CHECK (checks_before >= 0), -- done in periods that have ended
    ADD COLUMN deleted_at timestamptz;

DROP INDEX accounts_email_key;
CREATE UNIQUE INDEX accounts_email_key ON accounts (lower(email)) WHERE deleted_at IS NULL;
CREATE INDEX accounts_newest_of_parent ON accounts (parent_id, created_at DESC, id DESC) WHERE parent_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX accounts_renewal ON accounts (renewal_at) WHERE deleted_at IS NULL;

-- A full account sees the subaccounts below it. The opposite does not hold.
ALTER POLICY tenant ON accounts USING (
    id = (SELECT afterimage_account()) OR parent_id = (SELECT afterimage_account()) OR (SELECT afterimage_system()));

ALTER TABLE tokens ADD COLUMN last_used_at timestamptz; -- to the hour
CREATE INDEX tokens_newest ON tokens (account_id, created_at DESC, id DESC);

-- As before, but it leaves deleted accounts out and notes when the token was used.
CREATE OR REPLACE FUNCTION account_by_token(wanted bytea, at timestamptz) RETURNS TABLE (token_id uuid, account accounts)
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    UPDATE tokens AS t SET last_used_at = at
    WHERE t.hash = wanted AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > at)
        AND (t.last_used_at IS NULL OR t.last_used_at <= at - interval '1 hour');
    RETURN QUERY
        SELECT t.id, a FROM tokens t JOIN accounts a ON a.id = t.account_id
        WHERE t.hash = wanted AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > at) AND a.deleted_at IS NULL;
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;

-- The checks of a subaccount count in the account above it too, which it cannot see. These two are all that it can do there.
CREATE FUNCTION checks_left_above(subaccount uuid) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    remaining bigint;
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    SELECT above.checks_limit - above.checks_done - above.checks_reserved INTO remaining
    FROM accounts AS own JOIN accounts AS above ON above.id = own.parent_id WHERE own.id = subaccount;
    PERFORM set_config('afterimage.system', 'off', true);
    RETURN remaining; -- null for a full account
END
$$;

CREATE FUNCTION settle_checks_above(subaccount uuid, promised bigint, used bigint, returned bigint) RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
    settled boolean;
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    UPDATE accounts AS above SET checks_done = above.checks_done + used, checks_reserved = above.checks_reserved + promised - used - returned
    FROM accounts AS own
    WHERE own.id = subaccount AND above.id = own.parent_id
        AND (promised = 0 OR above.checks_limit - above.checks_done - above.checks_reserved >= promised);
    settled := FOUND;
    PERFORM set_config('afterimage.system', 'off', true);
    RETURN settled; -- false: not enough checks are left there
END
$$;
