-- The kind and the planned size of a batch, links to whole batches, and deleting one.

ALTER TABLE batches
    ADD COLUMN type text CHECK (type IN ('pre', 'post', 'auto')), -- of its screenshots
    ADD COLUMN planned_count integer CHECK (planned_count >= 0); -- its entries when it was started: without confirmations

UPDATE batches AS b SET planned_count = n.planned, type = coalesce(n.type, CASE b.source WHEN 'monitoring' THEN 'auto' ELSE 'pre' END)
FROM (
    SELECT b.account_id, b.id, count(q.id) FILTER (WHERE q.confirms_id IS NULL) AS planned,
        min(q.type) FILTER (WHERE q.type <> 'compare') AS type
    FROM batches AS b LEFT JOIN queue_entries AS q ON q.account_id = b.account_id AND q.batch_id = b.id GROUP BY 1, 2
) AS n WHERE n.account_id = b.account_id AND n.id = b.id;

ALTER TABLE batches ALTER COLUMN type SET NOT NULL, ALTER COLUMN planned_count SET NOT NULL;

-- Checks that batches used which have been deleted since.
ALTER TABLE accounts ADD COLUMN checks_deleted bigint NOT NULL DEFAULT 0 CHECK (checks_deleted >= 0);

-- A link to the public page of a batch. It can be made anew, ends at a time, and can be taken back.
CREATE TABLE batch_links (
    account_id uuid NOT NULL REFERENCES accounts (id),
    batch_id uuid NOT NULL,
    hash bytea NOT NULL CHECK (length(hash) = 32), -- of its token
    sealed bytea NOT NULL, -- the token, to be shown again
    expires_at timestamptz, -- null for never
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, batch_id),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX batch_links_hash_key ON batch_links (hash);

SELECT guard_tenant('batch_links');

-- Whose batch does a link show? Asked before an account is known, like account_by_token.
CREATE FUNCTION batch_by_link(wanted bytea, at timestamptz) RETURNS TABLE (account_id uuid, batch_id uuid)
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    RETURN QUERY SELECT l.account_id, l.batch_id FROM batch_links AS l JOIN accounts AS a ON a.id = l.account_id
        WHERE l.hash = wanted AND (l.expires_at IS NULL OR l.expires_at > at) AND a.status <> 'cancelled' AND a.deleted_at IS NULL;
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;

-- The picture that the public page of a batch shows of one of its comparisons: 'before', 'after' or the 'mask'.
CREATE FUNCTION image_by_batch_link(wanted bytea, at timestamptz, comparison uuid, part text) RETURNS SETOF images
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    RETURN QUERY SELECT i.* FROM batch_links AS l
        JOIN comparisons AS c ON c.account_id = l.account_id AND c.batch_id = l.batch_id AND c.id = comparison
        LEFT JOIN screenshots AS s ON s.account_id = c.account_id
            AND s.id = CASE part WHEN 'before' THEN c.before_id WHEN 'after' THEN c.after_id END
        JOIN images AS i ON i.account_id = c.account_id AND i.id = CASE part WHEN 'mask' THEN c.image_id ELSE s.image_id END
        WHERE l.hash = wanted AND (l.expires_at IS NULL OR l.expires_at > at) AND is_shown(c.account_id, c.group_id, c.url_id);
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;

-- Which comparisons show a screenshot is asked before it is deleted.
CREATE INDEX comparisons_before ON comparisons (account_id, before_id);
CREATE INDEX comparisons_after ON comparisons (account_id, after_id);
