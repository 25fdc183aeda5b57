package runtime

import (
	"errors"
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
)

// Poll receives packets. Records from the host change the log of the Timeline; the next
// Update simulates accordingly.
func (c *Client) Poll(now time.Duration) {
	c.end.Now = now
	if c.end.Stats.Joining.Created == 0 {
		c.end.Stats.Joining.Created = now
	}
	c.end.Out.Poll(now, func(ev link.Event) {
		switch ev.Kind {
		case link.Opened:
			if c.end.Session.Stage == StageOver { // before the link opened
				c.end.Out.Close(now, ev.Peer, c.end.Session.Err.Error())
				return
			}
			c.end.Session.Peer, c.end.Session.Stage = ev.Peer, StageJoining
			hello := wire.Hello{Version: wire.Version, Name: c.end.Cfg.Name, Token: c.end.Cfg.Token, Ticket: c.end.Cfg.Ticket}
			_ = c.end.control(wire.AppendHello(nil, &hello))
		case link.Closed:
			c.closed(ev.Reason)
		case link.Datagram:
			if err := c.datagram(now, ev.Data); err != nil {
				c.end.Stats.Datagrams.Malformed++
			}
		case link.Message:
			if err := c.message(ev.Data); err != nil {
				c.end.over(fmt.Errorf("the host sent what this client can't use: %w", err))
			}
		}
	})
	c.ping(now)
}

// pinger decides when to ping the host for its time.
type pinger struct {
	last time.Duration
	sent int
}

// pingEvery and pingFirst are the times between two pings. The first pings are sent at
// shorter intervals, so that the clock is soon synced.
const (
	pingEvery  = 100 * time.Millisecond
	pingFirst  = 25 * time.Millisecond
	firstPings = 12
)

// note notes that a ping is sent.
func (p *pinger) note(now time.Duration) {
	p.last = now
	p.sent++
}

// next returns when the next ping is due.
func (p *pinger) next() time.Duration { return p.last + p.every() }

func (p *pinger) every() time.Duration {
	if p.sent < firstPings {
		return pingFirst
	}
	return pingEvery
}

// pingAt returns when the next ping is due; link.Never if none is.
func (c *endpoint) pingAt() time.Duration {
	if c.Clock == nil || c.Session.Stage == StageOver {
		return link.Never
	}
	return c.pings.next()
}

// ping sends a ping if one is due.
func (c *Client) ping(now time.Duration) {
	if now >= c.end.pingAt() {
		c.end.pings.note(now)
		c.end.datagramOut(now, wire.AppendPing(nil, &wire.Ping{Sent: now}))
	}
}

func (c *Client) datagram(now time.Duration, data []byte) error {
	if c.end.Session.Stage == StageOver {
		return nil
	}
	switch wire.KindOf(data) {
	case wire.KindPong:
		m, err := wire.ParsePong(data)
		if err != nil || c.end.Clock == nil {
			return err
		}
		if c.end.Clock.Sample(m.Sent, m.Host, now) == nil {
			c.end.Stats.RTT.Add(float64(now-m.Sent) / float64(time.Millisecond))
		}
	case wire.KindHostPacket:
		return c.hostPacket(data)
	case wire.KindCorrection:
		return take(data, wire.ParseCorrection, c.correction)
	case wire.KindSnapshot:
		return c.snapshot(data)
	default:
		return wire.ErrMalformed
	}
	return nil
}

