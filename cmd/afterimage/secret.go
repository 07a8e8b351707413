package main

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strconv"

	"afterimage/internal/cli"
	"afterimage/vcd/account"
)

type secretCmd struct {
	Rotate secretRotateCmd `cmd:"" help:"Encrypt all stored secrets with the current secret key."`
}

// Help is shown below the list of commands.
func (secretCmd) Help() string {
	return `Passwords, signing secrets and links are stored encrypted. --secret-key, or the
file secret.key in the data folder, may hold several keys, separated by white space or line
ends: the first one is used to encrypt, all of them to decrypt. To change the key while the service runs:

  1. Create a new key: openssl rand -base64 32
  2. Add it as the last one in the configuration of each process, and restart them one after the other.
  3. Move it to the front, and restart them again.
  4. Run: afterimage secret rotate
  5. Remove the old key, and restart them once more.

Backups are encrypted with the first key. Keep the old key as long as you keep backups that were made with it.
`
}

type secretRotateCmd struct{}

// Run encrypts the secrets, and prints how many.
func (secretRotateCmd) Run(ctx context.Context, g *globals) error {
	return withBackend(ctx, g, needs{}, func(b *backend) error {
		all, err := b.service.Accounts.RotateSecrets(ctx)
		slices.SortFunc(all, func(x, y account.Resealed) int { return cmp.Compare(x.Place, y.Place) })
		t := cli.Table{{"Secret", "Stored", "Encrypted anew"}}
		for _, r := range all {
			t = append(t, []string{string(r.Place), strconv.Itoa(r.Secrets), strconv.Itoa(r.Renewed)})
		}
		t.Print(os.Stdout)
		return plain(err)
	})
}
