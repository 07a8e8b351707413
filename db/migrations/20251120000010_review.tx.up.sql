-- Reviewing at scale: how the browser console changed, the results of updates, and counts of what a batch holds.
--
-- The figures of lists are read from counts that are kept with every change, rather than by walking the rows: an account
-- may have millions. The counts are kept by triggers of the statements that change the rows, so that nobody who writes
-- them can forget. A trigger locks the batches first, in the order of their ids: whoever writes an entry or a comparison
-- holds that row's lock before its batch's, and the batch's before its counts'.

SELECT set_config('afterimage.system', 'on', true); -- the rows that are there already belong to many accounts

ALTER TABLE batches ADD update_results jsonb CHECK (jsonb_typeof(update_results) = 'object');

ALTER TABLE comparisons
    ADD console_change text NOT NULL DEFAULT 'unchanged' CHECK (console_change IN ('added', 'removed', 'mixed', 'unchanged')),
    ADD console_added jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(console_added) = 'array'),
    ADD console_removed jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(console_removed) = 'array');

WITH differences AS (
    SELECT c.account_id, c.id,
        (SELECT coalesce(jsonb_agg(n.entry), '[]') FROM (SELECT DISTINCT entry FROM jsonb_array_elements(a.console) AS entry) AS n
            WHERE NOT b.console @> jsonb_build_array(n.entry)) AS added,
        (SELECT coalesce(jsonb_agg(n.entry), '[]') FROM (SELECT DISTINCT entry FROM jsonb_array_elements(b.console) AS entry) AS n
            WHERE NOT a.console @> jsonb_build_array(n.entry)) AS removed
    FROM comparisons AS c
    JOIN screenshots AS b ON b.account_id = c.account_id AND b.id = c.before_id
    JOIN screenshots AS a ON a.account_id = c.account_id AND a.id = c.after_id
)
UPDATE comparisons AS c SET console_added = d.added, console_removed = d.removed,
    console_change = CASE
        WHEN d.added <> '[]' AND d.removed <> '[]' THEN 'mixed' WHEN d.added <> '[]' THEN 'added' ELSE 'removed' END
FROM differences AS d
WHERE d.account_id = c.account_id AND d.id = c.id AND (d.added <> '[]' OR d.removed <> '[]');

-- Days are those of UTC, like the days of the filters.
CREATE FUNCTION utc_day(at timestamptz) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (at AT TIME ZONE 'UTC')::date;

CREATE TABLE queue_counts (
    account_id uuid NOT NULL REFERENCES accounts (id),
    batch_id uuid NOT NULL,
    group_id uuid NOT NULL,
    type text NOT NULL,
    day date NOT NULL, -- on which the entries were made
    open integer NOT NULL CHECK (open >= 0),
    processing integer NOT NULL CHECK (processing >= 0),
    done integer NOT NULL CHECK (done >= 0),
    failed integer NOT NULL CHECK (failed >= 0),
    PRIMARY KEY (account_id, batch_id, group_id, type, day),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id),
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id)
) WITH (fillfactor = 70);

CREATE TABLE comparison_counts (
    account_id uuid NOT NULL REFERENCES accounts (id),
    batch_id uuid NOT NULL,
    group_id uuid NOT NULL,
    day date NOT NULL, -- on which the comparisons were made
    status text NOT NULL,
    above_threshold boolean NOT NULL,
    console_change text NOT NULL,
    count integer NOT NULL CHECK (count >= 0),
    PRIMARY KEY (account_id, batch_id, group_id, day, status, above_threshold, console_change),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id),
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id)
) WITH (fillfactor = 70);

ALTER TABLE queue_counts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE comparison_counts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON queue_counts USING (account_id = (SELECT afterimage_account()) OR (SELECT afterimage_system()));
CREATE POLICY tenant ON comparison_counts USING (account_id = (SELECT afterimage_account()) OR (SELECT afterimage_system()));

INSERT INTO queue_counts
SELECT account_id, batch_id, group_id, type, utc_day(created_at),
    count(*) FILTER (WHERE status = 'open'), count(*) FILTER (WHERE status = 'processing'),
    count(*) FILTER (WHERE status = 'done'), count(*) FILTER (WHERE status = 'failed')
FROM queue_entries GROUP BY 1, 2, 3, 4, 5;

INSERT INTO comparison_counts
SELECT account_id, batch_id, group_id, utc_day(created_at), status, above_threshold, console_change, count(*)
FROM comparisons GROUP BY 1, 2, 3, 4, 5, 6, 7;

-- Most changes of an entry leave alone what is counted of it: then its batch is not locked either.
CREATE FUNCTION count_added_entries() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM batches AS b WHERE (b.account_id, b.id) IN (SELECT account_id, batch_id FROM added)
        ORDER BY b.account_id, b.id FOR NO KEY UPDATE;
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

