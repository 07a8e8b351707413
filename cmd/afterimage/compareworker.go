package main

import (
	"os"

	"afterimage/jobs"
)

// comparer starts this very program, also when its file was replaced by another version meanwhile.
var comparer = []string{"/proc/self/exe", "compare-worker"}

// compareWorkerCmd compares screenshots in a process with limits, see jobs.ServeComparisons.
type compareWorkerCmd struct{}

// Run compares until its input ends.
func (compareWorkerCmd) Run() error { return jobs.ServeComparisons(os.Stdin, os.Stdout) }
