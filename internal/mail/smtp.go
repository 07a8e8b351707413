package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// smtpTimeout bounds one connection, from dialling to the last answer.
const smtpTimeout = 30 * time.Second

// SMTP sends mails by a mail server, each over a connection of its own.
type SMTP struct {
	host    string
	options []gomail.Option
}

// NewSMTP reads where and how to send from an address such as
//
//	smtp://user:password@mail.example.com:587    STARTTLS required (the default port is 587)
//	smtps://user:password@mail.example.com       TLS from the start (465)
//	smtp://localhost:25?tls=none                 neither TLS nor a name, for a relay on this machine
//
// roots are whom it trusts; nil means the machine's.
func NewSMTP(address string, roots *x509.CertPool) (*SMTP, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || (u.Scheme != "smtp" && u.Scheme != "smtps") {
		// The parser's error would repeat the password.
		return nil, errors.New("the mail server must be given as smtp://user:password@host:port or smtps://…")
	}
	s := &SMTP{host: u.Hostname(), options: []gomail.Option{gomail.WithTimeout(smtpTimeout)}}
	if err := s.secure(u, roots); err != nil {
		return nil, err
	}
	if port := u.Port(); port != "" {
		n, err := strconv.Atoi(port)
		if err != nil {
			return nil, fmt.Errorf("the mail server's port %q is no number", port)
		}
		s.options = append(s.options, gomail.WithPort(n))
	}
	if user := u.User.Username(); user != "" {
		password, _ := u.User.Password()
		s.options = append(s.options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(user), gomail.WithPassword(password))
	}
	return s, nil
}

func (s *SMTP) secure(u *url.URL, roots *x509.CertPool) error {
	if roots != nil {
		s.options = append(s.options, gomail.WithTLSConfig(&tls.Config{ServerName: u.Hostname(), RootCAs: roots, MinVersion: tls.VersionTLS12}))
	}
	switch none := u.Query().Get("tls") == "none"; {
	case u.Scheme == "smtps":
		s.options = append(s.options, gomail.WithSSL(), gomail.WithPort(gomail.DefaultPortSSL))
	case none && u.User != nil:
		return errors.New("the mail server's password would go out in clear: remove tls=none, or the name and password")
	case none:
		s.options = append(s.options, gomail.WithTLSPolicy(gomail.NoTLS), gomail.WithPort(gomail.DefaultPort))
	default:
		s.options = append(s.options, gomail.WithTLSPolicy(gomail.TLSMandatory), gomail.WithPort(gomail.DefaultPortTLS))
	}
	return nil
}

// Send implements [Transport].
func (s *SMTP) Send(ctx context.Context, e Envelope, l Letter) error {
	m, err := message(e, l)
	if err != nil {
		return err
	}
	client, err := gomail.NewClient(s.host, s.options...)
	if err != nil {
		return fmt.Errorf("prepare for the mail server: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, smtpTimeout)
	defer cancel()
	return refusal(client.DialAndSendWithContext(ctx, m))
}

// refusal finds the server's answer in an error. What was refused for the recipient or the mail is told; a failure to
// connect or to sign in is ours, and may pass.
func refusal(err error) error {
	var sent *gomail.SendError
	if !errors.As(err, &sent) || sent.ErrorCode() == 0 {
		return err
	}
	return &Refusal{Permanent: !sent.IsTemp(), Said: cutText(500, strings.TrimSpace(sent.Error()))}
}
