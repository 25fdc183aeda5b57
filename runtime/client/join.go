package client

import (
	"bytes"
	"fmt"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// join asks to join.
func (c *Client) join() {
	c.end.session.Join(c.now, &c.end.mail, &wire.Hello{
		Version: wire.Version,
		Name:    c.cfg.Name,
		Token:   c.cfg.Token,
		Ticket:  c.cfg.Ticket,
	})
}

// welcome handles the host's admission, which lists the bundles that the client needs. It notes
// all of them before it fetches the first: the keyframe needs them together. It asks for none if they follow.
func (c *Client) welcome(m wire.Welcome) error {
	c.end.session.Admit(c.now, &c.end.mail, &m)
	if asked := c.cfg.Ticket.Number(); asked != 0 && asked != m.Player {
		c.cfg.Log.Warn("back with another number: the one before is taken", "player", m.Player, "before", asked)
	}
	var lacking []wire.BundleWant
	for i, a := range m.Bundles {
		if !c.end.library.announce(a) {
			continue
		}
		want := wire.BundleWant{Hash: a.Hash}
		if i > 0 {
			want.Base = m.Bundles[i-1].Hash
		}
		lacking = append(lacking, want)
	}
	for _, want := range lacking {
		if c.end.library.load(want.Hash) || m.Follow {
			continue
		}
		if err := c.ask(want); err != nil {
			return err
		}
	}
	return c.fetched()
}

// announced notes a bundle that will be in force. The host sends it, too, unless it is in the cache.
func (c *Client) announced(a wire.Announce) error {
	if c.end.library.announce(a) {
		c.end.library.load(a.Hash)
	}
	return c.fetched()
}

// ask requests a bundle. The host may pack it against the base, if the client has that or has asked for it.
func (c *Client) ask(want wire.BundleWant) error {
	l := &c.end.library
	if !l.texts.has(want.Base) {
		want.Base = bundle.Hash{}
	}
	l.texts.ask(want.Hash, l.expectedBytes(want.Hash))
	return c.end.mail.Control(c.now, link.HostPeer, wire.AppendBundleWant(nil, &want))
}

// deliver handles a bundle that arrived.
func (c *Client) deliver(m wire.Bundle) error {
	ask, err := c.end.library.deliver(m)
	if err != nil {
		return err
	}
	for _, h := range ask {
		if err := c.ask(wire.BundleWant{Hash: h}); err != nil {
			return err
		}
	}
	return c.fetched()
}

// earlyKeyframe is up to how many bytes of bundles the client requests the keyframe together with them, to save a round
// trip. The host lets its player join then: nobody is to stand about while a large game arrives.
const earlyKeyframe = 64 << 10

// fetched takes the bundles that have been read. It notifies the role that more scripts are available, and requests the
// keyframe when all announced bundles have arrived, or are on their way and small.
func (c *Client) fetched() error {
	for {
		a, ok, err := c.end.library.read()
		switch {
		case err != nil:
			return err
		case !ok:
			if err := c.beginEarly(); err != nil {
				return err
			}
			return c.supplied()
		case a.ask:
			if err := c.ask(wire.BundleWant{Hash: a.hash}); err != nil {
				return err
			}
		case a.bundle != nil:
			c.end.clock.use(a.bundle)
			if early := c.toldEarly; early != nil {
				c.toldEarly = nil
				if err := c.problems(*early); err != nil {
					return err
				}
			}
		}
	}
}

// supplied notifies the role of scripts and requests the keyframe: see fetched.
func (c *Client) supplied() error {
	if c.role.status().world != nil {
		if err := c.role.scripts(&c.end.library); err != nil {
			return err
		}
	}
	if !c.end.session.Fetching() || c.end.library.lackingBytes() > earlyKeyframe {
		return nil
	}
	return c.end.session.RequestKeyframe(c.now, &c.end.mail, c.end.sent.number())
}

// begin begins at a keyframe. Everything that happened later arrives as records of the log.
func (c *Client) begin(m wire.Keyframe) error {
	c.end.mail.State(len(m.State)+len(m.PoseHistory), c.end.session.Begun())
	c.early, c.earlyEvents = nil, nil
	return c.beginAt(m)
}

// beginEarly begins at a keyframe that arrived while its bundle was being read.
func (c *Client) beginEarly() error {
	m := c.early
	if m == nil || c.end.library.isReading() {
		return nil
	}
	c.early = nil
	if err := c.beginAt(*m); err != nil || c.earlyEvents == nil {
		return err
	}
	events := c.earlyEvents
	c.earlyEvents = nil
	return c.firstEvents(events)
}

func (c *Client) beginAt(m wire.Keyframe) error {
	number, err := world.BundleOf(m.State)
	if err != nil {
		return err
	}
	script := c.end.library.script(number)
	if script == nil && c.end.library.isReading() {
		m.State, m.PoseHistory = bytes.Clone(m.State), bytes.Clone(m.PoseHistory) // they are the link's
		c.early = &m
		return nil
	}
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
