// Package subprocess does work on hostile data in processes of their own, which have limits that the kernel enforces: whatever
// the work does, it ends, and the program that asked for it goes on.
//
// A [Pool] keeps processes warm between conversations. In one conversation the program asks one question after the other by
// [Process.Ask], and the other side answers them in [Serve]. Questions and answers are encoded by encoding/gob. A process
// whose limit ended it, or that failed by itself, ends the conversation with an [Ended] error that says why.
//
// A process never outlives the program: the kernel ends it with the program's, and it ends itself when nobody holds the
// other end of its input. It inherits no environment, so it knows no secrets.
package subprocess
