-- The window as it was when a step of a flow failed.

ALTER TABLE flow_runs ADD COLUMN image_id uuid; -- null for none
ALTER TABLE flow_runs ADD FOREIGN KEY (account_id, image_id) REFERENCES images (account_id, id);
CREATE INDEX flow_runs_image ON flow_runs (account_id, image_id) WHERE image_id IS NOT NULL;

-- Runs go with their flow and with their batch. No other row has their picture.
CREATE FUNCTION remove_picture_of_flow_run() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM images WHERE account_id = OLD.account_id AND id = OLD.image_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER picture_removed AFTER DELETE ON flow_runs
    FOR EACH ROW WHEN (OLD.image_id IS NOT NULL) EXECUTE FUNCTION remove_picture_of_flow_run();
CREATE TRIGGER picture_replaced AFTER UPDATE OF image_id ON flow_runs
    FOR EACH ROW WHEN (OLD.image_id IS NOT NULL AND OLD.image_id IS DISTINCT FROM NEW.image_id)
    EXECUTE FUNCTION remove_picture_of_flow_run();

-- As before, and for the pictures of flows.
CREATE OR REPLACE FUNCTION image_by_token(wanted text) RETURNS SETOF images
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    RETURN QUERY SELECT i.* FROM images AS i CROSS JOIN LATERAL (
        SELECT FROM screenshots AS s WHERE s.account_id = i.account_id AND s.image_id = i.id
            AND is_shown(s.account_id, s.group_id, s.url_id)
        UNION ALL
        SELECT FROM comparisons AS c WHERE c.account_id = i.account_id AND c.image_id = i.id
            AND is_shown(c.account_id, c.group_id, c.url_id)
        UNION ALL
        SELECT FROM flow_runs AS r WHERE r.account_id = i.account_id AND r.image_id = i.id
            AND EXISTS (SELECT FROM accounts AS a WHERE a.id = r.account_id AND a.status <> 'cancelled' AND a.deleted_at IS NULL)
            AND EXISTS (SELECT FROM groups AS g WHERE g.account_id = r.account_id AND g.id = r.group_id AND g.deleted_at IS NULL)
            AND EXISTS (SELECT FROM batches AS b WHERE b.account_id = r.account_id AND b.id = r.batch_id AND b.deleted_at IS NULL)
        LIMIT 1) AS place
        WHERE i.token = wanted;
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;
