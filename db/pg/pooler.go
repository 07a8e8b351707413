package pg

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// listenPatience is how long a pooler may take to deliver a notification, before we hold that it does not.
const listenPatience = 3 * time.Second

// probeChannel is where a process tells itself something to see whether it hears it.
const probeChannel = "afterimage_probe"

// ErrPooled means that a connection that has to last is taken away after each transaction.
var ErrPooled = errors.New("the database is reached through a pooler in transaction mode, whose connections cannot listen for " +
	"events: also give the URL of the database itself, with --database-direct-url (AFTERIMAGE_DATABASE_DIRECT_URL)")

func connect(ctx context.Context, config *pgx.ConnConfig) (conn *pgx.Conn, err error) {
	err = awaitServer(ctx, func(ctx context.Context) error {
		conn, err = pgx.ConnectConfig(ctx, config)
		return err
	})
	return conn, err
}

// CheckListening fails with ErrPooled if connections do not hear what they listen for. A server that is reached directly tells the
// same process id at the beginning of a connection and later, and has no need of a trial; poolers tell a number of their own first.
// Those that keep a server for each client deliver notifications at once. Others pass the listening server connection on to the next
// client, so that notifications are lost. Asking the pooler for its mode would need rights there, and each kind has its own way.
func CheckListening(ctx context.Context, config *pgx.ConnConfig) (err error) {
	conn, err := connect(ctx, config)
	if err != nil {
		return fmt.Errorf("connect to listen: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var server uint32
	if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&server); err != nil || server == conn.PgConn().PID() {
		return err
	}
	if _, err := conn.Exec(ctx, "LISTEN "+probeChannel); err != nil {
		return fmt.Errorf("try to listen: %w", err)
	}
	word := rand.Text()
	if err := tell(ctx, config, word); err != nil {
		return fmt.Errorf("try to listen: %w", err)
	}
	patience, cancel := context.WithTimeout(ctx, listenPatience)
	defer cancel()
	for {
		heard, err := conn.WaitForNotification(patience)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case patience.Err() != nil:
			return ErrPooled
		case err != nil:
			return fmt.Errorf("try to listen: %w", err)
		case heard.Payload == word:
			return nil
		}
	}
}

// tell sends a notification on another connection.
func tell(ctx context.Context, config *pgx.ConnConfig, word string) error {
	conn, err := connect(ctx, config)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	_, err = conn.Exec(ctx, "SELECT pg_notify($1, $2)", probeChannel, word)
	return err
}
