package pg_test

import (
	"net"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"afterimage/vcd"
)

// refuse makes the wire a pooler whose database is gone: it takes every connection, and refuses what is asked first. It counts them.
func (w *wire) refuse() (taken *atomic.Int64) {
	w.cut()
	listen, err := net.Listen("unix", w.path)
	must(w.t, err)
	w.mu.Lock()
	w.listen = listen
	w.mu.Unlock()
	taken = new(atomic.Int64)
	w.done.Go(func() {
		for {
			conn, err := listen.Accept()
			if err != nil {
				return
			}
			taken.Add(1)
			w.done.Go(func() { refuseOn(conn) })
		}
	})
	return taken
}

func refuseOn(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	backend := pgproto3.NewBackend(conn, conn)
	if _, err := backend.ReceiveStartupMessage(); err != nil {
		return
	}
	backend.Send(&pgproto3.AuthenticationOk{})
	backend.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	if backend.Flush() != nil {
		return
	}
	if _, err := backend.Receive(); err != nil {
		return
	}
	backend.Send(&pgproto3.ErrorResponse{
		Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: "08P01", Message: "server login has been failing, try again later",
	})
	_ = backend.Flush()
}

// mostRefusals is far more than a pool of 16 connections and a rest of a tenth of a second after each further one make of the time that
// a caller waits, and far less than a loop without rests.
const mostRefusals = 200

// TestAPoolerWithoutDatabaseIsNotAskedWithoutRest: callers are refused in time, and no processor is kept busy with it.
func TestAPoolerWithoutDatabaseIsNotAskedWithoutRest(t *testing.T) {
	_, wire, asks := outage(t)
	taken := wire.refuse()
	for name, ask := range asks {
		before := taken.Load()
		if err := ask(); vcd.CodeOf(err) != vcd.CodeUnavailable {
			t.Errorf("%s: %v, want %s", name, err, vcd.CodeUnavailable)
		}
		if n := taken.Load() - before; n > mostRefusals {
			t.Errorf("%s: %d connections were tried", name, n)
		}
	}
}
