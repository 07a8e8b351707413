package account

import (
	"context"

	"afterimage/vcd"
)

// GiveRole is ChangeRole as an operator command: the user is found by their address in all accounts.
func (s *Service) GiveRole(ctx context.Context, email string, role vcd.Role) (*vcd.User, error) {
	u, err := s.store.UserByEmail(ctx, email)
	if err != nil {
		return nil, err
	}
	return s.ChangeRole(ctx, s.Operator(u.Account, "changeRole"), u.ID, role)
}

// Expel is RemoveUser as an operator command: the user is found by their address in all accounts.
func (s *Service) Expel(ctx context.Context, email string) (*vcd.User, error) {
	u, err := s.store.UserByEmail(ctx, email)
	if err != nil {
		return nil, err
	}
	return s.RemoveUser(ctx, s.Operator(u.Account, "removeUser"), u.ID)
}
