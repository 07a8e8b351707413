-- Triggers of monitoring groups: what waits for more of its kind, and what a batch was started by.

ALTER TABLE batches ADD COLUMN trigger_context jsonb CHECK (trigger_context IS NULL OR source = 'monitoring');

-- One row for each group and type: what comes while it waits becomes part of it.
CREATE TABLE pending_triggers (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    group_id uuid NOT NULL,
    type text NOT NULL CHECK (type = 'post_save'),
    first_triggered_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL CHECK (due_at >= first_triggered_at),
    pages jsonb NOT NULL CHECK (jsonb_typeof(pages) = 'array' AND jsonb_array_length(pages) BETWEEN 1 AND 1000),
    PRIMARY KEY (account_id, id),
    UNIQUE (account_id, group_id, type),
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id)
);

CREATE INDEX pending_triggers_due ON pending_triggers (due_at);

ALTER TABLE pending_triggers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON pending_triggers USING (
    CASE WHEN account_id = (SELECT nullif(current_setting('afterimage.account', true), '')::uuid) THEN true
    ELSE current_setting('afterimage.system', true) = 'on' END);
