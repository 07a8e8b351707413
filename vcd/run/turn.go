package run

import (
	"context"
	"time"

	"afterimage/vcd"
)

// HandOut assigns waiting turns to workers, see HandOutStore.
func (s *Service) HandOut(ctx context.Context, home vcd.Region, silence time.Duration) (int, error) {
	return s.store.HandOut(ctx, s.clock.Now(), vcd.HandOutRules{Home: home, HostCaptures: s.hostCaptures, Silence: silence})
}
