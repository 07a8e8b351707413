-- Mails about automatic updates and about the account itself.

ALTER TABLE mails DROP CONSTRAINT mails_kind_check;
ALTER TABLE mails ADD CONSTRAINT mails_kind_check CHECK (kind IN (
    'digest', 'update_report', 'webhook_disabled', 'account_paused', 'account_reactivated', 'checks_low', 'checks_exhausted',
    'token_created', 'subaccount_opened'));

SELECT afterimage_extend_events('kind', ARRAY[
    'account_paused', 'account_reactivated', 'checks_low', 'checks_exhausted', 'token_created', 'subaccount_opened']);
SELECT afterimage_extend_events('subject_type', ARRAY['token']);

-- How much of the checks of this period its owner has been told to be used up, in percent.
ALTER TABLE accounts ADD COLUMN checks_told smallint NOT NULL DEFAULT 0 CHECK (checks_told IN (0, 80, 100));
