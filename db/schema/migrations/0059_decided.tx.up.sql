-- Webhooks hear of the verdict on an update.
ALTER TABLE webhooks DROP CONSTRAINT webhooks_events_check;
ALTER TABLE webhooks ADD CONSTRAINT webhooks_events_check CHECK (cardinality(events) > 0 AND events <@ ARRAY[
    'batch_finished', 'comparison_status_new', 'comparison_silenced', 'comparison_reviewed', 'queue_status_done', 'queue_status_failed',
    'run_missed', 'checks_low', 'wordpress_single_call', 'wordpress_cron', 'batch_decided']) NOT VALID;
ALTER TABLE deliveries DROP CONSTRAINT deliveries_event_check;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_event_check CHECK (event IN (
    'batch_finished', 'comparison_status_new', 'comparison_silenced', 'comparison_reviewed', 'queue_status_done', 'queue_status_failed',
    'run_missed', 'checks_low', 'ping', 'wordpress_single_call', 'wordpress_cron', 'batch_decided')) NOT VALID;
-- The end of a run may be told to a webhook under both names.
ALTER TABLE deliveries DROP CONSTRAINT deliveries_event_key;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_event_key UNIQUE (account_id, webhook_id, number, event);
