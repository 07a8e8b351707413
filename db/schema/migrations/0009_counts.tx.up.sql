-- Counts of what batches hold. The figures of lists are read from them, rather than by walking the rows: an account may have
-- millions. Triggers of the statements that change the rows keep them, so that nobody who writes the rows can forget. A
-- trigger locks the batches first, in the order of their ids: whoever writes an entry or a comparison holds that row's lock
-- before its batch's, and the batch's before its counts'.

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

SELECT guard_tenant('queue_counts');

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

CREATE TRIGGER counts_added AFTER INSERT ON queue_entries
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_entries();
CREATE TRIGGER counts_changed AFTER UPDATE ON queue_entries
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_entries();
CREATE TRIGGER counts_removed AFTER DELETE ON queue_entries
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_entries();

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

SELECT guard_tenant('comparison_counts');

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

CREATE TRIGGER counts_added AFTER INSERT ON comparisons
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_comparisons();
CREATE TRIGGER counts_changed AFTER UPDATE ON comparisons
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_comparisons();
CREATE TRIGGER counts_removed AFTER DELETE ON comparisons
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_comparisons();

-- What is counted of a screenshot never changes.
CREATE TABLE screenshot_counts (
    account_id uuid NOT NULL REFERENCES accounts (id),
    batch_id uuid NOT NULL,
    group_id uuid NOT NULL,
    type text NOT NULL,
    device text NOT NULL,
    day date NOT NULL, -- on which the screenshots were taken
    count integer NOT NULL CHECK (count >= 0),
    PRIMARY KEY (account_id, batch_id, group_id, type, device, day),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id),
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id)
) WITH (fillfactor = 70);

SELECT guard_tenant('screenshot_counts');

CREATE FUNCTION count_added_screenshots() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM batches AS b WHERE (b.account_id, b.id) IN (SELECT account_id, batch_id FROM added)
        ORDER BY b.account_id, b.id FOR NO KEY UPDATE;
    INSERT INTO screenshot_counts AS n
    SELECT account_id, batch_id, group_id, type, device, utc_day(created_at), count(*) FROM added GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account_id, batch_id, group_id, type, device, day) DO UPDATE SET count = n.count + excluded.count;
    RETURN NULL;
END
$$;

CREATE FUNCTION count_removed_screenshots() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM batches AS b WHERE (b.account_id, b.id) IN (SELECT account_id, batch_id FROM removed)
        ORDER BY b.account_id, b.id FOR NO KEY UPDATE;
    UPDATE screenshot_counts AS n SET count = n.count - m.count
    FROM (
        SELECT account_id, batch_id, group_id, type, device, utc_day(created_at) AS day, count(*)
        FROM removed GROUP BY 1, 2, 3, 4, 5, 6
    ) AS m
    WHERE (n.account_id, n.batch_id, n.group_id, n.type, n.device, n.day)
        = (m.account_id, m.batch_id, m.group_id, m.type, m.device, m.day);
    RETURN NULL;
END
$$;

CREATE TRIGGER counts_added AFTER INSERT ON screenshots
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_screenshots();
CREATE TRIGGER counts_removed AFTER DELETE ON screenshots
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_screenshots();
