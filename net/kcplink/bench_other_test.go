//go:build !unix

package kcplink

import "testing"

// cpu is not measured on this system; the wall clock is.
type cpu struct{}

func newCPU() cpu { return cpu{} }

func (cpu) report(b *testing.B, peers int) {
	b.ReportMetric(float64(b.Elapsed())/float64(b.N*peers), "ns/peer")
}
