package client

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/internal/side"
)

// received handles what a Poll receives.
func (c *Client) received(ev link.Event) {
	switch ev.Kind {
	case link.Opened:
		if err := c.Err(); err != nil { // before the link opened
			c.end.mail.Close(c.now, link.HostPeer, err.Error())
			return
		}
		c.join()
	case link.Closed:
		c.closed(ev.Reason)
	case link.Datagram:
		if err := c.datagram(ev.Data); err != nil {
			c.datagrams.Malformed++
			c.reasons.Malformed(err)
		}
	case link.Message:
		if err := c.message(ev.Data); err != nil {
			c.unusable(err)
		}
	}
}

// unusable ends the client because of what the host sent.
func (c *Client) unusable(err error) {
	err = fmt.Errorf("the host sent what this client can't use: %w", err)
	c.over(err, err.Error())
}

func (c *Client) datagram(data []byte) error {
	if c.end.session.Over() {
		return nil
	}
	switch wire.KindOf(data) {
	case wire.KindPong:
		return take(data, wire.ParsePong, c.pong)
	case wire.KindHostPacket:
		return c.hostPacket(data)
	case wire.KindCorrection:
		return take(data, wire.ParseCorrection, c.correction)
	case wire.KindSnapshot:
		return c.snapshot(data)
	case wire.KindCues:
		return c.cues(data)
	}
	return wire.ErrMalformed
}

func (c *Client) message(data []byte) (err error) {
	if c.end.session.Over() {
		return nil
	}
	switch wire.KindOf(data) {
	case wire.KindRefuse:
		err = take(data, wire.ParseRefuse, c.refused)
	case wire.KindEnd:
		err = take(data, wire.ParseEnd, c.ended)
	case wire.KindWelcome:
		err = take(data, wire.ParseWelcome, c.welcome)
	case wire.KindAnnounce:
		err = take(data, wire.ParseAnnounce, c.announced)
	case wire.KindBundle:
		err = take(data, wire.ParseBundle, c.deliver)
	case wire.KindKeyframe:
		err = take(data, wire.ParseKeyframe, c.begin)
	case wire.KindHostPacket:
		err = c.firstEvents(data)
	case wire.KindCorrection:
		err = take(data, wire.ParseCorrection, c.correction)
	case wire.KindNotice:
		err = take(data, wire.ParseNotice, c.notice)
	case wire.KindChat:
		err = take(data, wire.ParseChat, c.chat)
	case wire.KindProblems:
		err = take(data, wire.ParseProblems, c.problems)
	case wire.KindRoster:
		err = take(data, wire.ParseRoster, c.roster)
	case wire.KindStateReply:
		err = take(data, wire.ParseStateReply, c.stateReply)
	case wire.KindRow:
		c.end.mail.Snapshot(len(data))
		err = take(data, wire.ParseRow, c.end.replica.row)
	case wire.KindAssets:
		err = take(data, wire.ParseAssets, c.end.assets.announce)
	case wire.KindAssetPart:
		err = c.assetPart(data)
	default:
		err = fmt.Errorf("%w: kind %d", wire.ErrMalformed, wire.KindOf(data))
	}
	return err
}

// take parses a message and passes it to then.
func take[M any](data []byte, parse func([]byte) (M, error), then func(M) error) error {
	m, err := parse(data)
	if err != nil {
		return err
	}
	return then(m)
}

// refused: the host sends the client away.
func (c *Client) refused(m wire.Refuse) error {
	err := side.WithReason(ErrRefused, m.Reason)
	c.over(err, err.Error())
	return nil
}

func (c *Client) pong(m wire.Pong) error {
	c.end.pings.pong(c.now, m, &c.end.clock)
	return nil
}

func (c *Client) chat(m wire.Chat) error {
	if c.cfg.Chat != nil {
		c.cfg.Chat(m.Player, m.Text)
	}
	return nil
}

func (c *Client) roster(m wire.Roster) error {
	clear(c.names)
	for _, n := range m.Players {
		c.names[n.Player] = n
	}
	return nil
}

// maxExtraLead is how many milliseconds of lead a host may ask for.
const maxExtraLead = 2000

// notice handles a notice: the host did not apply inputs of this client, or asks for
// more lead.
func (c *Client) notice(m wire.Notice) error {
	if m.Kind != wire.NoticeLead {
		c.end.sent.refused(&m)
		c.cfg.Log.Warn("the host did not apply inputs", "count", m.Count, "total", c.end.sent.unapplied(),
			"tick", uint32(m.Tick), "reason", m.Reason)
		return nil
	}
	if !c.end.clock.running() { // the client has sent nothing yet
		return fmt.Errorf("%w: lead requested before the scripts arrived", wire.ErrMalformed)
	}
	c.end.clock.setExtraLead(time.Duration(min(m.Count, maxExtraLead)) * time.Millisecond)
	c.cfg.Log.Info("the host asks for more lead", "ms", m.Count, "reason", m.Reason)
	return nil
}

// correction handles the host's state of objects, if the client plays.
func (c *Client) correction(m wire.Correction) error {
	if !c.end.session.Playing() {
		return nil
	}
	c.end.mail.State(len(m.State), true)
	return c.role.correction(&m)
}

