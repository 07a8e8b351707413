-- Where traces of runs go on, while the processes trace: the traceparent of what started the run, which its jobs continue.
CREATE TABLE batch_traces (
    account_id uuid NOT NULL REFERENCES accounts (id),
    batch_id uuid NOT NULL,
    traceparent text NOT NULL CHECK (length(traceparent) = 55),
    PRIMARY KEY (account_id, batch_id),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id) ON DELETE CASCADE
);

SELECT guard_tenant('batch_traces');
