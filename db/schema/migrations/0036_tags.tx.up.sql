-- Tags are labels that an account gives its URLs. A name is unique whatever its case; its spelling is that of its first use. Tags of
-- deleted URLs stay, like the URLs themselves, for the history.

CREATE TABLE tags (
    account_id uuid NOT NULL REFERENCES accounts (id),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 50),
    lower_name text NOT NULL GENERATED ALWAYS AS (lower(name)) STORED,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, name),
    CONSTRAINT tags_lower_name_key UNIQUE (account_id, lower_name)
);

SELECT guard_tenant('tags');

CREATE TABLE url_tags (
    account_id uuid NOT NULL REFERENCES accounts (id),
    url_id uuid NOT NULL,
    tag text NOT NULL,
    PRIMARY KEY (account_id, url_id, tag),
    FOREIGN KEY (account_id, url_id) REFERENCES urls (account_id, id) ON DELETE CASCADE,
    FOREIGN KEY (account_id, tag) REFERENCES tags (account_id, name) ON UPDATE CASCADE ON DELETE CASCADE
);

CREATE INDEX url_tags_tag ON url_tags (account_id, tag, url_id);

SELECT guard_tenant('url_tags');
