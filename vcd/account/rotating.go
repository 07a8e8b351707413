package account

import (
	"context"
	"fmt"

	"afterimage/vcd"
)

// resealedAtOnce is how many secrets one transaction reads and replaces.
const resealedAtOnce = 500

// maxResealRounds bounds how often the secrets are gone through: processes that still encrypt with another key add some.
const maxResealRounds = 5

// sealedPurposes are the purposes under which the secrets of each place are sealed.
var sealedPurposes = map[vcd.Sealed]string{
	vcd.SealedProbes:                 purposeProbe,
	vcd.SealedWebhookSecrets:         vcd.PurposeWebhookSecret,
	vcd.SealedPreviousWebhookSecrets: vcd.PurposeWebhookSecret,
	vcd.SealedMagicLogins:            purposeMagicLogin,
	vcd.SealedPasswords:              vcd.PurposeBasicAuth,
	vcd.SealedBatchLinks:             vcd.PurposeBatchLink,
	vcd.SealedSignIns:                purposeSignIn,
	vcd.SealedFlowSecrets:            vcd.PurposeFlow,
	vcd.SealedTrialSecrets:           vcd.PurposeFlow,
	vcd.SealedPageSessions:           vcd.PurposePageSession,
}

// Resealed counts the secrets of a place.
type Resealed struct {
	Place             vcd.Sealed
	Secrets, Renewed  int
	secretsNotOpening int
}

// RotateSecrets encrypts all stored secrets with the current key. It fails when other processes keep encrypting with another key,
// and when a secret opens with none; all others are encrypted anew by then.
func (s *Service) RotateSecrets(ctx context.Context) ([]Resealed, error) {
	var all []Resealed
	for place := range sealedPurposes {
		total := Resealed{Place: place}
		for round := 1; ; round++ {
			r, err := s.resealPlace(ctx, place)
			if err != nil {
				return all, err
			}
			total.Secrets, total.secretsNotOpening = r.Secrets, r.secretsNotOpening
			total.Renewed += r.Renewed
			if r.Renewed == 0 {
				break
			}
			if round == maxResealRounds {
				return all, fmt.Errorf("other processes still encrypt with another key (%s): give all processes the same first key, "+
					"then repeat this command",
					place)
			}
		}
		all = append(all, total)
	}
	for _, r := range all {
		if r.secretsNotOpening > 0 {
			return all, fmt.Errorf("%s cannot be decrypted with any of the keys (%s): add the key that encrypted it",
				vcd.Plural(r.secretsNotOpening, "secret"), r.Place)
		}
	}
	return all, nil
}

// resealPlace goes through the secrets of a place once.
func (s *Service) resealPlace(ctx context.Context, place vcd.Sealed) (Resealed, error) {
	r := Resealed{Place: place}
	var after []byte
	for {
		found, err := s.store.SealedAfter(ctx, place, after, resealedAtOnce)
		if err != nil || len(found) == 0 {
			return r, err
		}
		var old, renewed [][]byte
		for _, sealed := range found {
			r.Secrets++
			fresh, err := s.sealer.Reseal(sealedPurposes[place], sealed)
			switch {
			case err != nil:
				r.secretsNotOpening++
			case fresh != nil:
				old, renewed = append(old, sealed), append(renewed, fresh)
			}
		}
		if err := s.store.ReplaceSealed(ctx, place, old, renewed); err != nil {
			return r, err
		}
		r.Renewed += len(renewed)
		after = found[len(found)-1]
	}
}
