-- What is known of the parts of a page that change by themselves, on each device.
CREATE TABLE learned_noise (
    account_id uuid NOT NULL REFERENCES accounts (id),
    url_id uuid NOT NULL,
    device text NOT NULL CHECK (device IN ('desktop', 'mobile')),
    version bigint NOT NULL CHECK (version > 0), -- counts its changes: who read an older one does not overwrite a newer one
    visits integer NOT NULL CHECK (visits BETWEEN 0 AND 32), -- pairs of visits that it is learned from
    knowledge bytea NOT NULL CHECK (octet_length(knowledge) BETWEEN 1 AND 65536), -- see package noise
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, url_id, device),
    FOREIGN KEY (account_id, url_id) REFERENCES urls (account_id, id)
);

-- For the sweeper.
CREATE INDEX learned_noise_oldest ON learned_noise (updated_at);

SELECT guard_tenant('learned_noise');

-- What is known of a page goes with its URL, whoever deletes that: a person, a synchronisation, the end of an account.
CREATE FUNCTION forget_noise_of_url() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM learned_noise WHERE account_id = NEW.account_id AND url_id = NEW.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER urls_forget_noise AFTER UPDATE OF deleted_at ON urls
FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION forget_noise_of_url();
