-- Trials: flows that are run once as they were sent, without being saved. They are kept for an hour, and no batch knows of them.

CREATE TABLE flow_trials (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    website_id uuid NOT NULL,
    person_id uuid, -- the user or the token that began it; null for the system
    device text NOT NULL CHECK (device IN ('desktop', 'mobile')),
    definition text NOT NULL, -- as a file has it, up to the last step that is tried
    step_ids uuid[] NOT NULL, -- of its steps, in their order
    sealed_secrets bytea CHECK (sealed_secrets <> ''), -- null for none, and from its first step on
    status text NOT NULL CHECK (status IN ('open', 'processing', 'done', 'failed')),
    error_msg text NOT NULL, -- why it failed before its first step, or was ended
    steps jsonb NOT NULL CHECK (jsonb_typeof(steps) = 'array'), -- those that have ended
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, website_id) REFERENCES websites (account_id, id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX flow_trials_running ON flow_trials (account_id, coalesce(person_id, account_id))
    WHERE status IN ('open', 'processing');
CREATE INDEX flow_trials_website ON flow_trials (account_id, website_id);
CREATE INDEX flow_trials_old ON flow_trials (created_at);

SELECT guard_tenant('flow_trials');

CREATE TABLE flow_trial_pictures (
    account_id uuid NOT NULL REFERENCES accounts (id),
    trial_id uuid NOT NULL,
    steps_done integer NOT NULL CHECK (steps_done >= 0), -- when the picture was taken
    image_id uuid NOT NULL,
    PRIMARY KEY (account_id, trial_id, steps_done),
    FOREIGN KEY (account_id, trial_id) REFERENCES flow_trials (account_id, id) ON DELETE CASCADE,
    FOREIGN KEY (account_id, image_id) REFERENCES images (account_id, id)
);

CREATE INDEX flow_trial_pictures_image ON flow_trial_pictures (account_id, image_id);

SELECT guard_tenant('flow_trial_pictures');

CREATE TRIGGER picture_removed AFTER DELETE ON flow_trial_pictures
    FOR EACH ROW EXECUTE FUNCTION remove_picture_of_flow_run();

-- A trial that goes has no turn any more.
CREATE FUNCTION end_turn_of_flow_trial() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM turns WHERE account_id = OLD.account_id AND subject_id = OLD.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER turn_ended AFTER DELETE ON flow_trials
    FOR EACH ROW WHEN (OLD.status IN ('open', 'processing')) EXECUTE FUNCTION end_turn_of_flow_trial();

-- As before, and for the pictures of trials.
CREATE OR REPLACE FUNCTION image_by_token(wanted text) RETURNS SETOF images
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM set_config('afterimage.system', 'on', true);
    RETURN QUERY SELECT i.* FROM images AS i CROSS JOIN LATERAL (
        SELECT FROM screenshots AS s WHERE s.account_id = i.account_id AND s.image_id = i.id
            AND is_shown(s.account_id, s.group_id, s.url_id)
        UNION ALL
        SELECT FROM comparisons AS c WHERE c.account_id = i.account_id AND c.image_id = i.id
            AND is_shown(c.account_id, c.group_id, c.url_id)
        UNION ALL
        SELECT FROM flow_runs AS r WHERE r.account_id = i.account_id AND r.image_id = i.id
            AND EXISTS (SELECT FROM accounts AS a WHERE a.id = r.account_id AND a.status <> 'cancelled' AND a.deleted_at IS NULL)
            AND EXISTS (SELECT FROM groups AS g WHERE g.account_id = r.account_id AND g.id = r.group_id AND g.deleted_at IS NULL)
            AND EXISTS (SELECT FROM batches AS b WHERE b.account_id = r.account_id AND b.id = r.batch_id AND b.deleted_at IS NULL)
        UNION ALL
        SELECT FROM flow_trial_pictures AS p WHERE p.account_id = i.account_id AND p.image_id = i.id
            AND EXISTS (SELECT FROM accounts AS a WHERE a.id = p.account_id AND a.status <> 'cancelled' AND a.deleted_at IS NULL)
        LIMIT 1) AS place
        WHERE i.token = wanted;
    PERFORM set_config('afterimage.system', 'off', true);
END
$$;

-- The steps of a trial can be followed.
ALTER TABLE events DROP CONSTRAINT events_kind_check;
ALTER TABLE events ADD CONSTRAINT events_kind_check CHECK (kind IN (
    'account_updated', 'account_paused', 'account_reactivated', 'checks_low', 'checks_exhausted', 'storage_low', 'storage_full',
    'token_created', 'subaccount_opened',
    'group_created', 'group_updated', 'group_deleted', 'url_created', 'url_updated', 'url_deleted',
    'website_created', 'website_updated', 'website_deleted', 'url_import_started', 'url_import_finished',
    'batch_created', 'batch_updated', 'batch_finished', 'batch_deleted', 'run_missed', 'update_report_due', 'flow_failed',
    'flow_run_updated', 'flow_trial_updated',
    'queue_status_open', 'queue_status_processing', 'queue_status_done', 'queue_status_failed',
    'comparison_created', 'comparison_status_new', 'comparison_silenced', 'comparison_status_changed', 'comparison_commented',
    'ai_feedback_rule_created', 'ai_feedback_rule_updated', 'ai_feedback_rule_deleted',
    'webhook_created', 'webhook_updated', 'webhook_deleted', 'webhook_disabled')) NOT VALID;
ALTER TABLE events DROP CONSTRAINT events_subject_type_check;
ALTER TABLE events ADD CONSTRAINT events_subject_type_check CHECK (subject_type IN (
    'account', 'token', 'group', 'url', 'website', 'url_import', 'batch', 'queue_entry', 'comparison', 'ai_feedback_rule', 'webhook',
    'flow_run', 'flow_trial')) NOT VALID;
