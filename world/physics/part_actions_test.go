package physics

// live reports whether there is a body in a slot.
func live(s *State, slot int) bool { return slot < len(s.Bodies) && s.Bodies[slot].Key != 0 }

// write returns a action that changes one body, if it is there.
func write(slot int, change func(b *Body)) action {
	return func(s *State, defs []Def) []int32 {
		if !live(s, slot) {
			return nil
		}
		change(&s.Bodies[slot])
		return []int32{int32(slot)}
	}
}

func force(slot int, fx, fy float64) action {
	return write(slot, func(b *Body) { b.ApplyForce(fx, fy) })
}

// kick adds to the velocity; of a kinematic body that is its motion.
func kick(slot int, vx, vy, w float64) action {
	return write(slot, func(b *Body) { b.VX, b.VY, b.W = b.VX+vx, b.VY+vy, b.W+w })
}

func place(slot int, x, y, angle float64) action {
	return write(slot, func(b *Body) {
		b.X, b.Y = x, y
		b.SetAngle(angle)
	})
}

// shift moves a body a little.
func shift(slot int, dx, dy float64) action {
	return write(slot, func(b *Body) { b.X, b.Y = b.X+dx, b.Y+dy })
}

// spawn puts a body into a slot that no other body ever has.
func spawn(slot int, def uint32, x, y, vx, vy float64) action {
	return func(s *State, defs []Def) []int32 {
		for len(s.Bodies) <= slot {
			s.Bodies = append(s.Bodies, Body{})
		}
		s.Bodies[slot] = NewBody(mix(uint64(slot)+1), def, Vec{x, y}, 0.3)
		s.Bodies[slot].VX, s.Bodies[slot].VY = vx, vy
		return []int32{int32(slot)}
	}
}

func remove(slot int) action {
	return func(s *State, defs []Def) []int32 {
		if !live(s, slot) {
			return nil
		}
		g := s.leave(slot)
		return append(g.tied(), int32(slot))
	}
}

// tieTo joins two bodies as they stand, a to the world if b is -1.
func tieTo(key uint64, kind JointKind, a, b int, breaks float64) action {
	return func(s *State, defs []Def) []int32 {
		if !live(s, a) || b >= 0 && !live(s, b) {
			return nil
		}
		var other *Body
		at := s.Bodies[a].Position()
		slots := []int32{int32(a)}
		if b >= 0 {
			other = &s.Bodies[b]
			at = at.add(other.Position()).scale(0.5)
			slots = append(slots, int32(b))
		}
		j := NewJoint(key, kind, &s.Bodies[a], other, at)
		j.BreakForce = breaks
		if s.AddJoint(defs, j) != nil {
			return nil
		}
		return slots
	}
}

// tune changes the joint that is the nth, or takes it out.
func tune(n int, out bool, change func(j *Joint)) action {
	return func(s *State, defs []Def) (slots []int32) {
		if len(s.Joints) == 0 {
			return nil
		}
		j := &s.Joints[n%len(s.Joints)]
		if j.Gone() {
			return nil
		}
		if j.Flags&JointFixedA == 0 || j.Flags&JointFixedB != 0 {
			slots = append(slots, j.SlotA)
		}
		if j.Flags&JointFixedB == 0 {
			slots = append(slots, j.SlotB)
		}
		if out {
			s.RemoveJoint(j.Key)
		} else {
			change(j)
		}
		return slots
	}
}
