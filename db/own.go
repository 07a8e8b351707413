package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/uptrace/bun"

	"afterimage/vcd"
)

// own is a source without what other tables say about its rows. Joins of many tables take the planner ten times as long as a
// look-up by key takes to execute, and bun's statements are planned anew each time: work that happens for each page reads this way.
func own(s source) source {
	s.widen = func(q *bun.SelectQuery, _ vcd.ID) *bun.SelectQuery { return q }
	return s
}

// OwnQueueEntry implements vcd.QueueEntryStore.
func (t *tx) OwnQueueEntry(ctx context.Context, id vcd.ID) (*vcd.QueueEntry, error) {
	row, err := fetchOne[entryRow](ctx, t, own(entries), func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("q.id = ?", id) })
	if err != nil {
		return nil, notFound(err, "Queue", id)
	}
	return row.entry(), nil
}

// OwnGroup implements vcd.GroupStore.
func (t *tx) OwnGroup(ctx context.Context, id vcd.ID) (*vcd.Group, error) {
	return t.groupOf(ctx, own(groups), id, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
}

// OwnURL implements vcd.URLStore.
func (t *tx) OwnURL(ctx context.Context, id vcd.ID) (*vcd.URL, error) {
	return t.urlOf(ctx, own(urls), id, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
}

// OwnSelection implements vcd.SelectionStore.
func (t *tx) OwnSelection(ctx context.Context, group, url vcd.ID) (*vcd.Selection, error) {
	row, err := fetchOne[selectionRow](ctx, t, own(selections), func(q *bun.SelectQuery) *bun.SelectQuery {
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

// ComparisonSettings implements vcd.GroupStore.
func (t *tx) ComparisonSettings(ctx context.Context, group, url vcd.ID) (*vcd.ComparisonSettings, error) {
	settings := &vcd.ComparisonSettings{}
	err := t.bun.NewRaw(`SELECT g.measure, coalesce(s.threshold, g.threshold) AS threshold, g.confirm_changes, g.alarm_page_changes
		FROM groups AS g LEFT JOIN group_urls AS s ON s.account_id = ?0 AND s.group_id = g.id AND s.url_id = ?2
		WHERE g.account_id = ?0 AND g.id = ?1`, t.account, group, url).
		Scan(ctx, &settings.Measure, &settings.Threshold, &settings.ConfirmChanges, &settings.AlarmPageChanges)
	if err != nil {
		return nil, fmt.Errorf("read how group %s compares: %w", group, notFound(err, "Group", group))
	}
	return settings, nil
}
