package run

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/internal/page"
	"afterimage/vcd"
)

type screenshotRow struct {
	bun.BaseModel `bun:"table:screenshots,alias:sh"`

	Account    vcd.ID              `bun:"account_id,pk"`
	ID         vcd.ID              `bun:"id,pk"`
	QueueID    vcd.ID              `bun:"queue_id"`
	BatchID    vcd.ID              `bun:"batch_id"`
	GroupID    vcd.ID              `bun:"group_id"`
	URLID      vcd.ID              `bun:"url_id"`
	Device     vcd.Device          `bun:"device"`
	Type       vcd.QueueType       `bun:"type"`
	Confirms   bool                `bun:"confirmation"`
	ImageID    vcd.ID              `bun:"image_id"`
	HTMLTitle  string              `bun:"html_title"`
	StatusCode int                 `bun:"status_code"`
	FinalURL   string              `bun:"final_url"`
	SCVersion  string              `bun:"sc_version"`
	Truncated  bool                `bun:"truncated"`
	Complete   *bool               `bun:"complete"`
	Console    []page.ConsoleEntry `bun:"console,type:jsonb"`
	Manifest   json.RawMessage     `bun:"manifest,type:jsonb,nullzero"`
	Elements   string              `bun:"elements_hash,nullzero"`
	CreatedAt  time.Time           `bun:"created_at"`
	UpdatedAt  time.Time           `bun:"updated_at"`
}

// screenshotRead is a screenshot with its picture and the related data that is shown with it.
type screenshotRead struct {
	screenshotRow `bun:",extend"`
	URLAddress    string         `bun:"url_address"`
	Monitoring    bool           `bun:"monitoring"`
	Image         query.ImageRow `bun:"embed:i_"`
}

var screenshots = query.Source{
	Table: "screenshots AS sh", Alias: "sh", Created: "created_at", ID: "id", Unique: true, Batch: "batch_id",
	Widen: func(q *bun.SelectQuery, account vcd.ID) *bun.SelectQuery {
		return q.ColumnExpr("u.address AS url_address, g.monitoring").ColumnExpr(query.ImageColumns("i")).
			Join(query.LookUp("urls", "u", "o.account_id = ? AND o.id = sh.url_id"), account).
			Join(query.LookUp("groups", "g", "o.account_id = ? AND o.id = sh.group_id"), account).
			Join(query.LookUp("images", "i", "o.account_id = ? AND o.id = sh.image_id"), account)
	},
}

func rowOfScreenshot(shot *vcd.Screenshot) *screenshotRow {
	return &screenshotRow{
		Account: shot.Account, ID: shot.ID, QueueID: shot.QueueID, BatchID: shot.BatchID, GroupID: shot.GroupID,
		URLID: shot.URLID, Device: shot.Device, Type: shot.Type, Confirms: shot.Confirmation, ImageID: shot.Image.ID,
		HTMLTitle:  query.Plain(shot.HTMLTitle),
		StatusCode: shot.StatusCode, FinalURL: query.Plain(shot.FinalURL), SCVersion: shot.SCVersion, Truncated: shot.Truncated,
		Complete: shot.Complete, Console: query.NotNil(shot.Console), Manifest: shot.Manifest,
		Elements: shot.ElementsHash, CreatedAt: shot.CreatedAt,
		UpdatedAt: shot.UpdatedAt,
	}
}

func (r *screenshotRead) screenshot() *vcd.Screenshot {
	return &vcd.Screenshot{
		ID: r.ID, Account: r.Account, QueueID: r.QueueID, BatchID: r.BatchID, GroupID: r.GroupID, URLID: r.URLID,
		Device: r.Device, Type: r.Type, Confirmation: r.Confirms, Image: r.Image.Image(), HTMLTitle: r.HTMLTitle, StatusCode: r.StatusCode,
		FinalURL: r.FinalURL, SCVersion: r.SCVersion, Truncated: r.Truncated, Complete: r.Complete, Console: r.Console,
		Manifest: r.Manifest, ElementsHash: r.Elements,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(), URLAddress: r.URLAddress, Monitoring: r.Monitoring,
	}
}

func (t *Tx) Screenshot(ctx context.Context, id vcd.ID) (*vcd.Screenshot, error) {
	return t.screenshotWith(ctx, "sh.id = ?", id)
}

func (t *Tx) ScreenshotOfEntry(ctx context.Context, entry vcd.ID) (*vcd.Screenshot, error) {
	return t.screenshotWith(ctx, "sh.queue_id = ?", entry)
}

func (t *Tx) screenshotWith(ctx context.Context, condition string, id vcd.ID) (*vcd.Screenshot, error) {
	row, err := query.FetchOne[screenshotRead](ctx, t.Scope, screenshots, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where(condition, id)
	})
	if err != nil {
		return nil, query.NotFound(err, "Screenshot", id)
	}
	return row.screenshot(), nil
}

func (t *Tx) Screenshots(ctx context.Context, f vcd.ScreenshotFilter, p vcd.Page) (*vcd.List[*vcd.Screenshot], error) {
	show := (*screenshotRead).screenshot
	if !countedScreenshots(f) || !p.Total && !query.Far(p) {
		return query.FetchPage(ctx, t.Scope, screenshots, ofScreenshots("sh", f), query.Order{}, p, show)
	}
	days, err := t.screenshotTally(ctx, f)
	if err != nil {
		return nil, err
	}
	return query.FetchCounted(ctx, t.Scope, screenshots, ofScreenshots("sh", f), query.Order{}, p, days, show)
}

// ofScreenshots filters screenshots, or their counts, under an alias.
func ofScreenshots(alias string, f vcd.ScreenshotFilter) query.Narrow {
	return func(q *bun.SelectQuery) *bun.SelectQuery {
		q = query.Among(query.Among(q, alias+".id", f.IDs), alias+".batch_id", f.BatchIDs)
		q = query.Among(query.Among(q, alias+".group_id", f.GroupIDs), alias+".url_id", f.URLIDs)
		return query.Among(query.Among(q, alias+".device", f.Devices), alias+".type", f.Types)
	}
}

func (t *Tx) ScreenshotsByIDs(ctx context.Context, wanted []vcd.ID) ([]*vcd.Screenshot, error) {
	rows, err := query.Fetch[screenshotRead](ctx, t.Scope, screenshots, func(q *bun.SelectQuery) *bun.SelectQuery {
		return query.Among(q, "sh.id", &wanted)
	})
	return query.ConvertAll(rows, (*screenshotRead).screenshot), err
}

func (t *Tx) InsertScreenshot(ctx context.Context, shot *vcd.Screenshot) error {
	if err := t.InsertImage(ctx, shot.Image); err != nil {
		return err
	}
	if _, err := t.Bun.NewInsert().Model(rowOfScreenshot(shot)).Exec(ctx); err != nil {
		return fmt.Errorf("insert the screenshot of entry %s: %w", shot.QueueID, err)
	}
	return nil
}
