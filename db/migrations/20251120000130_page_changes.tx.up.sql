-- What changed of a page beside its pixels, and whether that alarms.

ALTER TABLE groups
    ADD COLUMN alarm_page_changes boolean NOT NULL DEFAULT false;

ALTER TABLE comparisons
    ADD COLUMN page_changes jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(page_changes) = 'array'),
    ADD COLUMN page_alarm boolean NOT NULL DEFAULT false;
