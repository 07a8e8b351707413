-- image_by_token runs with the rights of the owner of the tables again, see 0046_definers: replacing it took them away, so that pictures
-- were not found by the role of every day.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION image_by_token(text) SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
    REVOKE EXECUTE ON FUNCTION image_by_token(text) FROM PUBLIC;
END
$$;
