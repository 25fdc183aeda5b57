package bundle

import (
	"math"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/physics"
)

// Rules are the settings of the netcode that both sides follow.
type Rules struct {
	MaxRewind  time.Duration `json:"max_rewind"` // inputs later than this are dropped
	MaxSeen    time.Duration `json:"max_seen"`   // how much further back the host remembers
	MaxAhead   time.Duration `json:"max_ahead"`  // inputs further ahead than this are refused
	Lead       time.Duration `json:"lead"`       // how long before their tick inputs should come; below 0: after, and the host rewinds
	Redundancy int           `json:"redundancy"` // of how many ticks inputs that the host has not acknowledged go into each datagram
	// Newest has the newest of the inputs that a player sends for the same tick and
	// object count, as long as they come within MaxRewind; else it is the first.
	Newest     bool          `json:"newest,omitempty"`
	RewindWork int           `json:"rewind_work"` // how many times all objects rewinds may run again in one tick
	MaxPlayers int           `json:"max_players"`
	Correct    Thresholds    `json:"correct"`
	Snapshots  SnapshotRules `json:"snapshots"`
}

// SnapshotRules are how clients that don't simulate are told where things are.
type SnapshotRules struct {
	Rate  int `json:"rate"`  // a second
	Bytes int `json:"bytes"` // at most in one of them
	// Range is how far from what he owns a client is told of objects, in metres,
	// unless their class says or Layers says of its layer; 0: however far.
	Range  float64      `json:"range,omitempty"`
	Layers []LayerRange `json:"layers,omitempty"`
}

// LayerRange is how far objects on a layer are told of, in metres.
type LayerRange struct {
	Layer string  `json:"layer"`
	Range float64 `json:"range"`
}

// MaxRedundancy is the most of Rules.Redundancy.
const MaxRedundancy = wire.MaxInputs

// Bounds of SnapshotRules.
const (
	MinSnapshotRate  = 4
	MaxSnapshotRate  = 128
	MinSnapshotBytes = 100
	MaxSnapshotBytes = wire.MaxDatagram
)

// Thresholds are how wrong a client's claim may be before it is corrected.
type Thresholds struct {
	Position        float64 `json:"position"`         // metres
	Angle           float64 `json:"angle"`            // radians
	Velocity        float64 `json:"velocity"`         // m/s
	AngularVelocity float64 `json:"angular_velocity"` // rad/s
}

// DefaultRules are the rules of a game that says nothing about them.
func DefaultRules() Rules {
	return Rules{MaxRewind: 400 * time.Millisecond, MaxSeen: time.Second, MaxAhead: time.Second, Lead: 4 * time.Millisecond, Redundancy: MaxRedundancy, RewindWork: 8, MaxPlayers: 64,
		Correct:   Thresholds{Position: 0.05, Angle: 0.05, Velocity: 0.25, AngularVelocity: 0.25},
		Snapshots: SnapshotRules{Rate: 20, Bytes: 1000}}
}

// RangeOf returns the range, in metres, within which objects of a class are
// replicated: the range of the class, else that of its layer, else that of the
// game. 0 means any distance.
func (r *SnapshotRules) RangeOf(c *world.Class) float64 {
	if c.Range > 0 || c.Body == nil {
		return c.Range
	}
	layer := c.Body.Layer
	if layer == "" {
		layer = world.DefaultLayer
	}
	for i := range r.Layers {
		if r.Layers[i].Layer == layer {
			return r.Layers[i].Range
		}
	}
	return r.Range
}

func (r *SnapshotRules) rangesOK() bool {
	ok := r.Range >= 0 && r.Range <= world.MaxRange
	for i := range r.Layers {
		ok = ok && r.Layers[i].Range >= 0 && r.Layers[i].Range <= world.MaxRange
	}
	return ok
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
