-- What somebody may still do in an hour, for all processes together. Of no account: that an address gets few mails from all of
-- them counts too. Addresses stand here as hashes. A row that has not been used for an hour says nothing.
CREATE TABLE allowances (
    key text PRIMARY KEY,
    points double precision NOT NULL,
    used_at timestamptz NOT NULL
);

CREATE INDEX allowances_used ON allowances (used_at);
