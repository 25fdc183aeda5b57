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

func (c *Client) keepGiven(g given) {
	i, _ := slices.BinarySearchFunc(c.givens, g, func(a, b given) int { return cmp.Compare(a.seq, b.seq) })
	c.givens = slices.Insert(c.givens, i, g)
}

// takeGiven is what the host gave of a tick, which is settled.
func (c *Client) takeGiven(t world.Tick) (b []byte) {
	c.givens = slices.DeleteFunc(c.givens, func(g given) bool {
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
func (c *Client) settleKnown(from world.Tick) error {
	if !c.tl.AnyPartial() || c.known.Lost() {
		c.known.Stop()
		return nil
	}
	if !c.known.Begun() {
		c.known.Begin(c.tl.At(from)) // up to here all was known
	}
	for t := from + 1; t <= c.settled; t++ {
		err := c.known.Complete(c.takeGiven(t))
		if err != nil && c.desync != nil {
			c.known.Lose() // what is given no longer fits what is here
			break
		}
		if err != nil {
			return fmt.Errorf("tick %d: %w: %w", t, wire.ErrMalformed, err)
		}
		if i := slices.IndexFunc(c.finals, func(f final) bool { return f.tick == t }); i >= 0 {
			c.compare(c.known.State(), &c.finals[i])
		}
	}
	if c.settled > from {
		c.known.Anchor(c.settled)
	}
	return nil
}

// isTold reports whether an object is one that this client is told of: no
// reprediction or correction of what all simulate.
func (c *Client) isTold(s *world.State, slot int) bool {
	o := &s.Objects[slot]
	return o.Owner != c.player && c.tl.SchemaOf(s).Classes[o.Class].LOD != world.Predict
}

// changed reports whether what this client simulates differs between two states
// of one tick.
func (c *Client) changed(a, b *world.State) bool {
	if !c.tl.Partial(a) || !c.tl.Partial(b) {
		return a.Hash() != b.Hash()
	}
	return c.simulatedHash(a) != c.simulatedHash(b)
}

func (c *Client) simulatedHash(s *world.State) (sum uint64) {
	for _, slot := range s.Run {
		if !c.isTold(s, int(slot)) {
			sum += s.HashObject(int(slot))
		}
	}
	return sum
}
