-- What is kept of a capture beside its picture, how it went on the way there, and what captures owe the hosts they visit.

ALTER TABLE screenshots
    ADD COLUMN elements_hash text REFERENCES blobs (hash); -- the page's elements and text, compressed; null when not kept

CREATE INDEX screenshots_elements ON screenshots (elements_hash) WHERE elements_hash IS NOT NULL;
-- The newest screenshot of a place by one version of the capture engine: after an upgrade pictures may differ by themselves.
CREATE INDEX screenshots_version ON screenshots (account_id, group_id, url_id, device, sc_version, created_at DESC, id DESC);

ALTER TABLE queue_entries
    ADD COLUMN notice text NOT NULL DEFAULT ''; -- what an entry that has not ended waits for, for the site's owner

ALTER TABLE urls
    ADD COLUMN scheme_given boolean NOT NULL DEFAULT false; -- by a client; else the scheme is what a capture found to work

-- Hosts that captures of all accounts visit, each with or without a port, as page addresses begin with them. A row is
-- locked while somebody enters or leaves, so that the captures of all machines count together.
CREATE TABLE hosts (
    host text PRIMARY KEY,
    visited_at timestamptz NOT NULL,
    turn_at timestamptz NOT NULL, -- the last turn given to a capture that found the host busy
    rest_until timestamptz, -- the host asked to be left alone until then
    rests integer NOT NULL DEFAULT 0 CHECK (rests >= 0) -- how many times in a row it asked
);

CREATE INDEX hosts_visited ON hosts (visited_at);

-- Captures under way. One whose worker was killed counts until the time at which it must have ended.
CREATE TABLE host_visits (
    entry_id uuid PRIMARY KEY,
    host text NOT NULL REFERENCES hosts (host) ON DELETE CASCADE,
    ends_at timestamptz NOT NULL
);

CREATE INDEX host_visits_host ON host_visits (host);
