-- Events on their way out: how far those who read them have come, webhooks, deliveries to them, and each attempt at one.

CREATE TABLE consumers (
    account_id uuid NOT NULL REFERENCES accounts (id),
    name text NOT NULL,
    position bigint NOT NULL DEFAULT 0, -- number of the last event that was read
    put_off_until timestamptz, -- after a failure
    PRIMARY KEY (account_id, name)
);

SELECT guard_tenant('consumers');

-- Whom an account wants told of which event. Requests are signed with the account's webhook secret.
CREATE TABLE webhooks (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    event text NOT NULL CHECK (event IN ('batch_finished', 'comparison_status_new', 'queue_status_done', 'queue_status_failed')),
    url text NOT NULL,
    expires_at timestamptz,
    failing_since timestamptz, -- since when every attempt has failed
    disabled_at timestamptz, -- null while requests are sent
    disabled_reason text NOT NULL CHECK ((disabled_reason <> '') = (disabled_at IS NOT NULL)),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE INDEX webhooks_newest ON webhooks (account_id, created_at DESC, id DESC);
CREATE INDEX webhooks_live ON webhooks (account_id, event) WHERE disabled_at IS NULL;

SELECT guard_tenant('webhooks');

CREATE TABLE deliveries (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    event text NOT NULL CHECK (event IN ('batch_finished', 'comparison_status_new', 'queue_status_done', 'queue_status_failed', 'ping')),
    number bigint, -- of the event; null for a ping
    subject_id uuid NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
    problem text NOT NULL,
    attempts integer NOT NULL CHECK (attempts >= 0),
    tries integer NOT NULL CHECK (tries >= 0 AND tries <= attempts), -- attempts since it was last started
    next_attempt_at timestamptz CHECK ((next_attempt_at IS NOT NULL) = (state = 'pending')),
    body bytea, -- null before the first attempt
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    CONSTRAINT deliveries_event_key UNIQUE (account_id, webhook_id, number),
    FOREIGN KEY (account_id, webhook_id) REFERENCES webhooks (account_id, id) ON DELETE CASCADE
);

CREATE INDEX deliveries_newest ON deliveries (account_id, created_at DESC, id DESC);
CREATE INDEX deliveries_webhook ON deliveries (account_id, webhook_id, created_at DESC, id DESC);
CREATE INDEX deliveries_old ON deliveries (created_at) WHERE state <> 'pending';

SELECT guard_tenant('deliveries');

CREATE TABLE delivery_attempts (
    account_id uuid NOT NULL REFERENCES accounts (id),
    delivery_id uuid NOT NULL,
    number integer NOT NULL CHECK (number > 0),
    at timestamptz NOT NULL,
    milliseconds integer NOT NULL CHECK (milliseconds >= 0),
    status integer NOT NULL CHECK (status >= 0), -- of the answer; 0 when there was none
    answer bytea NOT NULL CHECK (length(answer) <= 65536), -- its beginning
    problem text NOT NULL,
    PRIMARY KEY (account_id, delivery_id, number),
    FOREIGN KEY (account_id, delivery_id) REFERENCES deliveries (account_id, id) ON DELETE CASCADE
);

SELECT guard_tenant('delivery_attempts');
