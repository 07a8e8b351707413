-- How often a comparison ended the process that made it, by its limits or a failure: one that does so again and again must not come
-- back for ever.
ALTER TABLE queue_entries ADD COLUMN overran smallint NOT NULL DEFAULT 0;
