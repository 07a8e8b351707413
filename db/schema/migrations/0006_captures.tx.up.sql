-- What captures make: files in the store of images, and screenshots.

-- Files of the content-addressed store, shared by all accounts. The row is there before the file and after it.
CREATE TABLE blobs (
    hash text PRIMARY KEY CHECK (hash ~ '^[0-9a-f]{64}$'),
    size bigint NOT NULL CHECK (size >= 0),
    reserved_at timestamptz NOT NULL
);

CREATE INDEX blobs_reserved ON blobs (reserved_at);

-- Which store of image files belongs to this database: the mark that a file in the store holds too. One row; of no account.
CREATE TABLE image_store (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    mark text NOT NULL CHECK (mark <> ''),
    placed boolean NOT NULL -- the store has the mark; until then it is not known which one it is
);

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

SELECT guard_tenant('images');

CREATE TABLE screenshots (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    queue_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    group_id uuid NOT NULL,
    url_id uuid NOT NULL,
    device text NOT NULL CHECK (device IN ('desktop', 'mobile')),
    type text NOT NULL CHECK (type IN ('pre', 'post', 'auto')),
    confirmation boolean NOT NULL DEFAULT false,
    image_id uuid NOT NULL,
    html_title text NOT NULL,
    status_code integer NOT NULL,
    final_url text NOT NULL,
    sc_version text NOT NULL,
    truncated boolean NOT NULL,
    console jsonb NOT NULL CHECK (jsonb_typeof(console) = 'array'),
    elements_hash text REFERENCES blobs (hash), -- the page's elements and text, compressed; null when not kept
    manifest jsonb CHECK (jsonb_typeof(manifest) = 'object'),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    CONSTRAINT screenshots_queue_key UNIQUE (account_id, queue_id),
    -- A batch has one screenshot of a place, and perhaps one that confirms it.
    CONSTRAINT screenshots_place_key UNIQUE (account_id, batch_id, group_id, url_id, device, confirmation),
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
CREATE INDEX screenshots_elements ON screenshots (elements_hash) WHERE elements_hash IS NOT NULL;
-- The newest screenshot of a place by one version of the capture engine: after an upgrade pictures may differ by themselves.
CREATE INDEX screenshots_version ON screenshots (account_id, group_id, url_id, device, sc_version, created_at DESC, id DESC);

SELECT guard_tenant('screenshots');
