package bundle

import "time"

// InterpolationRules say how clients draw objects that they receive in snapshots.
type InterpolationRules struct {
	// First is the interpolation delay until a client knows how late snapshots arrive; from then on
	// it is between Least and Most.
	First time.Duration `json:"first"`
	Least time.Duration `json:"least"` // the least delay
	Most  time.Duration `json:"most"`  // the greatest delay
	// Extrapolate is how long an object goes on at its velocity while no snapshot has it.
	Extrapolate time.Duration `json:"extrapolate"`
}

// The rules of a game whose game.toml does not set any.
const (
	firstDelay        = 100 * time.Millisecond
	mostDelay         = 600 * time.Millisecond
	mostExtrapolation = 500 * time.Millisecond
)

// MaxInterpolation is the largest value of InterpolationRules.
const MaxInterpolation = 5 * time.Second

var defaultInterpolation = InterpolationRules{First: firstDelay, Most: mostDelay, Extrapolate: mostExtrapolation}

// IsZero reports whether the rules are the default ones, which the bytes of a bundle leave out.
func (r InterpolationRules) IsZero() bool { return r == defaultInterpolation }

// ok reports whether the rules are within their bounds.
func (r *InterpolationRules) ok() bool {
	for _, d := range [...]time.Duration{r.First, r.Least, r.Most, r.Extrapolate} {
		if d < 0 || d > MaxInterpolation {
			return false
		}
	}
	return r.Least <= r.Most
}
