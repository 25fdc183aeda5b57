package runtime

import (
	"fmt"

	"github.com/hindcast/hindcast/net/clocksync"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// welcome handles the host's admission, which lists the bundles that the client needs. It notes
// all of them before it fetches the first: the keyframe needs them together.
func (c *Client) welcome(m wire.Welcome) error {
	c.end.Session.Player, c.end.Session.Ticket, c.end.Session.Stage = m.Player, m.Ticket, StageFetching
	var lacking []bundle.Hash
	for _, a := range m.Bundles {
		if c.end.Library.announce(a) {
			lacking = append(lacking, a.Hash)
		}
	}
	for _, h := range lacking {
		if err := c.fetch(h); err != nil {
			return err
		}
	}
	c.scripts()
	return c.fetched()
}

// announced fetches a bundle that will be in force, unless the client has it.
func (c *Client) announced(a wire.Announce) error {
	if c.end.Library.announce(a) {
		if err := c.fetch(a.Hash); err != nil {
			return err
		}
	}
	c.scripts()
	return c.fetched()
}

// fetch takes a bundle from the cache, or requests it.
func (c *Client) fetch(h bundle.Hash) error {
	if c.fromCache(h) {
		return nil
	}
	return c.want(h)
}

// fromCache takes a bundle from the cache of this machine, and reports whether it
// could. A bundle with a different hash, or one that does not compile here, is
// requested instead.
func (c *Client) fromCache(h bundle.Hash) bool {
	if c.end.Cfg.Cache == nil {
		return false
	}
	data := c.end.Cfg.Cache.Load(h)
	if data == nil || bundle.HashOf(data) != h {
		return false
	}
	if err := c.put(h, data); err != nil {
		c.end.Log.Warn("a bundle that was kept cannot be used: asking the host", "bundle", h.String(), "error", err.Error())
		return false
	}
	c.end.Stats.Joining.Cached++
	return true
}

// keep stores a received bundle in the cache.
func (c *Client) keep(h bundle.Hash, data []byte) {
	if c.end.Cfg.Cache != nil {
		c.end.Cfg.Cache.Store(h, data)
	}
}

// want requests a bundle from the host.
func (c *Client) want(h bundle.Hash) error {
	return c.end.control(wire.AppendBundleWant(nil, &wire.BundleWant{Hash: h}))
}

// deliver handles a bundle that arrived.
func (c *Client) deliver(m wire.Bundle) error {
	hash := bundle.HashOf(m.Data)
	if !c.end.Library.awaits(hash) {
		return nil
	}
	if err := c.put(hash, m.Data); err != nil {
		return err
	}
	c.end.Stats.Joining.Fetched++
	c.keep(hash, m.Data)
	c.scripts()
	return c.fetched()
}

// put compiles a bundle that is awaited.
func (c *Client) put(hash bundle.Hash, data []byte) error {
	b, err := bundle.Parse(data)
	if err != nil {
		return err
	}
	script, err := compiled(c.end.Cfg.Compile, b.Files, b.Setup)
	if err != nil {
		return fmt.Errorf("scripts of bundle %s: %w", hash, err)
	}
	c.end.Library.deliver(hash, b, c.end.Hooks.wrap(script))
	c.end.Stats.Joining.Bundle, c.end.Session.TickRate = hash, b.Setup.TickRate
	c.end.Log.Info("scripts loaded", "bundle", hash.String())
	if c.end.Clock == nil {
		c.end.Clock = clocksync.New(clocksync.Options{Tick: b.TickLength(), Margin: b.Rules.Lead})
	}
	return nil
}

// fetched requests the keyframe when all announced bundles have arrived.
func (c *Client) fetched() error {
	if c.end.Session.Stage != StageFetching || !c.end.Library.complete() {
		return nil
	}
	return c.end.ready()
}

// ready requests a keyframe.
func (c *endpoint) ready() error {
	c.Session.Stage = StageWaiting
	return c.control(wire.AppendReady(nil, &wire.Ready{Snapshots: c.Cfg.Kind == Spectator, LastInputSeq: c.Inputs.number()}))
}

// scripts notifies the role that more scripts are available.
func (c *Client) scripts() {
	if c.role.status().World != nil {
		c.role.scripts(&c.end)
	}
}

// begin begins at a keyframe. Everything that happened later arrives as records of the log.
func (c *Client) begin(m wire.Keyframe) error {
	c.end.countState(len(m.State) + len(m.PoseHistory))
	number, err := world.BundleOf(m.State)
	if err != nil {
		return err
	}
	script := c.end.Library.script(number)
	if script == nil { // it overtook its scripts, or even their announcement: request it again when they are available
		c.end.Session.Stage = StageFetching
		return nil
	}
	s, err := world.ParseState(m.State, script.Schema())
	if err != nil {
		return err
	}
	if _, ok := s.Find(world.GameID); !ok && s.Tick > 0 {
		return fmt.Errorf("%w: keyframe without a game object", wire.ErrMalformed)
	}
	c.end.Receiver.Restart(m.FirstSeq)
	if m.Snapshot != 0 {
		c.end.Replica.begin(s, script.Schema(), m.Snapshot)
	}
	if err := c.role.begin(&c.end, s, script, &m); err != nil {
		return err
	}
	c.end.Session.Begun = true
	return nil
}

// history returns how many ticks to keep: enough for the host's window, the trips, and
// lost datagrams that are sent again. With fewer, a client on a bad line could never
// reach its present.
func (c *endpoint) history(rate int) int {
	return max(c.Cfg.History, 4*rate, 256)
}

// countState counts bytes of authoritative state.
func (c *endpoint) countState(n int) {
	c.Out.State(n, c.Session.Begun)
}

// resync requests a keyframe, because the client has fallen too far behind.
func (c *endpoint) resync(why string) {
	c.Stats.Joining.Resyncs++
	c.Log.Warn("asking for a keyframe", "reason", why)
	_ = c.ready()
}
