-- Probes: captures of a page that serve only to learn what changes by itself. See docs/decisions/0042.

ALTER TABLE accounts
    ADD COLUMN noise_probes boolean NOT NULL DEFAULT true, -- the owner wants them
    ADD COLUMN noise_probed_on date, -- the day, in UTC, of the last ones
    ADD COLUMN noise_probed integer NOT NULL DEFAULT 0 CHECK (noise_probed >= 0); -- on that day

CREATE TABLE noise_probes (
    account_id uuid NOT NULL REFERENCES accounts (id),
    url_id uuid NOT NULL,
    device text NOT NULL CHECK (device IN ('desktop', 'mobile')),
    group_id uuid NOT NULL,
    screenshot_id uuid NOT NULL, -- it may be gone by then
    due_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    PRIMARY KEY (account_id, url_id, device),
    FOREIGN KEY (account_id, url_id) REFERENCES urls (account_id, id),
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id)
);

CREATE INDEX noise_probes_due ON noise_probes (due_at);

SELECT guard_tenant('noise_probes');

-- A plan goes with its URL, as what is known of the page does.
CREATE OR REPLACE FUNCTION forget_noise_of_url() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM learned_noise WHERE account_id = NEW.account_id AND url_id = NEW.id;
    DELETE FROM noise_probes WHERE account_id = NEW.account_id AND url_id = NEW.id;
    RETURN NULL;
END
$$;
