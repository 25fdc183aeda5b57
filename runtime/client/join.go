package client

import (
	"fmt"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// join asks to join.
func (c *Client) join() {
	c.end.session.Join(c.now, &c.end.out, &wire.Hello{
		Version: wire.Version,
		Name:    c.cfg.Name,
		Token:   c.cfg.Token,
		Ticket:  c.cfg.Ticket,
	})
}

// welcome handles the host's admission, which lists the bundles that the client needs. It notes
// all of them before it fetches the first: the keyframe needs them together.
func (c *Client) welcome(m wire.Welcome) error {
	c.end.session.Admit(&m)
	var lacking []bundle.Hash
	for _, a := range m.Bundles {
		if c.end.library.announce(a) {
			lacking = append(lacking, a.Hash)
		}
	}
	for _, h := range lacking {
		if err := c.fetch(h); err != nil {
			return err
		}
	}
	return c.fetched()
}

// announced fetches a bundle that will be in force, unless the client has it.
func (c *Client) announced(a wire.Announce) error {
	if c.end.library.announce(a) {
		if err := c.fetch(a.Hash); err != nil {
			return err
		}
	}
	return c.fetched()
}

// fetch takes a bundle from the cache, or requests it.
func (c *Client) fetch(h bundle.Hash) error {
	if b := c.end.library.load(h); b != nil {
		c.end.clock.use(b)
		return nil
	}
	return c.end.out.Control(c.now, link.HostPeer, wire.AppendBundleWant(nil, &wire.BundleWant{Hash: h}))
}

// deliver handles a bundle that arrived.
func (c *Client) deliver(m wire.Bundle) error {
	hash := bundle.HashOf(m.Data)
	if !c.end.library.awaits(hash) {
		return nil
	}
	b, err := c.end.library.deliver(hash, m.Data)
	if err != nil {
		return err
	}
	c.end.clock.use(b)
	return c.fetched()
}

// fetched notifies the role that more scripts are available, and requests the keyframe when all
// announced bundles have arrived.
func (c *Client) fetched() error {
	if c.role.status().world != nil {
		if err := c.role.scripts(&c.end.library); err != nil {
			return err
		}
	}
	if !c.end.session.Fetching() || !c.end.library.complete() {
		return nil
	}
	return c.end.session.RequestKeyframe(c.now, &c.end.out, c.end.sent.number())
}

// begin begins at a keyframe. Everything that happened later arrives as records of the log.
func (c *Client) begin(m wire.Keyframe) error {
	c.end.out.State(len(m.State)+len(m.PoseHistory), c.end.session.Begun())
	number, err := world.BundleOf(m.State)
	if err != nil {
		return err
	}
	script := c.end.library.script(number)
	if script == nil { // it overtook its scripts, or even their announcement: request it again when they are available
		c.end.session.FetchAgain()
		return nil
	}
	s, err := world.ParseState(m.State, script.Schema())
	if err != nil {
		return err
	}
	if _, ok := s.Find(world.MatchID); !ok && s.Tick > 0 {
		return fmt.Errorf("%w: keyframe without a game object", wire.ErrMalformed)
	}
	c.end.receiver.restart(m.FirstSeq)
	if m.Snapshot != 0 {
		c.end.replica.follow(c.end.library.bundle(s.Bundle))
		c.end.replica.begin(s, script.Schema(), m.Snapshot)
	}
	return c.role.begin(&c.end.session, &c.end.library, &c.end.clock, c.now, s, script, &m)
}
