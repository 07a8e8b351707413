-- Whether a group's last monitoring run is still going on is asked before each one.

CREATE INDEX batches_running ON batches (account_id, source) WHERE finished_at IS NULL;
