package runtime

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/clocksync"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// welcome lets the client in and says which bundles it needs. All are noted
// before the first is fetched: the keyframe needs them together.
func (c *Client) welcome(m wire.Welcome) error {
	c.player, c.ticket, c.stage = m.Player, m.Ticket, StageFetching
	var lacking []bundle.Hash
	for _, a := range m.Bundles {
		if c.library.announce(a) {
			lacking = append(lacking, a.Hash)
		}
	}
	for _, h := range lacking {
		if err := c.fetch(h); err != nil {
			return err
		}
	}
	c.addScripts()
	return c.fetched()
}

// announced fetches a bundle that will be in force, unless it is here.
func (c *Client) announced(a wire.Announce) error {
	if c.library.announce(a) {
		if err := c.fetch(a.Hash); err != nil {
			return err
		}
	}
	c.addScripts()
	return c.fetched()
}

// fetch takes a bundle from the cache, else asks for it.
func (c *Client) fetch(h bundle.Hash) error {
	if c.fromCache(h) {
		return nil
	}
	return c.want(h)
}

// fromCache puts a bundle in that this machine has kept, and reports whether
// it could: what has another hash, or does not compile here, is asked for.
func (c *Client) fromCache(h bundle.Hash) bool {
	if c.cfg.Cache == nil {
		return false
	}
	data := c.cfg.Cache.Load(h)
	if data == nil || bundle.HashOf(data) != h {
		return false
	}
	if err := c.put(h, data); err != nil {
		c.log.Warn("a bundle that was kept cannot be used: asking the host", "bundle", h.String(), "error", err.Error())
		return false
	}
	c.stats.cached++
	return true
}

// keep gives what came to the cache.
func (c *Client) keep(h bundle.Hash, data []byte) {
	if c.cfg.Cache != nil {
		c.cfg.Cache.Store(h, data)
	}
}

// want asks the host for a bundle.
func (c *Client) want(h bundle.Hash) error {
	return c.control(wire.AppendBundleWant(nil, &wire.BundleWant{Hash: h}))
}

// deliver takes in a bundle that came.
func (c *Client) deliver(m wire.Bundle) error {
	hash := bundle.HashOf(m.Data)
	if !c.library.awaits(hash) {
		return nil
	}
	if err := c.put(hash, m.Data); err != nil {
		return err
	}
	c.stats.fetched++
	c.keep(hash, m.Data)
	c.addScripts()
	return c.fetched()
}

// put compiles a bundle that is awaited.
func (c *Client) put(hash bundle.Hash, data []byte) error {
	b, err := bundle.Parse(data)
	if err != nil {
		return err
	}
	script, err := c.cfg.Compile(b.Files, b.Setup)
	if err != nil {
		return fmt.Errorf("scripts of bundle %s: %w", hash, err)
	}
	c.library.deliver(hash, b, c.scripts.wrap(script))
	c.stats.bundle = hash
	c.log.Info("scripts loaded", "bundle", hash.String())
	if c.clock == nil {
		c.clock = clocksync.New(clocksync.Options{Tick: b.TickLength(), Margin: b.Rules.Lead})
	}
	return nil
}

// fetched asks for the keyframe when all that was announced is here.
func (c *Client) fetched() error {
	if c.stage != StageFetching || !c.library.complete() {
		return nil
	}
	return c.ready()
}

// ready asks for the world.
func (c *Client) ready() error {
	c.stage = StageWaiting
	return c.control(wire.AppendReady(nil, &wire.Ready{Snapshots: c.cfg.Blind && c.cfg.Watch, LastInputSeq: c.outSeq}))
}

// addScripts tells the Timeline of the scripts that are here, and puts in the
// switches that waited for one. Those that no tick of it needs go.
func (c *Client) addScripts() {
	if c.tl == nil {
		return
	}
	if !c.cfg.Blind {
		c.library.forget(c.tl.FirstScript())
	}
	for i := range c.library.known {
		if k := &c.library.known[i]; k.script != nil {
			c.tl.AddScript(k.Number, k.script)
		}
	}
	waiting := c.late
	c.late = nil
	for _, e := range waiting {
		c.insert(e)
	}
}

