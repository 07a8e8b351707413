-- What a run consists of: batches with their queue entries, and triggers that wait for more of their kind before they
-- start one.

CREATE TABLE batches (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    name text NOT NULL,
    source text NOT NULL CHECK (source IN ('manual', 'monitoring', 'auto_update')),
    sc_version text NOT NULL,
    -- How many of its entries are in each state; kept with every move of one, under the lock of this row.
    open_count integer NOT NULL CHECK (open_count >= 0),
    processing_count integer NOT NULL CHECK (processing_count >= 0),
    done_count integer NOT NULL CHECK (done_count >= 0),
    failed_count integer NOT NULL CHECK (failed_count >= 0),
    reopened integer NOT NULL DEFAULT 0 CHECK (reopened >= 0), -- times that it had finished and goes on
    cancelled_at timestamptz,
    finished_at timestamptz,
    trigger_context jsonb CHECK (trigger_context IS NULL OR source = 'monitoring'), -- what it was started by
    update_results jsonb CHECK (jsonb_typeof(update_results) = 'object'),
    ai_summary text, -- null until the batch is finished, and where nothing of it was verified
    ai_overall text CHECK (ai_overall IN ('everything_ok', 'needs_attention')),
    ai_processing_ms bigint CHECK (ai_processing_ms >= 0),
    model_regions integer NOT NULL DEFAULT 0 CHECK (model_regions >= 0), -- that a model was asked about
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    CHECK (num_nulls(ai_summary, ai_overall, ai_processing_ms) IN (0, 3))
) WITH (fillfactor = 70);

CREATE INDEX batches_newest ON batches (account_id, created_at DESC, id DESC);
CREATE INDEX batches_newest_of_source ON batches (account_id, source, created_at DESC, id DESC);
-- Whether a group's last monitoring run is still going on is asked before each one.
CREATE INDEX batches_running ON batches (account_id, source) WHERE finished_at IS NULL;
CREATE INDEX batches_unfinished ON batches (account_id, id) WHERE finished_at IS NULL;

SELECT guard_tenant('batches');

CREATE TABLE queue_entries (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    batch_id uuid NOT NULL,
    group_id uuid NOT NULL,
    url_id uuid NOT NULL,
    device text NOT NULL CHECK (device IN ('desktop', 'mobile')),
    type text NOT NULL CHECK (type IN ('pre', 'post', 'auto', 'compare')),
    status text NOT NULL CHECK (status IN ('open', 'processing', 'done', 'failed')),
    reason text NOT NULL,
    error_msg text NOT NULL,
    notice text NOT NULL DEFAULT '', -- what an entry that has not ended waits for, for the site's owner
    attempts integer NOT NULL CHECK (attempts >= 0),
    delay integer NOT NULL CHECK (delay >= 0), -- seconds of its account's lane
    not_before timestamptz, -- while it waits for its turn
    reopened integer NOT NULL DEFAULT 0 CHECK (reopened >= 0), -- times that it had failed and goes on
    -- How often a comparison ended the process that made it, by its limits or a failure: one that does so again and again
    -- must not come back for ever.
    overran smallint NOT NULL DEFAULT 0,
    confirms_id uuid, -- the entry whose screenshot is taken again
    subject_id uuid, -- of a comparison: the entry whose screenshot is compared
    dispatched boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id),
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id),
    FOREIGN KEY (account_id, url_id) REFERENCES urls (account_id, id),
    FOREIGN KEY (account_id, confirms_id) REFERENCES queue_entries (account_id, id),
    FOREIGN KEY (account_id, subject_id) REFERENCES queue_entries (account_id, id),
    CHECK ((type = 'compare') = (subject_id IS NOT NULL)),
    CHECK (confirms_id IS NULL OR type = 'auto')
) WITH (fillfactor = 70);

CREATE INDEX queue_entries_newest ON queue_entries (account_id, created_at DESC, id DESC);
CREATE INDEX queue_entries_live ON queue_entries (account_id, created_at DESC, id DESC) WHERE status IN ('open', 'processing');
CREATE INDEX queue_entries_failed ON queue_entries (account_id, created_at DESC, id DESC) WHERE status = 'failed';
CREATE INDEX queue_entries_batch ON queue_entries (account_id, batch_id, created_at DESC, id DESC);
CREATE INDEX queue_entries_figures ON queue_entries (account_id, batch_id, type, status);
CREATE INDEX queue_entries_url ON queue_entries (account_id, url_id, created_at DESC, id DESC);
CREATE INDEX queue_entries_place ON queue_entries (account_id, group_id, url_id, device, type, created_at DESC, id DESC);
CREATE UNIQUE INDEX queue_entries_subject_key ON queue_entries (account_id, subject_id) WHERE subject_id IS NOT NULL;
CREATE INDEX queue_entries_waiting ON queue_entries (account_id, group_id, url_id, device)
    WHERE type = 'compare' AND status = 'open' AND NOT dispatched;
CREATE UNIQUE INDEX queue_entries_confirms_key ON queue_entries (account_id, confirms_id) WHERE confirms_id IS NOT NULL;

SELECT guard_tenant('queue_entries');

-- Which groups a batch has entries of: its names are shown in every list of batches.
CREATE TABLE batch_groups (
    account_id uuid NOT NULL REFERENCES accounts (id),
    batch_id uuid NOT NULL,
    group_id uuid NOT NULL,
    PRIMARY KEY (account_id, batch_id, group_id),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id),
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id)
);

CREATE INDEX batch_groups_group ON batch_groups (account_id, group_id);

SELECT guard_tenant('batch_groups');

-- Triggers of monitoring groups. One row for each group and type: what comes while it waits becomes part of it.
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

SELECT guard_tenant('pending_triggers');
