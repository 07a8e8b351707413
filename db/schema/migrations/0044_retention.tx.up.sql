-- How long accounts keep their runs, how much they store, and what was freed.

ALTER TABLE accounts
    ADD COLUMN keep_days integer CHECK (keep_days BETWEEN 0 AND 3650), -- null: as the operator decided; 0: for ever
    ADD COLUMN keep_runs integer NOT NULL DEFAULT 1 CHECK (keep_runs BETWEEN 0 AND 1000), -- the newest of each group
    ADD COLUMN keep_reviewed boolean NOT NULL DEFAULT true,
    ADD COLUMN storage_limit bigint CHECK (storage_limit > 0), -- bytes; null for none
    ADD COLUMN stored_bytes bigint NOT NULL DEFAULT 0 CHECK (stored_bytes >= 0), -- when last measured
    ADD COLUMN stored_files bigint NOT NULL DEFAULT 0 CHECK (stored_files >= 0),
    ADD COLUMN stored_at timestamptz, -- when that was; null before the first time
    ADD COLUMN storage_told smallint NOT NULL DEFAULT 0 CHECK (storage_told IN (0, 80, 100)), -- what its owner has been told, in percent
    ADD COLUMN retention_due_at timestamptz NOT NULL DEFAULT '-infinity'; -- when its runs are looked at next

CREATE INDEX accounts_retention ON accounts (retention_due_at);

-- Its comparisons are gone, and all screenshots but those that others still need.
ALTER TABLE batches ADD COLUMN expired_at timestamptz;

CREATE INDEX batches_finished ON batches (account_id, finished_at) WHERE finished_at IS NOT NULL AND expired_at IS NULL;
CREATE INDEX batches_expired ON batches (account_id, id) WHERE expired_at IS NOT NULL;
CREATE INDEX comparisons_reviewed ON comparisons (account_id, batch_id) WHERE review_id IS NOT NULL;

-- What retention removed, by day.
CREATE TABLE freed_storage (
    account_id uuid NOT NULL REFERENCES accounts (id),
    day date NOT NULL, -- in UTC
    runs integer NOT NULL CHECK (runs >= 0),
    screenshots integer NOT NULL CHECK (screenshots >= 0),
    comparisons integer NOT NULL CHECK (comparisons >= 0),
    bytes bigint NOT NULL CHECK (bytes >= 0), -- of files that nothing refers to any more
    PRIMARY KEY (account_id, day)
);

SELECT guard_tenant('freed_storage');

-- A file is unsettled from its reservation, and again from the removal of a row that named it, until the sweeper has looked:
-- one that a row names is settled (null), another one is removed after its grace time. So the sweeper looks at what changed,
-- not at all files.
ALTER TABLE blobs ADD COLUMN unsettled_at timestamptz DEFAULT now();
CREATE INDEX blobs_unsettled ON blobs (unsettled_at) WHERE unsettled_at IS NOT NULL;

CREATE FUNCTION unsettle_blobs_of_images() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE blobs AS b SET unsettled_at = now() FROM (
        SELECT hash FROM blobs WHERE hash IN (SELECT hash FROM removed UNION SELECT over FROM removed WHERE over IS NOT NULL)
        ORDER BY hash FOR NO KEY UPDATE) AS named
    WHERE b.hash = named.hash;
    RETURN NULL;
END
$$;

CREATE FUNCTION unsettle_blobs_of_screenshots() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE blobs AS b SET unsettled_at = now() FROM (
        SELECT hash FROM blobs WHERE hash IN (SELECT elements_hash FROM removed WHERE elements_hash IS NOT NULL)
        ORDER BY hash FOR NO KEY UPDATE) AS named
    WHERE b.hash = named.hash;
    RETURN NULL;
END
$$;

CREATE TRIGGER blobs_unsettled AFTER DELETE ON images
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION unsettle_blobs_of_images();
CREATE TRIGGER blobs_unsettled AFTER DELETE ON screenshots
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION unsettle_blobs_of_screenshots();

ALTER TABLE groups DROP CONSTRAINT groups_missed_run_check;
ALTER TABLE groups ADD CONSTRAINT groups_missed_run_check
    CHECK (missed_run IN ('checks_exhausted', 'too_many_screenshots', 'account_paused', 'storage_full')) NOT VALID;

ALTER TABLE events DROP CONSTRAINT events_kind_check;
ALTER TABLE events ADD CONSTRAINT events_kind_check CHECK (kind IN (
    'account_updated', 'account_paused', 'account_reactivated', 'checks_low', 'checks_exhausted', 'storage_low', 'storage_full',
    'token_created', 'subaccount_opened',
    'group_created', 'group_updated', 'group_deleted', 'url_created', 'url_updated', 'url_deleted',
    'website_created', 'website_updated', 'website_deleted', 'url_import_started', 'url_import_finished',
    'batch_created', 'batch_updated', 'batch_finished', 'batch_deleted', 'run_missed', 'update_report_due',
    'queue_status_open', 'queue_status_processing', 'queue_status_done', 'queue_status_failed',
    'comparison_created', 'comparison_status_new', 'comparison_silenced', 'comparison_status_changed', 'comparison_commented',
    'ai_feedback_rule_created', 'ai_feedback_rule_updated', 'ai_feedback_rule_deleted',
    'webhook_created', 'webhook_updated', 'webhook_deleted', 'webhook_disabled')) NOT VALID;

ALTER TABLE mails DROP CONSTRAINT mails_kind_check;
ALTER TABLE mails ADD CONSTRAINT mails_kind_check CHECK (kind IN (
    'digest', 'update_report', 'webhook_disabled', 'account_paused', 'account_reactivated', 'checks_low', 'checks_exhausted',
    'storage_low', 'storage_full', 'token_created', 'subaccount_opened', 'invitation', 'passkey_added', 'provider_connected'))
    NOT VALID;
