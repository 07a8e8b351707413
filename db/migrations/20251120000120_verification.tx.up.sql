-- Verification: what is made of the changed regions of a comparison, changes that are the same on many pages, and which
-- feedback rules have passed over what.

SELECT set_config('afterimage.system', 'on', true); -- the rows that are there already belong to many accounts

ALTER TABLE comparisons
    ADD COLUMN alarmed boolean NOT NULL DEFAULT false, -- whether it was new before anybody reviewed it
    ADD COLUMN ai_status text CHECK (ai_status IN ('pending', 'verified', 'failed', 'skipped')), -- null: the account had no verification
    ADD COLUMN capture_issue text CHECK (capture_issue IN ('after_blank', 'before_blank', 'both_blank')),
    ADD COLUMN ai_summary text NOT NULL DEFAULT '',
    ADD COLUMN ai_processing_ms integer NOT NULL DEFAULT 0 CHECK (ai_processing_ms >= 0),
    ADD COLUMN ai_all_good integer NOT NULL DEFAULT 0 CHECK (ai_all_good >= 0), -- verdicts of each category
    ADD COLUMN ai_not_sure integer NOT NULL DEFAULT 0 CHECK (ai_not_sure >= 0),
    ADD COLUMN ai_alerts integer NOT NULL DEFAULT 0 CHECK (ai_alerts >= 0),
    ADD COLUMN regions_left_out integer NOT NULL DEFAULT 0 CHECK (regions_left_out >= 0), -- changed regions beyond those kept
    ADD COLUMN findings jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(findings) = 'array'),
    ADD COLUMN console_verdict jsonb CHECK (jsonb_typeof(console_verdict) = 'object');

UPDATE comparisons SET alarmed = true WHERE above_threshold AND confirmation IS DISTINCT FROM 'vanished';

ALTER TABLE batches
    ADD COLUMN ai_summary text, -- null until the batch is finished, and where nothing of it was verified
    ADD COLUMN ai_overall text CHECK (ai_overall IN ('everything_ok', 'needs_attention')),
    ADD COLUMN ai_processing_ms bigint CHECK (ai_processing_ms >= 0),
    ADD COLUMN model_regions integer NOT NULL DEFAULT 0 CHECK (model_regions >= 0), -- that a model was asked about
    ADD CHECK (num_nulls(ai_summary, ai_overall, ai_processing_ms) IN (0, 3));

-- What a rule follows. Rules made before have none of this: they match by element or place alone.
ALTER TABLE ai_feedback_rules
    ADD COLUMN changes jsonb CHECK (jsonb_typeof(changes) = 'array'), -- what happened in the region, with its elements
    ADD COLUMN change_category text CHECK (change_category IN ('alert', 'not_sure', 'all_good')), -- the verdict without the rule
    ADD CHECK (num_nulls(changes, change_category) IN (0, 2)),
    ADD CHECK (type = 'visual' OR changes IS NULL);

-- The same change on several pages and devices of a batch. Rows are written under the batch's lock.
CREATE TABLE batch_changes (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    batch_id uuid NOT NULL,
    fingerprint text NOT NULL,
    kind text NOT NULL,
    description text NOT NULL, -- as on the page where it was seen first
    comparisons integer NOT NULL CHECK (comparisons > 0), -- that show it
    desktop integer NOT NULL CHECK (desktop >= 0), -- of these
    all_good integer NOT NULL CHECK (all_good >= 0), -- verdicts on it, the worst one of each comparison
    not_sure integer NOT NULL CHECK (not_sure >= 0),
    alerts integer NOT NULL CHECK (alerts >= 0),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    CONSTRAINT batch_changes_key UNIQUE (account_id, batch_id, fingerprint),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id) ON DELETE CASCADE,
    CHECK (all_good + not_sure + alerts = comparisons),
    CHECK (desktop <= comparisons)
) WITH (fillfactor = 70);

CREATE INDEX batch_changes_newest ON batch_changes (account_id, batch_id, created_at DESC, id DESC);

-- Which comparison shows which changes.
CREATE TABLE comparison_changes (
    account_id uuid NOT NULL REFERENCES accounts (id),
    comparison_id uuid NOT NULL,
    fingerprint text NOT NULL,
    category text NOT NULL CHECK (category IN ('alert', 'not_sure', 'all_good')), -- the worst of its regions
    ruled text NOT NULL CHECK (ruled IN ('alert', 'not_sure', 'all_good')), -- the same without feedback rules
    element text NOT NULL, -- selector of the element that it happened to; empty where none is known
    rule_id uuid, -- the feedback rule that passed over it, also one deleted since
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, comparison_id, fingerprint),
    FOREIGN KEY (account_id, comparison_id) REFERENCES comparisons (account_id, id) ON DELETE CASCADE
);

CREATE INDEX comparison_changes_fingerprint ON comparison_changes (account_id, fingerprint, created_at DESC);
CREATE INDEX comparison_changes_rule ON comparison_changes (account_id, rule_id, created_at DESC) WHERE rule_id IS NOT NULL;

-- Matches of feedback rules that are not in the rule's own count yet. Results only add rows: any number of them that match
-- the same rule commit side by side, and the sweeper adds them up.
CREATE TABLE ai_feedback_rule_matches (
    account_id uuid NOT NULL REFERENCES accounts (id),
    rule_id uuid NOT NULL,
    comparison_id uuid NOT NULL,
    regions integer NOT NULL CHECK (regions > 0),
    matched_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, rule_id, comparison_id),
    FOREIGN KEY (account_id, rule_id) REFERENCES ai_feedback_rules (account_id, id) ON DELETE CASCADE
);

DO $$
DECLARE
    guarded text;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['batch_changes', 'comparison_changes', 'ai_feedback_rule_matches'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', guarded);
        EXECUTE format($policy$
            CREATE POLICY tenant ON %I USING (
                CASE WHEN account_id = (SELECT nullif(current_setting('afterimage.account', true), '')::uuid) THEN true
                ELSE current_setting('afterimage.system', true) = 'on' END)
            $policy$, guarded);
    END LOOP;
END
$$;
