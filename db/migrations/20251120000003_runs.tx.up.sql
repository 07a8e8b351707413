-- What a run makes: batches with their queue entries, screenshots with their images, comparisons; and the lanes that
-- keep the gap between two screenshots of an account.

CREATE TABLE batches (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    name text NOT NULL,
    source text NOT NULL CHECK (source IN ('manual', 'monitoring', 'auto_update')),
    sc_version text NOT NULL,
    -- How many of its entries are in each state; kept with every move of one, under the lock of this row.
    open_count integer NOT NULL CHECK (open_count >= 0),
    processing_count integer NOT NULL CHECK (processing_count >= 0),
    done_count integer NOT NULL CHECK (done_count >= 0),
    failed_count integer NOT NULL CHECK (failed_count >= 0),
    finished_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
) WITH (fillfactor = 70);

CREATE INDEX batches_newest ON batches (account_id, created_at DESC, id DESC);
CREATE INDEX batches_newest_of_source ON batches (account_id, source, created_at DESC, id DESC);

CREATE TABLE queue_entries (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    batch_id uuid NOT NULL,
    group_id uuid NOT NULL,
    url_id uuid NOT NULL,
    device text NOT NULL CHECK (device IN ('desktop', 'mobile')),
    type text NOT NULL CHECK (type IN ('pre', 'post', 'auto', 'compare')),
    status text NOT NULL CHECK (status IN ('open', 'processing', 'done', 'failed')),
    reason text NOT NULL,
    error_msg text NOT NULL,
    attempts integer NOT NULL CHECK (attempts >= 0),
    delay integer NOT NULL CHECK (delay >= 0), -- seconds of its account's lane
    subject_id uuid, -- of a comparison: the entry whose screenshot is compared
    dispatched boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id),
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id),
    FOREIGN KEY (account_id, url_id) REFERENCES urls (account_id, id),
    FOREIGN KEY (account_id, subject_id) REFERENCES queue_entries (account_id, id),
    CHECK ((type = 'compare') = (subject_id IS NOT NULL))
) WITH (fillfactor = 70);

CREATE INDEX queue_entries_newest ON queue_entries (account_id, created_at DESC, id DESC);
CREATE INDEX queue_entries_live ON queue_entries (account_id, created_at DESC, id DESC) WHERE status IN ('open', 'processing');
CREATE INDEX queue_entries_failed ON queue_entries (account_id, created_at DESC, id DESC) WHERE status = 'failed';
CREATE INDEX queue_entries_batch ON queue_entries (account_id, batch_id, created_at DESC, id DESC);
CREATE INDEX queue_entries_figures ON queue_entries (account_id, batch_id, type, status);
CREATE INDEX queue_entries_url ON queue_entries (account_id, url_id, created_at DESC, id DESC);
CREATE INDEX queue_entries_place ON queue_entries (account_id, group_id, url_id, device, type, created_at DESC, id DESC);
CREATE UNIQUE INDEX queue_entries_subject_key ON queue_entries (account_id, subject_id) WHERE subject_id IS NOT NULL;
CREATE INDEX queue_entries_waiting ON queue_entries (account_id, group_id, url_id, device)
    WHERE type = 'compare' AND status = 'open' AND NOT dispatched;
CREATE INDEX queue_entries_lane ON queue_entries (account_id, created_at, id)
    WHERE type <> 'compare' AND status = 'open' AND NOT dispatched;
CREATE INDEX queue_entries_in_work ON queue_entries (updated_at) WHERE dispatched AND status IN ('open', 'processing');

-- Which groups a batch has entries of: its names are shown in every list of batches.
CREATE TABLE batch_groups (
    account_id uuid NOT NULL REFERENCES accounts (id),
    batch_id uuid NOT NULL,
    group_id uuid NOT NULL,
    PRIMARY KEY (account_id, batch_id, group_id),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id),
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id)
);

CREATE INDEX batch_groups_group ON batch_groups (account_id, group_id);

-- Files of the content-addressed store, shared by all accounts. The row is there before the file and after it.
CREATE TABLE blobs (
    hash text PRIMARY KEY CHECK (hash ~ '^[0-9a-f]{64}$'),
    size bigint NOT NULL CHECK (size >= 0),
    reserved_at timestamptz NOT NULL
);

CREATE INDEX blobs_reserved ON blobs (reserved_at);

CREATE TABLE images (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    token text NOT NULL,
    hash text NOT NULL REFERENCES blobs (hash),
    over text REFERENCES blobs (hash), -- the picture that this one, a mask, is laid over; null for all others
    media_type text NOT NULL,
    width integer NOT NULL CHECK (width > 0),
    height integer NOT NULL CHECK (height > 0),
    size bigint NOT NULL CHECK (size >= 0),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE UNIQUE INDEX images_token_key ON images (token);
CREATE INDEX images_hash ON images (hash);
CREATE INDEX images_over ON images (over) WHERE over IS NOT NULL;

CREATE TABLE screenshots (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    queue_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    group_id uuid NOT NULL,
    url_id uuid NOT NULL,
    device text NOT NULL CHECK (device IN ('desktop', 'mobile')),
    type text NOT NULL CHECK (type IN ('pre', 'post', 'auto')),
    image_id uuid NOT NULL,
    html_title text NOT NULL,
    status_code integer NOT NULL,
    final_url text NOT NULL,
    sc_version text NOT NULL,
    truncated boolean NOT NULL,
    console jsonb NOT NULL CHECK (jsonb_typeof(console) = 'array'),
    manifest jsonb CHECK (jsonb_typeof(manifest) = 'object'),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    CONSTRAINT screenshots_queue_key UNIQUE (account_id, queue_id),
    CONSTRAINT screenshots_place_key UNIQUE (account_id, batch_id, group_id, url_id, device),
    FOREIGN KEY (account_id, queue_id) REFERENCES queue_entries (account_id, id),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id),
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id),
    FOREIGN KEY (account_id, url_id) REFERENCES urls (account_id, id),
    FOREIGN KEY (account_id, image_id) REFERENCES images (account_id, id)
);

CREATE INDEX screenshots_newest ON screenshots (account_id, created_at DESC, id DESC);
CREATE INDEX screenshots_batch ON screenshots (account_id, batch_id, created_at DESC, id DESC);
CREATE INDEX screenshots_group ON screenshots (account_id, group_id, created_at DESC, id DESC);
CREATE INDEX screenshots_url ON screenshots (account_id, url_id, created_at DESC, id DESC);
CREATE INDEX screenshots_image ON screenshots (account_id, image_id);

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
    status text NOT NULL CHECK (status IN ('new', 'ok', 'false_positive', 'to_fix')),
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

CREATE TABLE lanes (
    account_id uuid PRIMARY KEY REFERENCES accounts (id),
    next_at timestamptz -- null while nothing waits
);

CREATE INDEX lanes_due ON lanes (next_at) WHERE next_at IS NOT NULL;

DO $$
DECLARE
    guarded text;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['batches', 'queue_entries', 'batch_groups', 'images', 'screenshots', 'comparisons', 'lanes'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', guarded);
        EXECUTE format('CREATE POLICY tenant ON %I USING (account_id = (SELECT afterimage_account()) OR (SELECT afterimage_system()))', guarded);
    END LOOP;
END
$$;

-- A link to a picture is enough to see it, whichever account it belongs to. One statement, like account_by_token.
CREATE FUNCTION image_by_token(wanted text) RETURNS SETOF images
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    RETURN QUERY SELECT * FROM images WHERE token = wanted;
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;
