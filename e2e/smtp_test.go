package e2e

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// greylister is a mail server on loopback that takes each recipient only when it is asked a second time, and one never.
type greylister struct {
	addr string

	mu    sync.Mutex
	asked map[string]int
	mails []string
}

func newGreylister(t *testing.T) *greylister {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &greylister{addr: listener.Addr().String(), asked: map[string]int{}}
	var open sync.WaitGroup
	open.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			open.Go(func() { g.serve(conn) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		open.Wait()
	})
	return g
}

func (g *greylister) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	say := func(line string) { _, _ = fmt.Fprintf(conn, "%s\r\n", line) }
	say("220 localhost ESMTP")
	var mail *strings.Builder // while one comes in
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		line := lines.Text()
		switch command := strings.ToUpper(line); {
		case mail != nil && line == ".":
			g.take(mail.String())
			mail = nil
			say("250 2.0.0 Queued")
		case mail != nil:
			mail.WriteString(line + "\n")
		case strings.HasPrefix(command, "EHLO"):
			say("250 localhost")
		case strings.HasPrefix(command, "RCPT"):
			say(g.judge(command))
		case command == "DATA":
			mail = &strings.Builder{}
			say("354 Go on")
		case command == "QUIT":
			say("221 Bye")
			return
		default:
			say("250 OK")
		}
	}
}

func (g *greylister) judge(recipient string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked[recipient]++
	switch {
	case strings.Contains(recipient, "NOBODY@"):
		return "550 5.1.1 No such user"
	case g.asked[recipient] == 1:
		return "451 4.7.1 Greylisted, try again later"
	}
	return "250 OK"
}

func (g *greylister) take(mail string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.mails = append(g.mails, mail)
}

func (g *greylister) taken() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]string{}, g.mails...)
}

// TestMailsByAServer sends the mails about a new token and a new subaccount by a server that first wants neither. The
// service's clock is behind, so what it puts off is due at once.
func TestMailsByAServer(t *testing.T) {
	t.Parallel() // it mostly waits
	server := newGreylister(t)
	clock := filepath.Join(t.TempDir(), "behind")
	if err := os.WriteFile(clock, []byte("72h"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serve(t, nil, "--smtp", "smtp://"+server.addr+"?tls=none", "--mail-from", "Afterimage <alerts@example.com>", "--development",
		"--development-clock", clock, "--owner-email", "owner@example.com")
	created := query[struct{ CreateToken struct{ PlainText string } }](s,
		`mutation { createToken(input: { name: "a robot" }) { plainText } }`, nil).CreateToken.PlainText
	below := *s
	below.token = must[data[struct {
		APIToken string `json:"api_token"`
	}]](s, http.MethodPost, "/subaccounts", map[string]any{"name_first": "No", "name_last": "Body", "email": "nobody@example.com",
		"limit_checks": 10}).Data.APIToken

	type mail struct {
		Kind, Recipient, State string
		Problem                *string
		AttemptCount           int
	}
	only := func(s *service, state string) (m mail) {
		waitFor(t, "the mail to be "+state, func() bool {
			list := query[struct{ Mails struct{ Nodes []mail } }](s,
				`{ mails(first: 10) { nodes { kind recipient state problem attemptCount } } }`, nil).Mails.Nodes
			if len(list) == 1 {
				m = list[0]
			}
			return len(list) == 1 && m.State == state
		})
		return m
	}
	if m := only(s, "SENT"); m.Kind != "TOKEN_CREATED" || m.Recipient != "owner@example.com" || m.AttemptCount != 2 || m.Problem != nil {
		t.Errorf("sent: %+v", m)
	}
	if m := only(&below, "FAILED"); m.Kind != "SUBACCOUNT_OPENED" || m.Recipient != "nobody@example.com" || m.AttemptCount != 1 ||
		!strings.Contains(deref(m.Problem), "No such user") {
		t.Errorf("refused: %+v, %s", m, deref(m.Problem))
	}
	taken := server.taken()
	if len(taken) != 1 || !strings.Contains(taken[0], "From: \"Afterimage\" <alerts@example.com>") ||
		!strings.Contains(taken[0], "a robot") {
		t.Errorf("the server has %q", taken)
	}
	if strings.Contains(strings.Join(taken, ""), created[:8]) {
		t.Error("a part of the token is in the mail")
	}
	s.check()
}
