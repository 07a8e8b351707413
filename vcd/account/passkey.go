package account

import (
	"context"

	"afterimage/vcd"
)

// NewPasskey is a public key that an authenticator made, after its answer was verified.
type NewPasskey struct {
	CredentialID []byte
	Credential   []byte // JSON
	Name         string
}

func (s *Service) passkeyOf(u *vcd.User, in *NewPasskey) *vcd.Passkey {
	return &vcd.Passkey{ID: s.ids.NewID(), Account: u.Account, User: u.ID, CredentialID: in.CredentialID, Credential: in.Credential,
		Name: in.Name, CreatedAt: s.clock.Now()}
}

// Passkeys lists the passkeys of the actor, oldest first; an API token has none.
func (s *Service) Passkeys(ctx context.Context, actor vcd.Actor) ([]*vcd.Passkey, error) {
	if actor.User == "" {
		return nil, nil
	}
	return vcd.Read(ctx, s.store.People(), actor, func(ctx context.Context, tx PeopleTx) ([]*vcd.Passkey, error) {
		return tx.Passkeys(ctx, actor.User)
	})
}

// DeletePasskey deletes one of the actor's passkeys. Sessions that it began go on.
func (s *Service) DeletePasskey(ctx context.Context, actor vcd.Actor, id vcd.ID) error {
	return s.store.People().InTx(ctx, actor, func(ctx context.Context, tx PeopleTx) error {
		p, err := tx.LockPasskey(ctx, id)
		if err != nil {
			return err
		}
		if p.User != actor.User {
			return vcd.NotFound("Passkey", id)
		}
		tx.Concern(vcd.SubjectUser, actor.User)
		return tx.DeletePasskey(ctx, id)
	})
}
