package runtime

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// hostFrame takes in what was applied.
func (c *Client) hostFrame(data []byte) error {
	if c.stage != StagePlaying {
		return nil // before the keyframe nothing can be made of it; it is sent again
	}
	m := &c.frame
	if err := wire.ParseHostPacket(data, m); err != nil {
		return err
	}
	fresh, stale := c.in.Packet(m.Seq)
	if !fresh {
		c.stats.datagrams.Duplicate++
		return nil
	}
	if stale {
		c.stats.datagrams.Stale++ // its records still count
	} else {
		if m.Inputs.Newest > c.acked.Newest {
			c.clock.InputArrived(time.Duration(m.Inputs.Newest)*c.tickLength(), time.Duration(m.Inputs.Early)*time.Millisecond)
		}
		c.hostAt, c.acked = m.Tick, m.Inputs
	}
	for _, ch := range m.Channels {
		c.in.Define(ch)
	}
	for i := range m.Records {
		if c.in.Take(m.Records[i].Seq) {
			c.record(&m.Records[i], m.Seq)
		}
	}
	return nil
}

// record puts one entry of the log, which a HostPacket brought, into the Timeline.
func (c *Client) record(r *wire.Record, frame uint32) {
	e := r.Event
	c.origin = timeline.Origin{Record: r.Seq, Packet: frame}
	switch {
	case c.cfg.Blind:
		if e.Kind == world.JoinEvent && e.Player == c.player || e.Kind == world.BundleEvent {
			c.lookAt = max(c.lookAt, e.Tick)
		}
		if r.Committed {
			c.settled = max(c.settled, e.Tick)
		}
	case e.Tick > c.tl.Now()+c.farthest():
		c.over(fmt.Errorf("%w: record for tick %d at tick %d", wire.ErrMalformed, e.Tick, c.tl.Now()))
	case e.Tick <= c.keyframe:
		// the keyframe has it in it
	case r.Patch != nil:
		c.keepGiven(given{tick: e.Tick, seq: r.Seq, part: slices.Clone(r.Patch)})
	case r.Committed:
		f := final{tick: e.Tick, seq: r.Seq, hash: r.Hash}
		i, _ := slices.BinarySearchFunc(c.finals, f, func(a, b final) int { return cmp.Compare(a.tick, b.tick) })
		c.finals = slices.Insert(c.finals, i, f)
	case wire.UsesChannel(e.Kind):
		e.Object = c.in.Object(r.Channel)
		c.insert(e)
	default:
		c.insert(e)
	}
}

// farthest is how far ahead of this client the log may be: no host is minutes
// ahead of a client that it sends it to.
func (c *Client) farthest() world.Tick { return world.Tick(300 * c.rate()) }

// insert puts an event into the Timeline; a switch to a bundle whose scripts
// have not come yet waits for them.
func (c *Client) insert(e world.Event) {
	if e.Kind == world.BundleEvent && c.tl.Script(e.Bundle) == nil {
		c.late = append(c.late, e)
		return
	}
	if _, err := c.tl.Insert(e, c.origin); err != nil {
		c.stats.tooOld++
	}
}

// correction takes the host's bits of our object and its island at a tick
// that is not final yet, in the place of the guess.
func (c *Client) correction(m wire.Correction) error {
	if c.stage != StagePlaying || c.cfg.Blind {
		return nil
	}
	c.countState(len(m.State))
	at := c.tl.At(m.Tick)
	if at == nil || m.Tick <= c.settled {
		return nil // final here already: there is nothing left to guess
	}
	part, err := world.ParseState(m.State, c.tl.SchemaOf(at))
	if err != nil {
		return err
	}
	distance := c.displacement(at, part, true)
	c.stats.corrections.Add(distance)
	c.tellCorrection(&m, distance)
	c.tl.Correct(part)
	c.justCorrected = true
	return nil
}

// displacement is how far apart two states have the objects that both know,
// at most; own: only this player's.
func (c *Client) displacement(a, b *world.State, own bool) (most float64) {
	for _, slot := range b.Run {
		o := &b.Objects[slot]
		if own && o.Owner != c.player {
			continue
		}
		if at, ok := a.Find(o.ID); ok && !c.isTold(b, int(slot)) {
			p, q := a.Body(at), b.Body(int(slot))
			most = max(most, math.Hypot(p.X-q.X, p.Y-q.Y))
		}
	}
	return most
}

// reconcile goes back to the oldest tick of which something new is known and
// simulates to the present again; then it confirms the ticks of which
// everything is known.
func (c *Client) reconcile() {
	from := c.settled
	c.settle()
	if err := c.settleKnown(from); err != nil {
		c.over(err)
		return
	}
	if c.tl.Dirty() == 0 {
		c.overruled()
	} else if !c.rewind() {
		return
	}
	c.confirm()
	c.nameDesync()
	if c.known.Anchored() || c.desync == nil || c.desync.Named { // what is to be compared with the host's is not known before
		c.tl.Release(c.settled)
	}
}

