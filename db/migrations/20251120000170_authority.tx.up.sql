-- What a token may do is judged whenever it is used, also on connections that stay open. Processes remember it for a moment, and are
-- told at once of every change that can take it away, whoever makes it.

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

-- As before, but it tells also when the token expires, so that nobody need ask again to know that it has.
DROP FUNCTION account_by_token(bytea, timestamptz);

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
