-- Tokens lose what the user who made them may no longer give.
ALTER TABLE tokens ADD COLUMN creator_id uuid; -- the user who made it, or the token by which it was made; null for all others

CREATE INDEX tokens_creator ON tokens (creator_id) WHERE creator_id IS NOT NULL AND revoked_at IS NULL;

CREATE TRIGGER scopes_changed AFTER UPDATE OF scopes ON tokens FOR EACH ROW WHEN (OLD.scopes <> NEW.scopes)
    EXECUTE FUNCTION tell_authority_of_token();

-- Leaves the tokens that a user of an account has made, there and in its subaccounts, no scopes but these; without any left, they
-- are revoked. Invitations that were sent by such a token are revoked, as when a token is.
CREATE FUNCTION limit_tokens_of(owner uuid, creator uuid, allowed text[], at timestamptz) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
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

-- Somebody is told when another way to sign in as them is added. Its mail has no event.
ALTER TABLE mails DROP CONSTRAINT mails_kind_check;
ALTER TABLE mails ADD CONSTRAINT mails_kind_check CHECK (kind IN (
    'digest', 'update_report', 'webhook_disabled', 'account_paused', 'account_reactivated', 'checks_low', 'checks_exhausted',
    'token_created', 'subaccount_opened', 'invitation', 'passkey_added', 'provider_connected'));
