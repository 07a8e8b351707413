-- What was decided about changes wherever they occur in a batch, so that everybody who reviews it goes on from there. The newest
-- verdict on a change that was not taken back holds.
CREATE TABLE change_verdicts (
    account_id uuid NOT NULL REFERENCES accounts (id),
    review_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    fingerprint text NOT NULL,
    status text NOT NULL CHECK (status IN ('ok', 'false_positive', 'to_fix')),
    undone_by uuid, -- the review that took it back
    PRIMARY KEY (account_id, review_id),
    FOREIGN KEY (account_id, review_id) REFERENCES reviews (account_id, id) ON DELETE CASCADE,
    FOREIGN KEY (account_id, undone_by) REFERENCES reviews (account_id, id) ON DELETE CASCADE,
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, id) ON DELETE CASCADE
);

CREATE INDEX change_verdicts_batch ON change_verdicts (account_id, batch_id, fingerprint, review_id DESC) WHERE undone_by IS NULL;
CREATE INDEX change_verdicts_batches ON change_verdicts (account_id, batch_id);
CREATE INDEX change_verdicts_undone ON change_verdicts (account_id, undone_by) WHERE undone_by IS NOT NULL;

SELECT guard_tenant('change_verdicts');
