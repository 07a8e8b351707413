-- What changed of a page that leads to what was updated. It is kept apart from the comparisons, whose lists do not need it.

CREATE TABLE comparison_traces (
    account_id uuid NOT NULL REFERENCES accounts (id),
    comparison_id uuid NOT NULL,
    traces jsonb NOT NULL CHECK (jsonb_typeof(traces) = 'object'),
    PRIMARY KEY (account_id, comparison_id),
    FOREIGN KEY (account_id, comparison_id) REFERENCES comparisons (account_id, id) ON DELETE CASCADE
);

ALTER TABLE comparison_traces ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON comparison_traces USING (
    CASE WHEN account_id = (SELECT nullif(current_setting('afterimage.account', true), '')::uuid) THEN true
    ELSE current_setting('afterimage.system', true) = 'on' END);
