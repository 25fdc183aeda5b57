package detmath

import (
	"math"
	"testing"
)

// The benchmarks run a function over a block of arguments and report one call;
// "theirs" is the same with package math.

var sink float64

func benchArguments(low, high float64) (a, b []float64) {
	const n = 1024
	s := stream(1)
	a, b = make([]float64, n), make([]float64, n)
	for i := range n {
		a[i], b[i] = s.within(low, high), s.within(low, high)
	}
	return a, b
}

func bench(b *testing.B, low, high float64, ours, theirs func(x, y float64) float64) {
	xs, ys := benchArguments(low, high)
	for _, c := range []struct {
		name string
		f    func(x, y float64) float64
	}{{"ours", ours}, {"theirs", theirs}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			sum := 0.0
			for i := range b.N {
				sum += c.f(xs[i&1023], ys[i&1023])
			}
			sink = sum
		})
	}
}

func sum2(f func(float64) (float64, float64)) func(x, y float64) float64 {
	return func(x, _ float64) float64 { s, c := f(x); return s + c }
}

func BenchmarkSincosSmall(b *testing.B) { bench(b, -0.7, 0.7, sum2(Sincos), sum2(math.Sincos)) }
func BenchmarkSincosTurn(b *testing.B)  { bench(b, -math.Pi, math.Pi, sum2(Sincos), sum2(math.Sincos)) }
func BenchmarkSincosHuge(b *testing.B)  { bench(b, 1e15, 1e16, sum2(Sincos), sum2(math.Sincos)) }
func BenchmarkSin(b *testing.B)         { bench(b, -math.Pi, math.Pi, one(Sin), one(math.Sin)) }
func BenchmarkCos(b *testing.B)         { bench(b, -math.Pi, math.Pi, one(Cos), one(math.Cos)) }
func BenchmarkTan(b *testing.B)         { bench(b, -math.Pi, math.Pi, one(Tan), one(math.Tan)) }
func BenchmarkAtan2(b *testing.B)       { bench(b, -3, 3, Atan2, math.Atan2) }
func BenchmarkAtan(b *testing.B)        { bench(b, -3, 3, one(Atan), one(math.Atan)) }
func BenchmarkAsin(b *testing.B)        { bench(b, -1, 1, one(Asin), one(math.Asin)) }
func BenchmarkAcos(b *testing.B)        { bench(b, -1, 1, one(Acos), one(math.Acos)) }
func BenchmarkExp(b *testing.B)         { bench(b, -20, 20, one(Exp), one(math.Exp)) }
func BenchmarkLog(b *testing.B)         { bench(b, 0.01, 100, one(Log), one(math.Log)) }
func BenchmarkLog2(b *testing.B)        { bench(b, 0.01, 100, one(Log2), one(math.Log2)) }
func BenchmarkLog10(b *testing.B)       { bench(b, 0.01, 100, one(Log10), one(math.Log10)) }
func BenchmarkPow(b *testing.B)         { bench(b, 0.01, 10, Pow, math.Pow) }
func BenchmarkHypot(b *testing.B)       { bench(b, -3, 3, Hypot, math.Hypot) }
func BenchmarkWrap(b *testing.B) {
	bench(b, -9, 9, one(Wrap), func(x, _ float64) float64 { return math.Remainder(x, 2*math.Pi) })
}
func BenchmarkWrapFar(b *testing.B) {
	bench(b, -1e4, 1e4, one(Wrap), func(x, _ float64) float64 { return math.Remainder(x, 2*math.Pi) })
}
