-- What long lists of comparisons read: an index for each rare mark, who reviewed a comparison, how many comparisons differ at all,
-- and the texts of URLs in lower case.

-- The reviewer is copied from the newest review, so that the list of what somebody reviewed has an index in its order.
ALTER TABLE comparisons ADD COLUMN reviewer_id uuid;
UPDATE comparisons AS c SET reviewer_id = v.reviewer_id FROM reviews AS v WHERE v.account_id = c.account_id AND v.id = c.review_id;
CREATE INDEX comparisons_reviewer ON comparisons (account_id, reviewer_id, created_at DESC, id DESC) WHERE reviewer_id IS NOT NULL;

-- An index over all marked comparisons is walked to its end where nothing has the mark that is looked for.
DROP INDEX comparisons_marked;
CREATE INDEX comparisons_console ON comparisons (account_id, console_change, created_at DESC, id DESC) WHERE console_change <> 'unchanged';
CREATE INDEX comparisons_page_alarm ON comparisons (account_id, created_at DESC, id DESC) WHERE page_alarm;
CREATE INDEX comparisons_flapping ON comparisons (account_id, created_at DESC, id DESC) WHERE flapping;
CREATE INDEX comparisons_truncated ON comparisons (account_id, created_at DESC, id DESC) WHERE truncated;
CREATE INDEX comparisons_confirmation ON comparisons (account_id, confirmation, created_at DESC, id DESC) WHERE confirmation IS NOT NULL;

-- lower() of each address and title, computed for every search, took most of its time.
ALTER TABLE urls
    ADD COLUMN lower_address text NOT NULL GENERATED ALWAYS AS (lower(address)) STORED,
    ADD COLUMN lower_title text NOT NULL GENERATED ALWAYS AS (lower(html_title)) STORED;

-- How many of the counted comparisons have a difference: a list by difference has the others, sorted by time, behind them. All
-- counts are made anew.
TRUNCATE comparison_counts;
ALTER TABLE comparison_counts ADD COLUMN differing integer NOT NULL CHECK (differing BETWEEN 0 AND count);
INSERT INTO comparison_counts
    (account_id, batch_id, group_id, day, status, above_threshold, console_change, device, ai_category, count, differing)
SELECT account_id, batch_id, group_id, utc_day(created_at), status, above_threshold, console_change, device, ai_category,
    count(*), count(*) FILTER (WHERE difference_percent > 0)
FROM comparisons GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;

CREATE OR REPLACE FUNCTION count_added_comparisons() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM batches AS b WHERE (b.account_id, b.id) IN (SELECT account_id, batch_id FROM added)
        ORDER BY b.account_id, b.id FOR NO KEY UPDATE;
    INSERT INTO comparison_counts AS n
        (account_id, batch_id, group_id, day, status, above_threshold, console_change, device, ai_category, count, differing)
    SELECT account_id, batch_id, group_id, utc_day(created_at), status, above_threshold, console_change, device, ai_category,
        count(*), count(*) FILTER (WHERE difference_percent > 0)
    FROM added GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ON CONFLICT (account_id, batch_id, group_id, day, status, above_threshold, console_change, device, ai_category)
        DO UPDATE SET count = n.count + excluded.count, differing = n.differing + excluded.differing;
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
        WHERE (o.batch_id, o.group_id, o.created_at, o.status, o.above_threshold, o.console_change, o.device, o.ai_category,
                o.difference_percent > 0)
            <> (a.batch_id, a.group_id, a.created_at, a.status, a.above_threshold, a.console_change, a.device, a.ai_category,
                a.difference_percent > 0))
        ORDER BY b.account_id, b.id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    UPDATE comparison_counts AS n SET count = n.count - m.count, differing = n.differing - m.differing
    FROM (
        SELECT account_id, batch_id, group_id, utc_day(created_at) AS day, status, above_threshold, console_change, device, ai_category,
            count(*), count(*) FILTER (WHERE difference_percent > 0) AS differing
        FROM removed GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ) AS m
    WHERE (n.account_id, n.batch_id, n.group_id, n.day, n.status, n.above_threshold, n.console_change, n.device, n.ai_category)
        = (m.account_id, m.batch_id, m.group_id, m.day, m.status, m.above_threshold, m.console_change, m.device, m.ai_category);
    INSERT INTO comparison_counts AS n
        (account_id, batch_id, group_id, day, status, above_threshold, console_change, device, ai_category, count, differing)
    SELECT account_id, batch_id, group_id, utc_day(created_at), status, above_threshold, console_change, device, ai_category,
        count(*), count(*) FILTER (WHERE difference_percent > 0)
    FROM added GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ON CONFLICT (account_id, batch_id, group_id, day, status, above_threshold, console_change, device, ai_category)
        DO UPDATE SET count = n.count + excluded.count, differing = n.differing + excluded.differing;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION count_removed_comparisons() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM batches AS b WHERE (b.account_id, b.id) IN (SELECT account_id, batch_id FROM removed)
        ORDER BY b.account_id, b.id FOR NO KEY UPDATE;
    UPDATE comparison_counts AS n SET count = n.count - m.count, differing = n.differing - m.differing
    FROM (
        SELECT account_id, batch_id, group_id, utc_day(created_at) AS day, status, above_threshold, console_change, device, ai_category,
            count(*), count(*) FILTER (WHERE difference_percent > 0) AS differing
        FROM removed GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ) AS m
    WHERE (n.account_id, n.batch_id, n.group_id, n.day, n.status, n.above_threshold, n.console_change, n.device, n.ai_category)
        = (m.account_id, m.batch_id, m.group_id, m.day, m.status, m.above_threshold, m.console_change, m.device, m.ai_category);
    RETURN NULL;
END
$$;
