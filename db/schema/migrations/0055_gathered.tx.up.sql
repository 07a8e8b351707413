-- Collections of tools that manage a site, and collections without an id of the site's own choice: uploads without one gather until
-- they are started, one collection for each account, domain and tool.

ALTER TABLE url_imports
    ADD COLUMN managed_by text CHECK (managed_by <> ''), -- of the website; null: by no tool
    ADD COLUMN gathered boolean NOT NULL DEFAULT false;

CREATE UNIQUE INDEX url_imports_gathered_key ON url_imports (account_id, domain, coalesce(managed_by, ''))
    WHERE gathered AND state = 'collecting';
