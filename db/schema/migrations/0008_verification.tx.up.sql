-- Verification: feedback rules, changes that are the same on many pages, and which rules have passed over what.

-- Changes that verification is to pass over, each made out of a comparison that shows the change once.
CREATE TABLE ai_feedback_rules (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    type text NOT NULL CHECK (type IN ('visual', 'console')),
    scope text NOT NULL CHECK (scope IN ('url', 'group', 'website')),
    url_id uuid NOT NULL, -- of the comparison, like group_id; the scope tells which of them the rule holds for
    group_id uuid NOT NULL,
    website_id uuid CHECK ((website_id IS NOT NULL) = (scope = 'website')),
    comparison_id uuid, -- null when nothing is left of it
    device text NOT NULL CHECK (device IN ('desktop', 'mobile')),
    description text NOT NULL,
    -- Of a visual rule: where in the picture after the region was, in pixels, what its change was like, and the smallest
    -- element of the page that covered it.
    x integer,
    y integer,
    width integer,
    height integer,
    fingerprint text,
    element_selector text,
    element_role text,
    element_text text,
    -- What a visual rule follows. Without these it matches by element or place alone.
    changes jsonb CHECK (jsonb_typeof(changes) = 'array'), -- what happened in the region, with its elements
    change_category text CHECK (change_category IN ('alert', 'not_sure', 'all_good')), -- the verdict without the rule
    -- Of a console rule.
    console_entry text,
    console_source text, -- null for any
    is_active boolean NOT NULL,
    match_count bigint NOT NULL DEFAULT 0 CHECK (match_count >= 0),
    last_matched_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, url_id) REFERENCES urls (account_id, id),
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id),
    FOREIGN KEY (account_id, website_id) REFERENCES websites (account_id, id),
    FOREIGN KEY (account_id, comparison_id) REFERENCES comparisons (account_id, id) ON DELETE SET NULL (comparison_id),
    CHECK (num_nulls(x, y, width, height, fingerprint) = CASE type WHEN 'visual' THEN 0 ELSE 5 END),
    CHECK (num_nulls(element_selector, element_role, element_text) IN (0, 3)),
    CHECK (type = 'visual' OR element_selector IS NULL),
    CHECK ((console_entry IS NOT NULL) = (type = 'console')),
    CHECK (type = 'console' OR console_source IS NULL),
    CHECK (num_nulls(changes, change_category) IN (0, 2)),
    CHECK (type = 'visual' OR changes IS NULL)
);

-- An account has a thousand rules at most: its newest are found by the index, other conditions are looked at row by row.
CREATE INDEX ai_feedback_rules_newest ON ai_feedback_rules (account_id, created_at DESC, id DESC);
-- For who deletes what a rule points to.
CREATE INDEX ai_feedback_rules_website ON ai_feedback_rules (account_id, website_id) WHERE website_id IS NOT NULL;
CREATE INDEX ai_feedback_rules_comparison ON ai_feedback_rules (account_id, comparison_id) WHERE comparison_id IS NOT NULL;

SELECT guard_tenant('ai_feedback_rules');

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

SELECT guard_tenant('ai_feedback_rule_matches');

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

SELECT guard_tenant('batch_changes');

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

SELECT guard_tenant('comparison_changes');