// cues handles cues that this client does not find by itself.
func (c *Client) cues(data []byte) error {
	if !c.end.session.Playing() {
		return nil // they are sent again
	}
	c.end.mail.Cues(len(data))
	return c.discard(c.end.cues.read(data, c.role.lacksCue, c.role.ownCue))
}

// discard counts a datagram that is not used, and returns any other error.
func (c *Client) discard(err error) error {
	switch {
	case errors.Is(err, replicate.ErrStale):
		c.datagrams.Stale++
		return nil
	case errors.Is(err, replicate.ErrDuplicate):
		c.datagrams.Duplicate++
		return nil
	}
	return err
}

// stateReply handles the host's state of a requested tick.
func (c *Client) stateReply(m wire.StateReply) error {
	c.end.mail.State(len(m.State), true)
	return c.role.stateReply(&m)
}

// hostPacket handles the records of a HostPacket. A record that a host cannot have sent ends the
// client.
func (c *Client) hostPacket(data []byte) error {
	if !c.end.session.Playing() {
		return nil // it is of no use before the keyframe, and is sent again
	}
	m, fresh, stale, err := c.end.receiver.read(data)
	switch {
	case err != nil:
		return err
	case !fresh:
		c.datagrams.Duplicate++
		return nil
	case stale:
		c.datagrams.Stale++ // its records still count
	case c.end.sent.acknowledge(m.Inputs):
		c.end.clock.inputArrived(m.Inputs)
	}
	if err := c.end.receiver.each(m, func(r *wire.Record) error { return c.role.record(r, m.Seq) }); err != nil {
		c.over(err, err.Error())
	}
	return nil
}

// firstEvents handles a HostPacket on the stream of the keyframe, which it follows. It has the player's join, and what
// else has happened since; the log has that again.
func (c *Client) firstEvents(data []byte) error {
	if c.early != nil {
		c.earlyEvents = bytes.Clone(data)
		return nil
	}
	if !c.end.session.Playing() {
		return nil
	}
	m, err := c.end.receiver.readOutOfTurn(data)
	if err != nil {
		return err
	}
	return c.end.receiver.each(m, func(r *wire.Record) error { return c.role.record(r, 0) })
}

// snapshot handles a snapshot.
func (c *Client) snapshot(data []byte) error {
	r := &c.end.replica
	c.end.mail.Snapshot(len(data))
	if _, _, _, err := wire.SnapshotHead(data); err != nil || !c.end.session.Playing() || c.scope == noObjects {
		return err
	}
	m, err := r.read(data, c.end.library.schema)
	if err != nil {
		return c.discard(err)
	}
	r.follow(c.end.library.bundle(m.Bundle))
	r.add(m, c.end.clock.age(c.now, time.Duration(m.Tick)*(time.Second/time.Duration(r.schema().Setup.TickRate))))
	c.role.snapshot(&c.end.replica, &c.end.library, &c.end.clock, m)
	return nil
}

// judgeProblems notes which scripts are in force at the client's present, and which pauses have ended there.
func (c *Client) judgeProblems() {
	status := c.role.status()
	w := status.world
	if w == nil {
		return
	}
	c.errors.Under(w.Now.Bundle, c.end.library.from(w.Now.Bundle), c.cfg.Log)
	if status.simulates {
		c.errors.Settle(w.Now, w.Schema(), c.told.Failed, c.cfg.Log)
	}
}

// problems takes what the host says of the scripts. What this client has found by itself is in its log already.
func (c *Client) problems(m wire.Problems) error {
	if !c.end.clock.running() {
		c.toldEarly = &m
		return nil
	}
	switch {
	case slices.Equal(m.Refused, c.told.Refused) && m.Held == c.told.Held:
	case m.Held:
		for _, text := range m.Refused {
			c.cfg.Log.Warn(text)
		}
	default:
		if c.told.Held && len(m.Refused) > 0 {
			for _, text := range c.told.Refused {
				c.cfg.Log.Info(text + ": over")
			}
		}
		c.refusals.Log(c.cfg.Log, m.Refused)
	}
	if len(m.Refused) == 0 && len(c.told.Refused) > 0 && !c.told.Held {
		c.cfg.Log.Info("nothing keeps saved files from being in force any more")
	}
	for i := range m.Failed {
		f := &m.Failed[i]
		if side.IsSuspension(f) {
			if !slices.Contains(c.told.Failed, *f) {
				side.LogSuspension(c.cfg.Log, f, c.end.clock.tickRate)
			}
			continue
		}
		if f.IsSlowness() {
			continue
		}
		c.errors.Hear(f, c.end.clock.tickRate, c.cfg.Log)
		if slices.ContainsFunc(c.told.Failed, func(old wire.Failure) bool { return side.PauseEnded(&old, f) }) {
			c.errors.Resumed(f, c.cfg.Log)
		}
	}
	side.LogSuspensionsOver(c.cfg.Log, c.told.Failed, m.Failed, c.Now())
	side.LogSlowness(c.cfg.Log, c.told.Failed, m.Failed)
	c.told = m
	if c.cfg.Problems != nil {
		c.cfg.Problems(m)
	}
	return nil
}
