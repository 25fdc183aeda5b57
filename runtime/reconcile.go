package runtime

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// record puts one entry of the log, which a HostPacket brought, into the Timeline.
func (p *predictor) record(c *endpoint, r *wire.Record, packet uint32) {
	e := r.Event
	p.origin = timeline.Origin{Record: r.Seq, Packet: packet}
	switch {
	case e.Tick > p.tl.Now()+p.farthest(c):
		c.over(fmt.Errorf("%w: record for tick %d at tick %d", wire.ErrMalformed, e.Tick, p.tl.Now()))
	case e.Tick <= p.keyframe:
		// the keyframe has it in it
	case r.Patch != nil:
		p.keepGiven(c, given{tick: e.Tick, seq: r.Seq, part: slices.Clone(r.Patch)})
	case r.Committed:
		f := final{tick: e.Tick, seq: r.Seq, hash: r.Hash}
		i, _ := slices.BinarySearchFunc(p.finals, f, func(a, b final) int { return cmp.Compare(a.tick, b.tick) })
		p.finals = slices.Insert(p.finals, i, f)
	case wire.UsesChannel(e.Kind):
		e.Object = c.Receiver.Object(r.Channel)
		p.insert(c, e)
	default:
		p.insert(c, e)
	}
}

// farthest is how far ahead of this client the log may be: no host is minutes
// ahead of a client that it sends it to.
func (p *predictor) farthest(c *endpoint) world.Tick { return world.Tick(300 * c.rate()) }

// insert puts an event into the Timeline; a switch to a bundle whose scripts
// have not come yet waits for them.
func (p *predictor) insert(c *endpoint, e world.Event) {
	if e.Kind == world.BundleEvent && p.tl.Script(e.Bundle) == nil {
		p.late = append(p.late, e)
		return
	}
	if _, err := p.tl.Insert(e, p.origin); err != nil {
		c.Stats.TooOld++
	}
}

// correction takes the host's bits of our object and its island at a tick
// that is not final yet, in the place of the guess.
func (p *predictor) correction(c *endpoint, m wire.Correction) error {
	if c.Session.Stage != StagePlaying {
		return nil
	}
	c.countState(len(m.State))
	at := p.tl.At(m.Tick)
	if at == nil || m.Tick <= p.settled {
		return nil // final here already: there is nothing left to guess
	}
	part, err := world.ParseState(m.State, p.tl.SchemaOf(at))
	if err != nil {
		return err
	}
	distance := p.displacement(c, at, part, true)
	c.Stats.Corrections.Add(distance)
	p.tellCorrection(c, &m, distance)
	p.tl.Correct(part)
	p.justCorrected = true
	return nil
}

// displacement is how far apart two states have the objects that both know,
// at most; own: only this player's.
func (p *predictor) displacement(c *endpoint, a, b *world.State, own bool) (most float64) {
	for _, slot := range b.Run {
		o := &b.Objects[slot]
		if own && o.Owner != c.Session.Player {
			continue
		}
		if at, ok := a.Find(o.ID); ok && !p.isTold(c, b, int(slot)) {
			p, q := a.Body(at), b.Body(int(slot))
			most = max(most, math.Hypot(p.X-q.X, p.Y-q.Y))
		}
	}
	return most
}

// reconcile goes back to the oldest tick of which something new is known and
// simulates to the present again; then it confirms the ticks of which
// everything is known.
func (p *predictor) reconcile(c *endpoint) {
	from := p.settled
	p.settle(c)
	if err := p.settleKnown(c, from); err != nil {
		c.over(err)
		return
	}
	if p.tl.Dirty() == 0 {
		p.overruled(c)
	} else if !p.rewind(c) {
		return
	}
	p.confirm(c)
	p.nameDesync(c)
	if p.known.Anchored() || p.desync == nil || p.desync.Named { // what is to be compared with the host's is not known before
		p.tl.Release(p.settled)
	}
}

