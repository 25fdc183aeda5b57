package wire

import (
	"encoding/binary"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// sightCoder codes the poses of sights. Successive sights of a packet mostly show the same objects, a
// little farther on, so that an object is named once, and its later poses are differences from the
// one before.
//
// PROTOCOL.md names the parts.
type sightCoder struct {
	known []world.PastPose // in the order in which they were named
	last  world.PastPose   // the pose before
}

// sightTurns is the number of steps of an angle in a turn.
const sightTurns = 1 << 12

// minSightPose is the smallest size of a pose of a sight.
const minSightPose = 4

// base returns what the next pose of an object is a difference from, and its number; 0: it is new.
func (c *sightCoder) base(id world.ObjectID) (from world.PastPose, number int) {
	for i := range c.known {
		if c.known[i].ID == id {
			return c.known[i], i + 1
		}
	}
	return world.PastPose{ID: id, X: c.last.X, Y: c.last.Y}, 0
}

// keep notes a pose that was coded.
func (c *sightCoder) keep(p world.PastPose, number int) {
	c.last = p
	if number == 0 {
		c.known = append(c.known, p)
		return
	}
	c.known[number-1] = p
}

// append appends a sight.
func (c *sightCoder) append(b []byte, s world.Sight) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	for _, p := range s {
		from, number := c.base(p.ID)
		b = binary.AppendUvarint(b, uint64(number))
		if number == 0 {
			b = appendObject(b, p.ID)
		}
		b = binary.AppendVarint(b, (int64(p.X)-int64(from.X))/world.SightStep)
		b = binary.AppendVarint(b, (int64(p.Y)-int64(from.Y))/world.SightStep)
		b = binary.AppendVarint(b, (int64(p.Angle-from.Angle)/world.SightTurn+sightTurns/2)&(sightTurns-1)-sightTurns/2)
		c.keep(p, number)
	}
	return b
}

// readSight reads a sight that is not empty.
func readSight(r *reader, c *sightCoder) world.Sight {
	n := r.count("sight poses", world.MaxSight, minSightPose)
	if n == 0 {
		r.fail("sight poses", "there are none")
		return nil
	}
	s := make(world.Sight, 0, n)
	for ; n > 0 && !r.failed(); n-- {
		s = append(s, c.readPose(r))
	}
	if err := s.Check(); err != nil {
		r.fail("sight", "%s", err)
		return nil
	}
	return s
}

func (c *sightCoder) readPose(r *reader) world.PastPose {
	number := int(r.uvarint("sight object", uint64(len(c.known))))
	var id world.ObjectID
	if number > 0 {
		id = c.known[number-1].ID
	} else if id = r.object("sight object"); !r.failed() {
		if _, known := c.base(id); known > 0 {
			r.fail("sight object", "%s has a number", id)
		}
	}
	p, _ := c.base(id)
	p.X, p.Y = readSightStep(r, p.X), readSightStep(r, p.Y)
	turn := unzigzag(r.uvarint("sight", sightTurns-1))
	p.Angle = int32((int64(p.Angle)/world.SightTurn+turn)&(sightTurns-1)) * world.SightTurn
	c.keep(p, number)
	return p
}

// readSightStep reads a number that is some steps from another one, within the limits of bodies.
func readSightStep(r *reader, from int32) int32 {
	const most = physics.MaxPosition * 256
	v := int64(from)/world.SightStep + unzigzag(r.uvarint("sight", 4*most+1))
	if v < -most || v > most {
		r.fail("sight", "%d steps", v)
		return 0
	}
	return int32(v) * world.SightStep
}

// MaxSights is the most sights of an InputPacket.
const MaxSights = 64

// InputSight is the sight of one of the inputs of an InputPacket.
type InputSight struct {
	Run, Input int // the index of the run, and in it that of the input
	Sight      world.Sight
}

// SightOf returns the sight of an input, given by the index of its run and its index there; nil if it
// has none.
func (m *InputPacket) SightOf(run, input int) world.Sight {
	for i := range m.Sights {
		if s := &m.Sights[i]; s.Run == run && s.Input == input {
			return s.Sight
		}
	}
	return nil
}

// appendSights appends the sights of a packet, at least one, by run and input.
func appendSights(b []byte, m *InputPacket) []byte {
	var c sightCoder
	b = binary.AppendUvarint(b, uint64(len(m.Sights)))
	for i := range m.Sights {
		s := &m.Sights[i]
		b = append(b, byte(s.Run), byte(s.Input))
		b = c.append(b, s.Sight)
	}
	return b
}

func readSights(r *reader, m *InputPacket) {
	var c sightCoder
	n := r.count("sights", MaxSights, 3+minSightPose)
	if n == 0 {
		r.fail("sights", "there are none")
	}
	run, input := -1, -1
	for ; n > 0 && !r.failed(); n-- {
		s := InputSight{Run: int(r.byte("sight run")), Input: int(r.byte("sight input"))}
		if s.Run >= len(m.Runs) || s.Input >= len(m.Runs[s.Run].Inputs) || s.Run < run ||
			s.Run == run && s.Input <= input {
			r.fail("sight input", "%d of run %d", s.Input, s.Run)
			return
		}
		s.Sight = readSight(r, &c)
		run, input = s.Run, s.Input
		m.Sights = append(m.Sights, s)
	}
}
