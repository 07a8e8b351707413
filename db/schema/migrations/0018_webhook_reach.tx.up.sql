-- A webhook receives several kinds of events, of all groups or of some.
ALTER TABLE webhooks DROP CONSTRAINT webhooks_event_check;
DROP INDEX webhooks_live;
ALTER TABLE webhooks RENAME COLUMN event TO events;
ALTER TABLE webhooks ALTER COLUMN events TYPE text[] USING ARRAY[events];
ALTER TABLE webhooks ADD CONSTRAINT webhooks_events_check CHECK (cardinality(events) > 0 AND events <@ ARRAY[
    'batch_finished', 'comparison_status_new', 'comparison_silenced', 'comparison_reviewed', 'queue_status_done', 'queue_status_failed',
    'run_missed', 'checks_low']);
-- Both empty: of all groups. Groups and websites that were deleted stay: nothing happens in them any more.
ALTER TABLE webhooks ADD COLUMN group_ids uuid[] NOT NULL DEFAULT '{}';
ALTER TABLE webhooks ADD COLUMN website_ids uuid[] NOT NULL DEFAULT '{}';
ALTER TABLE deliveries DROP CONSTRAINT deliveries_event_check;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_event_check CHECK (event IN (
    'batch_finished', 'comparison_status_new', 'comparison_silenced', 'comparison_reviewed', 'queue_status_done', 'queue_status_failed',
    'run_missed', 'checks_low', 'ping')) NOT VALID;