// rewind goes back and forth, and tells what came of it. It gives false when check
// mode found a fault.
func (p *predictor) rewind(c *endpoint) bool {
	p.restored(c, p.tl.At(p.tl.Dirty()-1))
	p.present.CopyFrom(p.tl.At(p.tl.Now()))
	p.presentation.noteDrawn(p.tl, c.frameTime(p.tl.Now()))
	watch := c.stopwatch()
	r := p.tl.Rewind()
	c.Stats.Rewinds.add(r, watch())
	if c.Cfg.Verify {
		if m := p.tl.Check(r); m != nil {
			c.over(fmt.Errorf("%w: %w", timeline.ErrDesync, m))
			return false
		}
	}
	overruled := p.overruled(c)
	if now := p.tl.At(p.tl.Now()); !p.justCorrected && !overruled && p.changed(c, now, &p.present) {
		c.Stats.Repredictions.Add(p.displacement(c, &p.present, now, false))
		p.explain(c)
	}
	p.justCorrected = false
	p.presentation.hideJumps(p.tl, c.frameTime(p.tl.Now()))
	return true
}

// settle finds up to which tick the log is complete.
func (p *predictor) settle(c *endpoint) {
	hold := p.holdAt(c)
	to := p.settled
	for i := range p.finals {
		f := &p.finals[i]
		if f.tick > p.tl.Now() || f.tick != to+1 || f.seq >= c.Receiver.Received() || hold != 0 && f.tick >= hold {
			break
		}
		to = f.tick
	}
	if to > p.settled {
		p.settled, p.moved = to, c.Now
		p.tl.Complete(to, p.origin)
		p.keepScripts(c)
	}
}

// confirm compares what the whole log gives with the host's hashes.
func (p *predictor) confirm(c *endpoint) {
	n := 0
	for ; n < len(p.finals) && p.finals[n].tick <= p.settled; n++ {
		f := &p.finals[n]
		s := p.tl.At(f.tick)
		if s == nil || f.tick <= p.confirmed {
			continue
		}
		p.compare(c, s, f)
	}
	p.finals = slices.Delete(p.finals, 0, n)
}

func (p *predictor) compare(c *endpoint, s *world.State, f *final) {
	mine := s.Hash()
	p.confirmed, p.confirmedSum = f.tick, mine
	c.Stats.Compared++
	c.Stats.Objects = s.Len()
	if c.Cfg.Confirmed != nil {
		c.Cfg.Confirmed(f.tick, mine)
	}
	if mine == f.hash {
		return
	}
	c.Stats.Mismatched++
	if p.desync == nil {
		p.desync = &Desync{Tick: f.tick, Host: f.hash, Mine: mine}
		p.desyncState.CopyFrom(s)
		p.askState(c, f.tick, mine)
	}
}

// askState asks for the host's state of a tick of which this client has
// another hash.
func (p *predictor) askState(c *endpoint, t world.Tick, mine uint64) {
	_ = c.control(wire.AppendStateWant(nil, &wire.StateWant{Tick: t, Hash: mine}))
}

// stateReply takes the host's state of the tick that was asked for or, if that
// is not kept any more, of a later one.
func (p *predictor) stateReply(c *endpoint, m wire.StateReply) error {
	if p.desync == nil || p.desync.Named || len(m.State) == 0 {
		return nil
	}
	c.countState(len(m.State))
	number, err := world.BundleOf(m.State)
	if err != nil {
		return err
	}
	script := p.tl.Script(number)
	if script == nil {
		return fmt.Errorf("%w: state of bundle %d, which is not here", wire.ErrMalformed, number)
	}
	p.hostState, err = world.ParseState(m.State, script.Schema())
	return err
}

// nameDesync says what differs, once the host's state has come and this client
// has confirmed its tick.
func (p *predictor) nameDesync(c *endpoint) {
	host := p.hostState
	if host == nil {
		return
	}
	mine := p.tl.At(host.Tick)
	if mine != nil {
		mine = p.tl.SharedPart(mine)
	}
	switch {
	case host.Tick == p.desyncState.Tick:
		mine = &p.desyncState
	case host.Tick > p.settled:
		return
	case mine == nil: // the answer was so long on its way that this tick is forgotten here: ask for a newer one
		p.hostState = nil
		p.askState(c, p.confirmed, p.confirmedSum)
		return
	}
	p.desync.Named, p.hostState = true, nil
	p.desync.Differences = world.Diff(host, mine, p.tl.SchemaOf(host), 16)
	c.Log.Error(p.desync.Error(), "tick", uint32(p.desync.Tick))
}
