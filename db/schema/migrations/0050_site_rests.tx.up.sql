-- Rests of hosts belong to an account (decision 16): what one account's pages are answered stops nobody else's. A host rests after several
-- different pages refused, until a page is served or nobody has been refused for a minute; meanwhile one capture of the account at a time
-- looks whether it answers again. The tables hosts and host_refusals remain for earlier releases.

CREATE TABLE site_rests (
    account_id uuid NOT NULL REFERENCES accounts (id),
    host text COLLATE "C" NOT NULL, -- with its port if there is one, as page addresses begin
    resting boolean NOT NULL DEFAULT false, -- until then the row only remembers
    since timestamptz NOT NULL, -- the first of the refusals
    refused_at timestamptz NOT NULL, -- the last of them
    status integer NOT NULL, -- of the last of them
    probe_at timestamptz NOT NULL, -- when a capture may look whether the host answers again
    served_at timestamptz, -- when it last served a page
    PRIMARY KEY (account_id, host)
) WITH (fillfactor = 70);

SELECT guard_tenant('site_rests');

-- Pages of a host that lately refused, each once.
CREATE TABLE site_refusals (
    account_id uuid NOT NULL REFERENCES accounts (id),
    host text COLLATE "C" NOT NULL,
    url_id uuid NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (account_id, host, url_id)
);

SELECT guard_tenant('site_refusals');

-- A page that was refused and is asked for again. Its next time is in not_before.
ALTER TABLE queue_entries
    ADD COLUMN reopened_at timestamptz, -- when it last went on after it had failed
    ADD COLUMN refused_since timestamptz, -- its first refusal, or of its site while it waited
    ADD COLUMN refused_status integer NOT NULL DEFAULT 0; -- of its last one

-- waiting_turns is as before, except that a host rests for an account. While it does, one turn of the account may look whether the host
-- answers again, whoever else visits it.
CREATE OR REPLACE FUNCTION waiting_turns(
    wanted text, queues text[], payers uuid[], batches uuid[], most integer[], host_limit integer, now_at timestamptz)
RETURNS TABLE (
    place bigint, delayed boolean, account_id uuid, subject_id uuid, suspicion integer, host text, visits integer, resting boolean)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    b record;
    lane boolean;
    line turns; -- the first turn of a host
    rest site_rests;
    begin_at text; -- the first host that has not been looked at
    wish integer; -- how many turns are wanted
    room integer; -- how many of the host may begin
    visitors integer;
    unvisited integer;
    known text[]; -- hosts of which something may begin
    rooms integer[];
    -- Read at once: the planner cannot know that looking for a single host takes little.
    visited jsonb := (SELECT coalesce(jsonb_object_agg(v.host, v.n), '{}') FROM (
        SELECT t.host, count(*) AS n FROM turns AS t WHERE t.handed_at IS NOT NULL AND t.host <> '' GROUP BY t.host) AS v);
    -- Of turns that two workers died with one is at work at a time: should a third die, it is known of which.
    suspected boolean := EXISTS (SELECT FROM turns AS t WHERE t.handed_at IS NOT NULL AND t.suspicion >= 8);
