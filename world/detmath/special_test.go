package detmath

import (
	"fmt"
	"math"
	"testing"
)

var (
	inf      = math.Inf(1)
	anyNaN   = math.Float64frombits(0xfff8000000000123) // not the canonical one
	negZero  = math.Copysign(0, -1)
	subnorm  = math.SmallestNonzeroFloat64
	largest  = math.MaxFloat64
	belowOne = math.Nextafter(1, 0)
)

type special struct{ a, b, want float64 }

// same compares bits: signs of zeros count, and NaN must be the one of nan.
func same(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// oneArgument returns the special cases of functions of one argument.
func oneArgument() map[string][]special {
	odd := []special{{a: 0, want: 0}, {a: negZero, want: negZero}, {a: subnorm, want: subnorm},
		{a: -subnorm, want: -subnorm}, {a: 0x1p-1000, want: 0x1p-1000}, {a: anyNaN, want: nan()}}
	angle := []special{{a: inf, want: nan()}, {a: -inf, want: nan()}}
	log := []special{{a: 0, want: -inf}, {a: negZero, want: -inf}, {a: 1, want: 0}, {a: inf, want: inf},
		{a: -1, want: nan()}, {a: -subnorm, want: nan()}, {a: -inf, want: nan()}, {a: anyNaN, want: nan()}}
	outside := []special{{a: math.Nextafter(1, 2), want: nan()}, {a: -2, want: nan()}, {a: inf, want: nan()},
		{a: -inf, want: nan()}, {a: anyNaN, want: nan()}}
	cases := map[string][]special{
		"Sin":        join(odd, angle),
		"Tan":        join(odd, angle),
		"Sincos.sin": join(odd, angle),
		"Cos":        join(angle, []special{{a: 0, want: 1}, {a: negZero, want: 1}, {a: subnorm, want: 1}, {a: anyNaN, want: nan()}}),
		"Atan":       join(odd, []special{{a: inf, want: halfPiHi}, {a: -inf, want: -halfPiHi}, {a: largest, want: halfPiHi}, {a: 1, want: smallAngle}}),
		"Asin":       join(odd, outside, []special{{a: 1, want: halfPiHi}, {a: -1, want: -halfPiHi}}),
		"Acos":       join(outside, []special{{a: 1, want: 0}, {a: -1, want: piHi}, {a: 0, want: halfPiHi}, {a: negZero, want: halfPiHi}, {a: subnorm, want: halfPiHi}}),
		"Exp":        expCases(),
		"Log":        log,
		"Log2":       join(log, []special{{a: 8, want: 3}, {a: subnorm, want: -1074}, {a: 0x1p-1022, want: -1022}, {a: 0x1p1023, want: 1023}}),
		"Log10":      join(log, []special{{a: 1000, want: 3}, {a: 1e22, want: 22}, {a: 10, want: 1}}),
		"Sqrt":       {{a: 0, want: 0}, {a: negZero, want: negZero}, {a: inf, want: inf}, {a: 4, want: 2}, {a: -1, want: nan()}, {a: -inf, want: nan()}, {a: -subnorm, want: nan()}, {a: anyNaN, want: nan()}},
		"Wrap":       wrapCases(),
	}
	cases["Sincos.cos"] = cases["Cos"]
	return cases
}

func expCases() []special {
	return []special{{a: 0, want: 1}, {a: negZero, want: 1}, {a: subnorm, want: 1}, {a: inf, want: inf}, {a: -inf, want: 0},
		{a: 1, want: math.E}, {a: 709.782712893384, want: 0x1.fffffffffff2ap+1023}, {a: 709.7827128933841, want: inf},
		{a: largest, want: inf}, {a: -745.1332191019411, want: subnorm}, {a: -745.1332191019412, want: 0},
		{a: -largest, want: 0}, {a: anyNaN, want: nan()}}
}

func wrapCases() []special {
	// Variables: constants would be added before they are rounded. The odd
	// multiples of pi are exact, as math.Pi ends in three zero bits.
	turn, pi := float64(fullTurn), float64(math.Pi)
	return []special{{a: 0, want: 0}, {a: negZero, want: negZero}, {a: math.Pi, want: math.Pi}, {a: -math.Pi, want: math.Pi},
		{a: fullTurn, want: 0}, {a: -fullTurn, want: 0}, {a: 2 * fullTurn, want: 0}, {a: -2 * fullTurn, want: negZero},
		{a: math.Nextafter(math.Pi, 4), want: math.Nextafter(math.Pi, 4) - turn}, {a: 4, want: 4 - turn},
		{a: -4, want: turn - 4}, {a: 1, want: 1}, {a: 3 * pi, want: pi}, {a: -3 * pi, want: pi}, {a: 5 * pi, want: pi}, {a: -5 * pi, want: pi},
		{a: inf, want: nan()}, {a: -inf, want: nan()}, {a: anyNaN, want: nan()}}
}

func join(lists ...[]special) []special {
	var all []special
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func twoArguments() map[string][]special {
	const pi, half, quarter, three = piHi, halfPiHi, smallAngle, 0x1.2d97c7f3321d2p+1
	return map[string][]special{
		"Atan2": {
			{0, 1, 0}, {negZero, 1, negZero}, {0, 0, 0}, {negZero, 0, negZero}, {0, inf, 0}, {negZero, inf, negZero},
			{0, -1, pi}, {negZero, -1, -pi}, {0, negZero, pi}, {negZero, negZero, -pi}, {0, -inf, pi}, {negZero, -inf, -pi},
			{1, 0, half}, {-1, 0, -half}, {1, negZero, half}, {-1, negZero, -half}, {subnorm, 0, half}, {inf, 0, half},
			{inf, inf, quarter}, {-inf, inf, -quarter}, {inf, -inf, three}, {-inf, -inf, -three},
			{1, inf, 0}, {-1, inf, negZero}, {1, -inf, pi}, {-1, -inf, -pi}, {largest, inf, 0},
			{inf, 1, half}, {-inf, -1, -half}, {inf, largest, half},
			{anyNaN, 1, nan()}, {1, anyNaN, nan()}, {anyNaN, inf, nan()}, {inf, anyNaN, nan()}, {anyNaN, anyNaN, nan()}, {0, anyNaN, nan()},
			{1, 1, quarter}, {1, -1, three}, {subnorm, subnorm, quarter}, {largest, largest, quarter}, {-largest, -largest, -three},
			{subnorm, 1, subnorm}, {subnorm, largest, 0}, {-subnorm, largest, negZero}, {subnorm, -1, pi}, {largest, subnorm, half},
		},
		"Hypot": {
			{0, 0, 0}, {negZero, 0, 0}, {negZero, negZero, 0}, {3, 4, 5}, {-3, 4, 5}, {5, -12, 13}, {0, -2, 2}, {2, negZero, 2},
			{inf, anyNaN, inf}, {anyNaN, -inf, inf}, {-inf, 1, inf}, {anyNaN, 0, nan()}, {0, anyNaN, nan()}, {1, anyNaN, nan()},
			{subnorm, 0, subnorm}, {3 * subnorm, 4 * subnorm, 5 * subnorm}, {largest, 0, largest}, {largest, 1, largest},
			{largest, largest, inf}, {0x3p+1000, 0x4p+1000, 0x5p+1000}, {0x3p-1000, 0x4p-1000, 0x5p-1000}, {1, 1e-300, 1},
		},
		"Pow": powCases(),
	}
}

func powCases() []special {
	cases := []special{
		{0, -3, inf}, {negZero, -3, -inf}, {0, -2, inf}, {negZero, -2, inf}, {negZero, -2.5, inf}, {negZero, -inf, inf}, {0, -inf, inf},
		{0, 3, 0}, {negZero, 3, negZero}, {0, 2, 0}, {negZero, 2, 0}, {negZero, 2.5, 0}, {negZero, inf, 0}, {0, inf, 0},
		{-1, inf, 1}, {-1, -inf, 1}, {-1, 3, -1}, {-1, 1e300, 1}, {-1, 1<<53 - 1, -1}, {-1, 1 << 53, 1},
		{2, inf, inf}, {-2, inf, inf}, {2, -inf, 0}, {-2, -inf, 0}, {0.5, inf, 0}, {-0.5, inf, 0}, {0.5, -inf, inf}, {-0.5, -inf, inf},
		{belowOne, inf, 0}, {belowOne, 1e300, 0}, {belowOne, -1e300, inf}, {math.Nextafter(1, 2), 1e300, inf}, {2, 1e-300, 1}, {inf, 1e-300, inf},
		{inf, 2, inf}, {inf, -2, 0}, {inf, inf, inf}, {inf, -inf, 0}, {-inf, 3, -inf}, {-inf, 2, inf}, {-inf, 2.5, inf},
		{-inf, -3, negZero}, {-inf, -2, 0}, {-inf, -2.5, 0}, {-inf, inf, inf}, {-inf, -inf, 0}, {0, 1e-300, 0},
		{-2, 0.5, nan()}, {-1, 0.5, nan()}, {-subnorm, -0.1, nan()}, {-2, 1e-300, nan()}, {-largest, 1.5, nan()},
		{anyNaN, 1, nan()}, {2, anyNaN, nan()}, {-2, anyNaN, nan()}, {0, anyNaN, nan()}, {inf, anyNaN, nan()}, {anyNaN, inf, nan()}, {-anyNaN, 3, nan()},
		{2, 10, 1024}, {2, -1074, subnorm}, {2, -1075, 0}, {-2, -1075, negZero}, {2, 1023, 0x1p1023}, {2, 1024, inf}, {-2, 1025, -inf}, {-2, 1023, -0x1p1023},
		{1.5, 3, 3.375}, {4, 0.5, 2}, {4, -0.5, 0.5}, {8, -1, 0.125}, {10, 22, 1e22}, {-3, 33, -5559060566555523}, {0x1p-1074, 0.5, 0x1p-537}, {largest, 1, largest}, {subnorm, 1, subnorm},
	}
	for _, x := range []float64{0, negZero, 1, -1, 2, -2, inf, -inf, anyNaN, subnorm} {
		cases = append(cases, special{x, 0, 1}, special{x, negZero, 1}, special{1, x, 1})
	}
	return cases
}

func TestSpecialCases(t *testing.T) {
	tables := oneArgument()
	for name, cases := range twoArguments() {
		tables[name] = cases
	}
	seen := 0
	for _, f := range append(functions(), function{name: "Wrap", of: one(Wrap)}) {
		cases := tables[f.name]
		if len(cases) > 0 {
			seen++
		}
		for _, c := range cases {
			t.Run(fmt.Sprintf("%s(%g,%g)", f.name, c.a, c.b), func(t *testing.T) {
				if got := f.of(c.a, c.b); !same(got, c.want) {
					t.Errorf("got %g (%#x), want %g (%#x)", got, math.Float64bits(got), c.want, math.Float64bits(c.want))
				}
			})
		}
	}
	if seen != len(tables) {
		t.Errorf("%d of %d tables were used: a name does not match", seen, len(tables))
	}
}

func TestNaNIsThatOfMath(t *testing.T) {
	if !same(nan(), math.NaN()) {
		t.Errorf("nan() has bits %#x, math.NaN() %#x", math.Float64bits(nan()), math.Float64bits(math.NaN()))
	}
}
