-- Accounts, their API tokens and their numbered events.
--
-- Every table that belongs to an account is guarded twice: each query names the account, and row level security, forced
-- on the owner of the tables too, hides every other account's rows from a query that forgot. A transaction says by
-- set_config(…, true) for whom it runs: afterimage.account holds the account, and afterimage.system is "on" for the few
-- questions that are asked across accounts.

CREATE FUNCTION afterimage_account() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('afterimage.account', true), '')::uuid;

CREATE FUNCTION afterimage_system() RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(current_setting('afterimage.system', true) = 'on', false);

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
    invitation_accepted boolean NOT NULL,
    ai_verification boolean NOT NULL,
    browser_console boolean NOT NULL,
    checks_limit bigint NOT NULL CHECK (checks_limit >= 0),
    checks_done bigint NOT NULL DEFAULT 0 CHECK (checks_done >= 0),
    checks_reserved bigint NOT NULL DEFAULT 0 CHECK (checks_reserved >= 0),
    sealed_webhook_secret bytea,
    sealed_magic_login bytea,
    renewal_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    last_event bigint NOT NULL DEFAULT 0 CHECK (last_event >= 0) -- number of the newest event
) WITH (fillfactor = 50); -- every change updates its account: leave room in the page for the next version

CREATE UNIQUE INDEX accounts_email_key ON accounts (lower(email));

CREATE TABLE tokens (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    hash bytea NOT NULL CHECK (length(hash) = 32),
    expires_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE UNIQUE INDEX tokens_hash_key ON tokens (hash);

CREATE TABLE events (
    account_id uuid NOT NULL REFERENCES accounts (id),
    number bigint NOT NULL CHECK (number > 0),
    kind text NOT NULL CHECK (kind IN (
        'batch_finished', 'comparison_status_new', 'queue_status_done', 'queue_status_failed', 'queue_status_processing',
        'queue_status_open', 'batch_created', 'batch_updated', 'comparison_created', 'comparison_status_changed',
        'group_created', 'group_updated', 'group_deleted', 'url_created', 'url_updated', 'url_deleted', 'account_updated')),
    subject_type text NOT NULL CHECK (subject_type IN ('account', 'group', 'url', 'batch', 'queue_entry', 'comparison')),
    subject_id uuid NOT NULL,
    batch_id uuid,
    progress jsonb,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, number)
);

CREATE INDEX events_batch ON events (account_id, batch_id, number) WHERE batch_id IS NOT NULL;

ALTER TABLE accounts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE tokens ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

-- The sub-selects make the settings be read once a query rather than once a row.
CREATE POLICY tenant ON accounts USING (id = (SELECT afterimage_account()) OR (SELECT afterimage_system()));
CREATE POLICY tenant ON tokens USING (account_id = (SELECT afterimage_account()) OR (SELECT afterimage_system()));
CREATE POLICY tenant ON events USING (account_id = (SELECT afterimage_account()) OR (SELECT afterimage_system()));

-- Who calls? Asked once by every request before an account is known, so it is one statement, which is its own
-- transaction: the system setting ends with it.
CREATE FUNCTION account_by_token(wanted bytea, at timestamptz) RETURNS TABLE (token_id uuid, account accounts)
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    RETURN QUERY
        SELECT t.id, a FROM tokens t JOIN accounts a ON a.id = t.account_id
        WHERE t.hash = wanted AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > at);
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;

-- Something sealed, by which a process can tell whether it has the key of the others' secrets. One row; of no account.
CREATE TABLE secret_probe (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    sealed bytea NOT NULL
);
