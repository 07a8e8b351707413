-- The rows of a seeded account. Groups are numbered g, the URLs in one u, its batches k. Ids count up with time, as real ones do:
-- the fourth character from the left of their third part is a digit for the kind of thing.

CREATE FUNCTION pg_temp.seed(name text) RETURNS integer
LANGUAGE sql STABLE AS $$ SELECT current_setting('seed.' || name)::integer $$;

CREATE FUNCTION pg_temp.account() RETURNS uuid
LANGUAGE sql STABLE AS $$ SELECT current_setting('seed.account')::uuid $$;

CREATE FUNCTION pg_temp.id(kind integer, n bigint) RETURNS uuid
LANGUAGE sql IMMUTABLE AS $$ SELECT ('018f0000-' || lpad(to_hex(n >> 32), 4, '0') || '-700' || kind || '-8000-0000' || lpad(to_hex(n & 4294967295), 8, '0'))::uuid $$;

-- Of a batch: day after day, the groups an hour apart.
CREATE FUNCTION pg_temp.moment(k integer, g integer) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$ SELECT timestamptz '2026-01-01 00:30:00Z' + k * interval '1 day' + (g % 23) * interval '1 hour' $$;

INSERT INTO groups (account_id, id, name, monitoring, enabled, schedule_type, hour_of_day, interval_hours, triggers, alert_emails,
    threshold, measure, proxy_type, screenshot_region, default_desktop, default_mobile, created_at, updated_at)
SELECT pg_temp.account(), pg_temp.id(1, g), 'Group ' || g, true, true, 'off', 0, 24, '[]', '{owner@example.com}',
    1, 'plain', 'none', 'eu', true, false, pg_temp.moment(0, g), pg_temp.moment(0, g)
FROM generate_series(0, pg_temp.seed('groups') - 1) AS g;

INSERT INTO websites (account_id, id, domain, sync_url_types, allowances, created_at, updated_at)
SELECT pg_temp.account(), pg_temp.id(0, g), 'site-' || g || '.example.com', '[]', '{}', pg_temp.moment(0, g), pg_temp.moment(0, g)
FROM generate_series(0, pg_temp.seed('groups') - 1) AS g;

INSERT INTO website_groups (account_id, group_id, website_id, role)
SELECT pg_temp.account(), pg_temp.id(1, g), pg_temp.id(0, g), 'auto' FROM generate_series(0, pg_temp.seed('groups') - 1) AS g;

INSERT INTO urls (account_id, id, address, scheme, html_title, last_crawled_at, status_code, created_at, updated_at)
SELECT pg_temp.account(), pg_temp.id(2, g * pg_temp.seed('urls') + u), format('site-%s.example.com/page/%s', g, u), 'https',
    format('Page %s of site %s', u, g), pg_temp.moment(1, g), 200, m.at, m.at
FROM generate_series(0, pg_temp.seed('groups') - 1) AS g, generate_series(0, pg_temp.seed('urls') - 1) AS u,
    LATERAL (SELECT pg_temp.moment(0, g) + u * interval '1 millisecond' AS at) AS m;

INSERT INTO group_urls (account_id, group_id, url_id, desktop, mobile, url_created_at)
SELECT pg_temp.account(), pg_temp.id(1, g), pg_temp.id(2, g * pg_temp.seed('urls') + u), true, false,
    pg_temp.moment(0, g) + u * interval '1 millisecond'
FROM generate_series(0, pg_temp.seed('groups') - 1) AS g, generate_series(0, pg_temp.seed('urls') - 1) AS u;

CREATE TEMPORARY TABLE seed_batches ON COMMIT DROP AS
SELECT k, g, k * pg_temp.seed('groups') + g AS n, pg_temp.moment(k, g) AS at
FROM generate_series(0, pg_temp.seed('batches') - 1) AS k, generate_series(0, pg_temp.seed('groups') - 1) AS g;

INSERT INTO batches (account_id, id, name, source, type, planned_count, sc_version, open_count, processing_count, done_count, failed_count, finished_at, created_at, updated_at)
SELECT pg_temp.account(), pg_temp.id(3, n), 'Batch ' || n, 'monitoring', 'auto', pg_temp.seed('urls') * CASE k WHEN 0 THEN 1 ELSE 2 END, '1', 0, 0,
    pg_temp.seed('urls') * CASE k WHEN 0 THEN 1 ELSE 2 END, 0, at + interval '5 minutes', at, at + interval '5 minutes'
FROM seed_batches ORDER BY n;

INSERT INTO batch_groups (account_id, batch_id, group_id)
SELECT pg_temp.account(), pg_temp.id(3, n), pg_temp.id(1, g) FROM seed_batches ORDER BY n;

-- Every URL of every batch: n counts them, before is the same URL's in the group's batch before.
CREATE TEMPORARY TABLE seed_shots ON COMMIT DROP AS
SELECT b.k, b.g, u, b.n AS batch, b.n::bigint * pg_temp.seed('urls') + u AS n,
    (b.n - pg_temp.seed('groups'))::bigint * pg_temp.seed('urls') + u AS before, b.at
FROM seed_batches AS b, generate_series(0, pg_temp.seed('urls') - 1) AS u ORDER BY b.n, u;

INSERT INTO queue_entries (account_id, id, batch_id, group_id, url_id, device, type, status, reason, error_msg, attempts, delay,
    subject_id, dispatched, created_at, updated_at)
