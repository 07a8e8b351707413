package review

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/internal/page"
	"afterimage/vcd"
)

type feedbackRuleRow struct {
	bun.BaseModel `bun:"table:ai_feedback_rules,alias:r"`

	Account         vcd.ID            `bun:"account_id,pk"`
	ID              vcd.ID            `bun:"id,pk"`
	Type            vcd.RuleType      `bun:"type"`
	Scope           vcd.RuleScope     `bun:"scope"`
	URLID           vcd.ID            `bun:"url_id"`
	GroupID         vcd.ID            `bun:"group_id"`
	WebsiteID       *vcd.ID           `bun:"website_id"`
	ComparisonID    *vcd.ID           `bun:"comparison_id"`
	Device          vcd.Device        `bun:"device"`
	Description     string            `bun:"description"`
	X               *int              `bun:"x"`
	Y               *int              `bun:"y"`
	Width           *int              `bun:"width"`
	Height          *int              `bun:"height"`
	Fingerprint     *string           `bun:"fingerprint"`
	ElementSelector *string           `bun:"element_selector"`
	ElementRole     *string           `bun:"element_role"`
	ElementText     *string           `bun:"element_text"`
	Changes         []vcd.FoundChange `bun:"changes,type:jsonb,nullzero"`
	ChangeCategory  vcd.Category      `bun:"change_category,nullzero"`
	ConsoleEntry    *string           `bun:"console_entry"`
	ConsoleSource   *string           `bun:"console_source"`
	IsActive        bool              `bun:"is_active"`
	MatchCount      int               `bun:"match_count"`
	LastMatchedAt   *time.Time        `bun:"last_matched_at"`
	CreatedAt       time.Time         `bun:"created_at"`
	UpdatedAt       time.Time         `bun:"updated_at"`
}

// feedbackRuleRead is a feedback rule with the related data that is shown with it.
type feedbackRuleRead struct {
	feedbackRuleRow `bun:",extend"`
	WebsiteNow      *vcd.ID    `bun:"website_now"`
	WebsiteName     *string    `bun:"website_name"`
	URLAddress      string     `bun:"url_address"`
	GroupName       string     `bun:"group_name"`
	Uncounted       int        `bun:"uncounted"` // matches that are not yet included in the rule's own count
	LastUncounted   *time.Time `bun:"last_uncounted"`
}

// feedbackRules reads the website to which a rule applies, otherwise the website of its group.
var feedbackRules = query.Source{
	Table: "ai_feedback_rules AS r", Alias: "r", Created: "created_at", ID: "id", Unique: true,
	Widen: func(q *bun.SelectQuery, account vcd.ID) *bun.SelectQuery {
		return q.ColumnExpr("u.address AS url_address, g.name AS group_name, w.id AS website_now, w.domain AS website_name").
			ColumnExpr("m.uncounted, m.last_uncounted").
			Join(`CROSS JOIN LATERAL (SELECT coalesce(sum(m.regions), 0) AS uncounted, max(m.matched_at) AS last_uncounted
				FROM ai_feedback_rule_matches AS m WHERE m.account_id = ? AND m.rule_id = r.id) AS m`, account).
			Join(query.LookUp("urls", "u", "o.account_id = ? AND o.id = r.url_id"), account).
			Join(query.LookUp("groups", "g", "o.account_id = ? AND o.id = r.group_id"), account).
			Join(query.LookUpIfAny("website_groups", "wg", "o.account_id = ? AND o.group_id = r.group_id"), account).
			Join(query.LookUpIfAny("websites", "w", "o.account_id = ? AND o.id = "+query.FirstOf("r.website_id", "wg.website_id")), account)
	},
}