// rewind goes back and forth, and tells what came of it. It gives false when check
// mode found a fault.
func (c *Client) rewind() bool {
	c.restored(c.tl.At(c.tl.Dirty() - 1))
	c.present.CopyFrom(c.tl.At(c.tl.Now()))
	c.presentation.noteDrawn(c.tl, c.frameTime())
	watch := c.stopwatch()
	r := c.tl.Rewind()
	c.stats.rewinds.add(r, watch())
	if c.cfg.Verify {
		if m := c.tl.Check(r); m != nil {
			c.over(fmt.Errorf("%w: %w", timeline.ErrDesync, m))
			return false
		}
	}
	overruled := c.overruled()
	if now := c.tl.At(c.tl.Now()); !c.justCorrected && !overruled && c.changed(now, &c.present) {
		c.stats.repredictions.Add(c.displacement(&c.present, now, false))
		c.explain()
	}
	c.justCorrected = false
	c.presentation.hideJumps(c.tl, c.frameTime())
	return true
}

// settle finds up to which tick the log is complete.
func (c *Client) settle() {
	hold := c.holdAt()
	to := c.settled
	for i := range c.finals {
		f := &c.finals[i]
		if f.tick > c.tl.Now() || f.tick != to+1 || f.seq >= c.in.Received() || hold != 0 && f.tick >= hold {
			break
		}
		to = f.tick
	}
	if to > c.settled {
		c.settled, c.moved = to, c.now
		c.tl.Complete(to, c.origin)
		c.keepScripts()
	}
}

// confirm compares what the whole log gives with the host's hashes.
func (c *Client) confirm() {
	n := 0
	for ; n < len(c.finals) && c.finals[n].tick <= c.settled; n++ {
		f := &c.finals[n]
		s := c.tl.At(f.tick)
		if s == nil || f.tick <= c.confirmed {
			continue
		}
		c.compare(s, f)
	}
	c.finals = slices.Delete(c.finals, 0, n)
}

func (c *Client) compare(s *world.State, f *final) {
	mine := s.Hash()
	c.confirmed, c.confirmedSum = f.tick, mine
	c.stats.compared++
	c.stats.objects = s.Len()
	if c.cfg.Confirmed != nil {
		c.cfg.Confirmed(f.tick, mine)
	}
	if mine == f.hash {
		return
	}
	c.stats.mismatched++
	if c.desync == nil {
		c.desync = &Desync{Tick: f.tick, Host: f.hash, Mine: mine}
		c.desyncState.CopyFrom(s)
		c.askState(f.tick, mine)
	}
}

// askState asks for the host's state of a tick of which this client has
// another hash.
func (c *Client) askState(t world.Tick, mine uint64) {
	_ = c.control(wire.AppendStateWant(nil, &wire.StateWant{Tick: t, Hash: mine}))
}

// stateReply takes the host's state of the tick that was asked for or, if that
// is not kept any more, of a later one.
func (c *Client) stateReply(m wire.StateReply) error {
	if c.desync == nil || c.desync.Named || len(m.State) == 0 {
		return nil
	}
	c.countState(len(m.State))
	number, err := world.BundleOf(m.State)
	if err != nil {
		return err
	}
	script := c.tl.Script(number)
	if script == nil {
		return fmt.Errorf("%w: state of bundle %d, which is not here", wire.ErrMalformed, number)
	}
	c.hostState, err = world.ParseState(m.State, script.Schema())
	return err
}

// nameDesync says what differs, once the host's state has come and this client
// has confirmed its tick.
func (c *Client) nameDesync() {
	host := c.hostState
	if host == nil {
		return
	}
	mine := c.tl.At(host.Tick)
	if mine != nil {
		mine = c.tl.SharedPart(mine)
	}
	switch {
	case host.Tick == c.desyncState.Tick:
		mine = &c.desyncState
	case host.Tick > c.settled:
		return
	case mine == nil: // the answer was so long on its way that this tick is forgotten here: ask for a newer one
		c.hostState = nil
		c.askState(c.confirmed, c.confirmedSum)
		return
	}
	c.desync.Named, c.hostState = true, nil
	c.desync.Differences = world.Diff(host, mine, c.tl.SchemaOf(host), 16)
	c.log.Error(c.desync.Error(), "tick", uint32(c.desync.Tick))
}

func (c *Client) stopwatch() func() float64 {
	if c.cfg.Stopwatch == nil {
		return func() float64 { return 0 }
	}
	begin := c.cfg.Stopwatch()
	return func() float64 { return float64(c.cfg.Stopwatch()-begin) / float64(time.Millisecond) }
}
