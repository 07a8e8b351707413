-- AI feedback rules: changes that verification is to pass over, each made out of a comparison that shows the change once.

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
    CHECK (type = 'console' OR console_source IS NULL)
);

-- An account has a thousand rules at most: its newest are found by the index, other conditions are looked at row by row.
CREATE INDEX ai_feedback_rules_newest ON ai_feedback_rules (account_id, created_at DESC, id DESC);
-- For who deletes what a rule points to.
CREATE INDEX ai_feedback_rules_website ON ai_feedback_rules (account_id, website_id) WHERE website_id IS NOT NULL;
CREATE INDEX ai_feedback_rules_comparison ON ai_feedback_rules (account_id, comparison_id) WHERE comparison_id IS NOT NULL;

ALTER TABLE ai_feedback_rules ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON ai_feedback_rules USING (
    CASE WHEN account_id = (SELECT nullif(current_setting('afterimage.account', true), '')::uuid) THEN true
    ELSE current_setting('afterimage.system', true) = 'on' END);

SELECT afterimage_extend_events('kind', ARRAY['ai_feedback_rule_created', 'ai_feedback_rule_updated', 'ai_feedback_rule_deleted']);
SELECT afterimage_extend_events('subject_type', ARRAY['ai_feedback_rule']);
