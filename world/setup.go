package world

import (
	"fmt"

	"github.com/hindcast/hindcast/world/physics"
)

// Setup has the rules of the simulation and the contents of the level, before any
// script runs. It is part of the bundle.
type Setup struct {
	TickRate   int     `json:"tick_rate"`           // ticks a second, 20 to 128
	Seed       uint64  `json:"seed"`                // of random numbers
	GravityX   float64 `json:"gravity_x,omitempty"` // m/s2
	GravityY   float64 `json:"gravity_y,omitempty"` // m/s2
	Substeps   int     `json:"substeps"`            // of the physics, in each tick
	SleepAfter float64 `json:"sleep,omitempty"`     // seconds at rest after which bodies sleep; 0: never
	Width      float64 `json:"width"`               // of the arena that viewers show, metres, centre at 0, 0
	Height     float64 `json:"height"`              // of the arena, metres
	// how long the last input is repeated in place of a missing one
	RepeatInputTicks Tick `json:"repeat_input_ticks"`
	GraceTicks       Tick `json:"grace_ticks"` // how long the objects of a player who left stay
	// the largest number of objects, up to MaxObjects; 0: MaxObjects
	Objects int     `json:"objects,omitempty"`
	Walls   []Wall  `json:"walls,omitempty"`  // of the main level
	Spawns  []Spawn `json:"spawns,omitempty"` // of the main level
	Levels  []Level `json:"levels,omitempty"` // besides the main one
}

// Wall is a static box of the level: centre and full size in metres, angle in radians.
type Wall struct {
	X           float64 `json:"x"`                     // metres
	Y           float64 `json:"y"`                     // metres
	W           float64 `json:"w"`                     // metres
	H           float64 `json:"h"`                     // metres
	Angle       float64 `json:"angle,omitempty"`       // radians
	Friction    float64 `json:"friction,omitempty"`    // 0 to physics.MaxFriction
	Restitution float64 `json:"restitution,omitempty"` // 0 to 1
}

// Spawn spawns Count objects of a class at the start, at random positions in the box, or
// at its centre if it has no size.
type Spawn struct {
	Class string  `json:"class"` // of the objects
	Count int     `json:"count"`
	X     float64 `json:"x"`               // the centre of the box, metres
	Y     float64 `json:"y"`               // metres
	W     float64 `json:"w,omitempty"`     // full size of the box, metres
	H     float64 `json:"h,omitempty"`     // metres
	Speed float64 `json:"speed,omitempty"` // m/s, in a random direction

	Fields []NamedValue `json:"fields,omitempty"` // of each object, in the order in which they are set. Never changed
}

// DefaultSleep is the default time at rest, in seconds, after which bodies sleep.
const DefaultSleep = 0.5

// MaxSleepAfter is the longest time at rest, in seconds, before bodies sleep.
const MaxSleepAfter = 60

// DT returns the length of a tick in seconds.
func (s *Setup) DT() float64 { return 1 / float64(s.TickRate) }

// MostObjects returns how many objects the room holds.
func (s *Setup) MostObjects() int {
	if s.Objects == 0 {
		return MaxObjects
	}
	return s.Objects
}

// mostPairs returns how many pairs of bodies a step handles: four for each object that the
// room holds, and at least enough for a small room with all bodies in one place. A body at
// rest in a pile has less than three.
func (s *Setup) mostPairs() int { return max(4*s.MostObjects(), physics.MaxPairs/8) }

// Check returns an error if the setup is invalid.
func (s *Setup) Check() error {
	switch {
	case s.TickRate < 20 || s.TickRate > 128:
		return fmt.Errorf("tick_rate = %d: must be 20 to 128 Hz", s.TickRate)
	case s.Substeps < 1 || s.Substeps > 16:
		return fmt.Errorf("substeps = %d: must be 1 to 16", s.Substeps)
	case !(s.SleepAfter >= 0 && s.SleepAfter <= MaxSleepAfter):
		return fmt.Errorf("sleep = %v s: must be 0 to %v", s.SleepAfter, MaxSleepAfter)
	case !(s.Width > 0 && s.Width <= 1e5) || !(s.Height > 0 && s.Height <= 1e5):
		return fmt.Errorf("arena of %v x %v m: each side must be above 0 and at most 1e5", s.Width, s.Height)
	}
	if s.Objects < 0 || s.Objects > MaxObjects {
		return fmt.Errorf("objects = %d: must be 1 to %d", s.Objects, MaxObjects)
	}
	return s.checkLevels()
}
