-- What is done about an update for what is found after it; null for the usual rules.
ALTER TABLE groups ADD COLUMN gate_rules jsonb CHECK (jsonb_typeof(gate_rules) = 'object');
