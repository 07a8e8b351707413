-- Webhooks: whom an account wants told of which event. Their requests are signed with the account's webhook secret.

CREATE TABLE webhooks (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    event text NOT NULL CHECK (event IN ('batch_finished', 'comparison_status_new', 'queue_status_done', 'queue_status_failed')),
    url text NOT NULL,
    expires_at timestamptz,
    disabled_at timestamptz, -- null while requests are sent
    disabled_reason text NOT NULL CHECK ((disabled_reason <> '') = (disabled_at IS NOT NULL)),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE INDEX webhooks_newest ON webhooks (account_id, created_at DESC, id DESC);
CREATE INDEX webhooks_live ON webhooks (account_id, event) WHERE disabled_at IS NULL;

ALTER TABLE webhooks ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON webhooks USING (account_id = (SELECT afterimage_account()) OR (SELECT afterimage_system()));

SELECT afterimage_extend_events('kind', ARRAY['webhook_created', 'webhook_updated', 'webhook_deleted']);
SELECT afterimage_extend_events('subject_type', ARRAY['webhook']);