func (c *Client) message(data []byte) (err error) {
	if c.end.Session.Stage == StageOver {
		return nil
	}
	switch wire.KindOf(data) {
	case wire.KindRefuse:
		err = take(data, wire.ParseRefuse, func(m wire.Refuse) error {
			c.end.over(fmt.Errorf("%w: %s", ErrRefused, m.Reason))
			return nil
		})
	case wire.KindWelcome:
		err = take(data, wire.ParseWelcome, c.welcome)
	case wire.KindAnnounce:
		err = take(data, wire.ParseAnnounce, c.announced)
	case wire.KindBundle:
		err = take(data, wire.ParseBundle, c.deliver)
	case wire.KindKeyframe:
		err = take(data, wire.ParseKeyframe, c.begin)
	case wire.KindCorrection:
		err = take(data, wire.ParseCorrection, c.correction)
	case wire.KindNotice:
		err = take(data, wire.ParseNotice, c.notice)
	case wire.KindChat:
		err = take(data, wire.ParseChat, c.chat)
	case wire.KindRoster:
		err = take(data, wire.ParseRoster, c.roster)
	case wire.KindCues:
		err = take(data, wire.ParseCues, c.cueUpdates)
	case wire.KindStateReply:
		err = take(data, wire.ParseStateReply, c.stateReply)
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

func (c *Client) chat(m wire.Chat) error {
	if c.end.Cfg.Chat != nil {
		c.end.Cfg.Chat(m.Player, m.Text)
	}
	return nil
}

func (c *Client) roster(m wire.Roster) error {
	clear(c.end.Session.Names)
	for _, n := range m.Players {
		c.end.Session.Names[n.Player] = n.Name
	}
	return nil
}

// maxExtraLead is how many milliseconds of lead a host may ask for.
const maxExtraLead = 2000

// notice handles a notice: the host did not apply inputs of this client, or asks for
// more lead.
func (c *Client) notice(m wire.Notice) error {
	switch m.Kind {
	case wire.NoticeDropped:
		c.end.Stats.Inputs.DroppedOld += int(m.Count)
	case wire.NoticeRefused:
		c.end.Stats.Inputs.Refused += int(m.Count)
	case wire.NoticeLead:
		if c.end.Clock == nil { // it has sent nothing yet
			return fmt.Errorf("%w: lead asked for before the scripts came", wire.ErrMalformed)
		}
		c.end.Clock.SetExtraLead(time.Duration(min(m.Count, maxExtraLead)) * time.Millisecond)
		c.end.Log.Info("the host asks for more lead", "ms", m.Count, "reason", m.Reason)
		return nil
	}
	c.end.Log.Warn("the host did not apply inputs", "count", m.Count, "tick", uint32(m.Tick), "reason", m.Reason)
	return nil
}

// correction handles the host's state of objects, if the client plays.
func (c *Client) correction(m wire.Correction) error {
	if c.end.Session.Stage != StagePlaying {
		return nil
	}
	return c.role.correction(&c.end, m)
}

// cues handles cue updates from the host.
func (c *Client) cueUpdates(m wire.Cues) error { return c.role.cueUpdates(&c.end, m) }

// stateReply handles the host's state of a requested tick.
func (c *Client) stateReply(m wire.StateReply) error { return c.role.stateReply(&c.end, m) }

// hostPacket handles the records of a HostPacket.
func (c *Client) hostPacket(data []byte) error {
	if c.end.Session.Stage != StagePlaying {
		return nil // it is of no use before the keyframe, and is sent again
	}
	m := &c.packet
	if err := wire.ParseHostPacket(data, m); err != nil {
		return err
	}
	fresh, stale := c.end.Receiver.Packet(m.Seq)
	if !fresh {
		c.end.Stats.Datagrams.Duplicate++
		return nil
	}
	if stale {
		c.end.Stats.Datagrams.Stale++ // its records still count
	} else {
		if c.end.Inputs.acknowledge(m.Inputs) {
			c.end.Clock.InputArrived(time.Duration(m.Inputs.Newest)*c.end.tickLength(), time.Duration(m.Inputs.Early)*time.Millisecond)
		}
		c.end.Session.HostTick = m.Tick
	}
	for _, ch := range m.Channels {
		c.end.Receiver.Define(ch)
	}
	for i := range m.Records {
		if c.end.Receiver.Take(m.Records[i].Seq) {
			c.role.record(&c.end, &m.Records[i], m.Seq)
		}
	}
	return nil
}

// snapshot handles a snapshot.
func (c *Client) snapshot(data []byte) error {
	r := &c.end.Replica
	c.end.Out.Snapshot(len(data))
	if _, _, _, err := wire.SnapshotHead(data); err != nil || c.end.Session.Stage != StagePlaying || !r.begun() && c.end.Cfg.Kind != Predictor {
		return err
	}
	m, err := r.read(data, c.end.Library.schema)
	switch {
	case errors.Is(err, replicate.ErrStale):
		c.end.Stats.Datagrams.Stale++
		return nil
	case errors.Is(err, replicate.ErrDuplicate):
		c.end.Stats.Datagrams.Duplicate++
		return nil
	case err != nil:
		return err
	}
	age := time.Duration(-1)
	if c.end.Clock.Synced() {
		age = max(c.end.Clock.HostTime(c.end.Now)-time.Duration(m.Tick)*(time.Second/time.Duration(r.schema().Setup.TickRate)), 0)
	}
	r.add(m, age)
	c.role.snapshot(&c.end, m)
	return nil
}

func (c *endpoint) control(b []byte) error {
	return c.Out.Control(c.Now, c.Session.Peer, b)
}

func (c *endpoint) datagramOut(now time.Duration, b []byte) {
	c.Out.Datagram(now, c.Session.Peer, b)
}