func rowOfFeedbackRule(r *vcd.FeedbackRule) *feedbackRuleRow {
	row := &feedbackRuleRow{
		Account: r.Account, ID: r.ID, Type: r.Type, Scope: r.Scope, URLID: r.URLID, GroupID: r.GroupID, ComparisonID: r.ComparisonID,
		Device: r.Device, Description: query.Plain(r.Description), ConsoleSource: r.ConsoleSource, IsActive: r.IsActive,
		MatchCount: r.MatchCount, LastMatchedAt: r.LastMatchedAt, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
	if r.Scope == vcd.ScopeWebsite {
		row.WebsiteID = r.WebsiteID
	}
	if r.Type == vcd.RuleConsole {
		row.ConsoleEntry = &r.ConsoleEntry
	}
	if region := r.Region; region != nil {
		row.X, row.Y, row.Width, row.Height = &region.Box.X, &region.Box.Y, &region.Box.Width, &region.Box.Height
		row.Fingerprint = &region.Fingerprint
		if len(region.Changes) > 0 {
			row.Changes, row.ChangeCategory = plainChanges(region.Changes), region.Category
		}
		if e := region.Element; e != nil {
			selector, role, text := query.Plain(e.Selector), query.Plain(e.Role), query.Plain(e.Text)
			row.ElementSelector, row.ElementRole, row.ElementText = &selector, &role, &text
		}
	}
	return row
}

func (r *feedbackRuleRead) feedbackRule() *vcd.FeedbackRule {
	out := &vcd.FeedbackRule{
		ID: r.ID, Account: r.Account, Type: r.Type, Scope: r.Scope, URLID: r.URLID, GroupID: r.GroupID, WebsiteID: r.WebsiteNow,
		ComparisonID: r.ComparisonID, Device: r.Device, Description: r.Description, Region: r.region(), ConsoleSource: r.ConsoleSource,
		IsActive: r.IsActive, MatchCount: r.MatchCount, LastMatchedAt: query.UTC(r.LastMatchedAt), CreatedAt: r.CreatedAt.UTC(),
		UpdatedAt: r.UpdatedAt.UTC(), URLAddress: r.URLAddress, GroupName: r.GroupName, WebsiteName: r.WebsiteName,
	}
	out.MatchCount += r.Uncounted
	if r.LastUncounted != nil {
		out.LastMatchedAt = query.UTC(r.LastUncounted)
	}
	if r.ConsoleEntry != nil {
		out.ConsoleEntry = *r.ConsoleEntry
	}
	return out
}

func (r *feedbackRuleRow) region() *vcd.RuleRegion {
	if r.Fingerprint == nil {
		return nil
	}
	region := &vcd.RuleRegion{
		Box: page.Box{X: *r.X, Y: *r.Y, Width: *r.Width, Height: *r.Height}, Fingerprint: *r.Fingerprint, Changes: r.Changes,
		Category: r.ChangeCategory,
	}
	if r.ElementSelector != nil {
		region.Element = &vcd.RuleElement{Selector: *r.ElementSelector, Role: *r.ElementRole, Text: *r.ElementText}
	}
	return region
}

func (t *Tx) FeedbackRule(ctx context.Context, id vcd.ID) (*vcd.FeedbackRule, error) {
	return t.feedbackRule(ctx, id, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
}

func (t *Tx) LockFeedbackRule(ctx context.Context, id vcd.ID) (*vcd.FeedbackRule, error) {
	return t.feedbackRule(ctx, id, query.ForChange)
}

func (t *Tx) feedbackRule(ctx context.Context, id vcd.ID, and query.Narrow) (*vcd.FeedbackRule, error) {
	row, err := query.FetchOne[feedbackRuleRead](ctx, t.Scope, feedbackRules, func(q *bun.SelectQuery) *bun.SelectQuery {
		return and(q.Where("r.id = ?", id))
	})
	if err != nil {
		return nil, query.NotFound(err, "AiFeedbackRule", id)
	}
	return row.feedbackRule(), nil
}

func (t *Tx) FeedbackRules(ctx context.Context, f vcd.FeedbackRuleFilter, p vcd.Page) (*vcd.List[*vcd.FeedbackRule], error) {
	where := func(q *bun.SelectQuery) *bun.SelectQuery {
		q = query.Among(query.Among(q, "r.type", f.Types), "r.scope", f.Scopes)
		q = query.Among(query.Among(q, "r.url_id", f.URLIDs), "r.group_id", f.GroupIDs)
		if f.IsActive != nil {
			q = q.Where("r.is_active = ?", *f.IsActive)
		}
		if f.WebsiteIDs != nil {
			q = q.Where(`CASE WHEN r.website_id IS NOT NULL THEN r.website_id ELSE (
				SELECT wg.website_id FROM website_groups AS wg WHERE wg.account_id = ? AND wg.group_id = r.group_id) END = ANY(?)`,
				t.Tenant, query.Array(*f.WebsiteIDs))
		}
		return q
	}
	return query.FetchPage(ctx, t.Scope, feedbackRules, where, query.Order{}, p, (*feedbackRuleRead).feedbackRule)
}

func (t *Tx) FeedbackRulesByIDs(ctx context.Context, wanted []vcd.ID) ([]*vcd.FeedbackRule, error) {
	rows, err := query.Fetch[feedbackRuleRead](ctx, t.Scope, feedbackRules, func(q *bun.SelectQuery) *bun.SelectQuery {
		return query.Among(q, "r.id", &wanted)
	})
	return query.ConvertAll(rows, (*feedbackRuleRead).feedbackRule), err
}

func (t *Tx) CountFeedbackRules(ctx context.Context) (int, error) {
	return t.Count(ctx, feedbackRules, func(q *bun.SelectQuery) *bun.SelectQuery { return q })
}

func (t *Tx) InsertFeedbackRule(ctx context.Context, r *vcd.FeedbackRule) error {
	if _, err := t.Bun.NewInsert().Model(rowOfFeedbackRule(r)).Exec(ctx); err != nil {
		return fmt.Errorf("insert the feedback rule: %w", err)
	}
	return nil
}

func (t *Tx) UpdateFeedbackRule(ctx context.Context, r *vcd.FeedbackRule) error {
	return t.UpdateOne(ctx, t.Bun.NewUpdate().Model(rowOfFeedbackRule(r)).Column("scope", "website_id", "is_active", "updated_at").
		Where("account_id = ? AND id = ?", t.Tenant, r.ID), "AiFeedbackRule", r.ID)
}

func (t *Tx) DeleteFeedbackRule(ctx context.Context, id vcd.ID) error {
	return t.DeleteOne(ctx, "ai_feedback_rules", "AiFeedbackRule", id)
}

func (t *Tx) NarrowFeedbackRules(ctx context.Context, website vcd.ID, now time.Time) ([]vcd.ID, error) {
	var narrowed []string
	err := t.Bun.NewRaw(`
		UPDATE ai_feedback_rules SET scope = 'group', website_id = NULL, updated_at = ?
		WHERE account_id = ? AND website_id = ? RETURNING id`, now, t.Tenant, website).Scan(ctx, &narrowed)
	if err != nil {
		return nil, fmt.Errorf("narrow the feedback rules for website %s: %w", website, err)
	}
	return query.IDs(narrowed), nil
}
