package stub

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// traits are the ways in which a Timeline has an object, by kind: each object has one of each kind.
var traits = [...][]string{
	{"host authority", "owner authority"},
	{"fixed ticks", "independent ticks"},
	{"free", "carried", "carrying"},
	{"near", "culled"},
	{"not reloaded", "reloaded"},
	{"default aux fields", "changed aux fields"},
	{"no timer", "timer runs"},
	{"predict", "interpolate", "extrapolate"},
}

// apart are the pairs that objects have only for a moment: clients cull objects that they predict. A bundle switch
// can make such an object interpolated.
var apart = [][2]string{{"culled", "interpolate"}, {"culled", "extrapolate"}}

// Pairings is how often objects of generated matches had two traits at a time: authority, ticking, attachment,
// culling, a reload, aux fields, timers, and the level of detail. It also has the level of each holder with that of
// what it carries.
type Pairings map[[2]string]int

// AddPairings adds those of a match.
func AddPairings(p, match Pairings) {
	for pair, n := range match { // order: sums have none
		p[pair] += n
	}
}

// NotePairings counts the traits of all objects of a state. switched is the tick of the last bundle switch, 0: none.
// For some ticks after it, objects of before count as reloaded.
func NotePairings(p Pairings, s *world.State, schema *world.Schema, switched, ticks world.Tick) {
	carrying := p.noteHolders(s, schema)
	for _, slot := range s.Run {
		o := &s.Objects[slot]
		class := &schema.Classes[o.Class]
		if s.Body(int(slot)).Key == 0 || world.BuiltIn(class.Name) {
			continue
		}
		attached := 0
		if carrying[o.ID] {
			attached = 2
		}
		if j, ok := s.Physics.FindJoint(uint64(o.ID)); ok && !s.Physics.Joints[j].Gone() {
			attached = 1
		}
		reloaded := switched > 0 && o.Spawned < switched && s.Tick-switched < ticks
		p.note(
			[len(traits)]int{
				one(class.Moves != nil && o.Owner != 0),
				one(class.Independent),
				attached,
				one(o.Culled),
				one(reloaded),
				one(auxChanged(class, s.Row(int(slot)))),
				one(timerRuns(class, s.Row(int(slot)))),
				int(class.LOD),
			},
		)
	}
}

// noteHolders counts the levels of holders with those of what they carry, and returns the holders.
func (p Pairings) noteHolders(s *world.State, schema *world.Schema) (carrying map[world.ObjectID]bool) {
	carrying = map[world.ObjectID]bool{}
	for i := range s.Physics.Joints {
		j := &s.Physics.Joints[i]
		if j.Key != j.KeyB || j.Gone() {
			continue
		}
		carrying[world.ObjectID(j.KeyA)] = true
		holder, ok := s.Find(world.ObjectID(j.KeyA))
		carried, here := s.Find(world.ObjectID(j.KeyB))
		if ok && here {
			level := func(slot int) int { return int(schema.Classes[s.Objects[slot].Class].LOD) }
			p[heldPair(levels[level(holder)], levels[level(carried)])]++
		}
	}
	return carrying
}

// levels are the traits of the level of detail.
var levels = traits[len(traits)-1]

// heldPair is the pair of the levels of a holder and of what it carries.
func heldPair(holder, carried string) [2]string {
	return [2]string{"holder: " + holder, "carried: " + carried}
}

// auxChanged reports whether declared aux fields of an object do not have their defaults.
func auxChanged(c *world.Class, row world.Row) bool {
	for i, f := range c.Declared() {
		if f.Aux && !slices.Equal(row.Words(&c.Fields[i]), f.Default) {
			return true
		}
	}
	return false
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// note counts the pairs of the traits of an object, by kind.
func (p Pairings) note(of [len(traits)]int) {
	for i, a := range of {
		for j := i + 1; j < len(of); j++ {
			p[[2]string{traits[i][a], traits[j][of[j]]}]++
		}
	}
}

// MissingPairings lists the pairs that no object has had, and those that no holder and what it carries have had, of
// the traits but some.
func MissingPairings(p Pairings, without ...string) (out []string) {
	for _, holder := range levels {
		for _, carried := range levels {
			if pair := heldPair(
				holder,
				carried,
			); p[pair] == 0 && !slices.Contains(without, holder) &&
				!slices.Contains(without, carried) {
				out = append(out, pair[0]+", "+pair[1])
			}
		}
	}
	for i, kind := range traits {
		for _, other := range traits[i+1:] {
			for _, a := range kind {
				for _, b := range other {
					pair := [2]string{a, b}
					if p[pair] == 0 && !slices.Contains(apart, pair) && !slices.Contains(without, a) &&
						!slices.Contains(without, b) {
						out = append(out, a+", "+b)
					}
				}
			}
		}
	}
	return out
}
