package client

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// confirmation compares the states of a client with the host's hashes, and finds the objects and
// fields that differ.
type confirmation struct {
	report func(t world.Tick, hash uint64) // Config.Confirmed; may be nil
	log    *slog.Logger
	tick   world.Tick // compared up to here
	hash   uint64     // this client's, of that tick
	desync *Desync    // the first difference
	mine   world.State
	host   *world.State   // the host's state of the desync's tick or of a later one, until it is compared
	want   wire.StateWant // the state to request from the host; tick 0: none
	counts room.ConfirmedCounts
}

// restart begins after the keyframe s.
func (c *confirmation) restart(s *world.State) { c.tick, c.hash = s.Tick, s.Hash() }

// confirmed returns the last tick that was compared, and this client's hash of it.
func (c *confirmation) confirmed() (world.Tick, uint64) { return c.tick, c.hash }

// broken reports whether a difference was found.
func (c *confirmation) broken() bool { return c.desync != nil }

// first returns the first difference, nil if there is none.
func (c *confirmation) first() *Desync { return c.desync }

// naming reports whether the difference is still to be named.
func (c *confirmation) naming() bool { return c.desync != nil && !c.desync.Named }

// counted returns the counts of ticks that were compared.
func (c *confirmation) counted() room.ConfirmedCounts { return c.counts }

// compare compares a complete state with the host's mark, once.
func (c *confirmation) compare(s *world.State, m *commitMark) {
	if s == nil || m.tick <= c.tick {
		return
	}
	mine := s.Hash()
	c.tick, c.hash = m.tick, mine
	c.counts.Compared++
	c.counts.Objects = s.Len()
	if c.report != nil {
		c.report(m.tick, mine)
	}
	if mine == m.hash {
		return
	}
	c.counts.Mismatched++
	if c.desync == nil {
		c.desync = &Desync{Tick: m.tick, Host: m.hash, Mine: mine}
		c.mine.CopyFrom(s)
		c.want = wire.StateWant{Tick: m.tick, Hash: mine}
	}
}

// ask requests the host's state of a tick for which this client has a different hash, if
// there is a new one.
func (c *confirmation) ask(now time.Duration, out *side.Mailbox) {
	if c.want.Tick != 0 {
		_ = out.Control(now, link.HostPeer, wire.AppendStateWant(nil, &c.want))
		c.want = wire.StateWant{}
	}
}

// reply handles the host's state of the requested tick or, if the host no longer keeps
// that, of a later one.
func (c *confirmation) reply(tl *timeline.Timeline, m *wire.StateReply) error {
	if !c.naming() || len(m.State) == 0 {
		return nil
	}
	number, err := world.BundleOf(m.State)
	if err != nil {
		return err
	}
	script := tl.Scripts().Of(number)
	if script == nil {
		return fmt.Errorf("%w: state of bundle %d, which is not here", wire.ErrMalformed, number)
	}
	c.host, err = world.ParseState(m.State, script.Schema())
	return err
}

// name lists the differences, once the host's state has arrived and its tick is
// complete.
func (c *confirmation) name(tl *timeline.Timeline, complete world.Tick) {
	host := c.host
	if host == nil {
		return
	}
	mine := tl.At(host.Tick)
	if mine != nil {
		mine = tl.Scripts().SharedPart(mine)
	}
	switch {
	case host.Tick == c.mine.Tick:
		mine = &c.mine
	case host.Tick > complete:
		return
	case mine == nil: // the answer took so long that this client no longer keeps the tick: request a newer one
		c.host, c.want = nil, wire.StateWant{Tick: c.tick, Hash: c.hash}
		return
	}
	c.desync.Named, c.host = true, nil
	c.desync.Differences = world.Diff(host, mine, tl.Scripts().SchemaOf(host), 16)
	c.log.Error(c.desync.Error(), "tick", uint32(c.desync.Tick))
}
