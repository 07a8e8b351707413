package mail_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"afterimage/internal/mail"
)

// crank is a mail server with a habit: at some commands it does not answer as it should.
type crank struct {
	addr    string
	answers map[string]string // by command, "GREETING" and "." (the end of a mail); "" hangs, "-" hangs up
	tls     *tls.Config       // from the first byte; nil for none

	mu    sync.Mutex
	heard []string // commands
	mails int      // taken
}

// usual is how a server answers that has no habit.
var usual = map[string]string{
	"GREETING": "220 localhost ESMTP", "EHLO": "250-localhost\r\n250-ENHANCEDSTATUSCODES\r\n250 AUTH PLAIN", "HELO": "250 localhost",
	"AUTH": "235 2.7.0 Welcome", "NOOP": "250 OK", "MAIL": "250 2.1.0 OK", "RCPT": "250 2.1.5 OK", "DATA": "354 Go on",
	".":    "250 2.0.0 Queued",
	"RSET": "250 OK", "QUIT": "221 Bye",
}

func newCrank(t *testing.T, secure *tls.Config, answers map[string]string) *crank {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &crank{addr: listener.Addr().String(), answers: answers, tls: secure}
	stop, cancel := context.WithCancel(context.Background())
	var open sync.WaitGroup
	open.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			open.Go(func() { c.serve(stop, conn) })
		}
	})
	t.Cleanup(func() {
		cancel()
		_ = listener.Close()
		open.Wait()
	})
	return c
}

func (c *crank) serve(stop context.Context, conn net.Conn) {
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(stop, func() { _ = conn.Close() })()
	if c.tls != nil {
		conn = tls.Server(conn, c.tls)
	}
	lines := bufio.NewReader(conn)
	for command := "GREETING"; ; {
		if !c.answer(conn, lines, command) {
			return
		}
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		command, _, _ = strings.Cut(strings.ToUpper(strings.TrimSpace(line)), " ")
	}
}

// answer reports whether the conversation goes on. After DATA it reads the mail as well, and answers that.
func (c *crank) answer(conn net.Conn, lines *bufio.Reader, command string) bool {
	reply, strange := c.answers[command]
	if !strange {
		reply = usual[command]
	}
	c.mu.Lock()
	c.heard = append(c.heard, command)
	if command == "." && strings.HasPrefix(reply, "2") {
		c.mails++
	}
	c.mu.Unlock()
	switch reply {
	case "":
		_, _ = io.Copy(io.Discard, lines) // until the client has had enough
		return false
	case "-":
		return false
	}
	if _, err := fmt.Fprintf(conn, "%s\r\n", reply); err != nil {
		return false
	}
	if command != "DATA" || !strings.HasPrefix(reply, "354") {
		return true
	}
	for {
		line, err := lines.ReadString('\n')
		switch {
		case err != nil:
			return false
		case line == ".\r\n":
			return c.answer(conn, lines, ".")
		}
	}
}

// told is what was heard, and how many mails were taken.
func (c *crank) told() (string, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Join(c.heard, " "), c.mails
}

