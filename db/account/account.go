package account

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"afterimage/db/pg"
	"afterimage/db/query"
	"afterimage/vcd"
)

type accountRow struct {
	bun.BaseModel `bun:"table:accounts,alias:a"`

	ID                  vcd.ID            `bun:"id,pk"`
	Parent              *vcd.ID           `bun:"parent_id"`
	NameFirst           string            `bun:"name_first"`
	NameLast            string            `bun:"name_last"`
	Email               string            `bun:"email"`
	Company             *string           `bun:"company"`
	Timezone            string            `bun:"timezone"`
	Status              vcd.AccountStatus `bun:"status"`
	Level               int               `bun:"level"`
	Share               int               `bun:"share"`
	Plan                string            `bun:"plan"`
	PlanName            string            `bun:"plan_name"`
	PlanLabel           *string           `bun:"plan_label"`
	InvitationAccepted  bool              `bun:"invitation_accepted"`
	AIVerification      bool              `bun:"ai_verification"`
	BrowserConsole      bool              `bun:"browser_console"`
	NoiseProbes         bool              `bun:"noise_probes"`
	AlarmUnseen         bool              `bun:"alarm_unseen"`
	ChecksLimit         int               `bun:"checks_limit"`
	ChecksDone          int               `bun:"checks_done"`
	ChecksReserved      int               `bun:"checks_reserved"`
	KeepDays            *int              `bun:"keep_days"`
	KeepRuns            int               `bun:"keep_runs"`
	KeepReviewed        bool              `bun:"keep_reviewed"`
	StorageLimit        *int64            `bun:"storage_limit"`
	StorageUsed         int               `bun:"storage_told"` // owners are told when it is measured
	SealedWebhookSecret []byte            `bun:"sealed_webhook_secret"`
	SealedMagicLogin    []byte            `bun:"sealed_magic_login"`

	SealedPreviousWebhookSecret []byte     `bun:"sealed_previous_webhook_secret"`
	PreviousWebhookSecretUntil  *time.Time `bun:"previous_webhook_secret_until"`

	RenewalAt time.Time `bun:"renewal_at"`
	CreatedAt time.Time `bun:"created_at"`
	UpdatedAt time.Time `bun:"updated_at"`
}

func rowOfAccount(a *vcd.Account) *accountRow {
	return &accountRow{
		ID: a.ID, Parent: a.Parent, NameFirst: a.NameFirst, NameLast: a.NameLast, Email: a.Email, Company: a.Company,
		Timezone: a.Timezone, Status: a.Status, Level: a.Level, Share: a.Share, Plan: a.Plan, PlanName: a.PlanName, PlanLabel: a.PlanLabel,
		InvitationAccepted: a.InvitationAccepted, AIVerification: a.AIVerification, BrowserConsole: a.BrowserConsole,
		NoiseProbes: a.NoiseProbes, AlarmUnseen: a.AlarmUnseen,
		ChecksLimit: a.ChecksLimit, ChecksDone: a.ChecksDone, ChecksReserved: a.ChecksReserved,
		KeepDays: a.Retention.Days, KeepRuns: a.Retention.Runs, KeepReviewed: a.Retention.Reviewed, StorageLimit: a.StorageLimit,
		SealedWebhookSecret: a.SealedWebhookSecret, SealedMagicLogin: a.SealedMagicLogin,
		SealedPreviousWebhookSecret: a.SealedPreviousWebhookSecret, PreviousWebhookSecretUntil: a.PreviousWebhookSecretUntil,
		RenewalAt: a.RenewalAt, CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
	}
}

