package account

import (
	"context"

	"afterimage/vcd"
)

// AuditEntries lists who changed what in the actor's account, newest first.
func (s *Service) AuditEntries(
	ctx context.Context, actor vcd.Actor, f vcd.AuditFilter, p vcd.Page,
) (*vcd.List[*vcd.AuditEntry], error) {
	v := &vcd.Validation{}
	v.OptionalText("action", f.Action, vcd.MaxNameLength)
	if err := v.Err(); err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (*vcd.List[*vcd.AuditEntry], error) {
		return tx.AuditEntries(ctx, f, p)
	})
}

// Operator is the actor of an operator's command on an account, which leaves an audit entry.
func (s *Service) Operator(account vcd.ID, command string) vcd.Actor {
	return vcd.Actor{Account: account, Change: s.NewChange(command)}
}

// NewChange is a change that begins now.
func (s *Service) NewChange(action string) vcd.Change {
	return vcd.Change{ID: s.ids.NewID(), Action: action, At: s.clock.Now()}
}
