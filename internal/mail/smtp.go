package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// smtpTimeout bounds one connection, from dialling to the last answer.
const smtpTimeout = 30 * time.Second

// SMTP sends mails to a mail server, each over its own connection.
type SMTP struct {
	host    string
	options []gomail.Option
	// TLS from the first byte. The library then insists on a dialler of its own.
	implicit bool
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
	trust := &tls.Config{ServerName: u.Hostname(), RootCAs: roots, MinVersion: tls.VersionTLS12}
	s := &SMTP{host: u.Hostname(), options: []gomail.Option{gomail.WithTimeout(smtpTimeout), gomail.WithTLSConfig(trust)}}
	if err := s.secure(u); err != nil {
		return nil, err
	}
	if port := u.Port(); port != "" {
		n, err := strconv.Atoi(port)
		if err != nil {
			return nil, fmt.Errorf("the port %q of the mail server is not a number", port)
		}
		s.options = append(s.options, gomail.WithPort(n))
	}
	if user := u.User.Username(); user != "" {
		password, _ := u.User.Password()
		s.options = append(s.options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(user),
			gomail.WithPassword(password))
	}
	return s, nil
}

func (s *SMTP) secure(u *url.URL) error {
	switch none := u.Query().Get("tls") == "none"; {
	case u.Scheme == "smtps":
		s.implicit = true
		s.options = append(s.options, gomail.WithSSL(), gomail.WithPort(gomail.DefaultPortSSL))
	case none && u.User != nil:
		return errors.New("the mail server's password would be sent in plain text: remove tls=none, or the user name and password")
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
	ctx, cancel := context.WithTimeout(ctx, smtpTimeout)
	defer cancel()
	options := slices.Clip(s.options)
	if !s.implicit {
		options = append(options, gomail.WithDialContextFunc(dial(ctx)))
	}
	client, err := gomail.NewClient(s.host, options...)
	if err != nil {
		return fmt.Errorf("prepare for the mail server: %w", err)
	}
	if err := client.DialWithContext(ctx); err != nil {
		return err
	}
	sent := client.Send(m)
	// What the server took is sent, however the connection ended: sending it again would make it two.
	if closed := client.Close(); !m.IsDelivered() {
		return refusal(errors.Join(sent, closed))
	}
	return nil
}

// dial opens connections that end with the sending: the library minds the context only until one is open.
func dial(sending context.Context) gomail.DialContextFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err == nil {
			context.AfterFunc(sending, func() { _ = conn.Close() })
		}
		return conn, err
	}
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
