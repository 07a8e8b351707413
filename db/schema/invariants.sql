-- What must hold whenever no transaction is under way. Each row of the answer is one broken rule: its name, how many
-- times it is broken, and an example. No rows: all is well. Run it as the system, or row level security hides everything:
--
--     BEGIN; SELECT set_config('afterimage.system', 'on', true); \i invariants.sql
--
-- Rules that speak of the end ("when all batches are finished") hold at any time, because they look at finished batches
-- only. Whether files and rows of the image store agree cannot be seen from here: compare the names of the files with
--
--     SELECT hash FROM blobs                          -- a file without such a row must not exist
--     SELECT hash FROM images UNION SELECT over FROM images WHERE over IS NOT NULL
--         UNION SELECT elements_hash FROM screenshots WHERE elements_hash IS NOT NULL -- each of these must have its file

WITH removed (account_id, until) AS ( -- what was made until then may have events that are gone; clocks of several machines differ
    SELECT id, removed_events_until + interval '1 hour' FROM accounts WHERE removed_events > 0
), broken (name, detail) AS (
    SELECT 'an entry of a finished batch has not ended', format('entry %s is %s', q.id, q.status)
    FROM queue_entries AS q JOIN batches AS b ON b.account_id = q.account_id AND b.id = q.batch_id
    WHERE b.finished_at IS NOT NULL AND q.status NOT IN ('done', 'failed')

    UNION ALL
    SELECT 'a batch whose entries have all ended is not finished', format('batch %s', b.id)
    FROM batches AS b
    WHERE b.finished_at IS NULL AND NOT b.uploading AND NOT EXISTS (
        SELECT FROM queue_entries AS q
        WHERE q.account_id = b.account_id AND q.batch_id = b.id AND q.status NOT IN ('done', 'failed'))

    UNION ALL
    SELECT 'an uploaded page has a device enabled', format('group %s, URL %s', s.group_id, s.url_id)
    FROM group_urls AS s JOIN urls AS u ON u.account_id = s.account_id AND u.id = s.url_id
    WHERE u.address LIKE 'upload:///%' AND (s.desktop OR s.mobile)

    UNION ALL
    SELECT 'a batch counts its entries wrongly', format('batch %s says open %s, processing %s, done %s, failed %s but has %s, %s, %s, %s',
        b.id, b.open_count, b.processing_count, b.done_count, b.failed_count, n.open, n.processing, n.done, n.failed)
    FROM batches AS b CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE q.status = 'open') AS open, count(*) FILTER (WHERE q.status = 'processing') AS processing,
            count(*) FILTER (WHERE q.status = 'done') AS done, count(*) FILTER (WHERE q.status = 'failed') AS failed
        FROM queue_entries AS q WHERE q.account_id = b.account_id AND q.batch_id = b.id) AS n
    WHERE (b.open_count, b.processing_count, b.done_count, b.failed_count) <> (n.open, n.processing, n.done, n.failed)

    UNION ALL
    SELECT 'an expired batch still has comparisons, or has nothing left', format('batch %s', b.id)
    FROM batches AS b WHERE b.expired_at IS NOT NULL AND (
        EXISTS (SELECT FROM comparisons AS c WHERE c.account_id = b.account_id AND c.batch_id = b.id)
        OR NOT EXISTS (SELECT FROM screenshots AS s WHERE s.account_id = b.account_id AND s.batch_id = b.id))

    UNION ALL
    SELECT 'the counts of queue entries are wrong', format('batch %s, group %s, %s on %s: says %s, has %s',
        batch_id, group_id, type, day, coalesce(c.n, '{}'), coalesce(q.n, '{}'))
    FROM (
        SELECT account_id, batch_id, group_id, type, day, ARRAY[open, processing, done, failed]::bigint[] AS n FROM queue_counts
        WHERE open + processing + done + failed > 0) AS c
    FULL JOIN (
        SELECT account_id, batch_id, group_id, type, utc_day(created_at) AS day, ARRAY[count(*) FILTER (WHERE status = 'open'),
            count(*) FILTER (WHERE status = 'processing'), count(*) FILTER (WHERE status = 'done'), count(*) FILTER (WHERE status = 'failed')] AS n
        FROM queue_entries GROUP BY 1, 2, 3, 4, 5) AS q USING (account_id, batch_id, group_id, type, day)
    WHERE c.n IS DISTINCT FROM q.n

    UNION ALL
    SELECT 'the counts of screenshots are wrong', format('batch %s, group %s, %s, %s on %s: says %s, has %s',
        batch_id, group_id, type, device, day, coalesce(n.count, 0), coalesce(s.count, 0))
    FROM (SELECT * FROM screenshot_counts WHERE count > 0) AS n
    FULL JOIN (
        SELECT account_id, batch_id, group_id, type, device, utc_day(created_at) AS day, count(*)
        FROM screenshots GROUP BY 1, 2, 3, 4, 5, 6
    ) AS s USING (account_id, batch_id, group_id, type, device, day)
    WHERE n.count IS DISTINCT FROM s.count

    UNION ALL
    SELECT 'the counts of comparisons are wrong', format('batch %s, group %s, %s on %s: says %s, has %s',
        batch_id, group_id, status, day, (n.count, n.differing), (c.count, c.differing))
    FROM (SELECT * FROM comparison_counts WHERE count > 0) AS n
    FULL JOIN (
        SELECT account_id, batch_id, group_id, utc_day(created_at) AS day, status, above_threshold, console_change, device, ai_category,
            count(*), count(*) FILTER (WHERE difference_percent > 0) AS differing
        FROM comparisons GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ) AS c USING (account_id, batch_id, group_id, day, status, above_threshold, console_change, device, ai_category)
    WHERE (n.count, n.differing) IS DISTINCT FROM (c.count, c.differing)

    UNION ALL
    SELECT 'a comparison names another reviewer than its newest review', format('comparison %s: %s instead of %s', c.id, c.reviewer_id, v.reviewer_id)
    FROM comparisons AS c LEFT JOIN reviews AS v ON v.account_id = c.account_id AND v.id = c.review_id
    WHERE c.reviewer_id IS DISTINCT FROM v.reviewer_id

    UNION ALL
    SELECT 'a batch does not know the groups of its entries', format('batch %s, group %s', q.batch_id, q.group_id)
    FROM (SELECT DISTINCT account_id, batch_id, group_id FROM queue_entries) AS q
    WHERE NOT EXISTS (SELECT FROM batch_groups AS bg
        WHERE bg.account_id = q.account_id AND bg.batch_id = q.batch_id AND bg.group_id = q.group_id)

    UNION ALL
    SELECT 'a place of a batch has several screenshots', format('batch %s, group %s, url %s, %s: %s', batch_id, group_id, url_id, device, count(*))
    FROM screenshots GROUP BY account_id, batch_id, group_id, url_id, device, confirmation HAVING count(*) > 1

    UNION ALL
    SELECT 'a place of a batch has several screenshot entries', format('batch %s, group %s, url %s, %s: %s', batch_id, group_id, url_id, device, count(*))
    FROM queue_entries WHERE type <> 'compare' GROUP BY account_id, batch_id, group_id, url_id, device, confirms_id IS NULL HAVING count(*) > 1

    UNION ALL
    SELECT 'a screenshot and its entry disagree', format('entry %s is %s and has %s screenshots', q.id, q.status, count(s.id))
    FROM queue_entries AS q LEFT JOIN screenshots AS s ON s.account_id = q.account_id AND s.queue_id = q.id
    WHERE q.type <> 'compare'
    GROUP BY q.account_id, q.id, q.status HAVING count(s.id) <> CASE q.status WHEN 'done' THEN 1 ELSE 0 END

    UNION ALL
    SELECT 'a comparison and its entry disagree', format('entry %s is %s and has %s comparisons', q.id, q.status, count(c.id))
    FROM queue_entries AS q LEFT JOIN comparisons AS c ON c.account_id = q.account_id AND c.queue_id = q.id
        AND (c.ai_status IS DISTINCT FROM 'pending' OR q.status <> 'processing')
    WHERE q.type = 'compare'
    GROUP BY q.account_id, q.id, q.status, q.reason
    HAVING count(c.id) <> CASE WHEN q.status = 'done' AND q.reason <> 'baseline' THEN 1 ELSE 0 END

    UNION ALL
    SELECT 'a pair of screenshots has several comparisons', format('before %s, after %s: %s', before_id, after_id, count(*))
    FROM comparisons GROUP BY account_id, before_id, after_id HAVING count(*) > 1

    UNION ALL
    SELECT 'a confirmation confirms another place, or belongs to another batch', format('entry %s', q.id)
    FROM queue_entries AS q JOIN queue_entries AS o ON o.account_id = q.account_id AND o.id = q.confirms_id
    WHERE (q.batch_id, q.group_id, q.url_id, q.device, q.type) <> (o.batch_id, o.group_id, o.url_id, o.device, o.type)
        OR o.confirms_id IS NOT NULL

    UNION ALL
    SELECT 'a comparison compares screenshots of different places', format('comparison %s', c.id)
    FROM comparisons AS c
    JOIN screenshots AS b ON b.account_id = c.account_id AND b.id = c.before_id
    JOIN screenshots AS a ON a.account_id = c.account_id AND a.id = c.after_id
    WHERE (b.group_id, b.url_id, b.device) <> (c.group_id, c.url_id, c.device)
        OR (a.group_id, a.url_id, a.device) <> (c.group_id, c.url_id, c.device)

    UNION ALL
    SELECT 'a comparison alarms about a page that did not change gravely', format('comparison %s', id)
    FROM comparisons WHERE page_alarm AND NOT page_changes @> '[{"severity": "alarm"}]'

    UNION ALL
    SELECT 'a feedback rule is for another place than its comparison', format('rule %s, comparison %s', r.id, c.id)
    FROM ai_feedback_rules AS r JOIN comparisons AS c ON c.account_id = r.account_id AND c.id = r.comparison_id
    WHERE (r.group_id, r.url_id, r.device) <> (c.group_id, c.url_id, c.device)

    UNION ALL
    SELECT 'a comparison that counts as no alarm is new, or a verification has regions of another comparison', format('comparison %s', c.id)
    FROM comparisons AS c
    WHERE c.status = 'new' AND NOT c.alarmed OR EXISTS (SELECT FROM jsonb_array_elements(c.findings) AS f, jsonb_array_elements(f -> 'regions') AS region
        WHERE NOT c.regions @> jsonb_build_array(jsonb_build_object('id', region)))

    UNION ALL
    SELECT 'a comparison with unexplained pixels is called explained', format('comparison %s', c.id)
    FROM comparisons AS c WHERE c.explained AND EXISTS (SELECT FROM jsonb_array_elements(c.findings) AS f
        WHERE f ->> 'kind' = 'unexplained' AND f ->> 'ruled' <> 'all_good')

    UNION ALL
    SELECT 'the changes of a batch are counted wrongly', format('batch %s, %s: says %s, has %s', batch_id, fingerprint, coalesce(x.n, '{}'), coalesce(s.n, '{}'))
    FROM (SELECT account_id, batch_id, fingerprint, ARRAY[comparisons, desktop, all_good, not_sure, alerts]::bigint[] AS n FROM batch_changes) AS x
    FULL JOIN (
        SELECT c.account_id, c.batch_id, s.fingerprint, ARRAY[count(*), count(*) FILTER (WHERE c.device = 'desktop'),
            count(*) FILTER (WHERE s.category = 'all_good'), count(*) FILTER (WHERE s.category = 'not_sure'), count(*) FILTER (WHERE s.category = 'alert')] AS n
        FROM comparison_changes AS s JOIN comparisons AS c ON c.account_id = s.account_id AND c.id = s.comparison_id GROUP BY 1, 2, 3
    ) AS s USING (account_id, batch_id, fingerprint)
    WHERE x.n IS DISTINCT FROM s.n

    UNION ALL
    SELECT 'a batch has not one batch_finished for each time that it finished', format('batch %s has %s', b.id, count(e.number))
    FROM batches AS b LEFT JOIN events AS e ON e.account_id = b.account_id AND e.batch_id = b.id AND e.kind = 'batch_finished'
    GROUP BY b.account_id, b.id, b.finished_at, b.created_at
    HAVING count(e.number) <> b.reopened + CASE WHEN b.finished_at IS NULL THEN 0 ELSE 1 END
        AND NOT (count(e.number) = 0 AND EXISTS (SELECT FROM removed AS r WHERE r.account_id = b.account_id AND b.created_at <= r.until))

    UNION ALL
    SELECT 'the end of an automatic update is not told of once, or once more for each time that its batch was opened again', format('batch %s has %s', b.id, count(e.number))
    FROM batches AS b LEFT JOIN events AS e ON e.account_id = b.account_id AND e.batch_id = b.id AND e.kind = 'update_report_due'
    GROUP BY b.account_id, b.id
    HAVING count(e.number) NOT BETWEEN CASE WHEN b.source = 'auto_update' AND b.finished_at IS NOT NULL AND b.update_results IS NOT NULL THEN 1 ELSE 0 END
            AND CASE WHEN b.source = 'auto_update' AND b.update_results IS NOT NULL THEN b.reopened + CASE WHEN b.finished_at IS NULL THEN 0 ELSE 1 END ELSE 0 END
        AND NOT (count(e.number) = 0 AND EXISTS (SELECT FROM removed AS r WHERE r.account_id = b.account_id AND b.created_at <= r.until))

    UNION ALL
    SELECT 'an entry has not one event for each time that it ended', format('entry %s is %s and has %s', q.id, q.status, count(e.number))
    FROM queue_entries AS q LEFT JOIN events AS e ON e.account_id = q.account_id AND e.batch_id = q.batch_id AND e.subject_id = q.id
        AND e.kind IN ('queue_status_done', 'queue_status_failed')
    GROUP BY q.account_id, q.id, q.status, q.created_at
    HAVING count(e.number) <> q.reopened + CASE WHEN q.status IN ('done', 'failed') THEN 1 ELSE 0 END
        AND NOT (count(e.number) = 0 AND EXISTS (SELECT FROM removed AS r WHERE r.account_id = q.account_id AND q.created_at <= r.until))

    UNION ALL
    SELECT 'an account''s events are not numbered from 1, or from the first that is kept, without a gap', format(
        'account %s: %s events, numbers %s to %s, removed %s, last %s', a.id, count(e.number), min(e.number), max(e.number), a.removed_events, a.last_event)
    FROM accounts AS a LEFT JOIN events AS e ON e.account_id = a.id
    GROUP BY a.id, a.removed_events, a.last_event
    HAVING count(e.number) <> a.last_event - a.removed_events
        OR count(e.number) > 0 AND (min(e.number) <> a.removed_events + 1 OR max(e.number) <> a.last_event)

    UNION ALL
    SELECT 'a consumer stands where there are no events', format('account %s: %s has read up to %s, kept are %s to %s',
        a.id, c.name, c.position, a.removed_events + 1, a.last_event)
    FROM consumers AS c JOIN accounts AS a ON a.id = c.account_id
    WHERE c.position < a.removed_events OR c.position > a.last_event

    UNION ALL
    SELECT 'something is told of an event that was not read', format('%s %s of event %s', t.what, t.id, t.number)
    FROM (SELECT 'webhooks' AS name, 'delivery' AS what, account_id, id, number FROM deliveries WHERE number IS NOT NULL
        UNION ALL SELECT 'mails', 'mail', account_id, id, number FROM mails) AS t
    LEFT JOIN consumers AS c ON c.account_id = t.account_id AND c.name = t.name
    WHERE t.number > coalesce(c.position, 0)

    UNION ALL
    SELECT 'a delivery and its attempts disagree', format('delivery %s is %s after %s attempts, has %s', d.id, d.state, d.attempts, count(t.number))
    FROM deliveries AS d LEFT JOIN delivery_attempts AS t ON t.account_id = d.account_id AND t.delivery_id = d.id
    GROUP BY d.account_id, d.id, d.state, d.attempts
    HAVING count(t.number) <> d.attempts OR d.state = 'delivered' AND count(*) FILTER (WHERE t.number = d.attempts AND t.problem = '') <> 1

    UNION ALL
    SELECT 'an account counts its checks wrongly', format('account %s says done %s, reserved %s but has %s, %s',
        a.id, a.checks_before + a.checks_done, a.checks_reserved, n.done + d.done, n.live)
    FROM accounts AS a CROSS JOIN LATERAL (
        SELECT sum(o.checks_deleted) AS done FROM accounts AS o WHERE o.id = a.id OR o.parent_id = a.id) AS d
    CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE q.status = 'done') AS done, count(*) FILTER (WHERE q.status IN ('open', 'processing')) AS live
        FROM queue_entries AS q JOIN accounts AS o ON o.id = q.account_id
        WHERE (o.id = a.id OR o.parent_id = a.id) AND q.type <> 'compare' AND q.confirms_id IS NULL) AS n
    WHERE (a.checks_before + a.checks_done, a.checks_reserved) <> (n.done + d.done, n.live)

    UNION ALL
    SELECT 'a subaccount stands below a subaccount', format('account %s', a.id)
    FROM accounts AS a JOIN accounts AS above ON above.id = a.parent_id WHERE above.parent_id IS NOT NULL

    UNION ALL
    SELECT 'a deleted account still has something', format('account %s', a.id)
    FROM accounts AS a
    WHERE a.deleted_at IS NOT NULL AND (
        EXISTS (SELECT FROM tokens AS t WHERE t.account_id = a.id AND t.revoked_at IS NULL)
        OR EXISTS (SELECT FROM users AS u WHERE u.account_id = a.id AND u.removed_at IS NULL)
        OR EXISTS (SELECT FROM groups AS g WHERE g.account_id = a.id AND g.deleted_at IS NULL)
        OR EXISTS (SELECT FROM urls AS u WHERE u.account_id = a.id AND u.deleted_at IS NULL))

    UNION ALL
    SELECT 'a removed user can still sign in', format('user %s', u.id)
    FROM users AS u
    WHERE u.removed_at IS NOT NULL AND (
        EXISTS (SELECT FROM sessions AS s WHERE s.account_id = u.account_id AND s.user_id = u.id AND s.revoked_at IS NULL)
        OR EXISTS (SELECT FROM passkeys AS p WHERE p.account_id = u.account_id AND p.user_id = u.id))

    UNION ALL
    SELECT 'a recipient gets more mails about a batch than it finished', format('%s of batch %s', m.kind, m.subject_id)
    FROM mails AS m JOIN batches AS b ON b.account_id = m.account_id AND b.id = m.subject_id
    WHERE m.kind IN ('digest', 'update_report')
    GROUP BY m.account_id, m.kind, m.subject_id, lower(m.recipient), b.reopened HAVING count(*) > 1 + b.reopened

    UNION ALL
    SELECT 'an image has no blob', format('image %s, hash %s', i.id, i.hash)
    FROM images AS i WHERE NOT EXISTS (SELECT FROM blobs AS b WHERE b.hash = i.hash)

    UNION ALL
    SELECT 'a file that nothing refers to is never removed', format('hash %s', b.hash)
    FROM blobs AS b WHERE b.unsettled_at IS NULL AND NOT EXISTS (SELECT FROM images AS i WHERE i.hash = b.hash)
        AND NOT EXISTS (SELECT FROM images AS i WHERE i.over = b.hash)
        AND NOT EXISTS (SELECT FROM screenshots AS s WHERE s.elements_hash = b.hash)

    UNION ALL
    SELECT 'an image lies over what is no blob', format('image %s, over %s', i.id, i.over)
    FROM images AS i WHERE i.over IS NOT NULL AND NOT EXISTS (SELECT FROM blobs AS b WHERE b.hash = i.over)

    UNION ALL
    SELECT 'a screenshot''s elements are no blob', format('screenshot %s, hash %s', s.id, s.elements_hash)
    FROM screenshots AS s
    WHERE s.elements_hash IS NOT NULL AND NOT EXISTS (SELECT FROM blobs AS b WHERE b.hash = s.elements_hash)

    UNION ALL
    SELECT 'a comparison lies over another picture than the one after', format('comparison %s, image %s', c.id, i.id)
    FROM comparisons AS c
    JOIN images AS i ON i.account_id = c.account_id AND i.id = c.image_id
    JOIN screenshots AS s ON s.account_id = c.account_id AND s.id = c.after_id
    JOIN images AS a ON a.account_id = s.account_id AND a.id = s.image_id
    WHERE i.over <> a.hash

    UNION ALL
    SELECT 'an image belongs to nothing', format('image %s', i.id)
    FROM images AS i
    WHERE NOT EXISTS (SELECT FROM screenshots AS s WHERE s.account_id = i.account_id AND s.image_id = i.id)
        AND NOT EXISTS (SELECT FROM comparisons AS c WHERE c.account_id = i.account_id AND c.image_id = i.id)
        AND NOT EXISTS (SELECT FROM flow_runs AS r WHERE r.account_id = i.account_id AND r.image_id = i.id)
        AND NOT EXISTS (SELECT FROM flow_trial_pictures AS p WHERE p.account_id = i.account_id AND p.image_id = i.id)

    UNION ALL
    SELECT 'something is known of a page that is deleted', format('url %s, %s', n.url_id, n.device)
    FROM learned_noise AS n JOIN urls AS u ON u.account_id = n.account_id AND u.id = n.url_id
    WHERE u.deleted_at IS NOT NULL

    UNION ALL
    SELECT 'an entry has work to be done and no turn', format('entry %s is %s', q.id, q.status)
    FROM queue_entries AS q
    WHERE q.dispatched AND q.status IN ('open', 'processing')
        AND NOT EXISTS (SELECT FROM turns AS t WHERE t.account_id = q.account_id AND t.subject_id = q.id)
        -- The entries of a cancelled batch end step by step.
        AND NOT EXISTS (SELECT FROM batches AS b WHERE b.account_id = q.account_id AND b.id = q.batch_id AND b.cancelled_at IS NOT NULL)

    UNION ALL
    SELECT 'an import has work to be done and no turn', format('import %s', i.id)
    FROM url_imports AS i
    WHERE i.state = 'started' AND NOT EXISTS (SELECT FROM turns AS t WHERE t.account_id = i.account_id AND t.subject_id = i.id)

    UNION ALL
    SELECT 'a trial of a flow has steps to be done and no turn', format('trial %s is %s', r.id, r.status)
    FROM flow_trials AS r
    WHERE r.status IN ('open', 'processing')
        AND NOT EXISTS (SELECT FROM turns AS t WHERE t.account_id = r.account_id AND t.subject_id = r.id)

    UNION ALL
    SELECT 'a turn is there for nothing', format('%s %s', t.kind, t.subject_id)
    FROM turns AS t
    WHERE NOT EXISTS (SELECT FROM queue_entries AS q WHERE q.account_id = t.account_id AND q.id = t.subject_id
            AND q.dispatched AND q.status IN ('open', 'processing') AND (q.type = 'compare') = (t.kind = 'compare'))
        AND NOT EXISTS (SELECT FROM url_imports AS i WHERE i.account_id = t.account_id AND i.id = t.subject_id
            AND i.state = 'started' AND t.kind = 'import')
        AND NOT EXISTS (SELECT FROM flow_trials AS r WHERE r.account_id = t.account_id AND r.id = t.subject_id
            AND r.status IN ('open', 'processing') AND t.kind = 'capture')
)
SELECT name, count(*) AS times, min(detail) AS example FROM broken GROUP BY name ORDER BY name
