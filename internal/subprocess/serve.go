package subprocess

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Limits are the resource limits of a process.
type Limits struct {
	Memory int64         // bytes of data, including some 100 MB for the program and the runtime
	Time   time.Duration // CPU time for one answer over all cores, in whole seconds
}

// exitOverTime is the exit code of a process that needed too much time.
const exitOverTime = 75

// The variables by which a process learns its limits.
const (
	memoryVariable = "SUBPROCESS_MEMORY"
	timeVariable   = "SUBPROCESS_SECONDS"
)

func (l Limits) environment() []string {
	seconds := int64(math.Ceil(l.Time.Seconds()))
	return []string{memoryVariable + "=" + strconv.FormatInt(l.Memory, 10), timeVariable + "=" + strconv.FormatInt(seconds, 10)}
}

// replyHead goes back before the answer, and instead of it when there is none; and once when the process is ready.
type replyHead struct{ Panic string }

// collectAt is the share of the memory from which on the garbage collector works harder.
const collectAt = 0.6

// Serve answers requests until the input ends, which ends the process even during a request. It sets the limits
// given by the Pool. A panic is reported to the parent and ends the process.
func Serve[Q, A any](in io.Reader, out io.Writer, answer func(*Q) *A) error {
	memory, seconds, err := readLimits()
	if err != nil {
		return err
	}
	if err := limitMemory(memory); err != nil {
		return err
	}
	overtime := make(chan os.Signal, 1)
	signal.Notify(overtime, unix.SIGXCPU)
	go func() {
		<-overtime
		os.Exit(exitOverTime)
	}()
	signal.Ignore(unix.SIGINT, unix.SIGTERM) // what a terminal sends to all is for the program, which ends this process in time
	questions := make(chan *Q)
	go func() {
		read := gob.NewDecoder(bufio.NewReaderSize(in, 1<<16))
		for {
			q := new(Q)
			if err := read.Decode(q); err != nil {
				if !errors.Is(err, io.EOF) {
					fmt.Fprintln(os.Stderr, "read a question:", err)
				}
				os.Exit(0) // nobody is there any more
			}
			questions <- q
		}
	}()
	write := gob.NewEncoder(out)
	if err := write.Encode(replyHead{}); err != nil { // ready
		return fmt.Errorf("report that this process is ready: %w", err)
	}
	for q := range questions {
		if err := limitTime(seconds); err != nil {
			return err
		}
		a, panicked := guarded(q, answer)
		if err := write.Encode(replyHead{Panic: panicked}); err != nil {
			return fmt.Errorf("answer: %w", err)
		}
		if panicked != "" {
			return errors.New(panicked)
		}
		if err := write.Encode(a); err != nil {
			return fmt.Errorf("answer: %w", err)
		}
	}
	return nil
}

func guarded[Q, A any](q *Q, answer func(*Q) *A) (a *A, panicked string) {
	defer func() {
		if cause := recover(); cause != nil {
			text := fmt.Sprintf("panic: %v\n%s", cause, debug.Stack())
			panicked = text[:min(len(text), headLimit)]
		}
	}()
	return answer(q), ""
}

func readLimits() (memory, seconds int64, err error) {
	memory, err = strconv.ParseInt(os.Getenv(memoryVariable), 10, 64)
	if err == nil {
		seconds, err = strconv.ParseInt(os.Getenv(timeVariable), 10, 64)
	}
	if err != nil || memory <= 0 || seconds <= 0 {
		return 0, 0, errors.New("this command is for internal use: the program starts it itself, with limits")
	}
	return memory, seconds, nil
}

// limitMemory bounds the data of this process, which is what it may write to; the kernel refuses more, and the runtime ends
// the process then. Address space would be the wrong measure: the runtime reserves far more than it uses.
func limitMemory(bytes int64) error {
	debug.SetMemoryLimit(int64(collectAt * float64(bytes)))
	if err := lower(unix.RLIMIT_DATA, uint64(bytes)); err != nil {
		return fmt.Errorf("limit the memory: %w", err)
	}
	// When the machine itself runs out of memory, this process goes before the program that asked, where the system allows that.
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("500"), 0)
	if err := lower(unix.RLIMIT_CORE, 0); err != nil {
		return fmt.Errorf("switch off core dumps: %w", err)
	}
	return nil
}

// lower sets a limit as far as the one that is set for good allows it.
func lower(resource int, to uint64) error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(resource, &limit); err != nil {
		return err
	}
	limit.Cur = min(to, limit.Max)
	return unix.Setrlimit(resource, &limit)
}

// limitTime lets the kernel send SIGXCPU when this process has worked so much longer than until now.
func limitTime(seconds int64) error {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return fmt.Errorf("read the processor time: %w", err)
	}
	until := used.Utime.Sec + used.Stime.Sec + 1 + seconds
	if err := lower(unix.RLIMIT_CPU, uint64(until)); err != nil {
		return fmt.Errorf("limit the processor time: %w", err)
	}
	return nil
}
