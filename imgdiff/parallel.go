package imgdiff

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// inBands calls work for 0 … n-1 on all cores, each taking the next number
// from a counter, so that a core that meets cheap bands takes more of them.
func inBands(n int, work func(band int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers <= 1 {
		for i := range n {
			work(i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	loop := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			work(i)
		}
	}
	for range workers - 1 {
		wg.Go(loop)
	}
	loop()
	wg.Wait()
}
