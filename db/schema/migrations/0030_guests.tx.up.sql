-- Public links of batches through which guests may comment and review.

ALTER TABLE batch_links
    ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(), -- what a guest is known by; every link has its own
    ADD COLUMN permission text NOT NULL DEFAULT 'read' CHECK (permission IN ('read', 'review'));
ALTER TABLE batch_links ALTER COLUMN id DROP DEFAULT, ALTER COLUMN permission DROP DEFAULT;

DROP FUNCTION batch_by_link(bytea, timestamptz);

-- Whose batch does a link show, and what may its guests do? Asked before an account is known, like account_by_token.
CREATE FUNCTION batch_by_link(wanted bytea, at timestamptz)
RETURNS TABLE (account_id uuid, batch_id uuid, link_id uuid, permission text)
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    RETURN QUERY SELECT l.account_id, l.batch_id, l.id, l.permission FROM batch_links AS l JOIN accounts AS a ON a.id = l.account_id
        WHERE l.hash = wanted AND (l.expires_at IS NULL OR l.expires_at > at) AND a.status <> 'cancelled' AND a.deleted_at IS NULL;
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;

-- Guests review and comment; what they did stays when their link is gone.
ALTER TABLE reviews DROP CONSTRAINT reviews_reviewer_kind_check;
ALTER TABLE reviews ADD CONSTRAINT reviews_reviewer_kind_check
    CHECK (reviewer_kind IN ('token', 'user', 'guest', 'system')) NOT VALID;
ALTER TABLE comparison_comments DROP CONSTRAINT comparison_comments_author_kind_check;
ALTER TABLE comparison_comments ADD CONSTRAINT comparison_comments_author_kind_check
    CHECK (author_kind IN ('token', 'user', 'guest', 'system')) NOT VALID;
ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_actor_kind_check;
ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_actor_kind_check
    CHECK (actor_kind IN ('user', 'token', 'guest', 'system')) NOT VALID;
