package world

import (
	"fmt"

	"github.com/hindcast/hindcast/world/physics"
)

// CorrectRules say how far an object of a class may be wrong on its player's client before the host
// corrects it. The game's threshold holds in place of a value below 0.
//
// Source: the article about the networked physics of the game "Operation Black Sun", which corrects an
// owner beyond one threshold of distance.
type CorrectRules struct {
	Position        float64 // metres
	Angle           float64 // radians
	Velocity        float64 // m/s
	AngularVelocity float64 // rad/s
}

// check returns an error for a threshold that is not a number or too large.
func (r *CorrectRules) check() error {
	for _, v := range [...]float64{r.Position, r.Angle, r.Velocity, r.AngularVelocity} {
		if !(v <= physics.MaxPosition) {
			return fmt.Errorf("a threshold of corrections of %v: must be at most %v", v, physics.MaxPosition)
		}
	}
	return nil
}
