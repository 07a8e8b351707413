-- Probes of a page that was never captured, planned when it is put into a group, compare two captures with each other.
ALTER TABLE noise_probes ALTER COLUMN screenshot_id DROP NOT NULL;
