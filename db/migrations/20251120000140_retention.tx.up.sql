-- Events, deliveries and mails are kept for a time. Events go in the order of their numbers, so one number tells which of
-- an account's are gone.

ALTER TABLE accounts
    ADD COLUMN removed_events bigint NOT NULL DEFAULT 0, -- the newest event that is gone, and all before it; 0 for none
    ADD COLUMN removed_events_until timestamptz, -- the latest time of those
    ADD CONSTRAINT accounts_removed_events_check CHECK (removed_events >= 0 AND removed_events <= last_event),
    ADD CONSTRAINT accounts_removed_events_until_check CHECK ((removed_events = 0) = (removed_events_until IS NULL));

CREATE INDEX mails_old ON mails (created_at) WHERE state <> 'pending';
