package detmath

import "math"

// stream is a counter-based source of random bits (splitmix64): the same
// arguments on every machine.
type stream uint64

func (s *stream) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// unit returns a number in [0, 1).
func (s *stream) unit() float64 {
	return float64(float64(int64(s.next()>>11)) * (1.0 / (1 << 53)))
}

// within returns a number in [low, high).
func (s *stream) within(low, high float64) float64 {
	return low + float64((high-low)*s.unit())
}

// sized returns a number of random sign and mantissa with an exponent in [low,
// high).
func (s *stream) sized(low, high int) float64 {
	u := s.next()
	e := uint64(1023 + low + int(s.next()%uint64(high-low)))
	return math.Float64frombits(u&(1<<63|1<<52-1) | e<<52)
}

// finite returns any finite number.
func (s *stream) finite() float64 {
	for {
		if x := math.Float64frombits(s.next()); isFinite(x) {
			return x
		}
	}
}

// pair is a pair of arguments; functions of one argument use the first.
type pair struct{ a, b float64 }

// source makes the i-th of the arguments for a function.
type source func(s *stream, i int) pair

// around adds a few units in the last place to x, if that stays finite.
func (s *stream) around(x float64) float64 {
	if y := math.Float64frombits(math.Float64bits(x) + s.next()%9 - 4); isFinite(y) {
		return y
	}
	return x
}

func isFinite(x float64) bool { return x-x == 0 }

// angles mixes small and large angles, and neighbours of multiples of pi/2 and
// pi/4 and of the seams.
func angles(s *stream, i int) pair {
	seams := [...]float64{smallAngle, 3 * smallAngle, mediumAngle, tinyAngle, nearZero, 1e22,
		5.319372648326541e+255, math.MaxFloat64, 0x1p-1022}
	switch i % 8 {
	case 0, 1:
		return pair{a: s.within(-10, 10)}
	case 2:
		return pair{a: s.within(-2e6, 2e6)}
	case 3:
		return pair{a: s.finite()}
	case 4: // a float64 nearest to a multiple of pi/2, up to where they are all near
		return pair{a: s.around(math.Floor(s.sized(0, 52)) * halfPiHi)}
	case 5:
		return pair{a: float64(float64(s.next()%64)*smallAngle) + s.sized(-50, -5)}
	case 6:
		return pair{a: s.around(seams[s.next()%uint64(len(seams))])}
	}
	return pair{a: s.sized(-30, 40)}
}

// points are for Atan2 and Hypot: of like size, of any size, near the axes and
// the diagonals, and near the edges of the atan table.
func points(s *stream, i int) pair {
	x := s.within(-3, 3)
	switch i % 8 {
	case 0, 1:
		return pair{s.within(-3, 3), x}
	case 2:
		return pair{s.finite(), s.finite()}
	case 3:
		y := s.sized(-1022, 1023)
		return pair{y, y * s.sized(-65, 65)}
	case 4:
		return pair{s.around(x), x}
	case 5:
		return pair{s.around(x * (float64(s.next()%129) / 128)), x}
	case 6:
		return pair{math.Float64frombits(s.next() % (1 << 54)), -math.Float64frombits(s.next() % (1 << 54))}
	}
	return pair{s.sized(400-3, 400+3), s.sized(400-3, 400+3)}
}

// slopes are for Atan.
func slopes(s *stream, i int) pair {
	if i%2 == 0 {
		return pair{a: s.around(float64(s.next()%128) / 128)}
	}
	return pair{a: s.sized(-40, 64)}
}

// ratios are for Asin and Acos.
func ratios(s *stream, i int) pair {
	switch i % 4 {
	case 0:
		return pair{a: s.sized(-70, 0)}
	case 1:
		return pair{a: 1 - math.Abs(s.sized(-54, 0))}
	case 2:
		return pair{a: math.Abs(s.sized(-54, 0)) - 1}
	}
	return pair{a: s.within(-1, 1)}
}

// exponents are for Exp.
func exponents(s *stream, i int) pair {
	switch i % 4 {
	case 0:
		return pair{a: s.within(-746, 710)}
	case 1:
		return pair{a: s.sized(-60, 9)}
	case 2: // halves of the steps of the table, where the remainder is largest
		return pair{a: s.around(math.Floor(s.within(-95000, 90000)) * (math.Ln2 / 128))}
	}
	edges := [...]float64{709.782712893384, -708.3964185322641, -745.1332191019411, -744.4400719213812}
	return pair{a: s.around(edges[s.next()%4])}
}

// positives are for the logarithms.
func positives(s *stream, i int) pair {
	switch i % 4 {
	case 0:
		return pair{a: math.Abs(s.finite())}
	case 1:
		return pair{a: 1 + s.sized(-53, -1)}
	case 2: // the edges of the table
		edge := math.Float64frombits(logFirst + s.next()%129<<45)
		return pair{a: s.around(edge) * float64(int64(1)<<(s.next()%3))}
	}
	return pair{a: math.Abs(s.sized(-8, 8))}
}

// powers are for Pow: any result, results near 1, near overflow and underflow,
// small integers, and negative bases.
func powers(s *stream, i int) pair {
	x := math.Abs(s.finite())
	switch i % 8 {
	case 0:
		return pair{math.Abs(s.sized(-8, 8)), s.sized(-10, 8)}
	case 1:
		return pair{x, s.sized(-70, 3)}
	case 2, 3: // |y log x| up to 745
		return pair{x, s.within(-745, 710) / Log(x)}
	case 4:
		x = 1 + s.sized(-53, -1)
		return pair{x, s.within(-745, 710) / Log(x)}
	case 5:
		return pair{float64(s.next()%40) - 20, float64(s.next()%40) - 20}
	case 6:
		edges := [...]float64{709.782712893384, -708.3964185322641, -745.1332191019411}
		return pair{x, s.around(edges[s.next()%3] / Log(x))}
	}
	return pair{-math.Abs(s.sized(-2, 3)), math.Floor(s.within(-200, 200))}
}

// anything returns any bits at all.
func anything(s *stream, _ int) pair {
	return pair{math.Float64frombits(s.next()), math.Float64frombits(s.next())}
}
