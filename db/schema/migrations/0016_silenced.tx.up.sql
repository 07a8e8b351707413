-- Events of changes that were found harmless, how many screenshots of a batch have nothing to be compared with, and the last
-- answer to a webhook.
ALTER TABLE events DROP CONSTRAINT events_kind_check;
ALTER TABLE events ADD CONSTRAINT events_kind_check CHECK (kind IN (
    'account_updated', 'account_paused', 'account_reactivated', 'checks_low', 'checks_exhausted', 'token_created', 'subaccount_opened',
    'group_created', 'group_updated', 'group_deleted', 'url_created', 'url_updated', 'url_deleted',
    'website_created', 'website_updated', 'website_deleted', 'url_import_started', 'url_import_finished',
    'batch_created', 'batch_updated', 'batch_finished', 'run_missed', 'update_report_due',
    'queue_status_open', 'queue_status_processing', 'queue_status_done', 'queue_status_failed',
    'comparison_created', 'comparison_status_new', 'comparison_silenced', 'comparison_status_changed',
    'ai_feedback_rule_created', 'ai_feedback_rule_updated', 'ai_feedback_rule_deleted',
    'webhook_created', 'webhook_updated', 'webhook_deleted', 'webhook_disabled')) NOT VALID;
ALTER TABLE webhooks DROP CONSTRAINT webhooks_event_check;
ALTER TABLE webhooks ADD CONSTRAINT webhooks_event_check CHECK (event IN (
    'batch_finished', 'comparison_status_new', 'comparison_silenced', 'queue_status_done', 'queue_status_failed'));
ALTER TABLE deliveries DROP CONSTRAINT deliveries_event_check;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_event_check CHECK (event IN (
    'batch_finished', 'comparison_status_new', 'comparison_silenced', 'queue_status_done', 'queue_status_failed', 'ping')) NOT VALID;

ALTER TABLE batches ADD COLUMN unpaired_count integer NOT NULL DEFAULT 0 CHECK (unpaired_count >= 0);
ALTER TABLE webhooks ADD COLUMN last_status smallint CHECK (last_status BETWEEN 100 AND 999);
