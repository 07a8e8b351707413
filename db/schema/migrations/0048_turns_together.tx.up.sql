-- Turns are handed out many at a time (decision 81): three functions read what may be chosen, the program chooses, and one statement
-- hands out. Each is asked for as much as the free places can take, and finds it by jumps over the index. Earlier releases go on
-- with hand_out, under the same lock.

CREATE INDEX turns_suspected ON turns (suspicion) WHERE handed_at IS NOT NULL AND suspicion >= 8;

-- waiting_payers lists whose turns wait in some queues, what they have used lately, and how many of their turns are in work there.
CREATE FUNCTION waiting_payers(wanted text, queues text[], now_at timestamptz)
RETURNS TABLE (queue text, payer_id uuid, used double precision, busy bigint, share integer)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH busy AS (
        SELECT t.payer_id, count(*) AS n FROM turns AS t
        WHERE t.kind = wanted AND t.queue = ANY (queues) AND t.handed_at IS NOT NULL GROUP BY 1
    )
    SELECT q.name, w.payer_id, fade(s.used, s.at, now_at), coalesce(b.n, 0), a.share
    FROM unnest(queues) AS q (name) CROSS JOIN LATERAL (
        WITH RECURSIVE waiting AS (
            (SELECT t.payer_id FROM turns AS t
                WHERE t.handed_at IS NULL AND t.kind = wanted AND t.queue = q.name ORDER BY t.payer_id LIMIT 1)
            UNION ALL
            SELECT next.payer_id FROM waiting AS w CROSS JOIN LATERAL (
                SELECT t.payer_id FROM turns AS t
                WHERE t.handed_at IS NULL AND t.kind = wanted AND t.queue = q.name AND t.payer_id > w.payer_id
                ORDER BY t.payer_id LIMIT 1) AS next
        )
        SELECT payer_id FROM waiting) AS w
    JOIN accounts AS a ON a.id = w.payer_id
    LEFT JOIN busy AS b ON b.payer_id = w.payer_id
    LEFT JOIN shares AS s ON s.kind = wanted AND s.holder_id = w.payer_id;
END
$$;

-- waiting_batches lists the 64 oldest and the 64 newest batches of each of some payers, and what they have used lately.
CREATE FUNCTION waiting_batches(wanted text, queues text[], payers uuid[], now_at timestamptz)
RETURNS TABLE (queue text, payer_id uuid, batch_id uuid, used double precision)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT p.queue, p.payer_id, b.batch_id, fade(s.used, s.at, now_at)
    FROM unnest(queues, payers) AS p (queue, payer_id) CROSS JOIN LATERAL (
        WITH RECURSIVE oldest AS (
            (SELECT 1 AS place, t.batch_id FROM turns AS t
                WHERE t.handed_at IS NULL AND t.kind = wanted AND t.queue = p.queue AND t.payer_id = p.payer_id
                ORDER BY t.batch_id LIMIT 1)
            UNION ALL
            SELECT o.place + 1, next.batch_id FROM oldest AS o CROSS JOIN LATERAL (
                SELECT t.batch_id FROM turns AS t
                WHERE t.handed_at IS NULL AND t.kind = wanted AND t.queue = p.queue AND t.payer_id = p.payer_id
                    AND t.batch_id > o.batch_id
                ORDER BY t.batch_id LIMIT 1) AS next WHERE o.place < 64
        ), newest AS (
            (SELECT 1 AS place, t.batch_id FROM turns AS t
                WHERE t.handed_at IS NULL AND t.kind = wanted AND t.queue = p.queue AND t.payer_id = p.payer_id
                ORDER BY t.batch_id DESC LIMIT 1)
            UNION ALL
            SELECT n.place + 1, next.batch_id FROM newest AS n CROSS JOIN LATERAL (
                SELECT t.batch_id FROM turns AS t
                WHERE t.handed_at IS NULL AND t.kind = wanted AND t.queue = p.queue AND t.payer_id = p.payer_id
                    AND t.batch_id < n.batch_id
                ORDER BY t.batch_id DESC LIMIT 1) AS next WHERE n.place < 64
        )
        SELECT batch_id FROM oldest UNION SELECT batch_id FROM newest) AS b
    LEFT JOIN shares AS s ON s.kind = wanted AND s.holder_id = b.batch_id;
END
$$;

-- waiting_turns lists turns that may begin now of each of some batches: the first turns of as many hosts that nobody visits as turns are
-- wanted of the batch, with a row without a subject that says that there may be more such hosts; where there are fewer, also what follows
-- there and what may begin of visited hosts. Of turns with a delay, one of a batch is wanted.
CREATE FUNCTION waiting_turns(
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
    rest hosts;
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
                    -- The key of hosts has another collation than the column of turns.
                    SELECT * INTO rest FROM hosts AS h WHERE h.host = line.host COLLATE "default" AND h.rest_until > now_at;
                    IF FOUND THEN
                        resting := true;
                        room := CASE WHEN visitors = 0 AND NOT rest.asked AND rest.probe_at <= now_at THEN 1 ELSE 0 END;
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

-- hand_over hands out the chosen turns that still wait, and counts each as a second, the shortest.
CREATE FUNCTION hand_over(wanted text, accounts uuid[], subjects uuid[], now_at timestamptz) RETURNS TABLE (subject_id uuid)
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
        UPDATE hosts AS h SET probe_at = now_at + interval '10 seconds'
        FROM (SELECT DISTINCT t.host COLLATE "default" AS host FROM handed AS t WHERE t.host <> '') AS t
        WHERE h.host = t.host AND h.rest_until > now_at
    )
    SELECT subject_id FROM handed;
END
$$;

-- end_turns removes turns that neither wait nor are in work any more. Planning this takes longer than doing it.
CREATE FUNCTION end_turns(account uuid, subjects uuid[]) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
    DELETE FROM turns AS t WHERE t.account_id = account AND t.subject_id = ANY (subjects);
END
$$;

-- The same as before, but planned once for each connection: a function in SQL is planned each time.
CREATE OR REPLACE FUNCTION charge_turns(wanted text, now_at timestamptz) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
    INSERT INTO shares AS s (kind, holder_id, used, at)
    SELECT wanted, h.id, sum(greatest(0, extract(epoch FROM now_at - greatest(t.handed_at, s.at)))), now_at
    FROM turns AS t CROSS JOIN LATERAL (VALUES (t.payer_id), (t.batch_id)) AS h (id)
    LEFT JOIN shares AS s ON s.kind = wanted AND s.holder_id = h.id
    WHERE t.kind = wanted AND t.handed_at IS NOT NULL GROUP BY h.id
    ON CONFLICT (kind, holder_id) DO UPDATE SET used = fade(s.used, s.at, now_at) + excluded.used, at = greatest(s.at, now_at);
END
$$;

CREATE OR REPLACE FUNCTION waiting_queues() RETURNS TABLE (kind text, queue text)
LANGUAGE plpgsql STABLE
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH RECURSIVE waiting AS (
        (SELECT t.kind, t.queue FROM turns AS t WHERE t.handed_at IS NULL ORDER BY t.kind, t.queue LIMIT 1)
        UNION ALL
        SELECT next.kind, next.queue FROM waiting AS w CROSS JOIN LATERAL (
            SELECT t.kind, t.queue FROM turns AS t WHERE t.handed_at IS NULL AND (t.kind, t.queue) > (w.kind, w.queue)
            ORDER BY t.kind, t.queue LIMIT 1) AS next
    )
    SELECT kind, queue FROM waiting;
END
$$;
