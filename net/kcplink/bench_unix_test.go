//go:build unix

package kcplink

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/simtest/figures"
)

// cpu measures the processor time of all threads: the wall clock hides what the
// reading goroutines do on other cores.
type cpu struct{ start time.Duration }

func newCPU(b *testing.B) cpu {
	b.Helper()
	return cpu{figures.ProcessTime(b)}
}

func (c cpu) report(b *testing.B, peers int) {
	b.ReportMetric(float64(figures.ProcessTime(b)-c.start)/float64(b.N*peers), "cpu-ns/peer")
	b.ReportMetric(float64(b.Elapsed())/float64(b.N*peers), "ns/peer")
}
