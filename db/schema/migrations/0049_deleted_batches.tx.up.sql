-- A batch that was deleted is shown no more from then on; its rows are removed in steps, since there may be tens of thousands.
ALTER TABLE batches ADD COLUMN deleted_at timestamptz;

-- Hardly ever is there one: then a look at this index tells.
CREATE INDEX batches_deleted ON batches (account_id, id) WHERE deleted_at IS NOT NULL;
