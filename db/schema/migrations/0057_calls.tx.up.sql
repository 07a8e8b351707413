-- Webhooks that wake a CMS which works only while somebody visits it: called at a time, or each minute, without a body.
ALTER TABLE webhooks DROP CONSTRAINT webhooks_events_check;
ALTER TABLE webhooks ADD CONSTRAINT webhooks_events_check CHECK (cardinality(events) > 0 AND events <@ ARRAY[
    'batch_finished', 'comparison_status_new', 'comparison_silenced', 'comparison_reviewed', 'queue_status_done', 'queue_status_failed',
    'run_missed', 'checks_low', 'wordpress_single_call', 'wordpress_cron']) NOT VALID;
ALTER TABLE deliveries DROP CONSTRAINT deliveries_event_check;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_event_check CHECK (event IN (
    'batch_finished', 'comparison_status_new', 'comparison_silenced', 'comparison_reviewed', 'queue_status_done', 'queue_status_failed',
    'run_missed', 'checks_low', 'ping', 'wordpress_single_call', 'wordpress_cron')) NOT VALID;
-- When something is to be done next; a webhook that is gone stays for the record of its calls.
ALTER TABLE webhooks ADD COLUMN next_call_at timestamptz;
ALTER TABLE webhooks ADD COLUMN gone_at timestamptz CHECK (gone_at IS NULL OR next_call_at IS NULL);
CREATE INDEX webhooks_due ON webhooks (next_call_at) WHERE next_call_at IS NOT NULL;