SELECT pg_temp.account(), pg_temp.id(4 + e.compare, n), pg_temp.id(3, batch), pg_temp.id(1, g), pg_temp.id(2, g * pg_temp.seed('urls') + u),
    'desktop', e.type, 'done', '', '', 0, 0, CASE e.compare WHEN 1 THEN pg_temp.id(4, n) END, true, at, at + interval '2 minutes'
FROM seed_shots, (VALUES (0, 'auto'), (1, 'compare')) AS e (compare, type)
WHERE k > 0 OR e.compare = 0;

INSERT INTO blobs (hash, size, reserved_at) VALUES (repeat('0', 64), 1000, now()) ON CONFLICT DO NOTHING;

INSERT INTO images (account_id, id, token, hash, over, media_type, width, height, size, created_at)
SELECT pg_temp.account(), pg_temp.id(7, n), md5(pg_temp.account()::text || ' shot ' || n), repeat('0', 64), NULL, 'image/png', 1440, 8000, 1000, at
FROM seed_shots;

-- One comparison in ten found a difference.
INSERT INTO images (account_id, id, token, hash, over, media_type, width, height, size, created_at)
SELECT pg_temp.account(), pg_temp.id(8, n), md5(pg_temp.account()::text || ' mask ' || n), repeat('0', 64), repeat('0', 64), 'image/png', 1440, 8000, 1000, at
FROM seed_shots WHERE k > 0 AND (u + k) % 10 = 0;

INSERT INTO screenshots (account_id, id, queue_id, batch_id, group_id, url_id, device, type, image_id, html_title, status_code, final_url,
    sc_version, truncated, console, manifest, created_at, updated_at)
SELECT pg_temp.account(), pg_temp.id(6, n), pg_temp.id(4, n), pg_temp.id(3, batch), pg_temp.id(1, g), pg_temp.id(2, g * pg_temp.seed('urls') + u),
    'desktop', 'auto', pg_temp.id(7, n), format('Page %s of site %s', u, g), 200, format('https://site-%s.example.com/page/%s', g, u), '1', false,
    '[{"text": "Download the developer tools for a better experience.", "type": "info", "url": "https://cdn.example.com/app.js"}]',
    '{"stages": [{"stage": "goto", "ms": 300}, {"stage": "shot", "ms": 200}]}', s.at, s.at
FROM seed_shots AS c, LATERAL (SELECT at + interval '1 minute' + u * interval '1 millisecond' AS at) AS s;

-- One of three people reviewed the changes of every second batch.
INSERT INTO reviews (account_id, id, reviewer_kind, reviewer_id, reviewer_name, created_at)
SELECT pg_temp.account(), pg_temp.id(3, n), 'user', pg_temp.id(0, k % 3), 'Reviewer ' || k % 3, at + interval '1 hour'
FROM seed_batches WHERE k > 0 AND k % 4 > 1;

INSERT INTO comparisons (account_id, id, token, queue_id, batch_id, group_id, url_id, device, before_id, after_id, threshold, difference_percent,
    aligned_percent, measure, changed_pixels, anti_aliased, width, height, regions, bands, status, alarmed, console_change, image_id, review_id,
    reviewer_id, created_at, updated_at)
SELECT pg_temp.account(), pg_temp.id(9, n), md5(pg_temp.account()::text || ' comparison ' || n), pg_temp.id(5, n), pg_temp.id(3, batch),
    pg_temp.id(1, g), pg_temp.id(2, g * pg_temp.seed('urls') + u), 'desktop', pg_temp.id(6, before), pg_temp.id(6, n), 1, d.percent, d.percent,
    'plain', (d.percent * 115200)::bigint, 0, 1440, 8000,
    CASE WHEN d.percent > 0 THEN jsonb_build_array(
        jsonb_build_object('id', 1, 'x', 10, 'y', 20, 'w', 300, 'h', 40, 'pixel_count', 900, 'mean_delta', 0.4, 'fingerprint', md5(u::text)),
        jsonb_build_object('id', 2, 'x', 10, 'y', 900, 'w', 200, 'h', 60, 'pixel_count', 700, 'mean_delta', 0.2, 'fingerprint', md5(g::text)))
        ELSE '[]' END,
    '[]', CASE WHEN d.percent > 1 THEN (ARRAY['new', 'ok', 'to_fix', 'false_positive'])[1 + k % 4] ELSE 'ok' END, d.percent > 1,
    CASE WHEN u % 50 = 0 THEN 'added' ELSE 'unchanged' END, CASE WHEN d.percent > 0 THEN pg_temp.id(8, n) END,
    CASE WHEN d.percent > 1 AND k % 4 > 1 THEN pg_temp.id(3, batch) END, CASE WHEN d.percent > 1 AND k % 4 > 1 THEN pg_temp.id(0, k % 3) END,
    c2.at, c2.at
FROM seed_shots AS c,
    LATERAL (SELECT at + interval '2 minutes' + u * interval '1 millisecond' AS at) AS c2,
    LATERAL (SELECT CASE WHEN (u + k) % 10 = 0 THEN (1 + u % 97) / 10.0 ELSE 0 END AS percent) AS d
WHERE k > 0;

INSERT INTO review_items (account_id, review_id, comparison_id, before, after)
SELECT account_id, review_id, id, 'new', status FROM comparisons WHERE account_id = pg_temp.account() AND review_id IS NOT NULL;

UPDATE accounts SET checks_done = checks_done + (SELECT count(*) FROM seed_shots), checks_limit = checks_limit + (SELECT count(*) FROM seed_shots)
WHERE id = pg_temp.account();
