package runtime

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// agreement compares the states of a client with the host's hashes, and finds the objects and
// fields that differ.
type agreement struct {
	report func(t world.Tick, hash uint64) // ClientConfig.Confirmed; may be nil
	log    *slog.Logger
	tick   world.Tick // compared up to here
	hash   uint64     // this client's, of that tick
	desync *Desync    // the first difference
	mine   world.State
	host   *world.State   // the host's state of the desync's tick or of a later one, until it is compared
	want   wire.StateWant // the state to request from the host; tick 0: none
	counts ConfirmedCounts
}

// restart begins after the keyframe s.
func (a *agreement) restart(s *world.State) { a.tick, a.hash = s.Tick, s.Hash() }

// confirmed returns the last tick that was compared, and this client's hash of it.
func (a *agreement) confirmed() (world.Tick, uint64) { return a.tick, a.hash }

// broken reports whether a difference was found.
func (a *agreement) broken() bool { return a.desync != nil }

// first returns the first difference, nil if there is none.
func (a *agreement) first() *Desync { return a.desync }

// naming reports whether the difference is still to be named.
func (a *agreement) naming() bool { return a.desync != nil && !a.desync.Named }

// counted returns the counts of ticks that were compared.
func (a *agreement) counted() ConfirmedCounts { return a.counts }

// compare compares a complete state with the host's mark, once.
func (a *agreement) compare(s *world.State, m *commitMark) {
	if s == nil || m.Tick <= a.tick {
		return
	}
	mine := s.Hash()
	a.tick, a.hash = m.Tick, mine
	a.counts.Compared++
	a.counts.Objects = s.Len()
	if a.report != nil {
		a.report(m.Tick, mine)
	}
	if mine == m.Hash {
		return
	}
	a.counts.Mismatched++
	if a.desync == nil {
		a.desync = &Desync{Tick: m.Tick, Host: m.Hash, Mine: mine}
		a.mine.CopyFrom(s)
		a.want = wire.StateWant{Tick: m.Tick, Hash: mine}
	}
}

// ask requests the host's state of a tick for which this client has a different hash, if
// there is a new one.
func (a *agreement) ask(now time.Duration, out *outbox) {
	if a.want.Tick != 0 {
		_ = out.Control(now, link.HostPeer, wire.AppendStateWant(nil, &a.want))
		a.want = wire.StateWant{}
	}
}

// reply handles the host's state of the requested tick or, if the host no longer keeps
// that, of a later one.
func (a *agreement) reply(tl *timeline.Timeline, m *wire.StateReply) error {
	if !a.naming() || len(m.State) == 0 {
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
	a.host, err = world.ParseState(m.State, script.Schema())
	return err
}

// name lists the differences, once the host's state has arrived and its tick is
// complete.
func (a *agreement) name(tl *timeline.Timeline, complete world.Tick) {
	host := a.host
	if host == nil {
		return
	}
	mine := tl.At(host.Tick)
	if mine != nil {
		mine = tl.Scripts().SharedPart(mine)
	}
	switch {
	case host.Tick == a.mine.Tick:
		mine = &a.mine
	case host.Tick > complete:
		return
	case mine == nil: // the answer took so long that this client no longer keeps the tick: request a newer one
		a.host, a.want = nil, wire.StateWant{Tick: a.tick, Hash: a.hash}
		return
	}
	a.desync.Named, a.host = true, nil
	a.desync.Differences = world.Diff(host, mine, tl.Scripts().SchemaOf(host), 16)
	a.log.Error(a.desync.Error(), "tick", uint32(a.desync.Tick))
}
