package runtime

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// given is a part of what the host gave of a tick.
type given struct {
	tick world.Tick
	seq  uint32
	part []byte
}

func (p *predictor) keepGiven(c *endpoint, g given) {
	i, _ := slices.BinarySearchFunc(p.givens, g, func(a, b given) int { return cmp.Compare(a.seq, b.seq) })
	p.givens = slices.Insert(p.givens, i, g)
}

// takeGiven is what the host gave of a tick, which is settled.
func (p *predictor) takeGiven(c *endpoint, t world.Tick) (b []byte) {
	p.givens = slices.DeleteFunc(p.givens, func(g given) bool {
		if g.tick == t {
			b = append(b, g.part...)
		}
		return g.tick <= t
	})
	return b
}

// settleKnown simulates, in a room with classes that clients do not simulate, the known part
// of the ticks that are settled, compares it with the host's, and has the
// Timeline go on from the last of them.
func (p *predictor) settleKnown(c *endpoint, from world.Tick) error {
	if !p.tl.AnyPartial() || p.known.Lost() {
		p.known.Stop()
		return nil
	}
	if !p.known.Begun() {
		p.known.Begin(p.tl.At(from)) // up to here all was known
	}
	for t := from + 1; t <= p.settled; t++ {
		err := p.known.Complete(p.takeGiven(c, t))
		if err != nil && p.desync != nil {
			p.known.Lose() // what is given no longer fits what is here
			break
		}
		if err != nil {
			return fmt.Errorf("tick %d: %w: %w", t, wire.ErrMalformed, err)
		}
		if i := slices.IndexFunc(p.finals, func(f final) bool { return f.tick == t }); i >= 0 {
			p.compare(c, p.known.State(), &p.finals[i])
		}
	}
	if p.settled > from {
		p.known.Anchor(p.settled)
	}
	return nil
}

// isTold reports whether an object is one that this client is told of: no
// reprediction or correction of what all simulate.
func (p *predictor) isTold(c *endpoint, s *world.State, slot int) bool {
	o := &s.Objects[slot]
	return o.Owner != c.Session.Player && p.tl.SchemaOf(s).Classes[o.Class].LOD != world.Predict
}

// changed reports whether what this client simulates differs between two states
// of one tick.
func (p *predictor) changed(c *endpoint, a, b *world.State) bool {
	if !p.tl.Partial(a) || !p.tl.Partial(b) {
		return a.Hash() != b.Hash()
	}
	return p.simulatedHash(c, a) != p.simulatedHash(c, b)
}

func (p *predictor) simulatedHash(c *endpoint, s *world.State) (sum uint64) {
	for _, slot := range s.Run {
		if !p.isTold(c, s, int(slot)) {
			sum += s.HashObject(int(slot))
		}
	}
	return sum
}
