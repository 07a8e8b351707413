-- Turns: the database hands out captures, comparisons and imports, so that accounts get fair shares over all machines. What
-- waits is a row here; only what is about to run is a job of the background queue. See docs/decisions/0030.

-- Processes that work. A process that has not beaten for a while is dead, see package jobs.
CREATE TABLE workers (
    id text COLLATE "C" PRIMARY KEY, -- its name in the background queue
    captures integer NOT NULL CHECK (captures >= 0), -- places, over all its regions
    regions text[] NOT NULL,
    compares integer NOT NULL CHECK (compares >= 0),
    imports integer NOT NULL CHECK (imports >= 0),
    syncs integer NOT NULL CHECK (syncs >= 0),
    beat_at timestamptz NOT NULL -- by the clock of the database
);

CREATE TABLE turns (
    account_id uuid NOT NULL REFERENCES accounts (id),
    subject_id uuid NOT NULL, -- the queue entry or the import
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('capture', 'compare', 'import')),
    queue text COLLATE "C" NOT NULL, -- of captures: the region; of imports: what kind of import
    payer_id uuid NOT NULL, -- the account, or the one above it: subaccounts share what theirs has
    batch_id uuid NOT NULL, -- of imports: the import
    delay integer NOT NULL CHECK (delay >= 0), -- seconds of its account's lane
    delayed boolean NOT NULL GENERATED ALWAYS AS (delay > 0) STORED,
    host text COLLATE "C" NOT NULL, -- that a capture visits; empty for all others
    at timestamptz NOT NULL, -- not before
    handed_at timestamptz, -- to a worker; null while it waits
    suspicion integer NOT NULL DEFAULT 0 CHECK (suspicion >= 0), -- by workers that stopped while they had it, see vcd/deadworker.go
    PRIMARY KEY (account_id, subject_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX turns_waiting ON turns (kind, queue, payer_id, batch_id, delayed, host, at, subject_id) WHERE handed_at IS NULL;
CREATE INDEX turns_in_work ON turns (kind, queue) WHERE handed_at IS NOT NULL;

SELECT guard_tenant('turns');

-- What accounts and batches have had of the workers lately, in seconds of one place; it fades with a half-life of a minute.
CREATE TABLE shares (
    kind text COLLATE "C" NOT NULL,
    holder_id uuid NOT NULL, -- a payer or a batch
    used double precision NOT NULL,
    at timestamptz NOT NULL, -- up to when it is counted
    PRIMARY KEY (kind, holder_id)
) WITH (fillfactor = 70);

-- The moment from which an account's next delayed screenshot may be taken.
CREATE TABLE lanes (
    account_id uuid PRIMARY KEY REFERENCES accounts (id),
    next_at timestamptz NOT NULL
);

SELECT guard_tenant('lanes');

-- Hosts that captures of all accounts visit, each with or without a port, as page addresses begin with them. A row is
-- locked while somebody enters or leaves, so that the captures of all machines count together.
CREATE TABLE hosts (
    host text PRIMARY KEY,
    visited_at timestamptz NOT NULL,
    rest_until timestamptz, -- the host asked to be left alone until then
    asked boolean NOT NULL DEFAULT false, -- the host said itself until when it wants to be left alone
    probe_at timestamptz, -- when a capture may look whether the host answers again; never while it asked
    rests integer NOT NULL DEFAULT 0 CHECK (rests >= 0) -- how many times in a row it asked
);

CREATE INDEX hosts_visited ON hosts (visited_at);

-- Pages of a host that lately told of too many requests, each once.
CREATE TABLE host_refusals (
    host text NOT NULL REFERENCES hosts (host) ON DELETE CASCADE,
    url_id uuid NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (host, url_id)
);

-- fade is what is left of a use after some time.
CREATE FUNCTION fade(used double precision, since timestamptz, until timestamptz) RETURNS double precision
LANGUAGE sql IMMUTABLE
RETURN coalesce(used * power(0.5, least(100, greatest(0, extract(epoch FROM until - since)) / 60)), 0);

-- charge_turns counts what is in work as used by its payers and batches, up to now.
CREATE FUNCTION charge_turns(wanted text, now_at timestamptz) RETURNS void
LANGUAGE sql
BEGIN ATOMIC
    INSERT INTO shares AS s (kind, holder_id, used, at)
    SELECT wanted, h.id, sum(greatest(0, extract(epoch FROM now_at - greatest(t.handed_at, s.at)))), now_at
    FROM turns AS t CROSS JOIN LATERAL (VALUES (t.payer_id), (t.batch_id)) AS h (id)
    LEFT JOIN shares AS s ON s.kind = wanted AND s.holder_id = h.id
    WHERE t.kind = wanted AND t.handed_at IS NOT NULL GROUP BY h.id
    ON CONFLICT (kind, holder_id) DO UPDATE SET used = fade(s.used, s.at, now_at) + excluded.used, at = greatest(s.at, now_at);
END;

-- next_turn_of finds the turn that comes next of a batch, by the places of hosts: first a host that nobody visits, then one
-- with places left. A row of nulls when none may begin now.
CREATE FUNCTION next_turn_of(wanted text, in_queue text, payer uuid, batch uuid, host_limit integer, now_at timestamptz) RETURNS turns
LANGUAGE plpgsql
AS $$
DECLARE
    line turns;
    visits integer;
    rest hosts;
    -- Of turns that two workers died with one is at work at a time: should a third die, it is known of which.
    suspected boolean := EXISTS (SELECT FROM turns AS t WHERE t.handed_at IS NOT NULL AND t.suspicion >= 8);
BEGIN
    FOR visited IN 0..1 LOOP
        FOR lane IN 0..1 LOOP
            SELECT * INTO line FROM turns AS t
                WHERE t.handed_at IS NULL AND t.kind = wanted AND t.queue = in_queue AND t.payer_id = payer AND t.batch_id = batch
                    AND t.delayed = (lane = 1) AND (t.suspicion < 8 OR NOT suspected)
                ORDER BY t.host, t.at, t.subject_id LIMIT 1;
            WHILE FOUND LOOP
                EXIT WHEN line.delayed AND EXISTS (SELECT FROM lanes AS l WHERE l.account_id = line.account_id AND l.next_at > now_at);
                IF line.at <= now_at THEN
                    IF line.host = '' THEN
                        RETURN line;
                    END IF;
                    SELECT count(*) INTO visits FROM turns AS t WHERE t.handed_at IS NOT NULL AND t.host = line.host;
                    IF visited = 0 AND visits = 0 OR visited = 1 AND visits > 0 AND (host_limit = 0 OR visits < host_limit) THEN
                        SELECT * INTO rest FROM hosts AS h WHERE h.host = line.host AND h.rest_until > now_at;
                        IF NOT FOUND OR visits = 0 AND NOT rest.asked AND rest.probe_at <= now_at THEN
                            RETURN line;
                        END IF;
                    END IF;
                END IF;
                SELECT * INTO line FROM turns AS t
                    WHERE t.handed_at IS NULL AND t.kind = wanted AND t.queue = in_queue AND t.payer_id = payer AND t.batch_id = batch
                        AND t.delayed = (lane = 1) AND t.host > line.host AND (t.suspicion < 8 OR NOT suspected)
                    ORDER BY t.host, t.at, t.subject_id LIMIT 1;
            END LOOP;
        END LOOP;
    END LOOP;
    RETURN NULL;
END
$$;

-- next_turn finds the turn that comes next: of the payer that has used least for its share, of that payer's batch that has
-- used least. Each level is read by jumps over the index, so that its cost follows from the number of payers and batches that
-- wait, not of turns; of a payer's batches the 64 oldest and the 64 newest are looked at.
CREATE FUNCTION next_turn(wanted text, queues text[], payer_limit integer, host_limit integer, now_at timestamptz) RETURNS turns
LANGUAGE plpgsql
AS $$
DECLARE
    payer record;
    batch uuid;
    found_turn turns;
BEGIN
    FOR payer IN
        WITH RECURSIVE waiting AS (
            (SELECT t.queue, t.payer_id FROM turns AS t WHERE t.handed_at IS NULL AND t.kind = wanted ORDER BY t.queue, t.payer_id LIMIT 1)
            UNION ALL
            SELECT next.queue, next.payer_id FROM waiting AS w CROSS JOIN LATERAL (
                SELECT t.queue, t.payer_id FROM turns AS t
                WHERE t.handed_at IS NULL AND t.kind = wanted AND (t.queue, t.payer_id) > (w.queue, w.payer_id)
                ORDER BY t.queue, t.payer_id LIMIT 1) AS next
        ), busy AS (
            SELECT t.payer_id, count(*) AS n FROM turns AS t
            WHERE t.kind = wanted AND t.queue = ANY (queues) AND t.handed_at IS NOT NULL GROUP BY 1
        )
        SELECT w.queue, w.payer_id FROM waiting AS w
        JOIN accounts AS a ON a.id = w.payer_id
        LEFT JOIN busy AS b ON b.payer_id = w.payer_id
        LEFT JOIN shares AS s ON s.kind = wanted AND s.holder_id = w.payer_id
        WHERE w.queue = ANY (queues) AND (payer_limit = 0 OR coalesce(b.n, 0) < payer_limit)
        ORDER BY (fade(s.used, s.at, now_at) + coalesce(b.n, 0)) / a.share, w.payer_id
    LOOP
        FOR batch IN
            WITH RECURSIVE oldest AS (
                (SELECT 1 AS place, t.batch_id FROM turns AS t
                    WHERE t.handed_at IS NULL AND t.kind = wanted AND t.queue = payer.queue AND t.payer_id = payer.payer_id
                    ORDER BY t.batch_id LIMIT 1)
                UNION ALL
                SELECT o.place + 1, next.batch_id FROM oldest AS o CROSS JOIN LATERAL (
                    SELECT t.batch_id FROM turns AS t
                    WHERE t.handed_at IS NULL AND t.kind = wanted AND t.queue = payer.queue AND t.payer_id = payer.payer_id
                        AND t.batch_id > o.batch_id
                    ORDER BY t.batch_id LIMIT 1) AS next WHERE o.place < 64
            ), newest AS (
                (SELECT 1 AS place, t.batch_id FROM turns AS t
                    WHERE t.handed_at IS NULL AND t.kind = wanted AND t.queue = payer.queue AND t.payer_id = payer.payer_id
                    ORDER BY t.batch_id DESC LIMIT 1)
                UNION ALL
                SELECT n.place + 1, next.batch_id FROM newest AS n CROSS JOIN LATERAL (
                    SELECT t.batch_id FROM turns AS t
                    WHERE t.handed_at IS NULL AND t.kind = wanted AND t.queue = payer.queue AND t.payer_id = payer.payer_id
                        AND t.batch_id < n.batch_id
                    ORDER BY t.batch_id DESC LIMIT 1) AS next WHERE n.place < 64
            )
            SELECT b.batch_id FROM (SELECT batch_id FROM oldest UNION SELECT batch_id FROM newest) AS b
            LEFT JOIN shares AS s ON s.kind = wanted AND s.holder_id = b.batch_id
            ORDER BY fade(s.used, s.at, now_at), b.batch_id
        LOOP
            found_turn := next_turn_of(wanted, payer.queue, payer.payer_id, batch, host_limit, now_at);
            IF found_turn.subject_id IS NOT NULL THEN
                RETURN found_turn;
            END IF;
        END LOOP;
    END LOOP;
    RETURN NULL;
END
$$;

-- waiting_queues lists the kinds and queues of which turns wait, by jumps over the index.
CREATE FUNCTION waiting_queues() RETURNS TABLE (kind text, queue text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH RECURSIVE waiting AS (
        (SELECT t.kind, t.queue FROM turns AS t WHERE t.handed_at IS NULL ORDER BY t.kind, t.queue LIMIT 1)
        UNION ALL
        SELECT next.kind, next.queue FROM waiting AS w CROSS JOIN LATERAL (
            SELECT t.kind, t.queue FROM turns AS t WHERE t.handed_at IS NULL AND (t.kind, t.queue) > (w.kind, w.queue)
            ORDER BY t.kind, t.queue LIMIT 1) AS next
    )
    SELECT kind, queue FROM waiting;
END;

-- hand_out gives up to so many turns to workers, each to whom it is due after those before.
CREATE FUNCTION hand_out(wanted text, queues text[], most integer, payer_limit integer, host_limit integer, now_at timestamptz)
RETURNS SETOF turns
LANGUAGE plpgsql
AS $$
DECLARE
    chosen turns;
BEGIN
    PERFORM charge_turns(wanted, now_at);
    FOR i IN 1..most LOOP
        chosen := next_turn(wanted, queues, payer_limit, host_limit, now_at);
        EXIT WHEN chosen.subject_id IS NULL;
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
