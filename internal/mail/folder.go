package mail

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Folder is the transport without a mail server: it writes each mail to a file <ID>.eml, which mail clients can
// open.
type Folder string

// Send implements Transport. If the mail was written before, its file is replaced atomically.
func (f Folder) Send(_ context.Context, e Envelope, l Letter) error {
	if e.ID == "" || strings.ContainsAny(e.ID, `/\`) || e.ID[0] == '.' {
		return fmt.Errorf("mail id %q is not a file name", e.ID)
	}
	data, err := Bytes(e, l)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return fmt.Errorf("create the mail folder: %w", err)
	}
	draft, err := os.CreateTemp(string(f), ".mail-*") // mode 0600
	if err != nil {
		return fmt.Errorf("write a mail: %w", err)
	}
	defer func() { _ = os.Remove(draft.Name()) }()
	_, err = draft.Write(data)
	if err := errors.Join(err, draft.Close()); err != nil {
		return fmt.Errorf("write a mail: %w", err)
	}
	return os.Rename(draft.Name(), filepath.Join(string(f), e.ID+".eml"))
}
