-- The functions of triggers on whole statements, without joins. A connection keeps the plan that such a function's statement got first,
-- usually for a change of one row: joined by nested loops, a later change of 20,000 rows took minutes. Here what a statement changed is
-- added up in one pass, and each sum is written by the key of its row, so that no plan can be a bad one. Locks are taken in the same order
-- as before: batches by their ids, and a batch before its counts, which nobody writes without its lock.

CREATE OR REPLACE FUNCTION count_added_entries() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    b record;
BEGIN
    FOR b IN SELECT DISTINCT account_id, batch_id FROM added ORDER BY 1, 2 LOOP
        PERFORM FROM batches WHERE account_id = b.account_id AND id = b.batch_id FOR NO KEY UPDATE;
    END LOOP;
    INSERT INTO queue_counts AS n
    SELECT account_id, batch_id, group_id, type, utc_day(created_at),
        count(*) FILTER (WHERE status = 'open'), count(*) FILTER (WHERE status = 'processing'),
        count(*) FILTER (WHERE status = 'done'), count(*) FILTER (WHERE status = 'failed')
    FROM added GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (account_id, batch_id, group_id, type, day) DO UPDATE SET
        open = n.open + excluded.open, processing = n.processing + excluded.processing,
        done = n.done + excluded.done, failed = n.failed + excluded.failed;
    RETURN NULL;
END
$$;

-- What is counted of most changed entries adds up to nothing: then their batch is not locked either.
CREATE OR REPLACE FUNCTION count_changed_entries() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    m record;
BEGIN
    FOR m IN
        SELECT * FROM (
            SELECT account_id, batch_id, group_id, type, utc_day(created_at) AS day,
                sum(n * (status = 'open')::integer) AS open, sum(n * (status = 'processing')::integer) AS processing,
                sum(n * (status = 'done')::integer) AS done, sum(n * (status = 'failed')::integer) AS failed
            FROM (
                SELECT account_id, batch_id, group_id, type, created_at, status, 1 AS n FROM added
                UNION ALL SELECT account_id, batch_id, group_id, type, created_at, status, -1 FROM removed
            ) AS c GROUP BY 1, 2, 3, 4, 5
        ) AS s
        WHERE (open, processing, done, failed) <> (0, 0, 0, 0) ORDER BY account_id, batch_id, group_id, type, day
    LOOP
        PERFORM FROM batches WHERE account_id = m.account_id AND id = m.batch_id FOR NO KEY UPDATE;
        UPDATE queue_counts AS n SET open = n.open + m.open, processing = n.processing + m.processing,
            done = n.done + m.done, failed = n.failed + m.failed
        WHERE (n.account_id, n.batch_id, n.group_id, n.type, n.day) = (m.account_id, m.batch_id, m.group_id, m.type, m.day);
        IF NOT FOUND THEN
            INSERT INTO queue_counts (account_id, batch_id, group_id, type, day, open, processing, done, failed)
            VALUES (m.account_id, m.batch_id, m.group_id, m.type, m.day, m.open, m.processing, m.done, m.failed);
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION count_removed_entries() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    m record;
BEGIN
    FOR m IN
        SELECT account_id, batch_id, group_id, type, utc_day(created_at) AS day,
            count(*) FILTER (WHERE status = 'open') AS open, count(*) FILTER (WHERE status = 'processing') AS processing,
            count(*) FILTER (WHERE status = 'done') AS done, count(*) FILTER (WHERE status = 'failed') AS failed
        FROM removed GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    LOOP
        PERFORM FROM batches WHERE account_id = m.account_id AND id = m.batch_id FOR NO KEY UPDATE;
        UPDATE queue_counts AS n SET open = n.open - m.open, processing = n.processing - m.processing,
            done = n.done - m.done, failed = n.failed - m.failed
        WHERE (n.account_id, n.batch_id, n.group_id, n.type, n.day) = (m.account_id, m.batch_id, m.group_id, m.type, m.day);
    END LOOP;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION count_added_comparisons() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    b record;
BEGIN
    FOR b IN SELECT DISTINCT account_id, batch_id FROM added ORDER BY 1, 2 LOOP
        PERFORM FROM batches WHERE account_id = b.account_id AND id = b.batch_id FOR NO KEY UPDATE;
    END LOOP;
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
DECLARE
    m record;
