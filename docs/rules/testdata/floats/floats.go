// Package floats breaks the rule on products and sums.
package floats

import "cmp"

type metres float64

const half = 0.5

func expressions(a, b, c float64, n, m int, s, t float32) float64 {
	x := a*b + c              // want: float64(a * b)
	x = c + a*b               // want: meets + unrounded
	x = c - a*b               // want: meets - unrounded
	x = c - -(a * b)          // want: float64(a * b)
	x = (-(a * b)) + c        // want: float64(a * b)
	x = a*b*c + c             // want: float64(a * b * c)
	x = float64(a*b)*c + c    // want: float64(float64(a * b) * c)
	x += a * b                // want: meets += unrounded
	x -= (a * b)              // want: meets -= unrounded
	x = 2*a + b               // want: float64(2 * a)
	x = float64(n)*a + b      // want: float64(float64(n) * a)
	x += (c - x) / 64         // want: float64((c - x) / 64)
	x = a/half + b            // want: float64(a / half)
	x = c - a/-0.25           // want: float64(a / -0.25)
	y := s*t + s              // want: float32(s * t)
	x = max(a*b+c, c)         // want: float64(a * b)
	x = float64(a*b + c)      // want: float64(a * b)
	x = float64(a*b) + b*c*.5 // want: float64(b * c * .5)

	x = float64(a*b) + c
	x = c - float64(a*b)
	x += float64(a * b)
	x = -float64(a*b) - float64(b*c)
	x = (a + b) * (b - c)
	x = half*2 + a
	x = a/b + c
	x = a/3 - c/half/3
	x += a / float64(n)
	x *= a * b
	k := n*m + m
	k += n * m
	return x + float64(y) + float64(k)
}

func named(a, b metres) metres {
	c := metres(a*b) + a
	return a*b + c // want: metres(a * b)
}

func generic[T ~float32 | ~float64](a, b, c T) T {
	return a*b + c // want: T(a * b)
}

func ordered[T interface {
	cmp.Ordered
	~int | ~float64
}](a, b, c T) T {
	return a*b + T(b*c) // want: T(a * b)
}

func whole[T ~int | ~uint](a, b, c T) T { return a*b + c }

func complexes(a, b complex128) complex128 {
	return a*b + // want: complex
		a/b // want: complex
}
