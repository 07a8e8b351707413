package outbound_test

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

// world is a separate database with all use cases and one account.
type world struct{ *vcdtest.World }

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{vcdtest.New(t)}
}