BEGIN
    FOR m IN
        SELECT * FROM (
            SELECT account_id, batch_id, group_id, utc_day(created_at) AS day, status, above_threshold, console_change, device, ai_category,
                sum(n) AS count, sum(n * (difference_percent > 0)::integer) AS differing
            FROM (
                SELECT account_id, batch_id, group_id, created_at, status, above_threshold, console_change, device, ai_category,
                    difference_percent, 1 AS n FROM added
                UNION ALL
                SELECT account_id, batch_id, group_id, created_at, status, above_threshold, console_change, device, ai_category,
                    difference_percent, -1 FROM removed
            ) AS c GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
        ) AS s
        WHERE (count, differing) <> (0, 0)
        ORDER BY account_id, batch_id, group_id, day, status, above_threshold, console_change, device, ai_category
    LOOP
        PERFORM FROM batches WHERE account_id = m.account_id AND id = m.batch_id FOR NO KEY UPDATE;
        UPDATE comparison_counts AS n SET count = n.count + m.count, differing = n.differing + m.differing
        WHERE (n.account_id, n.batch_id, n.group_id, n.day, n.status, n.above_threshold, n.console_change, n.device, n.ai_category)
            = (m.account_id, m.batch_id, m.group_id, m.day, m.status, m.above_threshold, m.console_change, m.device, m.ai_category);
        IF NOT FOUND THEN
            INSERT INTO comparison_counts
                (account_id, batch_id, group_id, day, status, above_threshold, console_change, device, ai_category, count, differing)
            VALUES (m.account_id, m.batch_id, m.group_id, m.day, m.status,
                m.above_threshold, m.console_change, m.device, m.ai_category, m.count, m.differing);
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION count_removed_comparisons() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    m record;
BEGIN
    FOR m IN
        SELECT account_id, batch_id, group_id, utc_day(created_at) AS day, status, above_threshold, console_change, device, ai_category,
            count(*) AS count, count(*) FILTER (WHERE difference_percent > 0) AS differing
        FROM removed GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    LOOP
        PERFORM FROM batches WHERE account_id = m.account_id AND id = m.batch_id FOR NO KEY UPDATE;
        UPDATE comparison_counts AS n SET count = n.count - m.count, differing = n.differing - m.differing
        WHERE (n.account_id, n.batch_id, n.group_id, n.day, n.status, n.above_threshold, n.console_change, n.device, n.ai_category)
            = (m.account_id, m.batch_id, m.group_id, m.day, m.status, m.above_threshold, m.console_change, m.device, m.ai_category);
    END LOOP;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION count_added_screenshots() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    b record;
BEGIN
    FOR b IN SELECT DISTINCT account_id, batch_id FROM added ORDER BY 1, 2 LOOP
        PERFORM FROM batches WHERE account_id = b.account_id AND id = b.batch_id FOR NO KEY UPDATE;
    END LOOP;
    INSERT INTO screenshot_counts AS n
    SELECT account_id, batch_id, group_id, type, device, utc_day(created_at), count(*) FROM added GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account_id, batch_id, group_id, type, device, day) DO UPDATE SET count = n.count + excluded.count;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION count_removed_screenshots() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    m record;
BEGIN
    FOR m IN
        SELECT account_id, batch_id, group_id, type, device, utc_day(created_at) AS day, count(*) AS count
        FROM removed GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    LOOP
        PERFORM FROM batches WHERE account_id = m.account_id AND id = m.batch_id FOR NO KEY UPDATE;
        UPDATE screenshot_counts AS n SET count = n.count - m.count
        WHERE (n.account_id, n.batch_id, n.group_id, n.type, n.device, n.day)
            = (m.account_id, m.batch_id, m.group_id, m.type, m.device, m.day);
    END LOOP;
    RETURN NULL;
END
$$;

-- Files are locked in the order of their hashes, as before.
CREATE OR REPLACE FUNCTION unsettle_blobs_of_images() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    named text;
BEGIN
    FOR named IN SELECT hash FROM removed UNION SELECT over FROM removed WHERE over IS NOT NULL ORDER BY 1 LOOP
        UPDATE blobs SET unsettled_at = now() WHERE hash = named;
    END LOOP;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION unsettle_blobs_of_screenshots() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    named text;
BEGIN
    FOR named IN SELECT DISTINCT elements_hash FROM removed WHERE elements_hash IS NOT NULL ORDER BY 1 LOOP
        UPDATE blobs SET unsettled_at = now() WHERE hash = named;
    END LOOP;
    RETURN NULL;
END
$$;
