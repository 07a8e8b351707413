-- The functions that look beyond an account, each for one secret or for the account that its caller is bound to, run with the rights of
-- the owner of the tables: other roles have none beyond their account. They set afterimage.system, which counts for the owner only once roles
-- have been granted their rights. As they act for others, nobody else may call them, nor put tables of their own in the place of ours.
DO $$
DECLARE
    f regprocedure;
BEGIN
    FOR f IN
        SELECT p.oid FROM pg_proc AS p WHERE p.pronamespace = current_schema()::regnamespace AND p.proname IN (
            'account_by_comparison', 'account_by_session', 'account_by_token', 'batch_by_link', 'checks_left_above', 'image_by_batch_link',
            'image_by_comparison', 'image_by_token', 'limit_tokens_of', 'settle_checks_above')
    LOOP
        EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp', f, current_schema());
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f);
    END LOOP;
END
$$;
