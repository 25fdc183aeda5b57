// Package detmath provides the transcendental functions with the same bits on
// every CPU.
//
// The functions of package math differ in the last bit between architectures, and even
// between two machines of one architecture, as they use features of the CPU: assembly,
// tables, fused multiply-add. A world that is simulated on several machines drifts
// apart over such a bit. So everything that is simulated calls this package:
//
//	s, c := detmath.Sincos(angle)
//	vx, vy := float64(c*speed), float64(s*speed)
//	heading := detmath.Atan2(vy, vx)
//	angle = detmath.Wrap(angle + float64(spin*dt))
//	damping := detmath.Exp(-float64(drag * dt))
//
// The package uses only + - * / and the functions of package math that IEEE 754 defines to
// the last bit (Sqrt, Floor, Trunc, Abs, Mod, Copysign, the bits). A product that is added is
// written float64(a*b), which keeps the compiler from fusing the two operations. A caller has
// to do the same, even with a product that is stored in a variable first. Every NaN that is
// returned has the bits of math.NaN. Nothing allocates.
//
// Accuracy: every result lies within 1 unit in the last place of the true one,
// over all float64, as the tests check against math/big. The largest errors
// seen: Sin, Cos, Tan 0.80; Hypot 0.85; Atan, Atan2, Asin, Acos 0.60; Exp, Log,
// Log2, Log10, Pow 0.51. Subnormal results of Exp and Pow are within 0.76, of
// Hypot within 0.93. Angles of any size are reduced by the true pi.
//
// Angles are in radians. Special cases follow C99 annex F; each function lists
// its own.
//
// What it leaves out: hyperbolic functions, Expm1 and Log1p, cube roots, gamma
// and Bessel functions, float32, and rounding to the nearest in all cases.
//
// # Concurrency
//
// The functions have no state and may be called from any goroutine.
package detmath
