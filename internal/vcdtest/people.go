package vcdtest

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"afterimage/db"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
)

// Join invites somebody to the actor's account, accepts the invitation with a passkey, and returns the session.
func Join(t testing.TB, use *app.Service, store *db.DB, actor vcd.Actor, email string, role vcd.Role) *account.NewSession {
	t.Helper()
	i, err := use.Accounts.Invite(t.Context(), actor, email, role)
	if err != nil {
		t.Fatal(err)
	}
	session, err := use.Accounts.AcceptInvitation(t.Context(), LinkOf(t, use, store, i), account.Joining{
		Name: email, Passkey: &account.NewPasskey{CredentialID: []byte(email), Credential: []byte("{}"), Name: "a passkey"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// LinkOf begins the newest mail of an invitation, and returns the secret of its link.
func LinkOf(t testing.TB, use *app.Service, store *db.DB, i *vcd.Invitation) string {
	t.Helper()
	var mail string
	err := pgx.BeginFunc(t.Context(), store.SystemPool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "SELECT set_config('afterimage.system', 'on', true)"); err != nil {
			return err
		}
		const newest = "SELECT id::text FROM mails WHERE subject_id = $1 ORDER BY id DESC LIMIT 1"
		return tx.QueryRow(t.Context(), newest, string(i.ID)).Scan(&mail)
	})
	if err != nil {
		t.Fatal(err)
	}
	task, err := use.Outbound.BeginMail(t.Context(), vcd.Actor{Account: i.Account}, vcd.ID(mail))
	if err != nil || task == nil {
		t.Fatalf("no mail to send: %v", err)
	}
	return task.Secret
}

// NewUser makes a user of the account, as Join does.
func (w *World) NewUser(email string, role vcd.Role) *account.NewSession {
	w.T.Helper()
	return Join(w.T, w.Service, w.DB, w.Actor, email, role)
}
