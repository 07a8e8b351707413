-- People: the users of an account, invitations, and how users sign in.

CREATE TABLE users (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'editor', 'reviewer', 'viewer')),
    issuer text, -- the OpenID provider that knows the user, and under which name; null for passkeys only
    subject text CHECK ((subject IS NULL) = (issuer IS NULL)),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    removed_at timestamptz,
    PRIMARY KEY (account_id, id)
);

-- An address and an identity belong to one user of all accounts: signing in must lead to one account.
CREATE UNIQUE INDEX users_email_key ON users (lower(email)) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX users_identity_key ON users (issuer, subject) WHERE removed_at IS NULL AND subject IS NOT NULL;
CREATE INDEX users_newest ON users (account_id, created_at DESC, id DESC) WHERE removed_at IS NULL;

SELECT guard_tenant('users');

CREATE TABLE invitations (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    email text NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'editor', 'reviewer', 'viewer')),
    hash bytea CHECK (length(hash) = 32), -- of the secret in the newest link; null before the first
    inviter_kind text NOT NULL CHECK (inviter_kind IN ('token', 'user', 'system')),
    inviter_id uuid,
    inviter_name text NOT NULL, -- at that time
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    accepted_at timestamptz,
    user_id uuid, -- who accepted it
    revoked_at timestamptz,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, id),
    CHECK ((inviter_kind = 'system') = (inviter_id IS NULL)),
    CHECK ((accepted_at IS NULL) = (user_id IS NULL)),
    CHECK (accepted_at IS NULL OR revoked_at IS NULL)
);

CREATE UNIQUE INDEX invitations_hash_key ON invitations (hash) WHERE hash IS NOT NULL;
CREATE UNIQUE INDEX invitations_pending_key ON invitations (account_id, lower(email)) WHERE accepted_at IS NULL AND revoked_at IS NULL;
CREATE INDEX invitations_newest ON invitations (account_id, created_at DESC, id DESC);
CREATE INDEX invitations_user ON invitations (account_id, user_id) WHERE user_id IS NOT NULL;

SELECT guard_tenant('invitations');

CREATE TABLE passkeys (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    credential_id bytea NOT NULL CHECK (length(credential_id) BETWEEN 1 AND 1023), -- the authenticator's id of it
    credential jsonb NOT NULL, -- its public key, counter and flags
    name text NOT NULL,
    created_at timestamptz NOT NULL,
    used_at timestamptz,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, id)
);

CREATE UNIQUE INDEX passkeys_credential_key ON passkeys (credential_id);
CREATE INDEX passkeys_user ON passkeys (account_id, user_id, id);

SELECT guard_tenant('passkeys');

CREATE TABLE sessions (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    hash bytea NOT NULL CHECK (length(hash) = 32), -- of the secret in the cookie
    method text NOT NULL CHECK (method IN ('passkey', 'oidc')),
    user_agent text NOT NULL,
    created_at timestamptz NOT NULL,
    used_at timestamptz NOT NULL, -- to ten minutes
    expires_at timestamptz NOT NULL, -- however much it is used
    revoked_at timestamptz,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, id)
);

CREATE UNIQUE INDEX sessions_hash_key ON sessions (hash);
CREATE INDEX sessions_user ON sessions (account_id, user_id, created_at DESC, id DESC);
CREATE INDEX sessions_old ON sessions (expires_at);

SELECT guard_tenant('sessions');

-- Who calls? See account_by_token. A session also ends when it has not been used for a while.
CREATE FUNCTION account_by_session(wanted bytea, at timestamptz, idle interval)
RETURNS TABLE (session_id uuid, session_user_id uuid, session_user_name text, session_role text, session_expires_at timestamptz,
    account accounts)
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    UPDATE sessions AS s SET used_at = at
    WHERE s.hash = wanted AND s.revoked_at IS NULL AND s.expires_at > at AND s.used_at > at - idle
        AND s.used_at <= at - interval '10 minutes';
    RETURN QUERY
        SELECT s.id, u.id, u.name, u.role, least(s.expires_at, s.used_at + idle), a
        FROM sessions AS s JOIN users AS u ON u.account_id = s.account_id AND u.id = s.user_id JOIN accounts AS a ON a.id = s.account_id
        WHERE s.hash = wanted AND s.revoked_at IS NULL AND s.expires_at > at AND s.used_at > at - idle
            AND u.removed_at IS NULL AND a.deleted_at IS NULL;
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;

CREATE TRIGGER authority_changed AFTER UPDATE OF revoked_at, expires_at ON sessions FOR EACH ROW
    WHEN (OLD.revoked_at IS DISTINCT FROM NEW.revoked_at OR OLD.expires_at <> NEW.expires_at)
    EXECUTE FUNCTION tell_authority_of_token();
CREATE TRIGGER authority_removed AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION tell_authority_of_token();
CREATE TRIGGER authority_changed AFTER UPDATE OF role, removed_at ON users FOR EACH ROW
    WHEN (OLD.role <> NEW.role OR OLD.removed_at IS DISTINCT FROM NEW.removed_at)
    EXECUTE FUNCTION tell_authority_of_token();

-- What a browser that signs in has to bring back, and links that are used once. Of no account: it is not known yet.
CREATE TABLE sign_in_attempts (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    sealed bytea NOT NULL,
    expires_at timestamptz NOT NULL
);

CREATE INDEX sign_in_attempts_old ON sign_in_attempts (expires_at);

-- An invitation is sent at once rather than after its event, so that its mail has no number.
ALTER TABLE mails ALTER COLUMN number DROP NOT NULL;
ALTER TABLE mails DROP CONSTRAINT mails_kind_check;
ALTER TABLE mails ADD CONSTRAINT mails_kind_check CHECK (kind IN (
    'digest', 'update_report', 'webhook_disabled', 'account_paused', 'account_reactivated', 'checks_low', 'checks_exhausted',
    'token_created', 'subaccount_opened', 'invitation'));
