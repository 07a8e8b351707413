-- A flow with a step that cannot be done is an event, and webhooks hear of it.
ALTER TABLE events DROP CONSTRAINT events_kind_check;
ALTER TABLE events ADD CONSTRAINT events_kind_check CHECK (kind IN (
    'account_updated', 'account_paused', 'account_reactivated', 'checks_low', 'checks_exhausted', 'storage_low', 'storage_full',
    'token_created', 'subaccount_opened',
    'group_created', 'group_updated', 'group_deleted', 'url_created', 'url_updated', 'url_deleted',
    'website_created', 'website_updated', 'website_deleted', 'url_import_started', 'url_import_finished',
    'batch_created', 'batch_updated', 'batch_finished', 'batch_deleted', 'run_missed', 'update_report_due', 'flow_failed',
    'queue_status_open', 'queue_status_processing', 'queue_status_done', 'queue_status_failed',
    'comparison_created', 'comparison_status_new', 'comparison_silenced', 'comparison_status_changed', 'comparison_commented',
    'ai_feedback_rule_created', 'ai_feedback_rule_updated', 'ai_feedback_rule_deleted',
    'webhook_created', 'webhook_updated', 'webhook_deleted', 'webhook_disabled')) NOT VALID;
ALTER TABLE events DROP CONSTRAINT events_subject_type_check;
ALTER TABLE events ADD CONSTRAINT events_subject_type_check CHECK (subject_type IN (
    'account', 'token', 'group', 'url', 'website', 'url_import', 'batch', 'queue_entry', 'comparison', 'ai_feedback_rule', 'webhook',
    'flow_run')) NOT VALID;
ALTER TABLE webhooks DROP CONSTRAINT webhooks_events_check;
ALTER TABLE webhooks ADD CONSTRAINT webhooks_events_check CHECK (cardinality(events) > 0 AND events <@ ARRAY[
    'batch_finished', 'comparison_status_new', 'comparison_silenced', 'comparison_reviewed', 'queue_status_done', 'queue_status_failed',
    'run_missed', 'checks_low', 'wordpress_single_call', 'wordpress_cron', 'batch_decided', 'flow_failed']) NOT VALID;
ALTER TABLE deliveries DROP CONSTRAINT deliveries_event_check;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_event_check CHECK (event IN (
    'batch_finished', 'comparison_status_new', 'comparison_silenced', 'comparison_reviewed', 'queue_status_done', 'queue_status_failed',
    'run_missed', 'checks_low', 'ping', 'wordpress_single_call', 'wordpress_cron', 'batch_decided', 'flow_failed')) NOT VALID;
