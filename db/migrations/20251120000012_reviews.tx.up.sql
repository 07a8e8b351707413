-- Whose comparison does a public link show? Asked before an account is known, like account_by_token.
CREATE FUNCTION account_by_comparison(wanted text) RETURNS SETOF uuid
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    RETURN QUERY SELECT account_id FROM comparisons WHERE token = wanted;
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;
