-- A run of a flow tells which steps have ended while it goes on.
ALTER TABLE events DROP CONSTRAINT events_kind_check;
ALTER TABLE events ADD CONSTRAINT events_kind_check CHECK (kind IN (
    'account_updated', 'account_paused', 'account_reactivated', 'checks_low', 'checks_exhausted', 'storage_low', 'storage_full',
    'token_created', 'subaccount_opened',
    'group_created', 'group_updated', 'group_deleted', 'url_created', 'url_updated', 'url_deleted',
    'website_created', 'website_updated', 'website_deleted', 'url_import_started', 'url_import_finished',
    'batch_created', 'batch_updated', 'batch_finished', 'batch_deleted', 'run_missed', 'update_report_due', 'flow_failed',
    'flow_run_updated',
    'queue_status_open', 'queue_status_processing', 'queue_status_done', 'queue_status_failed',
    'comparison_created', 'comparison_status_new', 'comparison_silenced', 'comparison_status_changed', 'comparison_commented',
    'ai_feedback_rule_created', 'ai_feedback_rule_updated', 'ai_feedback_rule_deleted',
    'webhook_created', 'webhook_updated', 'webhook_deleted', 'webhook_disabled')) NOT VALID;
