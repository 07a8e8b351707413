-- What waits, counted for the metrics of all processes: the one that finds the count too old counts again, the others read it.
-- Nothing is lost with it.
CREATE UNLOGGED TABLE backlog (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    counted_at timestamptz NOT NULL, -- by the clock of the database
    document jsonb NOT NULL -- see internal/figures
);