// begin starts the Timeline at a confirmed keyframe. What happened since then
// comes as records of the log.
func (c *Client) begin(m wire.Keyframe) error {
	c.countState(len(m.State) + len(m.PoseHistory))
	number, err := world.BundleOf(m.State)
	if err != nil {
		return err
	}
	script := c.library.script(number)
	if script == nil { // it overtook its scripts, or even their announcement: ask again when they are here
		c.stage = StageFetching
		return nil
	}
	s, err := world.ParseState(m.State, script.Schema())
	if err != nil {
		return err
	}
	if _, ok := s.Find(world.GameID); !ok && s.Tick > 0 {
		return fmt.Errorf("%w: keyframe without a game object", wire.ErrMalformed)
	}
	c.in.Restart(m.FirstSeq)
	if m.Snapshot != 0 {
		c.replica.begin(s, script.Schema(), m.Snapshot)
	}
	if c.cfg.Blind && c.tl != nil {
		c.blindLook(s, script)
		return nil
	}
	return c.start(s, script, &m)
}

// start makes the Timeline that begins with s.
func (c *Client) start(s *world.State, script world.Script, m *wire.Keyframe) error {
	b := c.library.bundle(s.Bundle)
	c.tl = timeline.New(script, timeline.Options{States: c.history(script.Schema().Setup.TickRate), Bundle: s.Bundle, Client: c.player,
		PoseHistory: b.Ticks(b.Rules.MaxSeen), Check: c.cfg.Verify, Provenance: true, Ran: c.ran, Print: printTo("", c.log)})
	c.startCues()
	c.known = timeline.NewSharedRun(c.tl)
	c.finals, c.givens, c.late, c.caughtUp = c.finals[:0], c.givens[:0], nil, false
	c.tl.KeepScripts(0) // until it is known which
	c.addScripts()
	if err := c.tl.Start(timeline.Keyframe{State: s, Poses: m.PoseHistory, Held: m.LastInputs}); err != nil {
		return err
	}
	c.known.Begin(s)
	c.settled, c.confirmed, c.keyframe, c.confirmedSum = s.Tick, s.Tick, s.Tick, s.Hash()
	c.keepScripts()
	c.stage, c.moved = StagePlaying, c.now
	if !c.cfg.Blind {
		c.restored(c.tl.At(s.Tick))
	}
	c.log.Info("joined", "player", c.player, "tick", uint32(s.Tick), "objects", s.Len())
	return nil
}

// ran takes note of a tick that was run, the first time or again.
func (c *Client) ran(w *world.World, trace *world.Trace) {
	c.errors.collect(w, c.log)
	if c.cues != nil {
		c.cues.Ran(w.Now.Tick, trace)
	}
}

// startCues has the Timeline's cues told, once the client is at its present.
func (c *Client) startCues() {
	switch {
	case c.cfg.Cues == nil || c.cfg.Blind:
		return
	case c.cues == nil:
		c.cues = view.NewCueBook(c.player)
	}
	c.cues.Close()
	c.tl.KeepCues(true)
}

// keepScripts has the Timeline keep the scripts by which inputs that are still
// on their way can have been made: the host took those of the bundle in force
// max_rewind before its present, for ticks up to max_ahead after it.
func (c *Client) keepScripts() {
	b := c.library.bundle(c.tl.At(c.settled).Bundle)
	window := b.Ticks(b.Rules.MaxRewind) + b.Ticks(b.Rules.MaxAhead)
	c.tl.KeepScripts(c.library.inForce(c.settled - min(c.settled, window)))
}

// history is how many ticks to keep: enough for the host's window, the trips,
// and lost datagrams sent again. With less, a client could never get to its
// present on a bad line.
func (c *Client) history(rate int) int {
	return max(c.cfg.History, 4*rate, 256)
}

// countState counts bytes of authoritative state.
func (c *Client) countState(n int) {
	c.out.State(n, c.tl != nil)
}

// resync asks for a keyframe: the client has fallen too far behind.
func (c *Client) resync(why string) {
	c.stats.resyncs++
	c.log.Warn("asking for a keyframe", "reason", why)
	_ = c.ready()
}

// stuckTime is how long a client that holds waits for the log to go on before
// it asks for a keyframe.
const stuckTime = 3 * time.Second

// blindLook lets a client that does not simulate find the objects it owns.
func (c *Client) blindLook(s *world.State, script world.Script) {
	c.tl.World().Load(s, script.Schema())
	c.caughtUp, c.stage = true, StagePlaying
}
