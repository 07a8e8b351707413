-- A group may have a flow that signs in: what the browser keeps after it is shared by the captures of the group in a batch.

ALTER TABLE groups ADD COLUMN sign_in_flow_id uuid, ADD CONSTRAINT groups_sign_in_flow
    FOREIGN KEY (account_id, sign_in_flow_id) REFERENCES flows (account_id, id) ON DELETE SET NULL (sign_in_flow_id);

CREATE INDEX groups_sign_in_flow ON groups (account_id, sign_in_flow_id) WHERE sign_in_flow_id IS NOT NULL;

-- What became of the sign-in flow of a group in a batch on one device, until the batch ends.
CREATE TABLE page_sessions (
    account_id uuid NOT NULL REFERENCES accounts (id),
    batch_id uuid NOT NULL,
    group_id uuid NOT NULL,
    device text NOT NULL CHECK (device IN ('desktop', 'mobile')),
    flow_id uuid NOT NULL,
    entry_id uuid NOT NULL, -- in whose turn the flow runs, or ran last
    status text NOT NULL CHECK (status IN ('open', 'processing', 'done', 'failed')),
    round integer NOT NULL CHECK (round > 0), -- how often the session was begun: more than once if it was lost
    attempts integer NOT NULL CHECK (attempts >= 0), -- of this round that could not begin
    changed_step integer NOT NULL CHECK (changed_step >= 0), -- of the flow that has begun and changes something; 0 for none
    held_until timestamptz NOT NULL, -- when captures that wait for the flow look again by themselves
    error_msg text NOT NULL, -- with failed: why
    sealed bytea CHECK (sealed <> ''), -- with done: cookies and storage
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, batch_id, group_id, device),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id) ON DELETE CASCADE
);

CREATE INDEX page_sessions_old ON page_sessions (created_at);

SELECT guard_tenant('page_sessions');
