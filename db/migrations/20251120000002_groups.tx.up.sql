-- Groups, URLs, and which URL is captured how in which group. Deleted groups and URLs stay for the history of their
-- batches. Every foreign key carries the account, so that no row can point into another one.

CREATE TABLE groups (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    name text NOT NULL,
    monitoring boolean NOT NULL,
    enabled boolean NOT NULL,
    schedule_type text NOT NULL CHECK (schedule_type IN ('interval', 'weekly', 'monthly', 'off')),
    hour_of_day integer NOT NULL CHECK (hour_of_day BETWEEN 0 AND 23),
    interval_hours double precision NOT NULL CHECK (interval_hours > 0),
    schedule_days integer[], -- -1 is the last day of the month
    quiet_start integer CHECK (quiet_start BETWEEN 0 AND 23),
    quiet_end integer CHECK (quiet_end BETWEEN 0 AND 23),
    triggers jsonb NOT NULL CHECK (jsonb_typeof(triggers) = 'array'),
    alert_emails text[] NOT NULL,
    css text,
    js text,
    cms text CHECK (cms IN ('wordpress')),
    threshold double precision NOT NULL CHECK (threshold BETWEEN 0 AND 100), -- percent
    measure text NOT NULL CHECK (measure IN ('plain', 'aligned')), -- which difference is held against the threshold
    basic_auth_user text,
    sealed_password bytea,
    proxy_type text NOT NULL CHECK (proxy_type IN ('none', 'static', 'residential')),
    proxy_country text,
    screenshot_region text NOT NULL CHECK (screenshot_region IN ('us', 'eu', 'auto')),
    screenshot_delay integer CHECK (screenshot_delay > 0), -- seconds
    default_desktop boolean NOT NULL,
    default_mobile boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz,
    PRIMARY KEY (account_id, id)
);

CREATE INDEX groups_newest ON groups (account_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX groups_newest_of_mode ON groups (account_id, monitoring, created_at DESC, id DESC) WHERE deleted_at IS NULL;

CREATE TABLE urls (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    address text NOT NULL,
    scheme text NOT NULL CHECK (scheme IN ('', 'http', 'https')),
    html_title text NOT NULL,
    last_crawled_at timestamptz,
    type text,
    category text,
    status_code integer,
    error_count integer NOT NULL DEFAULT 0 CHECK (error_count >= 0),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz,
    PRIMARY KEY (account_id, id)
);

-- An address may be longer than what an index entry can hold, so its hash is indexed.
CREATE UNIQUE INDEX urls_address_key ON urls (account_id, md5(address)) WHERE deleted_at IS NULL;
CREATE INDEX urls_newest ON urls (account_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;

CREATE TABLE group_urls (
    account_id uuid NOT NULL REFERENCES accounts (id),
    group_id uuid NOT NULL,
    url_id uuid NOT NULL,
    desktop boolean NOT NULL,
    mobile boolean NOT NULL,
    css text,
    js text,
    threshold double precision CHECK (threshold BETWEEN 0 AND 100),
    url_created_at timestamptz NOT NULL, -- of the URL, which never changes: a group's list is in this order
    PRIMARY KEY (account_id, group_id, url_id),
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id),
    FOREIGN KEY (account_id, url_id) REFERENCES urls (account_id, id)
);

CREATE INDEX group_urls_newest ON group_urls (account_id, group_id, url_created_at DESC, url_id DESC) INCLUDE (desktop, mobile);
CREATE INDEX group_urls_url ON group_urls (account_id, url_id);

ALTER TABLE groups ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE urls ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE group_urls ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant ON groups USING (account_id = (SELECT afterimage_account()) OR (SELECT afterimage_system()));
CREATE POLICY tenant ON urls USING (account_id = (SELECT afterimage_account()) OR (SELECT afterimage_system()));
CREATE POLICY tenant ON group_urls USING (account_id = (SELECT afterimage_account()) OR (SELECT afterimage_system()));
