-- Accounts, their API tokens and their numbered events.
--
-- Every table that belongs to an account is guarded twice: each query names the account, and row level security, forced
-- on the owner of the tables too, hides every other account's rows from a query that forgot. A transaction says by
-- set_config(…, true) for whom it runs: afterimage.account holds the account, and afterimage.system is "on" for the few
-- questions that are asked across accounts.

-- guard_tenant puts row level security on a table that belongs to an account.
--
-- The policy is cheap to plan, since a list joins up to ten tables: its one sub-select is read once a query, and the
-- setting for the system is looked at only for rows of other accounts. With OR instead of CASE the planner would also try
-- what indexes could do for each arm.
--
-- Conditions of queries that are not leakproof wait behind a policy, and are never looked up in an index: the joins of
-- lists use CASE where coalesce would say the same, because PostgreSQL takes the latter for leaky.
CREATE FUNCTION guard_tenant(guarded regclass) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', guarded);
    EXECUTE format($policy$
        CREATE POLICY tenant ON %s USING (
            CASE WHEN account_id = (SELECT nullif(current_setting('afterimage.account', true), '')::uuid) THEN true
            ELSE current_setting('afterimage.system', true) = 'on' END)
        $policy$, guarded);
END
$$;

CREATE TABLE accounts (
    id uuid PRIMARY KEY,
    parent_id uuid REFERENCES accounts (id),
    name_first text NOT NULL,
    name_last text NOT NULL,
    email text NOT NULL,
    company text,
    timezone text NOT NULL,
    status text NOT NULL CHECK (status IN ('active', 'paused', 'cancelled')),
    level integer NOT NULL,
    plan text NOT NULL,
    plan_name text NOT NULL,
    plan_label text,
    share integer NOT NULL DEFAULT 1 CHECK (share BETWEEN 1 AND 100), -- of the workers, beside others; set with its plan
    invitation_accepted boolean NOT NULL,
    ai_verification boolean NOT NULL,
    browser_console boolean NOT NULL,
    checks_limit bigint NOT NULL CHECK (checks_limit >= 0),
    checks_done bigint NOT NULL DEFAULT 0 CHECK (checks_done >= 0),
    checks_reserved bigint NOT NULL DEFAULT 0 CHECK (checks_reserved >= 0),
    checks_before bigint NOT NULL DEFAULT 0 CHECK (checks_before >= 0), -- done in periods that have ended
    -- How much of the checks of this period its owner has been told to be used up, in percent.
    checks_told smallint NOT NULL DEFAULT 0 CHECK (checks_told IN (0, 80, 100)),
    sealed_webhook_secret bytea,
    sealed_previous_webhook_secret bytea, -- signs too while receivers change to the current one
    previous_webhook_secret_until timestamptz,
    sealed_magic_login bytea,
    renewal_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz,
    last_event bigint NOT NULL DEFAULT 0 CHECK (last_event >= 0), -- number of the newest event
    -- Events go in the order of their numbers, so one number tells which are gone.
    removed_events bigint NOT NULL DEFAULT 0, -- the newest event that is gone, and all before it; 0 for none
    removed_events_until timestamptz, -- the latest time of those
    CONSTRAINT accounts_removed_events_check CHECK (removed_events >= 0 AND removed_events <= last_event),
    CONSTRAINT accounts_removed_events_until_check CHECK ((removed_events = 0) = (removed_events_until IS NULL))
) WITH (fillfactor = 50); -- every change updates its account: leave room in the page for the next version

CREATE UNIQUE INDEX accounts_email_key ON accounts (lower(email)) WHERE deleted_at IS NULL;
CREATE INDEX accounts_newest_of_parent ON accounts (parent_id, created_at DESC, id DESC) WHERE parent_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX accounts_renewal ON accounts (renewal_at) WHERE deleted_at IS NULL;

-- A full account sees the subaccounts below it. The opposite does not hold.
ALTER TABLE accounts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON accounts USING (
    CASE WHEN (SELECT nullif(current_setting('afterimage.account', true), '')::uuid) IN (id, parent_id) THEN true
    ELSE current_setting('afterimage.system', true) = 'on' END);

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

