-- Comparisons, and who may see what they show: the link of a picture or a public page is enough, whichever account it
-- belongs to.

CREATE TABLE comparisons (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    token text NOT NULL,
    queue_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    group_id uuid NOT NULL,
    url_id uuid NOT NULL,
    device text NOT NULL CHECK (device IN ('desktop', 'mobile')),
    before_id uuid NOT NULL,
    after_id uuid NOT NULL,
    threshold double precision NOT NULL CHECK (threshold BETWEEN 0 AND 100), -- percent
    difference_percent double precision NOT NULL CHECK (difference_percent BETWEEN 0 AND 100),
    aligned_percent double precision NOT NULL CHECK (aligned_percent BETWEEN 0 AND 100),
    measure text NOT NULL CHECK (measure IN ('plain', 'aligned')), -- which of the two is held against the threshold
    above_threshold boolean NOT NULL GENERATED ALWAYS AS (
        CASE measure WHEN 'aligned' THEN aligned_percent ELSE difference_percent END > threshold) STORED,
    changed_pixels bigint NOT NULL CHECK (changed_pixels >= 0),
    anti_aliased bigint NOT NULL CHECK (anti_aliased >= 0),
    width integer NOT NULL, -- of the union of both pictures
    height integer NOT NULL,
    regions jsonb NOT NULL CHECK (jsonb_typeof(regions) = 'array'),
    bands jsonb NOT NULL CHECK (jsonb_typeof(bands) = 'array'),
    page_changes jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(page_changes) = 'array'), -- what changed beside the pixels
    page_alarm boolean NOT NULL DEFAULT false, -- whether that alarms
    console_change text NOT NULL DEFAULT 'unchanged' CHECK (console_change IN ('added', 'removed', 'mixed', 'unchanged')),
    console_added jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(console_added) = 'array'),
    console_removed jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(console_removed) = 'array'),
    status text NOT NULL CHECK (status IN ('new', 'ok', 'false_positive', 'to_fix')),
    alarmed boolean NOT NULL DEFAULT false, -- whether it was new before anybody reviewed it
    confirmation text CHECK (confirmation IN ('confirmed', 'vanished', 'not_possible')), -- null: none was asked for
    flapping boolean NOT NULL DEFAULT false,
    -- What verification says; ai_status is null where the account had none.
    ai_status text CHECK (ai_status IN ('pending', 'verified', 'failed', 'skipped')),
    capture_issue text CHECK (capture_issue IN ('after_blank', 'before_blank', 'both_blank')),
    ai_summary text NOT NULL DEFAULT '',
    ai_processing_ms integer NOT NULL DEFAULT 0 CHECK (ai_processing_ms >= 0),
    ai_all_good integer NOT NULL DEFAULT 0 CHECK (ai_all_good >= 0), -- verdicts of each category
    ai_not_sure integer NOT NULL DEFAULT 0 CHECK (ai_not_sure >= 0),
    ai_alerts integer NOT NULL DEFAULT 0 CHECK (ai_alerts >= 0),
    regions_left_out integer NOT NULL DEFAULT 0 CHECK (regions_left_out >= 0), -- changed regions beyond those kept
    findings jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(findings) = 'array'),
    console_verdict jsonb CHECK (jsonb_typeof(console_verdict) = 'object'),
    image_id uuid, -- the mask; null when the pictures are equal: then the after picture serves
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    CONSTRAINT comparisons_queue_key UNIQUE (account_id, queue_id),
    FOREIGN KEY (account_id, queue_id) REFERENCES queue_entries (account_id, id),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id),
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id),
    FOREIGN KEY (account_id, url_id) REFERENCES urls (account_id, id),
    FOREIGN KEY (account_id, before_id) REFERENCES screenshots (account_id, id),
    FOREIGN KEY (account_id, after_id) REFERENCES screenshots (account_id, id),
    FOREIGN KEY (account_id, image_id) REFERENCES images (account_id, id)
);

