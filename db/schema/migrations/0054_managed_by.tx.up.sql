-- A domain may be a website twice: once of its own plug-in, and once of a tool that manages many sites from elsewhere. The index has the
-- name of the constraint that it replaces, by which programs of the release before know that a domain is taken.

ALTER TABLE websites ADD COLUMN managed_by text CHECK (managed_by <> ''); -- null: by its own plug-in or by people

ALTER TABLE websites DROP CONSTRAINT websites_domain_key;
CREATE UNIQUE INDEX websites_domain_key ON websites (account_id, domain, coalesce(managed_by, ''));
