package db

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"

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
		SealedPreviousWebhookSecret: r.SealedPreviousWebhookSecret, PreviousWebhookSecretUntil: utc(r.PreviousWebhookSecretUntil),
		RenewalAt: r.RenewalAt.UTC(), CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
}

// featureRow holds the features of the account's plan, which are read together with the columns that they apply to.
type featureRow struct {
	AIVerification bool `bun:"ai_verification"`
	BrowserConsole bool `bun:"browser_console"`
}

const (
	featureColumns = "account.ai_verification, account.browser_console"
	joinFeatures   = "JOIN accounts AS account ON account.id = ?"
)

func (r *featureRow) features() vcd.Features {
	return vcd.Features{AIVerification: r.AIVerification, BrowserConsole: r.BrowserConsole}
}

// Account implements vcd.AccountStore. The counters include what this transaction has gathered but not yet written.
func (t *tx) Account(ctx context.Context) (*vcd.Account, error) {
	return t.readAccount(ctx, t.bun.NewSelect())
}

// LockAccount implements vcd.AccountStore.
func (t *tx) LockAccount(ctx context.Context) (*vcd.Account, error) {
	return t.readAccount(ctx, forChange(t.bun.NewSelect()))
}

func (t *tx) readAccount(ctx context.Context, q *bun.SelectQuery) (*vcd.Account, error) {
	row := &accountRow{}
	if err := q.Model(row).Where("a.id = ? AND a.deleted_at IS NULL", t.account).Scan(ctx); err != nil {
		return nil, fmt.Errorf("read the account: %w", notFound(err, "Account", t.account))
	}
	a := row.account()
	a.ChecksDone += t.outbox.done
	a.ChecksReserved += t.outbox.promised - t.outbox.done - t.outbox.returned
	return a, nil
}

func (t *tx) InsertAccount(ctx context.Context, a *vcd.Account) error {
	_, err := t.bun.NewInsert().Model(rowOfAccount(a)).Exec(ctx)
	if violates(err, "accounts_email_key") {
		return errEmailTaken
	}
	if err != nil {
		return fmt.Errorf("insert the account: %w", err)
	}
	return nil
}

func (t *tx) UpdateAccount(ctx context.Context, a *vcd.Account) error {
	err := t.updateOne(ctx, t.bun.NewUpdate().Model(rowOfAccount(a)).
		ExcludeColumn("id", "parent_id", "status", "checks_done", "checks_reserved", "storage_told", "renewal_at", "created_at").
		Set("checks_told = CASE WHEN checks_limit < ? THEN 0 ELSE checks_told END", a.ChecksLimit).
		Where("id = ?", t.account), "Account", a.ID)
	if violates(err, "accounts_email_key") {
		return errEmailTaken
	}
	return err
}

var errEmailTaken = vcd.Invalid("email", "unique", "The {field} has already been taken.")

// TellChecks implements vcd.AccountStore.
func (t *tx) TellChecks(ctx context.Context, percent int) (bool, error) {
	result, err := t.bun.NewRaw("UPDATE accounts SET checks_told = ?0 WHERE id = ?1 AND checks_told < ?0", percent, t.account).Exec(ctx)
	if err != nil {
		return false, fmt.Errorf("note what was told of the checks: %w", err)
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// updateOne runs an update that must affect exactly one row.
func (t *tx) updateOne(ctx context.Context, q *bun.UpdateQuery, resource string, id vcd.ID) error {
	result, err := q.Exec(ctx)
	if err != nil {
		return fmt.Errorf("update %s %s: %w", strings.ToLower(resource), id, err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return vcd.NotFound(resource, id)
	}
	return nil
}