CREATE UNIQUE INDEX comparisons_token_key ON comparisons (token);
CREATE INDEX comparisons_newest ON comparisons (account_id, created_at DESC, id DESC);
CREATE INDEX comparisons_above ON comparisons (account_id, created_at DESC, id DESC) WHERE above_threshold;
CREATE INDEX comparisons_status ON comparisons (account_id, status, created_at DESC, id DESC);
CREATE INDEX comparisons_difference ON comparisons (account_id, difference_percent, created_at, id);
CREATE INDEX comparisons_batch ON comparisons (account_id, batch_id, created_at DESC, id DESC) INCLUDE (status, above_threshold);
CREATE INDEX comparisons_group ON comparisons (account_id, group_id, created_at DESC, id DESC);
CREATE INDEX comparisons_url ON comparisons (account_id, url_id, created_at DESC, id DESC);
CREATE INDEX comparisons_image ON comparisons (account_id, image_id);
-- How a page came to look as it does.
CREATE INDEX comparisons_changes ON comparisons (account_id, group_id, url_id, device, created_at DESC, id DESC) WHERE above_threshold;

SELECT guard_tenant('comparisons');

-- What changed of a page that leads to what was updated. It is kept apart from the comparisons, whose lists do not need it.
CREATE TABLE comparison_traces (
    account_id uuid NOT NULL REFERENCES accounts (id),
    comparison_id uuid NOT NULL,
    traces jsonb NOT NULL CHECK (jsonb_typeof(traces) = 'object'),
    PRIMARY KEY (account_id, comparison_id),
    FOREIGN KEY (account_id, comparison_id) REFERENCES comparisons (account_id, id) ON DELETE CASCADE
);

SELECT guard_tenant('comparison_traces');

-- The links of pictures and public pages die with what they show: with a group or a URL that is deleted, with an account
-- that is cancelled or deleted. What a public page shows has links of its own, which go with the page's.
CREATE FUNCTION is_shown(account uuid, of_group uuid, of_url uuid) RETURNS boolean
LANGUAGE sql STABLE
AS $$
    SELECT EXISTS (SELECT FROM accounts AS a WHERE a.id = account AND a.status <> 'cancelled' AND a.deleted_at IS NULL)
        AND EXISTS (SELECT FROM groups AS g WHERE g.account_id = account AND g.id = of_group AND g.deleted_at IS NULL)
        AND EXISTS (SELECT FROM urls AS u WHERE u.account_id = account AND u.id = of_url AND u.deleted_at IS NULL)
$$;

-- The picture that a link names. One statement, like account_by_token, in a form in which the planner can do nothing but look
-- the one picture's place up in an index, however large the tables are: every picture of a page that a browser has shown
-- already is asked for in this way.
CREATE FUNCTION image_by_token(wanted text) RETURNS SETOF images
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    RETURN QUERY SELECT i.* FROM images AS i CROSS JOIN LATERAL (
        SELECT FROM screenshots AS s WHERE s.account_id = i.account_id AND s.image_id = i.id
            AND is_shown(s.account_id, s.group_id, s.url_id)
        UNION ALL
        SELECT FROM comparisons AS c WHERE c.account_id = i.account_id AND c.image_id = i.id
            AND is_shown(c.account_id, c.group_id, c.url_id)
        LIMIT 1) AS place
        WHERE i.token = wanted;
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;

-- The picture that the public page of a comparison shows: 'before', 'after' or the 'mask'.
CREATE FUNCTION image_by_comparison(wanted text, part text) RETURNS SETOF images
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    RETURN QUERY SELECT i.* FROM comparisons AS c
        LEFT JOIN screenshots AS s ON s.account_id = c.account_id
            AND s.id = CASE part WHEN 'before' THEN c.before_id WHEN 'after' THEN c.after_id END
        JOIN images AS i ON i.account_id = c.account_id AND i.id = CASE part WHEN 'mask' THEN c.image_id ELSE s.image_id END
        WHERE c.token = wanted AND is_shown(c.account_id, c.group_id, c.url_id);
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;

-- Whose comparison does a public link show? Asked before an account is known, like account_by_token.
CREATE FUNCTION account_by_comparison(wanted text) RETURNS SETOF uuid
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    RETURN QUERY SELECT c.account_id FROM comparisons AS c WHERE c.token = wanted AND is_shown(c.account_id, c.group_id, c.url_id);
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;
