package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"afterimage/vcd"
)

// TestFaultsOfAnEndedContext: a caller who has gone is told from a fault, also when that is found out only by the commit.
func TestFaultsOfAnEndedContext(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	commit := fmt.Errorf("commit: %w", sql.ErrTxDone)
	if err := fault(gone, commit); !errors.Is(err, context.Canceled) {
		t.Errorf("the caller has gone: %v", err)
	}
	if err := fault(t.Context(), commit); !errors.Is(err, sql.ErrTxDone) || errors.Is(err, context.Canceled) {
		t.Errorf("the caller waits: %v", err)
	}
	refusal := vcd.Invalid("name", "max", "The {field} field is too long.")
	if err := fault(gone, refusal); !errors.Is(err, refusal) {
		t.Errorf("a refusal became %v", err)
	}
}
