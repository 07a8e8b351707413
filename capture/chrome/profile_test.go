package chrome

import (
	"sync"
	"testing"
)

func TestProfilesAreMadeWhileOtherProcessesSweep(t *testing.T) {
	dir := t.TempDir()
	done := make(chan struct{})
	var sweepers sync.WaitGroup
	for range 2 {
		sweepers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					if err := sweepProfiles(dir); err != nil {
						t.Errorf("sweep: %v", err)
						return
					}
				}
			}
		})
	}
	for range 500 {
		p, err := newProfile(dir, -1)
		if err != nil {
			t.Errorf("a profile was not made: %v", err)
			break
		}
		if !isFolder(p.dir, p.lock) {
			t.Errorf("%s is locked, but gone", p.dir)
		}
		if err := p.remove(); err != nil {
			t.Errorf("remove: %v", err)
		}
	}
	close(done)
	sweepers.Wait()
}
