package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"afterimage/internal/cli"
	"afterimage/vcd/account"
)

// ownerTokenName is the file in the data folder that holds the first token where it could not be shown to a person.
const ownerTokenName = "owner-token"

// greet tells where the service is and, on the very first start, opens an account.
func (s *server) greet(ctx context.Context, dataDir, email string, out *os.File) error {
	fmt.Fprintf(out, "Afterimage serves at %s\n", s.url)
	known, err := s.backend.db.HasAccounts(ctx)
	if err != nil || known {
		return err
	}
	if cli.IsTerminal(out) {
		return s.openFirst(ctx, email, out, func(token string) error {
			fmt.Fprintf(out, "Its API token, shown only once:\n\n  %s\n\nSign in with it at %s/signin/, or with this link, once "+
				"and within ten minutes:\n\n  %s\n\nor try:\n\n"+
				"  curl -H 'Authorization: Bearer %[1]s' %[2]s/api/v2/account\n\n", token, s.url,
				s.graph.SignInLink(s.url, token, "/"))
			return nil
		})
	}
	return s.openFirstUnseen(ctx, dataDir, email, out)
}

// openFirstUnseen opens the first account where what is printed may be kept and read by others, as by journald: the token
// goes into a file that only this user can read. The file is made first, so that no token is lost for want of room.
func (s *server) openFirstUnseen(ctx context.Context, dataDir, email string, out io.Writer) error {
	path := filepath.Join(dataDir, ownerTokenName)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("replace an old owner-token file: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("create the owner-token file: %w", err)
	}
	err = s.openFirst(ctx, email, out, func(token string) error {
		_, err := fmt.Fprintln(file, token)
		fmt.Fprintf(out, "Its API token is in %s, readable by this user only. Store it elsewhere and delete the file.\n\n"+
			"Sign in with it at %s/signin/ or try:\n\n  curl -H \"Authorization: Bearer $(cat %[1]s)\" %[2]s/api/v2/account\n\n", path,
			s.url)
		return errors.Join(err, file.Sync())
	})
	return errors.Join(err, file.Close())
}

// openFirst opens the first account, whose owner may have no address yet.
func (s *server) openFirst(ctx context.Context, email string, out io.Writer, show func(token string) error) error {
	first := account.Input{NameFirst: "Owner", Email: email, NoEmail: email == ""}
	opened, token, err := s.backend.service.Accounts.CreateAccount(ctx, first)
	if err != nil {
		return fmt.Errorf("create the first account: %w", err)
	}
	fmt.Fprintf(out, "\nFirst start: created the account %s\n", called(opened))
	if err := show(token.Plain); err != nil {
		return fmt.Errorf("show the first account's token (create another with 'afterimage token create %s'): %w", called(opened), err)
	}
	return nil
}
