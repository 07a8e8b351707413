-- Monitoring: why a due run did not take place, screenshots that confirm a change, and what became of such a change.

ALTER TABLE groups
    ADD COLUMN confirm_changes boolean NOT NULL DEFAULT true,
    ADD COLUMN missed_run text CHECK (missed_run IN ('checks_exhausted', 'too_many_screenshots', 'account_paused')); -- null: none

ALTER TABLE queue_entries
    ADD COLUMN confirms_id uuid CHECK (confirms_id IS NULL OR type = 'auto'), -- the entry whose screenshot is taken again
    ADD COLUMN not_before timestamptz, -- while it waits in a lane
    ADD FOREIGN KEY (account_id, confirms_id) REFERENCES queue_entries (account_id, id);

CREATE UNIQUE INDEX queue_entries_confirms_key ON queue_entries (account_id, confirms_id) WHERE confirms_id IS NOT NULL;

-- A batch has one screenshot of a place, and perhaps one that confirms it.
ALTER TABLE screenshots
    ADD COLUMN confirmation boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT screenshots_place_key,
    ADD CONSTRAINT screenshots_place_key UNIQUE (account_id, batch_id, group_id, url_id, device, confirmation);

ALTER TABLE comparisons
    ADD COLUMN confirmation text CHECK (confirmation IN ('confirmed', 'vanished', 'not_possible')), -- null: none was asked for
    ADD COLUMN flapping boolean NOT NULL DEFAULT false;

-- How a page came to look as it does.
CREATE INDEX comparisons_changes ON comparisons (account_id, group_id, url_id, device, created_at DESC, id DESC) WHERE above_threshold;

SELECT afterimage_extend_events('kind', ARRAY['run_missed', 'update_report_due']);
