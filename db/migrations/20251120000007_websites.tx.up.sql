-- Websites: a site's domain with the two groups that watch it, which are each other's siblings.

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

-- The website whose synchronisation brought the URL.
ALTER TABLE urls ADD COLUMN website_id uuid;
ALTER TABLE urls ADD FOREIGN KEY (account_id, website_id) REFERENCES websites (account_id, id) ON DELETE SET NULL (website_id);
CREATE INDEX urls_website ON urls (account_id, website_id) WHERE website_id IS NOT NULL;

DO $$
DECLARE
    guarded text;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['websites', 'website_groups'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', guarded);
        EXECUTE format('CREATE POLICY tenant ON %I USING (account_id = (SELECT afterimage_account()) OR (SELECT afterimage_system()))', guarded);
    END LOOP;
END
$$;

-- Lets a column of table events hold more words than the ones its check names now.
CREATE FUNCTION afterimage_extend_events(of_column text, words text[]) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    held record;
    list text;
BEGIN
    SELECT conname, pg_get_constraintdef(oid) AS definition INTO STRICT held FROM pg_constraint
    WHERE conrelid = 'events'::regclass AND contype = 'c' AND conname = format('events_%s_check', of_column);
    SELECT string_agg(quote_literal(word), ', ') INTO list FROM (
        SELECT words_now.parts[1] AS word FROM regexp_matches(held.definition, '''([a-z_]+)''', 'g') AS words_now (parts)
        UNION SELECT unnest(words)) AS together;
    EXECUTE format('ALTER TABLE events DROP CONSTRAINT %I', held.conname);
    EXECUTE format('ALTER TABLE events ADD CONSTRAINT %I CHECK (%I IN (%s))', held.conname, of_column, list);
END
$$;

SELECT afterimage_extend_events('kind', ARRAY['website_created', 'website_updated', 'website_deleted']);
SELECT afterimage_extend_events('subject_type', ARRAY['website']);
