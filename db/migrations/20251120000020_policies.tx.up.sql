-- The policies of row level security in a form that is cheap to plan: a list joins up to ten tables, and each had two
-- sub-selects to be planned. Now each has one, which is read once a query; the setting for the system is looked at only
-- for rows of other accounts. A policy with OR would also make the planner try what indexes could do for each arm.
--
-- Conditions of queries that are not leakproof wait behind a policy, and are never looked up in an index: the joins of
-- lists use CASE where coalesce would say the same, because PostgreSQL takes the latter for leaky.

DO $$
DECLARE
    guarded record;
BEGIN
    FOR guarded IN SELECT polrelid::regclass AS name FROM pg_policy WHERE polname = 'tenant' AND polrelid <> 'accounts'::regclass LOOP
        EXECUTE format($policy$
            ALTER POLICY tenant ON %s USING (
                CASE WHEN account_id = (SELECT nullif(current_setting('afterimage.account', true), '')::uuid) THEN true
                ELSE current_setting('afterimage.system', true) = 'on' END)
            $policy$, guarded.name);
    END LOOP;
END
$$;

-- A full account sees the subaccounts below it. The opposite does not hold.
ALTER POLICY tenant ON accounts USING (
    CASE WHEN (SELECT nullif(current_setting('afterimage.account', true), '')::uuid) IN (id, parent_id) THEN true
    ELSE current_setting('afterimage.system', true) = 'on' END);