CREATE FUNCTION count_changed_entries() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM batches AS b WHERE (b.account_id, b.id) IN (
        SELECT c.account_id, c.batch_id FROM removed AS o JOIN added AS a ON a.account_id = o.account_id AND a.id = o.id
            CROSS JOIN LATERAL (VALUES (o.account_id, o.batch_id), (a.account_id, a.batch_id)) AS c (account_id, batch_id)
        WHERE (o.batch_id, o.group_id, o.type, o.status, o.created_at) <> (a.batch_id, a.group_id, a.type, a.status, a.created_at))
        ORDER BY b.account_id, b.id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    UPDATE queue_counts AS n SET open = n.open - m.open, processing = n.processing - m.processing,
        done = n.done - m.done, failed = n.failed - m.failed
    FROM (
        SELECT account_id, batch_id, group_id, type, utc_day(created_at) AS day,
            count(*) FILTER (WHERE status = 'open') AS open, count(*) FILTER (WHERE status = 'processing') AS processing,
            count(*) FILTER (WHERE status = 'done') AS done, count(*) FILTER (WHERE status = 'failed') AS failed
        FROM removed GROUP BY 1, 2, 3, 4, 5
    ) AS m
    WHERE (n.account_id, n.batch_id, n.group_id, n.type, n.day) = (m.account_id, m.batch_id, m.group_id, m.type, m.day);
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

CREATE FUNCTION count_removed_entries() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM batches AS b WHERE (b.account_id, b.id) IN (SELECT account_id, batch_id FROM removed)
        ORDER BY b.account_id, b.id FOR NO KEY UPDATE;
    UPDATE queue_counts AS n SET open = n.open - m.open, processing = n.processing - m.processing,
        done = n.done - m.done, failed = n.failed - m.failed
    FROM (
        SELECT account_id, batch_id, group_id, type, utc_day(created_at) AS day,
            count(*) FILTER (WHERE status = 'open') AS open, count(*) FILTER (WHERE status = 'processing') AS processing,
            count(*) FILTER (WHERE status = 'done') AS done, count(*) FILTER (WHERE status = 'failed') AS failed
        FROM removed GROUP BY 1, 2, 3, 4, 5
    ) AS m
    WHERE (n.account_id, n.batch_id, n.group_id, n.type, n.day) = (m.account_id, m.batch_id, m.group_id, m.type, m.day);
    RETURN NULL;
END
$$;

CREATE FUNCTION count_added_comparisons() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM batches AS b WHERE (b.account_id, b.id) IN (SELECT account_id, batch_id FROM added)
        ORDER BY b.account_id, b.id FOR NO KEY UPDATE;
    INSERT INTO comparison_counts AS n
    SELECT account_id, batch_id, group_id, utc_day(created_at), status, above_threshold, console_change, count(*)
    FROM added GROUP BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (account_id, batch_id, group_id, day, status, above_threshold, console_change)
        DO UPDATE SET count = n.count + excluded.count;
    RETURN NULL;
END
$$;

CREATE FUNCTION count_changed_comparisons() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM batches AS b WHERE (b.account_id, b.id) IN (
        SELECT c.account_id, c.batch_id FROM removed AS o JOIN added AS a ON a.account_id = o.account_id AND a.id = o.id
            CROSS JOIN LATERAL (VALUES (o.account_id, o.batch_id), (a.account_id, a.batch_id)) AS c (account_id, batch_id)
        WHERE (o.batch_id, o.group_id, o.created_at, o.status, o.above_threshold, o.console_change)
            <> (a.batch_id, a.group_id, a.created_at, a.status, a.above_threshold, a.console_change))
        ORDER BY b.account_id, b.id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    UPDATE comparison_counts AS n SET count = n.count - m.count
    FROM (
        SELECT account_id, batch_id, group_id, utc_day(created_at) AS day, status, above_threshold, console_change, count(*)
        FROM removed GROUP BY 1, 2, 3, 4, 5, 6, 7
    ) AS m
    WHERE (n.account_id, n.batch_id, n.group_id, n.day, n.status, n.above_threshold, n.console_change)
        = (m.account_id, m.batch_id, m.group_id, m.day, m.status, m.above_threshold, m.console_change);
    INSERT INTO comparison_counts AS n
    SELECT account_id, batch_id, group_id, utc_day(created_at), status, above_threshold, console_change, count(*)
    FROM added GROUP BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (account_id, batch_id, group_id, day, status, above_threshold, console_change)
        DO UPDATE SET count = n.count + excluded.count;
    RETURN NULL;
END
$$;

CREATE FUNCTION count_removed_comparisons() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM batches AS b WHERE (b.account_id, b.id) IN (SELECT account_id, batch_id FROM removed)
        ORDER BY b.account_id, b.id FOR NO KEY UPDATE;
    UPDATE comparison_counts AS n SET count = n.count - m.count
    FROM (
        SELECT account_id, batch_id, group_id, utc_day(created_at) AS day, status, above_threshold, console_change, count(*)
        FROM removed GROUP BY 1, 2, 3, 4, 5, 6, 7
    ) AS m
    WHERE (n.account_id, n.batch_id, n.group_id, n.day, n.status, n.above_threshold, n.console_change)
        = (m.account_id, m.batch_id, m.group_id, m.day, m.status, m.above_threshold, m.console_change);
    RETURN NULL;
END
$$;

CREATE TRIGGER counts_added AFTER INSERT ON queue_entries
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_entries();
CREATE TRIGGER counts_changed AFTER UPDATE ON queue_entries
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_entries();
CREATE TRIGGER counts_removed AFTER DELETE ON queue_entries
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_entries();

CREATE TRIGGER counts_added AFTER INSERT ON comparisons
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_comparisons();
CREATE TRIGGER counts_changed AFTER UPDATE ON comparisons
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_comparisons();
CREATE TRIGGER counts_removed AFTER DELETE ON comparisons
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_comparisons();
