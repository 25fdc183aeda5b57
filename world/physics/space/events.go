package space

import "github.com/hindcast/hindcast/world/physics"

// Events are the events of a step. The slices belong to the Space: the next Step
// overwrites them. Each is in the order of ids.
type Events struct {
	Begins []Touch // bodies that began to touch
	Ends   []Touch // bodies that ceased to touch: they parted, or one was removed
	Hits   []Touch // contacts, new or not, that closed in at Params.HitSpeed or faster
	Enters []Visit // bodies that began to overlap a sensor
	Leaves []Visit // bodies that ceased to
	Breaks []Break // joints that broke, or of which a body was removed

	Clamped int  // bodies that were held back at physics.MaxPosition, MaxSpeed or MaxSpin
	Crowded bool // there were more pairs of bodies than a step handles: some passed through each other
}

// Touch is a change of the contact of two bodies. In Ends, only the ids are set.
type Touch struct {
	A, B    BodyID      // A is the one that was added first
	Point   physics.Vec // in the world, m
	Normal  physics.Vec // unit vector from A to B
	Impulse float64     // N s along the normal, of this step
	Speed   float64     // m/s at which they closed in, at least 0
}

// Visit is a body in a sensor, or two sensors in each other: then there are two Visits.
type Visit struct{ Sensor, Visitor BodyID }

// Break is the end of a joint.
type Break struct {
	Joint  JointID
	A, B   BodyID  // B 0: the world
	Broke  bool    // its load exceeded BreakForce or BreakTorque; otherwise a body was removed
	Force  float64 // N, mean of the step
	Torque float64 // N m, mean of the step
}

// Events returns the events of the last Step. After a Restore there are none.
func (s *Space) Events() Events { return s.events }

// read takes the events of a solver's last step.
func (e *Events) read(sv *physics.Solver, c *content) {
	e.clear()
	begins, ends := sv.Events()
	for i := range begins {
		if ev := &begins[i]; ev.Sensor {
			e.Enters = appendVisits(e.Enters, ev, c)
		} else {
			e.Begins = append(e.Begins, touchOf(ev))
		}
	}
	for i := range ends {
		if ev := &ends[i]; ev.Sensor {
			e.Leaves = appendVisits(e.Leaves, ev, c)
		} else {
			e.Ends = append(e.Ends, touchOf(ev))
		}
	}
	hits := sv.Hits()
	for i := range hits {
		e.Hits = append(e.Hits, touchOf(&hits[i]))
	}
	for _, j := range sv.JointEvents() {
		e.Breaks = append(e.Breaks, Break{JointID(j.Key), BodyID(j.KeyA), BodyID(j.KeyB), j.Broke, j.Force, j.Torque})
	}
	e.Clamped, e.Crowded = sv.Clamped, sv.Crowded
}

// clear keeps nothing but memory.
func (e *Events) clear() {
	*e = Events{
		Begins: e.Begins[:0],
		Ends:   e.Ends[:0],
		Hits:   e.Hits[:0],
		Enters: e.Enters[:0],
		Leaves: e.Leaves[:0],
		Breaks: e.Breaks[:0],
	}
}

func touchOf(ev *physics.Event) Touch {
	return Touch{BodyID(ev.KeyA), BodyID(ev.KeyB), ev.Point, ev.Normal, ev.Impulse, ev.Speed}
}

// appendVisits appends the visits to sensors.
func appendVisits(out []Visit, ev *physics.Event, c *content) []Visit {
	a, b := BodyID(ev.KeyA), BodyID(ev.KeyB)
	senses, sensed := c.isSensor(ev.A, ev.KeyA), c.isSensor(ev.B, ev.KeyB)
	if !senses && !sensed { // it was removed before Load
		senses, sensed = ev.A < 0, ev.B < 0
	}
	if senses {
		out = append(out, Visit{Sensor: a, Visitor: b})
	}
	if sensed {
		out = append(out, Visit{Sensor: b, Visitor: a})
	}
	return out
}

// isSensor reports whether a body in a slot, or one that was removed, is a sensor.
func (c *content) isSensor(slot int32, key uint64) bool {
	if slot < 0 {
		return c.bodies.wasSensor(key)
	}
	return c.def(int(slot)).Sensor
}