func (r *accountRow) account() *vcd.Account {
	return &vcd.Account{
		ID: r.ID, Parent: r.Parent, NameFirst: r.NameFirst, NameLast: r.NameLast, Email: r.Email, Company: r.Company,
		Timezone: r.Timezone, Status: r.Status, Level: r.Level, Share: r.Share, Plan: r.Plan, PlanName: r.PlanName, PlanLabel: r.PlanLabel,
		InvitationAccepted: r.InvitationAccepted, AIVerification: r.AIVerification, BrowserConsole: r.BrowserConsole,
		NoiseProbes: r.NoiseProbes, AlarmUnseen: r.AlarmUnseen,
		ChecksLimit: r.ChecksLimit, ChecksDone: r.ChecksDone, ChecksReserved: r.ChecksReserved,
		Retention:    vcd.RunRetention{Days: r.KeepDays, Runs: r.KeepRuns, Reviewed: r.KeepReviewed},
		StorageLimit: r.StorageLimit, StorageUsed: r.StorageUsed,
		SealedWebhookSecret: r.SealedWebhookSecret, SealedMagicLogin: r.SealedMagicLogin,
		SealedPreviousWebhookSecret: r.SealedPreviousWebhookSecret, PreviousWebhookSecretUntil: query.UTC(r.PreviousWebhookSecretUntil),
		RenewalAt: r.RenewalAt.UTC(), CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
}

// Account implements account.Tx. The counters include what this transaction has gathered but not yet written.
func (t *Tx) Account(ctx context.Context) (*vcd.Account, error) {
	return t.readAccount(ctx, t.Bun.NewSelect())
}

// LockAccount implements account.Tx.
func (t *Tx) LockAccount(ctx context.Context) (*vcd.Account, error) {
	return t.readAccount(ctx, query.ForChange(t.Bun.NewSelect()))
}

func (t *Tx) readAccount(ctx context.Context, q *bun.SelectQuery) (*vcd.Account, error) {
	row := &accountRow{}
	if err := q.Model(row).Where("a.id = ? AND a.deleted_at IS NULL", t.Tenant).Scan(ctx); err != nil {
		return nil, fmt.Errorf("read the account: %w", query.NotFound(err, "Account", t.Tenant))
	}
	a := row.account()
	a.ChecksDone += t.Outbox.Done
	a.ChecksReserved += t.Outbox.Promised - t.Outbox.Done - t.Outbox.Returned
	return a, nil
}

func (t *Tx) InsertAccount(ctx context.Context, a *vcd.Account) error {
	_, err := t.Bun.NewInsert().Model(rowOfAccount(a)).Exec(ctx)
	if pg.Violates(err, "accounts_email_key") {
		return errEmailTaken
	}
	if err != nil {
		return fmt.Errorf("insert the account: %w", err)
	}
	return nil
}

func (t *Tx) UpdateAccount(ctx context.Context, a *vcd.Account) error {
	err := t.UpdateOne(ctx, t.Bun.NewUpdate().Model(rowOfAccount(a)).
		ExcludeColumn("id", "parent_id", "status", "checks_done", "checks_reserved", "storage_told", "renewal_at", "created_at").
		Set("checks_told = CASE WHEN checks_limit < ? THEN 0 ELSE checks_told END", a.ChecksLimit).
		Where("id = ?", t.Tenant), "Account", a.ID)
	if pg.Violates(err, "accounts_email_key") {
		return errEmailTaken
	}
	return err
}

var errEmailTaken = vcd.Invalid("email", "unique", "The {field} has already been taken.")

// TellChecks implements run.Tx.
func (t *Tx) TellChecks(ctx context.Context, percent int) (bool, error) {
	result, err := t.Bun.NewRaw("UPDATE accounts SET checks_told = ?0 WHERE id = ?1 AND checks_told < ?0", percent, t.Tenant).Exec(ctx)
	if err != nil {
		return false, fmt.Errorf("store which notice about checks was sent: %w", err)
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// ReserveChecks implements run.Tx. It only checks the balance; the reservation is written with the outbox,
// where it is safe against concurrent ones. If another run was faster, the transaction is repeated and sees the
// remaining balance.
func (t *Tx) ReserveChecks(ctx context.Context, n int) (bool, error) {
	if t.ReadOnly {
		return false, pg.ErrReadOnly
	}
	a, err := t.Account(ctx)
	if err != nil || a.ChecksLeft() < n {
		return false, err
	}
	if a.IsSubaccount() {
		var above int
		if err := t.Bun.NewRaw("SELECT checks_left_above(?)", t.Tenant).Scan(ctx, &above); err != nil {
			return false, fmt.Errorf("read the checks of the parent account: %w", err)
		}
		if above-t.Outbox.Promised < n {
			return false, nil
		}
	}
	t.Outbox.Promised += n
	return true, nil
}
