-- An import that a client asked to be read from an http:// address: its pages may be sent passwords without encryption (decision 90).
ALTER TABLE url_imports ADD COLUMN over_http boolean NOT NULL DEFAULT false;
