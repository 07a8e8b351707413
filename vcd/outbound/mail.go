package outbound

import (
	"context"

	"afterimage/vcd"
)

// Mail is one of the actor's mails.
func (s *Service) Mail(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.Mail, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx vcd.Tx) (*vcd.Mail, error) { return tx.Mail(ctx, id) })
}

// Mails lists the actor's mails.
func (s *Service) Mails(ctx context.Context, actor vcd.Actor, f vcd.MailFilter, p vcd.Page) (*vcd.List[*vcd.Mail], error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx vcd.Tx) (*vcd.List[*vcd.Mail], error) { return tx.Mails(ctx, f, p) })
}

// MailsByIDs looks several mails up at once; unknown ids are left out.
func (s *Service) MailsByIDs(ctx context.Context, actor vcd.Actor, ids []vcd.ID) ([]*vcd.Mail, error) {
	return vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx vcd.Tx) ([]*vcd.Mail, error) { return tx.MailsByIDs(ctx, ids) })
}
