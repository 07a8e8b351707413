package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// Envelope holds the sender and the recipient of a letter.
type Envelope struct {
	From, To string
	// ID is the mail's own; the Message-ID is made of it, so that a mail that was sent twice is recognised as one.
	ID string
	At time.Time
}

// Transport sends mails. The error is a *Refusal if the server rejected the mail; other errors are temporary.
type Transport interface {
	Send(ctx context.Context, e Envelope, l Letter) error
}

// Refusal is a rejection by the mail server.
type Refusal struct {
	Permanent bool // a retry will not help
	Said      string
}

func (r *Refusal) Error() string { return "the mail server rejected the mail: " + r.Said }

// Bytes returns the mail in wire format (RFC 5322).
func Bytes(e Envelope, l Letter) ([]byte, error) {
	m, err := message(e, l)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if _, err := m.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("write a mail: %w", err)
	}
	return out.Bytes(), nil
}

func message(e Envelope, l Letter) (*gomail.Msg, error) {
	m := gomail.NewMsg()
	if err := m.From(e.From); err != nil {
		return nil, fmt.Errorf("the sender %q is not an email address: %w", e.From, err)
	}
	if err := m.To(e.To); err != nil {
		return nil, errors.Join(&Refusal{Permanent: true, Said: "the recipient is not an email address"}, err)
	}
	sender, err := m.GetSender(false)
	if err != nil {
		return nil, err
	}
	m.SetMessageIDWithValue(e.ID + "@" + domainOf(strings.Trim(sender, "<>")))
	m.SetDateWithValue(e.At)
	m.Subject(l.Subject)
	// Machines are not to answer it (RFC 3834).
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetBodyString(gomail.TypeTextPlain, l.Text)
	m.AddAlternativeString(gomail.TypeTextHTML, l.HTML)
	for _, p := range l.Pictures {
		if err := m.EmbedReader(p.ID, bytes.NewReader(p.Data), gomail.WithFileContentType(gomail.ContentType(p.Type)),
			gomail.WithFileContentID("<"+p.ID+">")); err != nil {
			return nil, fmt.Errorf("put a picture into a mail: %w", err)
		}
	}
	return m, nil
}

func domainOf(address string) string {
	return address[strings.LastIndexByte(address, '@')+1:]
}
