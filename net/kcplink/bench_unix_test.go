//go:build unix

package kcplink

import (
	"syscall"
	"testing"
	"time"
)

// cpu measures the processor time of all threads: the wall clock hides what the
// reading goroutines do on other cores.
type cpu struct{ start time.Duration }

func newCPU() cpu { return cpu{cpuTime()} }

func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func (c cpu) report(b *testing.B, peers int) {
	b.ReportMetric(float64(cpuTime()-c.start)/float64(b.N*peers), "cpu-ns/peer")
	b.ReportMetric(float64(b.Elapsed())/float64(b.N*peers), "ns/peer")
}
