package account

import (
	"context"
	"fmt"

	"afterimage/vcd"
)

// maxUsers is how many users an account can have.
const maxUsers = 500

// Users lists the users of the actor's account, newest first.
func (s *Service) Users(ctx context.Context, actor vcd.Actor, f vcd.UserFilter, p vcd.Page) (*vcd.List[*vcd.User], error) {
	if err := vcd.CheckSearch(f.Search); err != nil {
		return nil, err
	}
	return vcd.Read(ctx, s.store.People(), actor, func(ctx context.Context, tx PeopleTx) (*vcd.List[*vcd.User], error) {
		return tx.Users(ctx, f, p)
	})
}

// User is one user of the actor's account.
func (s *Service) User(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.User, error) {
	return vcd.Read(ctx, s.store.People(), actor, func(ctx context.Context, tx PeopleTx) (*vcd.User, error) { return tx.User(ctx, id) })
}

// ChangeRole gives another user another role. Nobody changes their own, gives more than they have themselves, or changes a
// user who has more. The last owner keeps the role.
func (s *Service) ChangeRole(ctx context.Context, actor vcd.Actor, id vcd.ID, role vcd.Role) (*vcd.User, error) {
	if err := checkRole(actor, role); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store.People(), actor, func(ctx context.Context, tx PeopleTx) (*vcd.User, error) {
		u, err := lockUser(ctx, tx, id)
		switch {
		case err != nil:
			return nil, err
		case actor.User == u.ID:
			return nil, errOwnRole
		case !actor.MayGive(u.Role.Permissions()):
			return nil, errMoreThanYou
		case u.Role == role:
			return u, nil
		}
		if u.Role == vcd.RoleOwner {
			if err := keepAnOwner(ctx, tx); err != nil {
				return nil, err
			}
		}
		u.Role, u.UpdatedAt = role, s.clock.Now()
		if err := tx.UpdateUser(ctx, u); err != nil {
			return nil, err
		}
		if err := tx.RevokeInvitationsOf(ctx, u.ID, u.UpdatedAt); err != nil {
			return nil, err
		}
		if err := tx.LimitTokensOf(ctx, u.ID, role.Scopes(), u.UpdatedAt); err != nil {
			return nil, err
		}
		return u, s.peopleChanged(ctx, tx, vcd.SubjectUser, u.ID)
	})
}

// RemoveUser removes a user, ends their sessions and revokes the invitations that they have sent and the tokens that they have
// made. What they did keeps their name. The last owner cannot be removed.
func (s *Service) RemoveUser(ctx context.Context, actor vcd.Actor, id vcd.ID) (*vcd.User, error) {
	return vcd.Write(ctx, s.store.People(), actor, func(ctx context.Context, tx PeopleTx) (*vcd.User, error) {
		u, err := lockUser(ctx, tx, id)
		switch {
		case err != nil:
			return nil, err
		case !actor.MayGive(u.Role.Permissions()):
			return nil, errMoreThanYou
		}
		if u.Role == vcd.RoleOwner {
			if err := keepAnOwner(ctx, tx); err != nil {
				return nil, err
			}
		}
		now := s.clock.Now()
		if err := tx.RemoveUsers(ctx, u.ID, now); err != nil {
			return nil, err
		}
		if err := tx.RevokeInvitationsOf(ctx, u.ID, now); err != nil {
			return nil, err
		}
		if err := tx.LimitTokensOf(ctx, u.ID, nil, now); err != nil {
			return nil, err
		}
		return u, s.peopleChanged(ctx, tx, vcd.SubjectUser, u.ID)
	})
}

var (
	errOwnRole = &vcd.Error{Code: vcd.CodeConflict, Reason: "OWN_ROLE",
		Message: "You cannot change your own role. Ask another owner."}
	errMoreThanYou = &vcd.Error{Code: vcd.CodeConflict, Reason: "HIGHER_ROLE",
		Message: "The user has permissions that you do not have. Ask somebody who has them."}
)

// lockUser reads a user while nobody else can change the people of the account.
func lockUser(ctx context.Context, tx PeopleTx, id vcd.ID) (*vcd.User, error) {
	if _, err := tx.LockAccount(ctx); err != nil {
		return nil, err
	}
	return tx.User(ctx, id)
}

// keepAnOwner refuses to take the role from the last owner. The caller holds the lock on the account.
func keepAnOwner(ctx context.Context, tx PeopleTx) error {
	owners, err := tx.CountUsers(ctx, vcd.UserFilter{Roles: &[]vcd.Role{vcd.RoleOwner}})
	if err != nil || owners > 1 {
		return err
	}
	return &vcd.Error{Code: vcd.CodeConflict, Reason: "LAST_OWNER",
		Message: "The last owner cannot be removed or given another role. Make another user an owner first."}
}

// checkRole refuses roles that do not exist and those that the actor cannot give.
func checkRole(actor vcd.Actor, role vcd.Role) error {
	v := &vcd.Validation{}
	vcd.OneOf(v, "role", role, vcd.Roles()...)
	if err := v.Err(); err != nil {
		return err
	}
	if !actor.MayGive(role.Permissions()) {
		return vcd.Invalid("role", "exceeded", "The {field} field must not be a role with permissions that you do not have yourself.")
	}
	return nil
}

// peopleChanged notes what was changed, and tells those who follow the account's events. The caller holds the lock on it.
func (s *Service) peopleChanged(ctx context.Context, tx PeopleTx, kind vcd.SubjectType, id vcd.ID) error {
	a, err := tx.Account(ctx)
	if err != nil {
		return err
	}
	tx.Concern(kind, id)
	return tx.AppendEvents(ctx, vcd.NewEvent(s.clock.Now(), vcd.EventAccountUpdated, vcd.SubjectAccount, a.ID))
}

// CreateUser makes a user without an invitation. It is an operator command.
func (s *Service) CreateUser(ctx context.Context, account vcd.ID, email, name string, role vcd.Role) (*vcd.User, error) {
	actor := s.Operator(account, "createUser")
	v := &vcd.Validation{}
	v.Email("email", email)
	v.Name("name", name, vcd.MaxNameLength)
	if err := v.Err(); err != nil {
		return nil, err
	}
	if err := checkRole(actor, role); err != nil {
		return nil, err
	}
	return vcd.Write(ctx, s.store.People(), actor, func(ctx context.Context, tx PeopleTx) (*vcd.User, error) {
		if _, err := tx.LockAccount(ctx); err != nil {
			return nil, err
		}
		u := s.newUser(account, email, name, role)
		if err := s.addUser(ctx, tx, u); err != nil {
			return nil, err
		}
		return u, s.peopleChanged(ctx, tx, vcd.SubjectUser, u.ID)
	})
}

func (s *Service) newUser(account vcd.ID, email, name string, role vcd.Role) *vcd.User {
	now := s.clock.Now()
	return &vcd.User{ID: s.ids.NewID(), Account: account, Email: email, Name: name, Role: role, CreatedAt: now, UpdatedAt: now}
}

// addUser stores a new user. The caller holds the lock on the account.
func (s *Service) addUser(ctx context.Context, tx PeopleTx, u *vcd.User) error {
	n, err := tx.CountUsers(ctx, vcd.UserFilter{})
	if err != nil {
		return err
	}
	if n >= maxUsers {
		return &vcd.Error{Code: vcd.CodeConflict,
			Message: fmt.Sprintf("The account already has %d users, which is the limit. Remove one first.", n)}
	}
	return tx.InsertUser(ctx, u)
}
