-- A plan to learn from two screenshots that exist, with no update between them: repeated runs before an update. Nothing is captured.

ALTER TABLE noise_probes ADD COLUMN earlier_id uuid; -- the earlier screenshot; it may be gone by then