CREATE TABLE tokens (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    hash bytea NOT NULL CHECK (length(hash) = 32),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz, -- to the hour
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE UNIQUE INDEX tokens_hash_key ON tokens (hash);
CREATE INDEX tokens_newest ON tokens (account_id, created_at DESC, id DESC);

SELECT guard_tenant('tokens');

-- Who calls? Asked once by every request before an account is known, so it is one statement, which is its own
-- transaction: the system setting ends with it. It notes when the token was used, and tells when it expires, so that nobody
-- need ask again to know that it has.
CREATE FUNCTION account_by_token(wanted bytea, at timestamptz) RETURNS TABLE (token_id uuid, token_expires_at timestamptz, account accounts)
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    UPDATE tokens AS t SET last_used_at = at
    WHERE t.hash = wanted AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > at)
        AND (t.last_used_at IS NULL OR t.last_used_at <= at - interval '1 hour');
    RETURN QUERY
        SELECT t.id, t.expires_at, a FROM tokens t JOIN accounts a ON a.id = t.account_id
        WHERE t.hash = wanted AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > at) AND a.deleted_at IS NULL;
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;

-- What a token may do is judged whenever it is used, also on connections that stay open. Processes remember it for a moment,
-- and are told at once of every change that can take it away, whoever makes it.
CREATE FUNCTION tell_authority_of_token() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_notify('afterimage_authority', OLD.account_id::text);
    RETURN NULL;
END
$$;

CREATE FUNCTION tell_authority_of_account() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_notify('afterimage_authority', OLD.id::text);
    RETURN NULL;
END
$$;

CREATE TRIGGER authority_changed AFTER UPDATE OF revoked_at, expires_at ON tokens FOR EACH ROW
    WHEN (OLD.revoked_at IS DISTINCT FROM NEW.revoked_at OR OLD.expires_at IS DISTINCT FROM NEW.expires_at)
    EXECUTE FUNCTION tell_authority_of_token();
CREATE TRIGGER authority_removed AFTER DELETE ON tokens FOR EACH ROW EXECUTE FUNCTION tell_authority_of_token();
CREATE TRIGGER authority_changed AFTER UPDATE OF status, deleted_at, invitation_accepted ON accounts FOR EACH ROW
    WHEN (OLD.status <> NEW.status OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at OR OLD.invitation_accepted <> NEW.invitation_accepted)
    EXECUTE FUNCTION tell_authority_of_account();

CREATE TABLE events (
    account_id uuid NOT NULL REFERENCES accounts (id),
    number bigint NOT NULL CHECK (number > 0),
    kind text NOT NULL CHECK (kind IN (
        'account_updated', 'account_paused', 'account_reactivated', 'checks_low', 'checks_exhausted', 'token_created', 'subaccount_opened',
        'group_created', 'group_updated', 'group_deleted', 'url_created', 'url_updated', 'url_deleted',
        'website_created', 'website_updated', 'website_deleted', 'url_import_started', 'url_import_finished',
        'batch_created', 'batch_updated', 'batch_finished', 'run_missed', 'update_report_due',
        'queue_status_open', 'queue_status_processing', 'queue_status_done', 'queue_status_failed',
        'comparison_created', 'comparison_status_new', 'comparison_status_changed',
        'ai_feedback_rule_created', 'ai_feedback_rule_updated', 'ai_feedback_rule_deleted',
        'webhook_created', 'webhook_updated', 'webhook_deleted', 'webhook_disabled')),
    subject_type text NOT NULL CHECK (subject_type IN (
        'account', 'token', 'group', 'url', 'website', 'url_import', 'batch', 'queue_entry', 'comparison', 'ai_feedback_rule', 'webhook')),
    subject_id uuid NOT NULL,
    batch_id uuid,
    progress jsonb,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, number)
);

CREATE INDEX events_batch ON events (account_id, batch_id, number) WHERE batch_id IS NOT NULL;

SELECT guard_tenant('events');

-- What somebody may still do in an hour, for all processes together. Of no account: that an address gets few mails from all of
-- them counts too. Addresses stand here as hashes. A row that has not been used for an hour says nothing.
CREATE TABLE allowances (
    key text PRIMARY KEY,
    points double precision NOT NULL,
    used_at timestamptz NOT NULL
);

CREATE INDEX allowances_used ON allowances (used_at);

-- Something sealed, by which a process can tell whether it has the key of the others' secrets. One row; of no account.
CREATE TABLE secret_probe (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    sealed bytea NOT NULL
);
