package bundle

import (
	"math"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/physics"
)

// Rules are the settings of the netcode, which the host and its clients follow.
type Rules struct {
	MaxRewind time.Duration `json:"max_rewind"` // the host drops inputs that are later than this
	MaxSeen   time.Duration `json:"max_seen"`   // how far before MaxRewind asSeen can look
	MaxAhead  time.Duration `json:"max_ahead"`  // the host refuses inputs further ahead than this
	// how long before its tick an input should arrive; below 0, it arrives later and the host rewinds
	Lead       time.Duration `json:"lead"`
	Redundancy int           `json:"redundancy"` // each datagram repeats the unacknowledged inputs of so many ticks
	// Newest makes the newest input count when a player sends several for the same tick
	// and object within MaxRewind. Otherwise the first counts.
	Newest bool `json:"newest,omitempty"`
	// most object-ticks that rewinds may cost per tick, as a multiple of all objects
	RewindWork int           `json:"rewind_work"`
	MaxPlayers int           `json:"max_players"` // how many players can be in the room at once
	Correct    Thresholds    `json:"correct"`
	Snapshots  SnapshotRules `json:"snapshots"`
	// Prediction says which objects clients predict in all ticks.
	Prediction PredictionRules `json:"prediction,omitzero"`
	// CatchUp is how late the host may be, at most MaxCatchUp, and still run every tick, faster than
	// real time. If it is later, it skips that time, and the room runs slower than real time. 0 is
	// DefaultCatchUp.
	CatchUp time.Duration `json:"catch_up,omitzero"`
}

// Values of Rules.CatchUp other than 0.
const (
	MinCatchUp     = 50 * time.Millisecond
	MaxCatchUp     = 10 * time.Second
	DefaultCatchUp = 250 * time.Millisecond
)

// CatchUpLimit returns CatchUp, or DefaultCatchUp if it is 0.
func (r *Rules) CatchUpLimit() time.Duration {
	if r.CatchUp == 0 {
		return DefaultCatchUp
	}
	return r.CatchUp
}

// SnapshotRules are the settings of replication to clients that do not simulate an object.
type SnapshotRules struct {
	Rate  int `json:"rate"`  // snapshots a second
	Bytes int `json:"bytes"` // the most bytes of a snapshot
	// Range is the distance in metres from a player's own objects within which an object
	// is replicated to them. 0 means any distance. The layer and the class of an object
	// can say otherwise; see RangeOf.
	Range  float64      `json:"range,omitempty"`
	Layers []LayerRange `json:"layers,omitempty"`

	Interpolation InterpolationRules `json:"interpolation,omitzero"`
}

// PredictionRules are the settings of prediction culling: a client simulates an object that is far from its
// player's own objects only in complete ticks.
type PredictionRules struct {
	// Range is the distance in metres from a player's own objects within which that player's client
	// predicts an object of a predicted class. 0 means any distance. The layer and the class of an object
	// can say otherwise; see RangeOf.
	Range  float64      `json:"range,omitempty"`
	Layers []LayerRange `json:"layers,omitempty"`
}

// RangeOf returns the range, in metres, within which objects of a class are predicted: the range of the
// class, otherwise that of its layer, otherwise that of the game. 0 means any distance.
func (r *PredictionRules) RangeOf(c *world.Class) float64 {
	switch {
	case c.Body == nil:
		return 0
	case c.Ranges.Predicted > 0:
		return c.Ranges.Predicted
	}
	return rangeOn(r.Layers, c.Body, r.Range)
}

// LayerRange is the range of the objects on one layer, in metres. 0 means any distance.
type LayerRange struct {
	Layer string  `json:"layer"` // its name
	Range float64 `json:"range"` // metres
}

// MaxRedundancy is the upper bound of Rules.Redundancy.
const MaxRedundancy = wire.MaxInputs

// Bounds of SnapshotRules.
const (
	MinSnapshotRate  = 4
	MaxSnapshotRate  = 128
	MinSnapshotBytes = 100
	MaxSnapshotBytes = wire.MaxDatagram
)

// Thresholds are the errors that a client's claim may have before the host corrects it.
type Thresholds struct {
	Position        float64 `json:"position"`         // metres
	Angle           float64 `json:"angle"`            // radians
	Velocity        float64 `json:"velocity"`         // m/s
	AngularVelocity float64 `json:"angular_velocity"` // rad/s
}

// DefaultRules returns the rules of a game whose game.toml does not set any.
func DefaultRules() Rules {
	return Rules{
		MaxRewind:  400 * time.Millisecond,
		MaxSeen:    time.Second,
		MaxAhead:   time.Second,
		Lead:       4 * time.Millisecond,
		Redundancy: MaxRedundancy,
		RewindWork: 8,
		MaxPlayers: 64,
		Correct:    Thresholds{Position: 0.05, Angle: 0.05, Velocity: 0.25, AngularVelocity: 0.25},
		Snapshots:  SnapshotRules{Rate: 20, Bytes: 1000, Interpolation: defaultInterpolation},
	}
}

// RangeOf returns the range, in metres, within which objects of a class are
// replicated: the range of the class, otherwise that of its layer, otherwise that of the
// game. 0 means any distance.
func (r *SnapshotRules) RangeOf(c *world.Class) float64 {
	if c.Ranges.Relevant > 0 || c.Body == nil {
		return c.Ranges.Relevant
	}
	return rangeOn(r.Layers, c.Body, r.Range)
}

// rangeOn returns the range of the layer of a body, otherwise that of the game.
func rangeOn(layers []LayerRange, b *world.BodySpec, game float64) float64 {
	layer := b.Layer
	if layer == "" {
		layer = world.DefaultLayer
	}
	for i := range layers {
		if layers[i].Layer == layer {
			return layers[i].Range
		}
	}
	return game
}

func rangesOK(game float64, layers []LayerRange) bool {
	ok := game >= 0 && game <= world.MaxRange
	for i := range layers {
		ok = ok && layers[i].Range >= 0 && layers[i].Range <= world.MaxRange
	}
	return ok
}

// CorrectOf returns the thresholds for objects of a class: its own, otherwise those of the game.
func (r *Rules) CorrectOf(c *world.Class) Thresholds {
	t, own := r.Correct, c.Correct
	if own == nil {
		return t
	}
	for _, v := range []struct {
		to  *float64
		own float64
	}{
		{&t.Position, own.Position},
		{&t.Angle, own.Angle},
		{&t.Velocity, own.Velocity},
		{&t.AngularVelocity, own.AngularVelocity},
	} {
		if v.own >= 0 {
			*v.to = v.own
		}
	}
	return t
}

// Exceeded compares two bodies. It returns how far apart they are in metres, and
// which of their values differ by more than the thresholds.
func (t *Thresholds) Exceeded(a, b *physics.Body) (distance float64, in wire.Mismatch) {
	if distance = math.Hypot(a.X-b.X, a.Y-b.Y); distance > t.Position {
		in |= wire.MismatchPosition
	}
	if math.Abs(detmath.Wrap(a.Angle-b.Angle)) > t.Angle {
		in |= wire.MismatchAngle
	}
	if math.Hypot(a.VX-b.VX, a.VY-b.VY) > t.Velocity {
		in |= wire.MismatchVelocity
	}
	if math.Abs(a.W-b.W) > t.AngularVelocity {
		in |= wire.MismatchAngularVelocity
	}
	return distance, in
}
