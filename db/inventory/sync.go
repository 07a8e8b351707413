package inventory

import (
	"context"
	"fmt"
	"math"
	"time"

	"afterimage/db/query"
	"afterimage/vcd"
)

// The statements of a synchronisation. In each ?0 is the account, ?1 the import, ?2 the time and ?3 the website.
const (
	// Finds the existing URL for each imported one.
	syncFind = `
UPDATE collected_urls AS c SET url_id = u.id FROM urls AS u
WHERE c.account_id = ?0 AND c.import_id = ?1 AND u.account_id = ?0 AND u.deleted_at IS NULL
	AND md5(u.address) = md5(c.address) AND u.address = c.address`

	// Renames by id if the new address is free. Repeated runs continue with addresses that have just become free.
	syncRename = `
UPDATE urls AS u SET address = n.new_address, updated_at = ?2,
	scheme = CASE WHEN n.new_scheme = '' OR u.scheme = 'https' THEN u.scheme ELSE n.new_scheme END,
	scheme_given = CASE WHEN n.new_scheme = '' OR u.scheme = 'https' THEN u.scheme_given ELSE n.new_scheme = 'http' END
FROM (SELECT DISTINCT ON (md5(c.new_address)) c.url_id, c.new_address, c.new_scheme FROM collected_urls AS c
	WHERE c.account_id = ?0 AND c.import_id = ?1 AND c.url_id IS NOT NULL AND c.new_address IS NOT NULL
	ORDER BY md5(c.new_address), c.address) AS n
WHERE u.account_id = ?0 AND u.id = n.url_id AND u.address <> n.new_address
	AND NOT EXISTS (SELECT FROM urls AS t
		WHERE t.account_id = ?0 AND t.deleted_at IS NULL AND md5(t.address) = md5(n.new_address) AND t.address = n.new_address)`

	// Inserts new URLs. The database generates their ids, in the same form and order as ours. A site that says http:// has no https.
	syncInsert = `
INSERT INTO urls (account_id, id, address, scheme, scheme_given, html_title, created_at, updated_at)
SELECT ?0::uuid, overlay(gen_random_uuid()::text placing ?4 from 1 for 18)::uuid, n.address, n.scheme, n.scheme = 'http', n.html_title,
	?2, ?2
FROM (SELECT DISTINCT ON (md5(coalesce(c.new_address, c.address))) coalesce(c.new_address, c.address) AS address,
		coalesce(c.new_scheme, c.scheme) AS scheme, c.html_title
	FROM collected_urls AS c WHERE c.account_id = ?0 AND c.import_id = ?1
	ORDER BY md5(coalesce(c.new_address, c.address)), c.address) AS n
ON CONFLICT (account_id, md5(address)) WHERE deleted_at IS NULL DO NOTHING`

	// Records the URL that each imported one has become.
	syncResolve = `
UPDATE collected_urls AS c SET url_id = u.id FROM urls AS u
WHERE c.account_id = ?0 AND c.import_id = ?1 AND u.account_id = ?0 AND u.deleted_at IS NULL
	AND md5(u.address) = md5(coalesce(c.new_address, c.address)) AND u.address = coalesce(c.new_address, c.address)`

	// Where the site says http://, that counts for existing URLs too, unless https is known to work or was asked for.
	syncHTTP = `
UPDATE urls AS u SET scheme = 'http', scheme_given = true, updated_at = ?2 FROM collected_urls AS c
WHERE c.account_id = ?0 AND c.import_id = ?1 AND coalesce(c.new_scheme, c.scheme) = 'http' AND u.account_id = ?0 AND u.id = c.url_id
	AND u.scheme <> 'https' AND NOT u.scheme_given`

	// Stores the site's information about them.
	syncDescribe = `
UPDATE urls AS u SET type = c.type, category = c.category, website_id = ?3, updated_at = ?2,
	html_title = coalesce(nullif(c.html_title, ''), u.html_title)
FROM (SELECT DISTINCT ON (url_id) url_id, type, category, html_title FROM collected_urls
	WHERE account_id = ?0 AND import_id = ?1 ORDER BY url_id, address) AS c
WHERE u.account_id = ?0 AND u.id = c.url_id
	AND (u.type, u.category, u.website_id, u.html_title)
		IS DISTINCT FROM (c.type, c.category, ?3::uuid, coalesce(nullif(c.html_title, ''), u.html_title))`

	// Applies the defaults of the groups to the URLs that the groups do not contain yet.
	syncAssign = `
INSERT INTO group_urls (account_id, group_id, url_id, desktop, mobile, url_created_at)
SELECT ?0::uuid, g.id, u.id, g.default_desktop, g.default_mobile, u.created_at
FROM (SELECT DISTINCT url_id FROM collected_urls WHERE account_id = ?0 AND import_id = ?1) AS c
JOIN urls AS u ON u.account_id = ?0 AND u.id = c.url_id
CROSS JOIN (SELECT g.id, g.default_desktop, g.default_mobile FROM website_groups AS wg
	JOIN groups AS g ON g.account_id = ?0 AND g.id = wg.group_id WHERE wg.account_id = ?0 AND wg.website_id = ?3) AS g
ORDER BY g.id, u.id
ON CONFLICT (account_id, group_id, url_id) DO NOTHING`

	// Removes URLs that came from the website and are now missing there from the website and its groups.
	syncLeave = `
WITH missing AS (
	UPDATE urls AS u SET website_id = NULL, updated_at = ?2
	WHERE u.account_id = ?0 AND u.website_id = ?3 AND u.deleted_at IS NULL AND NOT EXISTS (
		SELECT FROM collected_urls AS c WHERE c.account_id = ?0 AND c.import_id = ?1 AND c.url_id = u.id)
	RETURNING u.id
), gone AS (
	DELETE FROM group_urls AS s USING missing AS m, website_groups AS wg
	WHERE wg.account_id = ?0 AND wg.website_id = ?3 AND s.account_id = ?0 AND s.group_id = wg.group_id AND s.url_id = m.id
)
SELECT m.id FROM missing AS m`

	// Deletes those of them that are no longer in any group.
	syncDelete = `
UPDATE urls AS u SET deleted_at = ?2, updated_at = ?2
WHERE u.account_id = ?0 AND u.id = ANY(?4) AND u.deleted_at IS NULL
	AND NOT EXISTS (SELECT FROM group_urls AS s WHERE s.account_id = ?0 AND s.url_id = u.id)`

	syncForget = `DELETE FROM collected_urls WHERE account_id = ?0 AND import_id = ?1`
)

