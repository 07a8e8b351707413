package db_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"afterimage/vcd"
	"afterimage/vcd/run"
)

func TestAuditEntriesAreNotAlteredAndExpire(t *testing.T) {
	w := newWorld(t)
	_, err := w.Service.Accounts.PauseAccount(t.Context(), w.Account.ID)
	must(t, err)
	err = w.AsAccount(w.Account.ID, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "UPDATE audit_entries SET actor_name = 'somebody else'")
		return err
	})
	if err == nil {
		t.Error("an audit entry was altered")
	}
	count := func() int {
		list, err := w.Service.Accounts.AuditEntries(t.Context(), w.Actor, vcd.AuditFilter{}, vcd.Page{Size: 10, Total: true})
		must(t, err)
		return list.Total
	}
	before := w.Clock.Now()
	w.Clock.Advance(time.Second)
	_, err = w.Service.Accounts.ReactivateAccount(t.Context(), w.Service.Accounts.Operator(w.Account.ID, "reactivateAccount"))
	must(t, err)
	if n := count(); n != 3 {
		t.Errorf("%d entries of three changes", n)
	}
	w.Clock.Set(before.Add(vcd.AuditRetention).Add(time.Millisecond))
	must(t, w.Service.Runs.RemoveOld(t.Context(), run.Retention{}))
	if n := count(); n != 1 {
		t.Errorf("%d entries are left, want the newest", n)
	}
}
