-- Batches that were cancelled, and batches whose failed entries are tried again.

ALTER TABLE batches
    ADD COLUMN cancelled_at timestamptz,
    ADD COLUMN reopened integer NOT NULL DEFAULT 0 CHECK (reopened >= 0); -- times that it had finished and goes on

ALTER TABLE queue_entries ADD COLUMN reopened integer NOT NULL DEFAULT 0 CHECK (reopened >= 0); -- times that it had failed and goes on

CREATE INDEX batches_unfinished ON batches (account_id, id) WHERE finished_at IS NULL;
