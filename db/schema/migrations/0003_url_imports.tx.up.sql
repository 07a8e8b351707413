-- URLs that come in numbers: out of a site's sitemap, or sent by the site itself for synchronisation.

CREATE TABLE url_imports (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL, -- of a synchronisation: as the site chose it
    kind text NOT NULL CHECK (kind IN ('sitemap', 'sync')),
    domain text NOT NULL,
    state text NOT NULL CHECK (state IN ('collecting', 'started', 'done', 'failed')),
    delete_missing boolean NOT NULL,
    found integer NOT NULL CHECK (found >= 0),
    added integer NOT NULL CHECK (added >= 0),
    renamed integer NOT NULL CHECK (renamed >= 0),
    removed integer NOT NULL CHECK (removed >= 0),
    problems text[] NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    finished_at timestamptz CHECK ((finished_at IS NOT NULL) = (state IN ('done', 'failed'))),
    PRIMARY KEY (account_id, id)
);

CREATE INDEX url_imports_newest ON url_imports (account_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX url_imports_sitemap_key ON url_imports (account_id, domain) WHERE kind = 'sitemap' AND state = 'started';

SELECT guard_tenant('url_imports');

-- What a synchronisation has collected; gone when it is done.
CREATE TABLE collected_urls (
    account_id uuid NOT NULL REFERENCES accounts (id),
    import_id uuid NOT NULL,
    address text NOT NULL,
    scheme text NOT NULL CHECK (scheme IN ('', 'http', 'https')),
    html_title text NOT NULL,
    type text NOT NULL,
    category text NOT NULL,
    new_address text, -- to be renamed to
    new_scheme text CHECK ((new_scheme IS NOT NULL) = (new_address IS NOT NULL)),
    url_id uuid, -- found or made when the synchronisation starts
    FOREIGN KEY (account_id, import_id) REFERENCES url_imports (account_id, id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX collected_urls_key ON collected_urls (account_id, import_id, md5(address));
CREATE INDEX collected_urls_final ON collected_urls (account_id, import_id, md5(coalesce(new_address, address)));
CREATE INDEX collected_urls_url ON collected_urls (account_id, import_id, url_id) WHERE url_id IS NOT NULL;

SELECT guard_tenant('collected_urls');
