package runtime

import (
	"fmt"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/clocksync"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// welcome lets the client in and says which bundles it needs.
func (c *Client) welcome(now time.Duration, data []byte) error {
	m, err := wire.ParseWelcome(data)
	if err != nil {
		return err
	}
	c.player, c.stage = m.Player, clientFetching
	for _, a := range m.Bundles {
		if err := c.announced(now, a); err != nil {
			return err
		}
	}
	return nil
}

// announced asks for a bundle that will be in force.
func (c *Client) announced(now time.Duration, a wire.Announce) error {
	if c.scripts[a.Number] != nil {
		return nil
	}
	c.wanted = append(c.wanted, a)
	return c.control(now, wire.AppendBundleWant(c.buf[:0], &wire.BundleWant{Hash: a.Hash}))
}

// bundle compiles a bundle that came, under every number that wants it.
func (c *Client) bundle(now time.Duration, data []byte) error {
	m, err := wire.ParseBundle(data)
	if err != nil {
		return err
	}
	hash := HashOf(m.Data)
	b, err := ParseBundle(m.Data)
	if err != nil {
		return err
	}
	found := false
	for _, a := range c.wanted {
		if Hash(a.Hash) != hash || c.scripts[a.Number] != nil {
			continue
		}
		script, err := c.cfg.Compile(b.Files, b.Setup)
		if err != nil {
			return fmt.Errorf("scripts of bundle %s: %w", hash, err)
		}
		c.scripts[a.Number], c.bundles[a.Number], found = script, b, true
		c.stats.bundle = hash
		c.log.Info("scripts", "bundle", hash.String(), "number", a.Number, "from tick", uint32(a.Tick))
	}
	if !found {
		return fmt.Errorf("%w: nobody asked for bundle %s", ErrBundle, hash)
	}
	c.wanted = slices.DeleteFunc(c.wanted, func(a wire.Announce) bool { return c.scripts[a.Number] != nil })
	c.takeLate()
	if c.clock == nil {
		c.clock = clocksync.New(clocksync.Options{Tick: b.TickLength()})
	}
	if len(c.wanted) == 0 && c.stage == clientFetching {
		c.stage = clientWaiting
		return c.control(now, wire.AppendReady(c.buf[:0], &wire.Ready{}))
	}
	return nil
}

// begin starts the Timeline at a confirmed keyframe. What happened since then
// comes as records of the log.
func (c *Client) begin(data []byte) error {
	m, err := wire.ParseKeyframe(data)
	if err != nil {
		return err
	}
	c.countState(len(m.State))
	number, err := world.BundleOf(m.State)
	if err != nil {
		return err
	}
	script := c.scripts[number]
	if script == nil {
		return fmt.Errorf("keyframe of bundle %d, which was not announced", number)
	}
	s, err := world.ParseState(m.State, script.Schema())
	if err != nil {
		return err
	}
	c.in = receiver{base: m.FirstSeq, objects: c.in.objects, newest: c.in.newest}
	if c.cfg.Blind && c.tl != nil {
		c.blindLook(s, script)
		return nil
	}
	c.tl = NewTimeline(script, c.cfg.History)
	c.tl.scripts = c.scripts
	c.tl.onRun = c.errors.collect(c.log)
	c.tl.world.Print = printTo(c.log)
	if err := c.tl.reset(s); err != nil {
		return err
	}
	for _, e := range m.Held {
		c.tl.inputs.put(e.Object, entry{tick: e.Tick, bundle: e.Bundle, input: e.Input})
	}
	c.finals, c.late, c.caughtUp = c.finals[:0], c.late[:0], false
	c.settled, c.confirmed, c.keyframe, c.confirmedSum = s.Tick, s.Tick, s.Tick, s.Hash()
	c.stage = clientPlaying
	c.log.Info("in", "player", c.player, "tick", uint32(s.Tick), "objects", s.Len(), "bytes", len(m.State))
	return nil
}

// countState counts bytes of authoritative state.
func (c *Client) countState(n int) {
	c.stats.bytes.states += int64(n)
	if c.tl != nil {
		c.stats.bytes.later += int64(n)
	}
}

// resync asks for a keyframe: the client has fallen too far behind.
func (c *Client) resync(now time.Duration, why string) {
	c.stats.resyncs++
	c.log.Warn("asking for a keyframe", "reason", why)
	c.stage = clientWaiting
	_ = c.control(now, wire.AppendReady(c.buf[:0], &wire.Ready{}))
}

// blindLook lets a client that does not simulate find the objects it owns.
func (c *Client) blindLook(s *world.State, script Script) {
	c.tl.world.Load(s, script.Schema())
	c.caughtUp, c.stage = true, clientPlaying
}
