package inventory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

// OwnGroup implements run.Tx.
func (t *Tx) OwnGroup(ctx context.Context, id vcd.ID) (*vcd.Group, error) {
	return t.groupOf(ctx, query.Own(groups), id, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
}

// OwnURL implements run.Tx.
func (t *Tx) OwnURL(ctx context.Context, id vcd.ID) (*vcd.URL, error) {
	return t.urlOf(ctx, query.Own(urls), id, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
}

// OwnSelection implements run.Tx.
func (t *Tx) OwnSelection(ctx context.Context, group, url vcd.ID) (*vcd.Selection, error) {
	row, err := query.FetchOne[selectionRow](ctx, t.Scope, query.Own(selections), func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("s.group_id = ? AND s.url_id = ?", group, url)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return row.selection(), nil
}

// ComparisonSettings implements run.Tx.
func (t *Tx) ComparisonSettings(ctx context.Context, group, url vcd.ID) (*vcd.ComparisonSettings, error) {
	settings := &vcd.ComparisonSettings{}
	err := t.Bun.NewRaw(`SELECT g.measure, coalesce(s.threshold, g.threshold) AS threshold, g.confirm_changes, g.alarm_page_changes
		FROM groups AS g LEFT JOIN group_urls AS s ON s.account_id = ?0 AND s.group_id = g.id AND s.url_id = ?2
		WHERE g.account_id = ?0 AND g.id = ?1`, t.Tenant, group, url).
		Scan(ctx, &settings.Measure, &settings.Threshold, &settings.ConfirmChanges, &settings.AlarmPageChanges)
	if err != nil {
		return nil, fmt.Errorf("read how group %s compares: %w", group, query.NotFound(err, "Group", group))
	}
	return settings, nil
}