BEGIN
    FOR b IN SELECT * FROM unnest(queues, payers, batches, most) WITH ORDINALITY AS u (queue, payer_id, batch_id, most, place) LOOP
        FOREACH lane IN ARRAY ARRAY[false, true] LOOP
            wish := CASE WHEN lane THEN 1 ELSE b.most END;
            begin_at := '';
            unvisited := 0;
            known := '{}';
            rooms := '{}';
            LOOP
                SELECT * INTO line FROM turns AS t
                WHERE t.handed_at IS NULL AND t.kind = wanted AND t.queue = b.queue AND t.payer_id = b.payer_id
                    AND t.batch_id = b.batch_id AND t.delayed = lane AND t.host >= begin_at AND (t.suspicion < 8 OR NOT suspected)
                ORDER BY t.host, t.at, t.subject_id LIMIT 1;
                EXIT WHEN NOT FOUND
                    OR lane AND EXISTS (SELECT FROM lanes AS l WHERE l.account_id = line.account_id AND l.next_at > now_at);
                begin_at := line.host || chr(1); -- no host is between the two
                CONTINUE WHEN line.at > now_at;
                room := wish;
                visitors := 0;
                resting := false;
                IF line.host <> '' THEN
                    visitors := coalesce((visited -> line.host)::integer, 0);
                    IF host_limit > 0 THEN
                        room := least(wish, host_limit - visitors);
                    END IF;
                    SELECT * INTO rest FROM site_rests AS r
                    WHERE r.account_id = line.account_id AND r.host = line.host AND r.resting AND r.refused_at > now_at - interval '1 minute';
                    IF FOUND THEN
                        resting := true;
                        room := least(room, CASE WHEN rest.probe_at > now_at OR visitors > 0 AND EXISTS (
                            SELECT FROM turns AS t
                            WHERE t.account_id = line.account_id AND t.host = line.host AND t.kind = wanted AND t.handed_at IS NOT NULL)
                            THEN 0 ELSE 1 END);
                    END IF;
                END IF;
                CONTINUE WHEN room <= 0;
                known := known || line.host;
                rooms := rooms || room;
                RETURN QUERY SELECT b.place, lane, line.account_id, line.subject_id, line.suspicion, line.host, visitors, resting;
                IF visitors = 0 AND line.host <> '' THEN
                    unvisited := unvisited + 1;
                    EXIT WHEN unvisited = wish;
                END IF;
            END LOOP;
            IF unvisited = wish THEN
                RETURN QUERY SELECT b.place, lane, NULL::uuid, NULL::uuid, 0, '', 0, false;
                CONTINUE;
            END IF;
            FOR i IN 1..cardinality(known) LOOP
                CONTINUE WHEN rooms[i] = 1;
                RETURN QUERY
                SELECT b.place, lane, t.account_id, t.subject_id, t.suspicion, t.host, 0, false FROM turns AS t
                WHERE t.handed_at IS NULL AND t.kind = wanted AND t.queue = b.queue AND t.payer_id = b.payer_id
                    AND t.batch_id = b.batch_id AND t.delayed = lane AND t.host = known[i] AND t.at <= now_at
                    AND (t.suspicion < 8 OR NOT suspected)
                ORDER BY t.at, t.subject_id OFFSET 1 LIMIT rooms[i] - 1;
            END LOOP;
        END LOOP;
    END LOOP;
END
$$;

-- hand_over is as before, except that the next look at a resting host is noted for the account that looked.
CREATE OR REPLACE FUNCTION hand_over(wanted text, accounts uuid[], subjects uuid[], now_at timestamptz) RETURNS TABLE (subject_id uuid)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH handed AS (
        UPDATE turns AS t SET handed_at = now_at FROM unnest(accounts, subjects) AS c (account_id, subject_id)
        WHERE t.account_id = c.account_id AND t.subject_id = c.subject_id AND t.handed_at IS NULL AND t.at <= now_at
        RETURNING t.*
    ), shared AS (
        INSERT INTO shares AS s (kind, holder_id, used, at)
        SELECT wanted, of.id, count(*), now_at FROM handed AS t CROSS JOIN LATERAL (VALUES (t.payer_id), (t.batch_id)) AS of (id)
        GROUP BY of.id ORDER BY of.id
        ON CONFLICT (kind, holder_id) DO UPDATE SET used = fade(s.used, s.at, now_at) + excluded.used, at = greatest(s.at, now_at)
    ), paused AS (
        INSERT INTO lanes (account_id, next_at)
        SELECT t.account_id, now_at + make_interval(secs => max(t.delay)) FROM handed AS t WHERE t.delayed
        GROUP BY t.account_id ORDER BY t.account_id
        ON CONFLICT (account_id) DO UPDATE SET next_at = excluded.next_at
    ), probed AS (
        UPDATE site_rests AS r SET probe_at = now_at + interval '10 seconds'
        FROM (SELECT DISTINCT t.account_id, t.host FROM handed AS t WHERE t.host <> '') AS t
        WHERE r.account_id = t.account_id AND r.host = t.host AND r.resting AND r.refused_at > now_at - interval '1 minute'
    )
    SELECT subject_id FROM handed;
END
$$;
