-- The links of pictures and public pages die with what they show: with a group or a URL that is deleted, with an account that is
-- cancelled or deleted. What a public page shows has links of its own, which go with the page's.

CREATE FUNCTION is_shown(account uuid, of_group uuid, of_url uuid) RETURNS boolean
LANGUAGE sql STABLE
AS $$
    SELECT EXISTS (SELECT FROM accounts AS a WHERE a.id = account AND a.status <> 'cancelled' AND a.deleted_at IS NULL)
        AND EXISTS (SELECT FROM groups AS g WHERE g.account_id = account AND g.id = of_group AND g.deleted_at IS NULL)
        AND EXISTS (SELECT FROM urls AS u WHERE u.account_id = account AND u.id = of_url AND u.deleted_at IS NULL)
$$;

CREATE OR REPLACE FUNCTION image_by_token(wanted text) RETURNS SETOF images
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    RETURN QUERY SELECT i.* FROM images AS i WHERE i.token = wanted AND (
        EXISTS (SELECT FROM screenshots AS s WHERE s.account_id = i.account_id AND s.image_id = i.id
            AND is_shown(s.account_id, s.group_id, s.url_id))
        OR EXISTS (SELECT FROM comparisons AS c WHERE c.account_id = i.account_id AND c.image_id = i.id
            AND is_shown(c.account_id, c.group_id, c.url_id)));
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;

CREATE OR REPLACE FUNCTION account_by_comparison(wanted text) RETURNS SETOF uuid
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    RETURN QUERY SELECT c.account_id FROM comparisons AS c WHERE c.token = wanted AND is_shown(c.account_id, c.group_id, c.url_id);
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;

-- The picture that the public page of a comparison shows: 'before', 'after' or the 'mask'.
CREATE FUNCTION image_by_comparison(wanted text, part text) RETURNS SETOF images
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    RETURN QUERY SELECT i.* FROM comparisons AS c
        LEFT JOIN screenshots AS s ON s.account_id = c.account_id AND s.id = CASE part WHEN 'before' THEN c.before_id WHEN 'after' THEN c.after_id END
        JOIN images AS i ON i.account_id = c.account_id AND i.id = CASE part WHEN 'mask' THEN c.image_id ELSE s.image_id END
        WHERE c.token = wanted AND is_shown(c.account_id, c.group_id, c.url_id);
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;
