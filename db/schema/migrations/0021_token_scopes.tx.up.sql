-- What an API token was made for. Tokens from before may do everything.
ALTER TABLE tokens ADD COLUMN scopes text[] NOT NULL DEFAULT '{read,run,review,manage}';
ALTER TABLE tokens ALTER COLUMN scopes DROP DEFAULT;
ALTER TABLE tokens ADD CONSTRAINT tokens_scopes_check CHECK ('read' = ANY (scopes) AND scopes <@ ARRAY['read', 'run', 'review', 'manage']);

DROP FUNCTION account_by_token(bytea, timestamptz);
CREATE FUNCTION account_by_token(wanted bytea, at timestamptz)
RETURNS TABLE (token_id uuid, token_name text, token_scopes text[], token_expires_at timestamptz, account accounts)
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    UPDATE tokens AS t SET last_used_at = at
    WHERE t.hash = wanted AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > at)
        AND (t.last_used_at IS NULL OR t.last_used_at <= at - interval '1 hour');
    RETURN QUERY
        SELECT t.id, t.name, t.scopes, t.expires_at, a FROM tokens t JOIN accounts a ON a.id = t.account_id
        WHERE t.hash = wanted AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > at) AND a.deleted_at IS NULL;
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;
