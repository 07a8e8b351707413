// Package jobs runs the background work on River: it dispatches, captures, compares, and cleans up.
//
// A worker does its slow part (the browser, the pixels) outside any transaction and then calls a use case of package
// vcd that stores the result and completes the job in one commit. A process may be killed at any moment: a job either
// has taken effect and is completed, or will run again.
package jobs
