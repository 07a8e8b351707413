-- Who reviewed which comparisons, with the state of each before and after, so that a review can be undone; and what people
-- say about comparisons.

CREATE TABLE reviews (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    undoes_id uuid, -- the review that this one takes back
    reviewer_kind text NOT NULL CHECK (reviewer_kind IN ('token', 'user', 'system')),
    reviewer_id uuid, -- of the token or the user
    reviewer_name text NOT NULL, -- at that time
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, undoes_id) REFERENCES reviews (account_id, id),
    CHECK ((reviewer_kind = 'system') = (reviewer_id IS NULL))
);

CREATE INDEX reviews_undoes ON reviews (account_id, undoes_id) WHERE undoes_id IS NOT NULL;
CREATE INDEX reviews_reviewer ON reviews (account_id, reviewer_id) WHERE reviewer_id IS NOT NULL;

SELECT guard_tenant('reviews');

CREATE TABLE review_items (
    account_id uuid NOT NULL REFERENCES accounts (id),
    review_id uuid NOT NULL,
    comparison_id uuid NOT NULL,
    before text NOT NULL CHECK (before IN ('new', 'ok', 'false_positive', 'to_fix')),
    after text NOT NULL CHECK (after IN ('new', 'ok', 'false_positive', 'to_fix')),
    PRIMARY KEY (account_id, review_id, comparison_id),
    FOREIGN KEY (account_id, review_id) REFERENCES reviews (account_id, id) ON DELETE CASCADE,
    FOREIGN KEY (account_id, comparison_id) REFERENCES comparisons (account_id, id) ON DELETE CASCADE
);

CREATE INDEX review_items_comparison ON review_items (account_id, comparison_id, review_id DESC);

SELECT guard_tenant('review_items');

ALTER TABLE comparisons ADD COLUMN review_id uuid; -- the newest review; null before the first
ALTER TABLE comparisons ADD FOREIGN KEY (account_id, review_id) REFERENCES reviews (account_id, id);
CREATE INDEX comparisons_review ON comparisons (account_id, review_id) WHERE review_id IS NOT NULL;

CREATE TABLE comparison_comments (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    comparison_id uuid NOT NULL,
    author_kind text NOT NULL CHECK (author_kind IN ('token', 'user', 'system')),
    author_id uuid,
    author_name text NOT NULL, -- at that time
    text text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 10000),
    created_at timestamptz NOT NULL,
    edited_at timestamptz,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, comparison_id) REFERENCES comparisons (account_id, id) ON DELETE CASCADE,
    CHECK ((author_kind = 'system') = (author_id IS NULL))
);

CREATE INDEX comparison_comments_comparison ON comparison_comments (account_id, comparison_id, id);

SELECT guard_tenant('comparison_comments');

ALTER TABLE events DROP CONSTRAINT events_kind_check;
ALTER TABLE events ADD CONSTRAINT events_kind_check CHECK (kind IN (
    'account_updated', 'account_paused', 'account_reactivated', 'checks_low', 'checks_exhausted', 'token_created', 'subaccount_opened',
    'group_created', 'group_updated', 'group_deleted', 'url_created', 'url_updated', 'url_deleted',
    'website_created', 'website_updated', 'website_deleted', 'url_import_started', 'url_import_finished',
    'batch_created', 'batch_updated', 'batch_finished', 'batch_deleted', 'run_missed', 'update_report_due',
    'queue_status_open', 'queue_status_processing', 'queue_status_done', 'queue_status_failed',
    'comparison_created', 'comparison_status_new', 'comparison_silenced', 'comparison_status_changed', 'comparison_commented',
    'ai_feedback_rule_created', 'ai_feedback_rule_updated', 'ai_feedback_rule_deleted',
    'webhook_created', 'webhook_updated', 'webhook_deleted', 'webhook_disabled')) NOT VALID;
