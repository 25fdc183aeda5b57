//go:build unix

package figures

import (
	"syscall"
	"testing"
	"time"
)

// ProcessTime returns the processor time that all threads of the test have used, which on a busy machine says
// more than the time that passes.
func ProcessTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
