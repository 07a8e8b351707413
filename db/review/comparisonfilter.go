package review

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// ofComparisons applies a filter to comparisons, or to their counts, which have the same columns.
func ofComparisons(account vcd.ID, f vcd.ComparisonFilter) query.Narrow {
	return func(q *bun.SelectQuery) *bun.SelectQuery {
		q = query.Among(query.Among(query.Among(q, "c.id", f.IDs), "c.status", f.Statuses), "c.device", f.Devices)
		q = query.Among(query.Among(query.Among(q, "c.group_id", f.GroupIDs), "c.batch_id", f.BatchIDs), "c.url_id", f.URLIDs)
		q = query.Among(query.Among(q, "c.ai_category", f.Categories), "c.console_change", f.ConsoleChange)
		if f.Token != nil {
			q = q.Where("c.token = ?", query.Plain(*f.Token))
		}
		q = query.Holds(q, "c.above_threshold", f.AboveThreshold)
		if f.WebsiteIDs != nil {
			q = q.Where(`c.group_id IN (SELECT wg.group_id FROM website_groups AS wg
				WHERE wg.account_id = c.account_id AND wg.website_id = ANY(?))`, query.Array(*f.WebsiteIDs))
		}
		if f.Shown {
			q = q.Where("is_shown(c.account_id, c.group_id, c.url_id)")
		}
		if f.Sources != nil {
			q = q.Where(`EXISTS (SELECT FROM batches AS b
				WHERE b.account_id = c.account_id AND b.id = c.batch_id AND b.source = ANY(?))`, query.Array(*f.Sources))
		}
		q = mentioning(measured(q, f), account, f.Text)
		return query.CreatedWithin(showing(q, f), "c", f.From, f.To)
	}
}

// measured applies what is not counted.
func measured(q *bun.SelectQuery, f vcd.ComparisonFilter) *bun.SelectQuery {
	if f.LeastPercent != nil {
		q = q.Where("c.difference_percent >= ?", *f.LeastPercent)
	}
	if f.MostPercent != nil {
		q = q.Where("c.difference_percent <= ?", *f.MostPercent)
	}
	q = query.Among(query.Among(q, "c.ai_status", f.Verifications), "c.confirmation", f.Confirmations)
	q = query.Holds(query.Holds(query.Holds(q, "c.page_alarm", f.PageAlarm), "c.flapping", f.Flapping), "c.truncated", f.Truncated)
	return query.Among(q, "c.reviewer_id", f.ReviewerIDs)
}

// urlsMentioning are the URLs that a text is found in.
const urlsMentioning = `SELECT u.id FROM urls AS u
	WHERE u.account_id = ?0 AND (u.lower_address LIKE lower(?1) OR u.lower_title LIKE lower(?1))`

// changesMentioning are the comparisons that show a change that a text is found in.
var changesMentioning = `SELECT x.comparison_id FROM (
	SELECT DISTINCT bc.fingerprint FROM batch_changes AS bc WHERE bc.account_id = ?0 AND bc.description ILIKE ?1) AS bc
	` + query.LookUp("comparison_changes", "x", "o.account_id = ?0 AND o.fingerprint = bc.fingerprint")

// mentioning keeps the comparisons in which a text is found. They are looked up by the URLs and changes that have it, which
// is best where these are few, or where all matches are read anyway.
func mentioning(q *bun.SelectQuery, account vcd.ID, text *string) *bun.SelectQuery {
	if text == nil {
		return q
	}
	return q.Where("(c.url_id = ANY(ARRAY("+urlsMentioning+")) OR c.id = ANY(ARRAY("+changesMentioning+")))",
		account, query.Containing(query.Plain(*text)))
}

// manyURLs is how many URLs have a text that is better looked for in one comparison after the other.
const manyURLs = 200

// onPages is ofComparisons for a list of which only a page is read: a text that many URLs have is soon found again.
func (t *Tx) onPages(ctx context.Context, f vcd.ComparisonFilter) (query.Narrow, error) {
	if f.Text == nil {
		return ofComparisons(t.Tenant, f), nil
	}
	text := query.Containing(query.Plain(*f.Text))
	var found []vcd.ID
	if err := t.Bun.NewRaw(urlsMentioning+" LIMIT ?2", t.Tenant, text, manyURLs+1).Scan(ctx, &found); err != nil {
		return nil, fmt.Errorf("look for the URLs with a text: %w", err)
	}
	condition := "(c.url_id IN (" + urlsMentioning + ") OR c.id IN (" + changesMentioning + "))"
	if len(found) <= manyURLs {
		condition = "(c.url_id = ANY(?2) OR c.id = ANY(ARRAY(" + changesMentioning + ")))"
	}
	rest := f
	rest.Text = nil
	where := ofComparisons(t.Tenant, rest)
	return func(q *bun.SelectQuery) *bun.SelectQuery {
		return where(q).Where(condition, t.Tenant, text, query.Array(found))
	}, nil
}
