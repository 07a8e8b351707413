package inventory_test

import (
	"testing"

	"go.uber.org/goleak"

	"afterimage/internal/vcdtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	must     = vcdtest.Must
	wantCode = vcdtest.WantCode
)

// world is a database of its own with all use cases on top, and one account in it.
type world struct{ *vcdtest.World }

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{vcdtest.New(t)}
}
