-- Screenshots that others took: an upload is a batch that is filled from outside. See docs/decisions/0063.

ALTER TABLE batches
    ADD COLUMN uploading boolean NOT NULL DEFAULT false, -- more screenshots may come; until then it does not finish
    ADD CONSTRAINT batches_uploading_check CHECK (NOT uploading OR finished_at IS NULL);

-- Uploads that nobody finishes are ended some time after their last screenshot.
CREATE INDEX batches_uploading ON batches (updated_at) WHERE uploading;

CREATE TABLE uploads (
    account_id uuid NOT NULL REFERENCES accounts (id),
    batch_id uuid NOT NULL,
    group_id uuid NOT NULL,
    type text NOT NULL CHECK (type IN ('pre', 'post')), -- of the batch
    build text, -- the client's name for it, by which several processes fill the same batch; null for none
    shards integer NOT NULL CHECK (shards > 0), -- that fill it
    finished_shards integer[] NOT NULL, -- of these, from 1
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, batch_id),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id) ON DELETE CASCADE,
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id)
);

CREATE UNIQUE INDEX uploads_build_key ON uploads (account_id, group_id, type, build) WHERE build IS NOT NULL;

SELECT guard_tenant('uploads');
