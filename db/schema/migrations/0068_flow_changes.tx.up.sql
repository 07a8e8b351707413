-- The last step of a run of a flow that had begun and changes something that lasts: the run is not repeated unasked.

ALTER TABLE flow_runs ADD COLUMN changed_step integer CHECK (changed_step > 0); -- counted from 1; null for none
