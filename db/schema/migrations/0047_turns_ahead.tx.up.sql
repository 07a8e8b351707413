-- hand_out gives as many turns to workers as there are free places, and up to so many ahead of the next free ones, each to whom it
-- is due after those before. A turn with a delay is given to a free place only: there its capture starts at once, so that the
-- delay is kept between captures and not only between turns. The function of the same name with six parameters is that of
-- earlier releases, which hand out nothing ahead.
CREATE FUNCTION hand_out(
    wanted text, queues text[], free integer, ahead integer, payer_limit integer, host_limit integer, now_at timestamptz)
RETURNS SETOF turns
LANGUAGE plpgsql
AS $$
DECLARE
    chosen turns;
BEGIN
    PERFORM charge_turns(wanted, now_at);
    FOR i IN 1..free + ahead LOOP
        chosen := next_turn(wanted, queues, payer_limit, host_limit, now_at);
        EXIT WHEN chosen.subject_id IS NULL OR i > free AND chosen.delayed;
        UPDATE turns AS t SET handed_at = now_at WHERE t.account_id = chosen.account_id AND t.subject_id = chosen.subject_id;
        -- The shortest turn counts as a second.
        INSERT INTO shares AS s (kind, holder_id, used, at)
            VALUES (wanted, chosen.payer_id, 1, now_at), (wanted, chosen.batch_id, 1, now_at)
            ON CONFLICT (kind, holder_id) DO UPDATE SET used = fade(s.used, s.at, now_at) + 1, at = greatest(s.at, now_at);
        IF chosen.delayed THEN
            INSERT INTO lanes (account_id, next_at) VALUES (chosen.account_id, now_at + make_interval(secs => chosen.delay))
                ON CONFLICT (account_id) DO UPDATE SET next_at = excluded.next_at;
        END IF;
        IF chosen.host <> '' THEN
            UPDATE hosts AS h SET probe_at = now_at + interval '10 seconds' WHERE h.host = chosen.host AND h.rest_until > now_at;
        END IF;
        RETURN NEXT chosen;
    END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION hand_out(
    wanted text, queues text[], most integer, payer_limit integer, host_limit integer, now_at timestamptz)
RETURNS SETOF turns
LANGUAGE sql
AS $$ SELECT * FROM hand_out(wanted, queues, most, 0, payer_limit, host_limit, now_at) $$;

-- One plan for each statement of a connection: planning these takes several times as long as executing them.
ALTER FUNCTION next_turn(text, text[], integer, integer, timestamptz) SET plan_cache_mode = force_generic_plan;
