package run

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/query"
	"afterimage/vcd"
)

type noiseProbeRow struct {
	bun.BaseModel `bun:"table:noise_probes,alias:np"`

	Account    vcd.ID     `bun:"account_id,pk"`
	URLID      vcd.ID     `bun:"url_id,pk"`
	Device     vcd.Device `bun:"device,pk"`
	GroupID    vcd.ID     `bun:"group_id"`
	Screenshot *vcd.ID    `bun:"screenshot_id"`
	Earlier    *vcd.ID    `bun:"earlier_id"`
	DueAt      time.Time  `bun:"due_at"`
	Attempts   int        `bun:"attempts"`
}

// PlanNoiseProbe implements run.Tx.
func (t *Tx) PlanNoiseProbe(ctx context.Context, p *vcd.NoiseProbe, enough int) error {
	_, err := t.Bun.NewRaw(`INSERT INTO noise_probes (account_id, url_id, device, group_id, screenshot_id, earlier_id, due_at)
		SELECT a.id, ?1, ?2, ?3, ?4, ?7, ?5 FROM accounts AS a
		WHERE a.id = ?0 AND a.ai_verification AND (?7::uuid IS NOT NULL OR a.noise_probes AND NOT EXISTS (
			SELECT FROM learned_noise AS n WHERE n.account_id = ?0 AND n.url_id = ?1 AND n.device = ?2 AND n.visits >= ?6))
		ON CONFLICT (account_id, url_id, device) DO UPDATE
			SET group_id = excluded.group_id, screenshot_id = excluded.screenshot_id, earlier_id = excluded.earlier_id,
				due_at = excluded.due_at, attempts = 0`,
		t.Tenant, p.URLID, p.Device, p.GroupID, screenshotOf(p), p.Due, enough, p.EarlierID).Exec(ctx)
	if err != nil {
		return fmt.Errorf("plan a probe of URL %s: %w", p.URLID, err)
	}
	return nil
}

// screenshotOf is nil for a probe of a page that has none.
func screenshotOf(p *vcd.NoiseProbe) *vcd.ID {
	if p.ScreenshotID == "" {
		return nil
	}
	return &p.ScreenshotID
}

// PlanFirstProbes implements inventory.Tx.
func (t *Tx) PlanFirstProbes(ctx context.Context, group vcd.ID, urls []vcd.ID, due time.Time) error {
	_, err := t.Bun.NewRaw(`INSERT INTO noise_probes (account_id, url_id, device, group_id, due_at)
		SELECT s.account_id, s.url_id, d.device, s.group_id, ?3 FROM group_urls AS s
		CROSS JOIN LATERAL unnest(ARRAY[CASE WHEN s.desktop THEN 'desktop' END, CASE WHEN s.mobile THEN 'mobile' END]) AS d (device)
		WHERE s.account_id = ?0 AND s.group_id = ?1 AND s.url_id = ANY(?2) AND d.device IS NOT NULL
			AND (SELECT a.ai_verification AND a.noise_probes FROM accounts AS a WHERE a.id = ?0)
			AND (SELECT count(*) FROM learned_noise AS n
				WHERE n.account_id = s.account_id AND n.url_id = s.url_id AND n.device = d.device) = 0
		ON CONFLICT (account_id, url_id, device) DO NOTHING`,
		t.Tenant, group, query.Array(urls), due).Exec(ctx)
	if err != nil {
		return fmt.Errorf("plan the first probes of group %s: %w", group, err)
	}
	return nil
}

// EndNoiseProbe implements run.Tx.
func (t *Tx) EndNoiseProbe(ctx context.Context, p *vcd.NoiseProbe) (ended bool, err error) {
	result, err := t.Bun.NewDelete().Model((*noiseProbeRow)(nil)).
		Where("account_id = ? AND url_id = ? AND device = ? AND screenshot_id IS NOT DISTINCT FROM ?", t.Tenant, p.URLID, p.Device,
			screenshotOf(p)).Exec(ctx)
	if err != nil {
		return false, fmt.Errorf("end the probe of URL %s: %w", p.URLID, err)
	}
	rows, err := result.RowsAffected()
	return rows > 0, err
}

// ClaimNoiseProbe implements run.Store.
func (d *Store) ClaimNoiseProbe(ctx context.Context, r vcd.NoiseProbeRules) (*vcd.NoiseProbe, error) {
	row := &noiseProbeRow{}
	err := d.asSystem(ctx, func(ctx context.Context, t *Tx) error {
		if _, err := t.Bun.NewRaw("DELETE FROM noise_probes WHERE due_at <= ? AND attempts >= ?", r.Now, r.Attempts).Exec(ctx); err != nil {
			return err
		}
		err := t.Bun.NewRaw(claimNoiseProbe, r.Now, r.LeaseEnds, query.Array(r.Regions), r.Home, r.PerDay).Scan(ctx, row)
		if errors.Is(err, sql.ErrNoRows) {
			row = nil
			return nil
		}
		return err
	})
	if err != nil || row == nil {
		return nil, err
	}
	p := &vcd.NoiseProbe{
		Account: row.Account, GroupID: row.GroupID, URLID: row.URLID, Device: row.Device, EarlierID: row.Earlier, Due: row.DueAt.UTC(),
	}
	if row.Screenshot != nil {
		p.ScreenshotID = *row.Screenshot
	}
	return p, nil
}

// The account's row is locked last.
const claimNoiseProbe = `
WITH chosen AS (
	SELECT np.account_id, np.url_id, np.device FROM noise_probes AS np
	JOIN accounts AS a ON a.id = np.account_id
	JOIN groups AS g ON g.account_id = np.account_id AND g.id = np.group_id
	JOIN urls AS u ON u.account_id = np.account_id AND u.id = np.url_id
	WHERE np.due_at <= ?0 AND a.status = 'active'
		AND NOT EXISTS (SELECT FROM turns AS t WHERE t.kind = 'capture' AND t.handed_at IS NULL AND t.at <= ?0)
		AND (np.earlier_id IS NOT NULL OR a.noise_probes
		AND (a.noise_probed_on IS DISTINCT FROM (?0::timestamptz AT TIME ZONE 'UTC')::date OR a.noise_probed < ?4)
		AND coalesce(nullif(g.screenshot_region, 'auto'), ?3) = ANY(?2)
		AND NOT EXISTS (SELECT FROM turns AS t WHERE t.handed_at IS NOT NULL AND t.kind = 'capture'
			AND t.host = split_part(split_part(u.address, '/', 1), chr(63), 1))
		AND NOT EXISTS (SELECT FROM site_rests AS r WHERE r.account_id = np.account_id AND r.resting
			AND r.host = split_part(split_part(u.address, '/', 1), chr(63), 1) AND r.refused_at > ?0::timestamptz - interval '1 minute'))
	ORDER BY np.due_at LIMIT 1 FOR UPDATE OF np SKIP LOCKED
), claimed AS (
	UPDATE noise_probes AS np SET due_at = ?1, attempts = np.attempts + 1 FROM chosen AS c
	WHERE (np.account_id, np.url_id, np.device) = (c.account_id, c.url_id, c.device)
	RETURNING np.*
), counted AS (
	UPDATE accounts AS a SET noise_probed_on = (?0::timestamptz AT TIME ZONE 'UTC')::date,
		noise_probed = CASE WHEN a.noise_probed_on = (?0::timestamptz AT TIME ZONE 'UTC')::date THEN a.noise_probed + 1 ELSE 1 END
	FROM claimed AS c WHERE a.id = c.account_id AND c.earlier_id IS NULL
)
SELECT * FROM claimed`
