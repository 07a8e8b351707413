package outbound

import (
	"context"
	"slices"

	"afterimage/vcd"
)

// Mail is one of the actor's mails.
func (s *Service) Mail(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Mail, error) {
	m, err := vcd.Read(ctx, s.store.Mails(), actor, func(ctx context.Context, tx MailTx) (*vcd.Mail, error) { return tx.Mail(ctx, id) })
	if err == nil && slices.Contains(hiddenFrom(actor), m.Kind) {
		return nil, vcd.NotFound("Mail", id)
	}
	return m, err
}

// hiddenFrom are the kinds of mails that an actor may not see: their recipients are not listed to everybody.
func hiddenFrom(actor vcd.Actor) []vcd.MailKind {
	if actor.May(vcd.PermissionOwn) {
		return nil
	}
	return vcd.MailsOfPeople()
}

// Mails lists the actor's mails.
func (s *Service) Mails(ctx context.Context, actor vcd.Actor, f vcd.MailFilter, p vcd.Page) (*vcd.List[*vcd.Mail], error) {
	f.Hidden = hiddenFrom(actor)
	return vcd.Read(ctx, s.store.Mails(), actor, func(ctx context.Context, tx MailTx) (*vcd.List[*vcd.Mail], error) {
		return tx.Mails(ctx, f, p)
	})
}

// MailsByIDs looks several mails up at once; unknown ids are left out.
func (s *Service) MailsByIDs(ctx context.Context, actor vcd.Actor, ids []vcd.ID) ([]*vcd.Mail, error) {
	list, err := vcd.Read(ctx, s.store.Mails(), actor, func(ctx context.Context, tx MailTx) ([]*vcd.Mail, error) {
		return tx.MailsByIDs(ctx, ids)
	})
	hidden := hiddenFrom(actor)
	return slices.DeleteFunc(list, func(m *vcd.Mail) bool { return slices.Contains(hidden, m.Kind) }), err
}
