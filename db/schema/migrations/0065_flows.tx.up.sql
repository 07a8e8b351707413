-- Flows: steps that lead to pages without an address of their own. Their checkpoints are URLs of groups, which one walk captures together.

CREATE TABLE flows (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    website_id uuid NOT NULL,
    name text NOT NULL,
    definition text NOT NULL, -- as a file has it, with the names of secrets only
    step_ids uuid[] NOT NULL, -- of its steps, in their order
    sealed_secrets bytea CHECK (sealed_secrets <> ''), -- null for none
    manual boolean NOT NULL, -- whether the website's group of manual checks has it
    monitoring boolean NOT NULL, -- and its group of monitoring
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, website_id) REFERENCES websites (account_id, id)
);

CREATE INDEX flows_newest ON flows (account_id, created_at DESC, id DESC);
CREATE INDEX flows_website ON flows (account_id, website_id, created_at DESC, id DESC);

SELECT guard_tenant('flows');

CREATE TABLE flow_checkpoints (
    account_id uuid NOT NULL REFERENCES accounts (id),
    url_id uuid NOT NULL,
    flow_id uuid NOT NULL,
    step_id uuid NOT NULL,
    PRIMARY KEY (account_id, url_id),
    UNIQUE (account_id, flow_id, step_id),
    FOREIGN KEY (account_id, flow_id) REFERENCES flows (account_id, id) ON DELETE CASCADE,
    FOREIGN KEY (account_id, url_id) REFERENCES urls (account_id, id)
);

SELECT guard_tenant('flow_checkpoints');

-- What became of a flow in a batch, on one device.
CREATE TABLE flow_runs (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    flow_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    group_id uuid NOT NULL,
    entry_id uuid NOT NULL, -- whose turn it is
    device text NOT NULL CHECK (device IN ('desktop', 'mobile')),
    type text NOT NULL CHECK (type IN ('pre', 'post', 'auto')),
    status text NOT NULL CHECK (status IN ('processing', 'done', 'failed')),
    error_msg text NOT NULL, -- why it failed before its first step
    steps jsonb NOT NULL CHECK (jsonb_typeof(steps) = 'array'), -- empty until it is over
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    PRIMARY KEY (account_id, id),
    CONSTRAINT flow_runs_place_key UNIQUE (account_id, batch_id, group_id, flow_id, device),
    FOREIGN KEY (account_id, flow_id) REFERENCES flows (account_id, id) ON DELETE CASCADE,
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id) ON DELETE CASCADE
);

CREATE INDEX flow_runs_newest ON flow_runs (account_id, flow_id, created_at DESC, id DESC);

SELECT guard_tenant('flow_runs');

-- The checkpoints of a flow are captured in the turn of one of them, which names itself here.
ALTER TABLE queue_entries ADD COLUMN leader_id uuid;
CREATE INDEX queue_entries_leader ON queue_entries (account_id, leader_id) WHERE leader_id IS NOT NULL;
