package stats

import "math"

// Series gathers values and returns their percentiles to within 1 %, in fixed memory. The
// zero value is empty.
type Series struct {
	count   int
	max     float64
	buckets []uint32 // by bucketOf
}

// A bucket is a 128th of an octave of values, so each whole number up to 256 has one of its
// own.
const (
	bucketBits       = 7
	bucketsPerOctave = 1 << bucketBits
	lowestOctave     = -14 // values below 2^-14 count as 0
	octaves          = 40
)

// Add adds a value. A value below 0 and NaN count as 0, a value above 1e12 as 1e12.
func (s *Series) Add(v float64) {
	if !(v > 0) {
		v = 0
	}
	v = min(v, 1e12)
	if s.buckets == nil {
		s.buckets = make([]uint32, 1+octaves*bucketsPerOctave)
	}
	s.count++
	s.max = max(s.max, v)
	s.buckets[bucketOf(v)]++
}

// Merge adds all values of another Series.
func (s *Series) Merge(o *Series) {
	if o.buckets == nil {
		return
	}
	if s.buckets == nil {
		s.buckets = make([]uint32, len(o.buckets))
	}
	s.count += o.count
	s.max = max(s.max, o.max)
	for i, n := range o.buckets {
		s.buckets[i] += n
	}
}

func bucketOf(v float64) int {
	if v == 0 {
		return 0
	}
	frac, exp := math.Frexp(v) // v = frac * 2^exp, frac in [0.5, 1)
	i := (exp-1-lowestOctave)*bucketsPerOctave + int((frac-0.5)*2*bucketsPerOctave)
	return min(max(i+1, 0), octaves*bucketsPerOctave)
}

// valueOf returns the least value of a bucket.
func valueOf(bucket int) float64 {
	if bucket == 0 {
		return 0
	}
	octave, part := (bucket-1)/bucketsPerOctave, (bucket-1)%bucketsPerOctave
	return math.Ldexp(float64(bucketsPerOctave+part), octave+lowestOctave-bucketBits)
}

// Count returns the number of values.
func (s *Series) Count() int { return s.count }

// Quantile returns the value below which a share q of all values lies, 0 if there is none.
func (s *Series) Quantile(q float64) float64 {
	if s.count == 0 {
		return 0
	}
	rank := int(math.Ceil(q * float64(s.count)))
	seen := 0
	for i, n := range s.buckets {
		seen += int(n)
		if seen >= max(rank, 1) {
			return min(Round(valueOf(i)), Round(s.max))
		}
	}
	return Round(s.max)
}

// Round rounds v to four significant digits, for people who read a report.
func Round(v float64) float64 {
	if v == 0 {
		return 0
	}
	scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}

// Percentiles are the median and the 99th percentile of a Series, in its unit.
type Percentiles struct {
	P50 float64 `json:"p50"` // the median
	P99 float64 `json:"p99"` // the 99th percentile
}

// Spread is the median, the 99th percentile and the maximum of a Series, in its unit.
type Spread struct {
	P50 float64 `json:"p50"` // the median
	P99 float64 `json:"p99"` // the 99th percentile
	Max float64 `json:"max"` // the maximum
}

// Percentiles returns the median and the 99th percentile.
func (s *Series) Percentiles() Percentiles {
	return Percentiles{s.Quantile(0.5), s.Quantile(0.99)}
}

// Spread returns the median, the 99th percentile and the maximum.
func (s *Series) Spread() Spread {
	return Spread{s.Quantile(0.5), s.Quantile(0.99), Round(s.max)}
}
