package mail_test

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"math/big"
	"mime"
	"mime/multipart"
	"net"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"go.uber.org/goleak"

	"afterimage/internal/mail"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var envelope = mail.Envelope{From: "Afterimage <alerts@example.com>", To: "owner@example.com", ID: "0198c0de", At: finished}

func TestAMailIsReadable(t *testing.T) {
	data, err := mail.Bytes(envelope, letters(t)["digest"])
	if err != nil {
		t.Fatal(err)
	}
	checkMail(t, data)
}

// checkMail reads a mail as a mail program does: headers, both texts, and the two pictures by their content ids.
func checkMail(t *testing.T, data []byte) {
	t.Helper()
	m, err := netmail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{"Message-Id": "<0198c0de@example.com>", "To": "<owner@example.com>",
		"Auto-Submitted": "auto-generated"} {
		if got := m.Header.Get(field); got != want {
			t.Errorf("%s: %q, want %q", field, got, want)
		}
	}
	if date, err := m.Header.Date(); err != nil || !date.Equal(finished) {
		t.Errorf("date %v, %v", date, err)
	}
	found := make(map[string]int)
	walk(t, m.Header.Get("Content-Type"), m.Body, found)
	for _, part := range []string{"text/plain", "text/html", "image/png <before-1>", "image/png <after-1>"} {
		if found[part] != 1 {
			t.Errorf("%d × %s, want 1", found[part], part)
		}
	}
}

func walk(t *testing.T, contentType string, body io.Reader, found map[string]int) {
	t.Helper()
	kind, parameters, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(kind, "multipart/") {
		t.Fatalf("%s where a multipart was due", kind)
	}
	reader := multipart.NewReader(body, parameters["boundary"])
	for {
		part, err := reader.NextRawPart()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		kind, _, err := mime.ParseMediaType(part.Header.Get("Content-Type"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(kind, "multipart/") {
			walk(t, part.Header.Get("Content-Type"), part, found)
			continue
		}
		found[strings.TrimSpace(kind+" "+part.Header.Get("Content-Id"))]++
	}
}

func TestFolderKeepsMailsAsFiles(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "mails")
	for range 2 {
		if err := mail.Folder(folder).Send(t.Context(), envelope, letters(t)["digest"]); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(filepath.Join(folder, "0198c0de.eml"))
	if err != nil {
		t.Fatal(err)
	}
	checkMail(t, data)
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("%d files in the folder, %v", len(entries), err)
	}
	bad := envelope
	bad.ID = "../escaped"
	if err := mail.Folder(folder).Send(t.Context(), bad, letters(t)["digest"]); err == nil {
		t.Error("a path was taken for an id")
	}
}

// server is a mail server on loopback, with TLS and accounts.
type server struct {
	addr  string
	roots *x509.CertPool
	mails chan []byte
	say   *smtp.SMTPError // to each recipient; nil accepts
}

func newServer(t *testing.T, say *smtp.SMTPError) *server {
	t.Helper()
	certificate, roots := newCertificate(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{addr: listener.Addr().String(), roots: roots, mails: make(chan []byte, 1), say: say}
	backend := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &session{server: s}, nil }))
	backend.Domain = "localhost"
	backend.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	backend.ErrorLog = quiet{}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = backend.Serve(listener)
	}()
	t.Cleanup(func() {
		_ = backend.Close()
		<-served
	})
	return s
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}

func newCertificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"}, IsCA: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, roots
}

type session struct {
	server *server
	known  bool
}

func (*session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		s.known = user == "us" && password == "p@ss/word"
		if !s.known {
			return smtp.ErrAuthFailed
		}
		return nil
	}), nil
}

func (s *session) Mail(string, *smtp.MailOptions) error {
	if !s.known {
		return smtp.ErrAuthRequired
	}
	return nil
}

func (s *session) Rcpt(string, *smtp.RcptOptions) error {
	if s.server.say != nil {
		return s.server.say
	}
	return nil
}

func (s *session) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	s.server.mails <- data
	return err
}

func (*session) Reset()        {}
func (*session) Logout() error { return nil }

// address is that of the server for a client who knows the password given.
func (s *server) address(password string) string {
	_, port, _ := net.SplitHostPort(s.addr)
	return "smtp://us:" + password + "@localhost:" + port
}

func TestSMTPSendsOverTLSWithAuthentication(t *testing.T) {
	s := newServer(t, nil)
	transport, err := mail.NewSMTP(s.address("p%40ss%2Fword"), s.roots)
	if err != nil {
		t.Fatal(err)
	}
	if err := transport.Send(t.Context(), envelope, letters(t)["digest"]); err != nil {
		t.Fatal(err)
	}
	checkMail(t, <-s.mails)
}

func TestSMTPTellsWhatCanBeTriedAgain(t *testing.T) {
	tests := []struct {
		name     string
		say      *smtp.SMTPError
		password string
		refused  bool
		forEver  bool
	}{
		{"unknown recipient", &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "No such mailbox"},
			"p%40ss%2Fword", true, true},
		{"full mailbox", &smtp.SMTPError{Code: 452, EnhancedCode: smtp.EnhancedCode{4, 2, 2}, Message: "Mailbox full"},
			"p%40ss%2Fword", true, false},
		{"wrong password", nil, "guess", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newServer(t, tt.say)
			transport, err := mail.NewSMTP(s.address(tt.password), s.roots)
			if err != nil {
				t.Fatal(err)
			}
			err = transport.Send(t.Context(), envelope, letters(t)["notice"])
			var refusal *mail.Refusal
			if err == nil || errors.As(err, &refusal) != tt.refused {
				t.Fatalf("error %v; a refusal: %v", err, tt.refused)
			}
			if tt.refused && (refusal.Permanent != tt.forEver || !strings.Contains(refusal.Said, tt.say.Message)) {
				t.Errorf("%+v", refusal)
			}
			if strings.Contains(err.Error(), "guess") {
				t.Errorf("the password is in the error: %v", err)
			}
		})
	}
}

func TestSMTPTrustsNoStranger(t *testing.T) {
	s := newServer(t, nil)
	transport, err := mail.NewSMTP(s.address("p%40ss%2Fword"), x509.NewCertPool())
	if err != nil {
		t.Fatal(err)
	}
	if err := transport.Send(t.Context(), envelope, letters(t)["notice"]); err == nil || len(s.mails) > 0 {
		t.Errorf("sent to a server with an unknown certificate: %v", err)
	}
}

func TestSMTPAddresses(t *testing.T) {
	for address, ok := range map[string]bool{
		"smtp://us:secret@mail.example.com":          true,
		"smtps://us:secret@mail.example.com:465":     true,
		"smtp://localhost:25?tls=none":               true,
		"smtp://us:secret@mail.example.com?tls=none": false, // the password would be readable on its way
		"mail.example.com:25":                        false,
		"http://us:secret@mail.example.com":          false,
		"smtp://us:secret@mail.example.com:port":     false,
		"smtp://us:secret@mail.example.com\x7f:25":   false,
	} {
		_, err := mail.NewSMTP(address, nil)
		if (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the password is in the error: %v", err)
		}
	}
}
