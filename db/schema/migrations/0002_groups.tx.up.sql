-- Groups, websites, URLs, and which URL is captured how in which group. Deleted groups and URLs stay for the history of
-- their batches. Every foreign key carries the account, so that no row can point into another one.

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
    hide_consent boolean NOT NULL DEFAULT true, -- take cookie banners and advertisements out of the way before screenshots
    default_desktop boolean NOT NULL,
    default_mobile boolean NOT NULL,
    confirm_changes boolean NOT NULL DEFAULT true,
    alarm_page_changes boolean NOT NULL DEFAULT false, -- whether what changed of a page beside its pixels alarms
    next_run_at timestamptz, -- only the program can tell it from the schedule
    missed_run text CHECK (missed_run IN ('checks_exhausted', 'too_many_screenshots', 'account_paused')), -- null: none
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz,
    PRIMARY KEY (account_id, id),
    CONSTRAINT groups_next_run_check
        CHECK ((next_run_at IS NOT NULL) = (monitoring AND enabled AND schedule_type <> 'off' AND deleted_at IS NULL))
);

CREATE INDEX groups_newest ON groups (account_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX groups_newest_of_mode ON groups (account_id, monitoring, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX groups_due ON groups (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX groups_scheduled ON groups (account_id, next_run_at) WHERE next_run_at IS NOT NULL;

SELECT guard_tenant('groups');

-- A site's domain with the two groups that watch it, which are each other's siblings.
CREATE TABLE websites (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    domain text NOT NULL,
    sync_url_types jsonb NOT NULL CHECK (jsonb_typeof(sync_url_types) = 'array'),
    allowances jsonb NOT NULL CHECK (jsonb_typeof(allowances) = 'object'),
    -- The checks around automatic updates; all null before they were ever set.
    auto_update_enabled boolean,
    auto_update_from text CHECK (auto_update_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
    auto_update_to text CHECK (auto_update_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
    auto_update_days integer[], -- 1 is Monday
    auto_update_emails text[],
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    CONSTRAINT websites_domain_key UNIQUE (account_id, domain),
    CHECK (num_nulls(auto_update_enabled, auto_update_from, auto_update_to, auto_update_days, auto_update_emails) IN (0, 5))
);

CREATE INDEX websites_newest ON websites (account_id, created_at DESC, id DESC);

SELECT guard_tenant('websites');

-- A group belongs to one website at most. A group that is deleted leaves its website.
CREATE TABLE website_groups (
    account_id uuid NOT NULL REFERENCES accounts (id),
    group_id uuid NOT NULL,
    website_id uuid NOT NULL,
    role text NOT NULL CHECK (role IN ('manual', 'auto')),
    PRIMARY KEY (account_id, group_id),
    CONSTRAINT website_groups_role_key UNIQUE (account_id, website_id, role),
    FOREIGN KEY (account_id, group_id) REFERENCES groups (account_id, id),
    FOREIGN KEY (account_id, website_id) REFERENCES websites (account_id, id) ON DELETE CASCADE
);

SELECT guard_tenant('website_groups');

CREATE TABLE urls (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    address text NOT NULL,
    scheme text NOT NULL CHECK (scheme IN ('', 'http', 'https')),
    scheme_given boolean NOT NULL DEFAULT false, -- by a client; else the scheme is what a capture found to work
    html_title text NOT NULL,
    last_crawled_at timestamptz,
    type text,
    category text,
    status_code integer,
    website_id uuid, -- whose synchronisation brought it
    error_count integer NOT NULL DEFAULT 0 CHECK (error_count >= 0),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, website_id) REFERENCES websites (account_id, id) ON DELETE SET NULL (website_id)
);

-- An address may be longer than what an index entry can hold, so its hash is indexed.
CREATE UNIQUE INDEX urls_address_key ON urls (account_id, md5(address)) WHERE deleted_at IS NULL;
CREATE INDEX urls_newest ON urls (account_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX urls_website ON urls (account_id, website_id) WHERE website_id IS NOT NULL;

SELECT guard_tenant('urls');

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

SELECT guard_tenant('group_urls');
