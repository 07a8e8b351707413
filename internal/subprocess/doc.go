// Package subprocess processes untrusted data in child processes with limits enforced by the kernel: whatever the work does,
// it ends, and the parent keeps running.
//
// A [Pool] keeps processes warm between conversations. In a conversation, the parent sends requests with [Process.Ask], and
// the child answers them in [Serve]; both are encoded with encoding/gob. If a limit kills a process, or it fails by itself,
// the conversation ends with an [Ended] error that gives the cause.
//
// A child never outlives its parent: the kernel kills it with the parent, and it exits when its input is closed. It inherits
// no environment, so it knows no secrets.
package subprocess
