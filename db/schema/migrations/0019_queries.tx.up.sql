-- What overviews, facets and filters of comparisons read: the gravest verdict of a comparison, counts by device and verdict,
-- and indexes in the order of the lists.

ALTER TABLE comparisons ADD COLUMN ai_category text NOT NULL GENERATED ALWAYS AS (CASE
    WHEN ai_alerts > 0 OR unlisted_category = 'alert' THEN 'alert'
    WHEN ai_not_sure > 0 OR unlisted_category = 'not_sure' THEN 'not_sure'
    WHEN ai_all_good > 0 OR unlisted_category = 'all_good' THEN 'all_good'
    ELSE 'none' END) STORED;

CREATE INDEX comparisons_open ON comparisons (account_id, group_id, url_id) WHERE status = 'new';
CREATE INDEX comparisons_device ON comparisons (account_id, device, created_at DESC, id DESC);
CREATE INDEX comparisons_group_device ON comparisons (account_id, group_id, device, created_at DESC, id DESC);
CREATE INDEX comparisons_category ON comparisons (account_id, ai_category, created_at DESC, id DESC) WHERE ai_category <> 'none';
CREATE INDEX comparisons_verified ON comparisons (account_id, ai_status, created_at DESC, id DESC) WHERE ai_status IS NOT NULL;
-- The few that have something rare about them.
CREATE INDEX comparisons_marked ON comparisons (account_id, created_at DESC, id DESC)
    WHERE console_change <> 'unchanged' OR page_alarm OR flapping OR truncated OR confirmation IS NOT NULL;

-- The newest batch of a group: ids sort by time.
DROP INDEX batch_groups_group;
CREATE INDEX batch_groups_group ON batch_groups (account_id, group_id, batch_id DESC);

-- Counts of comparisons are kept by device and verdict too. They are counted anew.
ALTER TABLE comparison_counts
    ADD COLUMN device text NOT NULL DEFAULT '',
    ADD COLUMN ai_category text NOT NULL DEFAULT '',
    DROP CONSTRAINT comparison_counts_pkey;
ALTER TABLE comparison_counts ALTER COLUMN device DROP DEFAULT, ALTER COLUMN ai_category DROP DEFAULT;
TRUNCATE comparison_counts;
INSERT INTO comparison_counts (account_id, batch_id, group_id, day, status, above_threshold, console_change, device, ai_category, count)
SELECT account_id, batch_id, group_id, utc_day(created_at), status, above_threshold, console_change, device, ai_category, count(*)
FROM comparisons GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;
ALTER TABLE comparison_counts ADD PRIMARY KEY (
    account_id, batch_id, group_id, day, status, above_threshold, console_change, device, ai_category);

CREATE OR REPLACE FUNCTION count_added_comparisons() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM batches AS b WHERE (b.account_id, b.id) IN (SELECT account_id, batch_id FROM added)
        ORDER BY b.account_id, b.id FOR NO KEY UPDATE;
    INSERT INTO comparison_counts AS n
        (account_id, batch_id, group_id, day, status, above_threshold, console_change, device, ai_category, count)
    SELECT account_id, batch_id, group_id, utc_day(created_at), status, above_threshold, console_change, device, ai_category, count(*)
    FROM added GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ON CONFLICT (account_id, batch_id, group_id, day, status, above_threshold, console_change, device, ai_category)
        DO UPDATE SET count = n.count + excluded.count;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION count_changed_comparisons() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM batches AS b WHERE (b.account_id, b.id) IN (
        SELECT c.account_id, c.batch_id FROM removed AS o JOIN added AS a ON a.account_id = o.account_id AND a.id = o.id
            CROSS JOIN LATERAL (VALUES (o.account_id, o.batch_id), (a.account_id, a.batch_id)) AS c (account_id, batch_id)
        WHERE (o.batch_id, o.group_id, o.created_at, o.status, o.above_threshold, o.console_change, o.device, o.ai_category)
            <> (a.batch_id, a.group_id, a.created_at, a.status, a.above_threshold, a.console_change, a.device, a.ai_category))
        ORDER BY b.account_id, b.id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    UPDATE comparison_counts AS n SET count = n.count - m.count
    FROM (
        SELECT account_id, batch_id, group_id, utc_day(created_at) AS day, status, above_threshold, console_change, device, ai_category, count(*)
        FROM removed GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ) AS m
    WHERE (n.account_id, n.batch_id, n.group_id, n.day, n.status, n.above_threshold, n.console_change, n.device, n.ai_category)
        = (m.account_id, m.batch_id, m.group_id, m.day, m.status, m.above_threshold, m.console_change, m.device, m.ai_category);
    INSERT INTO comparison_counts AS n
        (account_id, batch_id, group_id, day, status, above_threshold, console_change, device, ai_category, count)
    SELECT account_id, batch_id, group_id, utc_day(created_at), status, above_threshold, console_change, device, ai_category, count(*)
    FROM added GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ON CONFLICT (account_id, batch_id, group_id, day, status, above_threshold, console_change, device, ai_category)
        DO UPDATE SET count = n.count + excluded.count;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION count_removed_comparisons() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM batches AS b WHERE (b.account_id, b.id) IN (SELECT account_id, batch_id FROM removed)
        ORDER BY b.account_id, b.id FOR NO KEY UPDATE;
    UPDATE comparison_counts AS n SET count = n.count - m.count
    FROM (
        SELECT account_id, batch_id, group_id, utc_day(created_at) AS day, status, above_threshold, console_change, device, ai_category, count(*)
        FROM removed GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ) AS m
    WHERE (n.account_id, n.batch_id, n.group_id, n.day, n.status, n.above_threshold, n.console_change, n.device, n.ai_category)
        = (m.account_id, m.batch_id, m.group_id, m.day, m.status, m.above_threshold, m.console_change, m.device, m.ai_category);
    RETURN NULL;
END
$$;
