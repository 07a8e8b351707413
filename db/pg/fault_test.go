package pg

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
	if err := Fault(gone, commit); !errors.Is(err, context.Canceled) {
		t.Errorf("the caller has gone: %v", err)
	}
	if err := Fault(t.Context(), commit); !errors.Is(err, sql.ErrTxDone) || errors.Is(err, context.Canceled) {
		t.Errorf("the caller waits: %v", err)
	}
	refusal := vcd.Invalid("name", "max", "The {field} field is too long.")
	if err := Fault(gone, refusal); !errors.Is(err, refusal) {
		t.Errorf("a refusal became %v", err)
	}
}