// maxRenameRounds limits the length of a chain of renames in which each needs the address that the next one frees.
const maxRenameRounds = 10

// SyncURLs implements inventory.ImportTx.
func (t *Tx) SyncURLs(
	ctx context.Context, i *vcd.URLImport, w *vcd.Website, newID func() vcd.ID, now time.Time,
) (out vcd.SyncOutcome, err error) {
	err = t.InBulk(ctx, math.MaxInt, func() error {
		out, err = t.syncURLs(ctx, i, w, newID, now)
		return err
	})
	return out, err
}

func (t *Tx) syncURLs(
	ctx context.Context, i *vcd.URLImport, w *vcd.Website, newID func() vcd.ID, now time.Time,
) (out vcd.SyncOutcome, err error) {
	run := func(what, query string, more ...any) (n int) {
		if err == nil {
			n, err = t.Affect(ctx, what, query, append([]any{t.Tenant, i.ID, now, w.ID}, more...)...)
		}
		return n
	}
	run("find the URLs of a synchronisation", syncFind)
	for range maxRenameRounds {
		n := run("rename URLs", syncRename)
		out.Renamed += n
		if n == 0 {
			break
		}
	}
	out.Added = run("insert URLs", syncInsert, string(newID())[:18])
	run("resolve the URLs of a synchronisation", syncResolve)
	run("keep the schemes of URLs", syncHTTP)
	run("describe URLs", syncDescribe)
	run("assign URLs to a website's groups", syncAssign)
	if err == nil && i.DeleteMissing {
		out.Removed, err = t.removeMissing(ctx, i, w, now)
	}
	run("forget what was collected", syncForget)
	return out, err
}

func (t *Tx) removeMissing(ctx context.Context, i *vcd.URLImport, w *vcd.Website, now time.Time) (int, error) {
	var missing []string
	if err := t.Bun.NewRaw(syncLeave, t.Tenant, i.ID, now, w.ID).Scan(ctx, &missing); err != nil {
		return 0, fmt.Errorf("take missing URLs out of website %s: %w", w.ID, err)
	}
	_, err := t.Affect(ctx, "delete missing URLs", syncDelete, t.Tenant, i.ID, now, w.ID, query.Array(query.IDs(missing)))
	return len(missing), err
}