func TestSMTPServersWithHabits(t *testing.T) {
	const sent, later, refusedForNow, refusedForEver = "sent", "later", "refused for now", "refused for ever"
	tests := map[string]struct {
		answers map[string]string
		want    string
		said    string
	}{
		"none":           {nil, sent, ""},
		"busy":           {map[string]string{"GREETING": "421 4.3.2 Try later"}, later, ""},
		"closed":         {map[string]string{"GREETING": "554 5.3.2 No service"}, later, ""},
		"no mail server": {map[string]string{"GREETING": "HTTP/1.1 400 Bad Request"}, later, ""},
		"old":            {map[string]string{"EHLO": "502 What?"}, sent, ""},
		"greylisting": {map[string]string{"RCPT": "451 4.7.1 Greylisted, try again in 5 minutes"},
			refusedForNow, "Greylisted"},
		"full mailbox":                      {map[string]string{"RCPT": "452 4.2.2 Mailbox full"}, refusedForNow, "Mailbox full"},
		"unknown mailbox":                   {map[string]string{"RCPT": "550 5.1.1 No such user"}, refusedForEver, "No such user"},
		"unwelcome sender":                  {map[string]string{"MAIL": "553 5.1.8 Sender rejected"}, refusedForEver, "Sender rejected"},
		"spam, it thinks":                   {map[string]string{".": "554 5.7.1 Looks like spam"}, refusedForEver, "spam"},
		"out of memory":                     {map[string]string{".": "452 4.3.1 Out of memory"}, refusedForNow, "Out of memory"},
		"no data, please":                   {map[string]string{"DATA": "503 5.5.1 Not now"}, refusedForEver, "Not now"},
		"hangs up at the mail":              {map[string]string{".": "-"}, later, ""},
		"hangs up at the recipient":         {map[string]string{"RCPT": "-"}, later, ""},
		"hangs up once it has the mail":     {map[string]string{"RSET": "-", "QUIT": "-"}, sent, ""},
		"is rude once it has the mail":      {map[string]string{"RSET": "500 No", "QUIT": "500 No"}, sent, ""},
		"never greets":                      {map[string]string{"GREETING": ""}, later, ""},
		"falls silent at the first command": {map[string]string{"EHLO": ""}, later, ""},
		"falls silent at the recipient":     {map[string]string{"RCPT": ""}, later, ""},
		"falls silent at the mail":          {map[string]string{".": ""}, later, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCrank(t, nil, tt.answers)
			transport, err := mail.NewSMTP("smtp://"+c.addr+"?tls=none", nil)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			if strings.Contains(name, "silent") || strings.Contains(name, "never") {
				ctx, cancel = context.WithTimeout(t.Context(), 300*time.Millisecond)
			}
			defer cancel()
			begun := time.Now()
			err = transport.Send(ctx, envelope, letters(t)["notice"])
			if took := time.Since(begun); took > 20*time.Second {
				t.Errorf("took %s", took)
			}
			var refusal *mail.Refusal
			got := later
			switch {
			case err == nil:
				got = sent
			case errors.As(err, &refusal) && refusal.Permanent:
				got = refusedForEver
			case refusal != nil:
				got = refusedForNow
			}
			if got != tt.want || refusal != nil && !strings.Contains(refusal.Said, tt.said) {
				t.Errorf("%s, want %s: %v", got, tt.want, err)
			}
			heard, mails := c.told()
			if (mails == 1) != (tt.want == sent) {
				t.Errorf("%d mails were taken: %s", mails, heard)
			}
		})
	}
}

// Where TLS is not to be had nothing is said that matters.
func TestSMTPGivesNothingAwayWithoutTLS(t *testing.T) {
	certificate, roots := newCertificate(t)
	secure := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	stripped := map[string]string{"EHLO": "250-localhost\r\n250 AUTH PLAIN LOGIN"}
	refused := map[string]string{"EHLO": "250-localhost\r\n250-STARTTLS\r\n250 AUTH PLAIN", "STARTTLS": "454 4.7.0 TLS not available"}
	broken := map[string]string{"EHLO": refused["EHLO"], "STARTTLS": "220 Go on, but I speak no TLS"}
	for name, tt := range map[string]struct {
		scheme string
		server *crank
		sent   bool
	}{
		"STARTTLS not offered":  {"smtp", newCrank(t, nil, stripped), false},
		"STARTTLS refused":      {"smtp", newCrank(t, nil, refused), false},
		"STARTTLS to nowhere":   {"smtp", newCrank(t, nil, broken), false},
		"no TLS where some was": {"smtps", newCrank(t, nil, nil), false},
		"TLS from the start":    {"smtps", newCrank(t, secure, nil), true},
	} {
		t.Run(name, func(t *testing.T) {
			_, port, err := net.SplitHostPort(tt.server.addr)
			if err != nil {
				t.Fatal(err)
			}
			transport, err := mail.NewSMTP(tt.scheme+"://us:secret@localhost:"+port, roots)
			if err != nil {
				t.Fatal(err)
			}
			limit := time.Second
			if tt.sent {
				limit = time.Minute
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			err = transport.Send(ctx, envelope, letters(t)["notice"])
			heard, mails := tt.server.told()
			if (err == nil) != tt.sent || (mails == 1) != tt.sent {
				t.Errorf("%d mails, %v", mails, err)
			}
			if !tt.sent && (strings.Contains(heard, "AUTH") || strings.Contains(heard, "MAIL")) {
				t.Errorf("said in clear: %s", heard)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("the password is in the error: %v", err)
			}
		})
	}
}
