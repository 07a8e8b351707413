package inventory

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"afterimage/db/pg"
	"afterimage/db/query"
	"afterimage/vcd"
)

// tagsOfURL is a column with the tags of urls AS u, by name.
const tagsOfURL = `ARRAY(SELECT t.tag FROM url_tags AS t WHERE t.account_id = ? AND t.url_id = u.id ORDER BY lower(t.tag))`

// tagged looks up whether a URL has one of these tags, in any spelling.
func (t *Tx) tagged(url string, tags []string) schema.QueryWithArgs {
	names := make([]string, len(tags))
	for i, tag := range tags {
		names[i] = query.Plain(tag)
	}
	return bun.SafeQuery(`EXISTS (SELECT FROM url_tags AS t WHERE t.account_id = ?0 AND t.url_id = `+url+` AND t.tag = ANY(ARRAY(
		SELECT g.name FROM tags AS g WHERE g.account_id = ?0 AND g.lower_name IN (SELECT lower(n) FROM unnest(?1::text[]) AS n)))
		OFFSET 0)`,
		t.Tenant, query.Array(names))
}

func (t *Tx) Tags(ctx context.Context) ([]*vcd.Tag, error) {
	var rows []*struct {
		Name string `bun:"name"`
		URLs int    `bun:"n"`
	}
	err := t.Bun.NewRaw(`
		SELECT g.name, coalesce(c.n, 0) AS n FROM tags AS g LEFT JOIN (
			SELECT t.tag, count(*) AS n FROM url_tags AS t JOIN urls AS u ON u.account_id = ?0 AND u.id = t.url_id AND u.deleted_at IS NULL
			WHERE t.account_id = ?0 GROUP BY t.tag) AS c ON c.tag = g.name
		WHERE g.account_id = ?0 ORDER BY g.lower_name`, t.Tenant).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("list the tags: %w", err)
	}
	tags := make([]*vcd.Tag, len(rows))
	for i, row := range rows {
		tags[i] = &vcd.Tag{Name: row.Name, URLs: row.URLs}
	}
	return tags, nil
}

func (t *Tx) LockTags(ctx context.Context, names []string) ([]string, error) {
	var known []struct {
		Place int    `bun:"place"`
		Name  string `bun:"name"`
	}
	err := t.Bun.NewRaw(`
		WITH held AS (SELECT name, lower_name FROM tags WHERE account_id = ?0
			AND lower_name IN (SELECT lower(n) FROM unnest(?1::text[]) AS n) ORDER BY name FOR KEY SHARE)
		SELECT w.place, held.name FROM unnest(?1::text[]) WITH ORDINALITY AS w (name, place) JOIN held ON held.lower_name = lower(w.name)`,
		t.Tenant, query.Array(names)).Scan(ctx, &known)
	if err != nil {
		return nil, fmt.Errorf("look up %d tags: %w", len(names), err)
	}
	spelled := make([]string, len(names))
	for _, k := range known {
		spelled[k.Place-1] = k.Name
	}
	return spelled, nil
}

func (t *Tx) EnsureTags(ctx context.Context, field string, names []string, now time.Time) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	added, err := t.Affect(ctx, "add tags", `
		INSERT INTO tags (account_id, name, created_at) SELECT ?0::uuid, n, ?2 FROM unnest(?1::text[]) AS n ORDER BY n
		ON CONFLICT (account_id, lower_name) DO NOTHING`, t.Tenant, query.Array(names), now)
	if err != nil {
		return nil, err
	}
	if added > 0 {
		count, err := t.Bun.NewSelect().Table("tags").Where("account_id = ?", t.Tenant).Count(ctx)
		if err != nil {
			return nil, fmt.Errorf("count the tags: %w", err)
		}
		if count > vcd.MaxTags {
			return nil, vcd.Invalid(field, "max", fmt.Sprintf(
				"The {field} cannot be added: an account has %d tags at most. Delete one first.", vcd.MaxTags))
		}
	}
	return t.LockTags(ctx, names)
}

func (t *Tx) TagURLs(ctx context.Context, field string, urls []vcd.ID, tags []string) ([]vcd.ID, error) {
	var changed []string
	err := t.Bun.NewRaw(`
		WITH added AS (
			INSERT INTO url_tags (account_id, url_id, tag)
			SELECT ?0::uuid, u, n FROM unnest(?1::uuid[]) AS u CROSS JOIN unnest(?2::text[]) AS n ORDER BY u, n
			ON CONFLICT DO NOTHING RETURNING url_id)
		SELECT DISTINCT url_id FROM added`, t.Tenant, query.Array(urls), query.Array(tags)).Scan(ctx, &changed)
	if err != nil {
		return nil, fmt.Errorf("tag %d URLs: %w", len(urls), err)
	}
	var over bool
	err = t.Bun.NewRaw(`SELECT EXISTS (SELECT FROM url_tags WHERE account_id = ? AND url_id = ANY(?) GROUP BY url_id HAVING count(*) > ?)`,
		t.Tenant, query.Array(changed), vcd.MaxTagsOfURL).Scan(ctx, &over)
	if err != nil {
		return nil, fmt.Errorf("count the tags of %d URLs: %w", len(urls), err)
	}
	if over {
		return nil, vcd.Invalid(field, "max", fmt.Sprintf("The {field} cannot be added: a URL has %d tags at most.", vcd.MaxTagsOfURL))
	}
	return query.IDs(changed), nil
}

func (t *Tx) UntagURLs(ctx context.Context, urls []vcd.ID, tags []string) ([]vcd.ID, error) {
	var changed []string
	err := t.Bun.NewRaw(`
		WITH removed AS (DELETE FROM url_tags WHERE account_id = ? AND url_id = ANY(?) AND tag = ANY(?) RETURNING url_id)
		SELECT DISTINCT url_id FROM removed`, t.Tenant, query.Array(urls), query.Array(tags)).Scan(ctx, &changed)
	if err != nil {
		return nil, fmt.Errorf("remove tags from %d URLs: %w", len(urls), err)
	}
	return query.IDs(changed), nil
}

func (t *Tx) RenameTag(ctx context.Context, name, newName string) error {
	err := t.UpdateOne(ctx, t.Bun.NewUpdate().Table("tags").Set("name = ?", newName).
		Where("account_id = ? AND lower_name = lower(?)", t.Tenant, query.Plain(name)), "Tag", vcd.ID(name))
	if pg.Violates(err, "tags_lower_name_key") {
		return vcd.Invalid("newName", "unique", "The {field} has already been taken.")
	}
	return err
}

func (t *Tx) DeleteTag(ctx context.Context, name string) error {
	n, err := t.Affect(ctx, "delete a tag", "DELETE FROM tags WHERE account_id = ? AND lower_name = lower(?)", t.Tenant, query.Plain(name))
	if err == nil && n == 0 {
		err = vcd.NotFound("Tag", vcd.ID(name))
	}
	return err
}
