package schema_test

import (
	"testing"

	"go.uber.org/goleak"

	"afterimage/db/seed"
	"afterimage/internal/vcdtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var must = vcdtest.Must

// world is a database of its own with all use cases on top, and one account in it.
type world struct{ *vcdtest.World }

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{vcdtest.New(t)}
}

// seeded is a world with 2,400 comparisons.
func seeded(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	must(t, seed.Fill(t.Context(), w.DB.Pool(), w.Account.ID, seed.Size{Groups: 3, URLs: 100, Batches: 9}, false))
	return w
}
