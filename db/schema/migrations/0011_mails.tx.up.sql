-- Mails: what is sent to whom, and what came of it.

CREATE TABLE mails (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN (
        'digest', 'update_report', 'webhook_disabled', 'account_paused', 'account_reactivated', 'checks_low', 'checks_exhausted',
        'token_created', 'subaccount_opened')),
    recipient text NOT NULL,
    number bigint NOT NULL, -- of the event that it tells of
    subject_id uuid NOT NULL, -- what the event is about
    subject text NOT NULL, -- the letter is empty before the first attempt
    text text NOT NULL,
    html text NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'sent', 'failed')),
    problem text NOT NULL,
    attempts integer NOT NULL CHECK (attempts >= 0),
    next_attempt_at timestamptz CHECK ((next_attempt_at IS NOT NULL) = (state = 'pending')),
    sent_at timestamptz CHECK ((sent_at IS NOT NULL) = (state = 'sent')),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    CONSTRAINT mails_event_key UNIQUE (account_id, number, recipient)
);

CREATE INDEX mails_newest ON mails (account_id, created_at DESC, id DESC);
CREATE INDEX mails_old ON mails (created_at) WHERE state <> 'pending';

SELECT guard_tenant('mails');
