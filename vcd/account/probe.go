package account

import (
	"context"
	"errors"
	"fmt"
)

const purposeProbe = "probe"

// ErrSecretKey means that the secrets in the database were sealed with a different key from this process's.
var ErrSecretKey = errors.New("the secret key does not match this database: " +
	"give every process the same --secret-key, or the secret.key file of the first one")

// CheckSecretKey checks that this process can open the secrets of others. The first process stores a sealed probe in the
// database; processes that cannot open it get ErrSecretKey.
func (s *Service) CheckSecretKey(ctx context.Context) error {
	sealed, err := s.sealer.Seal(purposeProbe, purposeProbe)
	if err != nil {
		return err
	}
	kept, err := s.store.KeepProbe(ctx, sealed)
	if err != nil {
		return fmt.Errorf("read the secret key's probe: %w", err)
	}
	if _, err := s.sealer.Open(purposeProbe, kept); err != nil {
		return ErrSecretKey
	}
	return nil
}
