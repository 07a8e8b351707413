-- Counts of screenshots, like those of comparisons in migration 10. What is counted of a screenshot never changes.

SELECT set_config('afterimage.system', 'on', true);

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

ALTER TABLE screenshot_counts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON screenshot_counts USING (account_id = (SELECT afterimage_account()) OR (SELECT afterimage_system()));

INSERT INTO screenshot_counts
SELECT account_id, batch_id, group_id, type, device, utc_day(created_at), count(*) FROM screenshots GROUP BY 1, 2, 3, 4, 5, 6;

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
