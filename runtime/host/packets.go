package host

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/world"
)

// received handles what a Poll receives.
func (h *Host) received(ev link.Event) {
	switch ev.Kind {
	case link.Opened:
		if _, open := h.clock.Due(h.clock.Now()); !open {
			h.dismiss(h.clock.Now(), ev.Peer, h.clock.Stopped(), hostStopped)
			return
		}
		p := newPeer(ev.Peer, h.clock.Now(), &h.desk, h.cfg.Verify)
		h.locate(p)
		h.roster.Add(p)
		h.thin(h.clock.Now())
	case link.Closed:
		h.gone(ev.Peer, ev.Reason)
	case link.Datagram:
		if p := h.roster.Find(ev.Peer); p != nil {
			h.datagram(h.clock.Now(), p, ev.Data)
		}
	case link.Message:
		if p := h.roster.Find(ev.Peer); p != nil {
			h.message(h.clock.Now(), p, ev.Data)
		}
	}
}

func (h *Host) datagram(now time.Duration, p *peer, data []byte) {
	count := h.stats.Datagrams()
	switch kind := wire.KindOf(data); {
	case kind == wire.KindPing:
		ping, err := wire.ParsePing(data)
		if err != nil {
			h.malformed(err)
			return
		}
		h.mail.Pong(now, p.id, &wire.Pong{Sent: ping.Sent, Host: h.clock.Simulated(h.match.Now(), now)})
	case kind != wire.KindInputPacket && kind != wire.KindMotion:
		count.Malformed++
		h.refused.Add("malformed_kind_of_datagram")
	case !p.Playing():
		count.Stale++
	case kind == wire.KindInputPacket:
		fresh, collapsed, err := p.inbox.PutInputs(data, h.clock.Simulated(h.match.Now(), now))
		switch {
		case err != nil:
			h.malformed(err)
		case !fresh:
			count.Stale++
		case collapsed:
			count.Collapsed++
		}
	case !p.inbox.PutMotion(data):
		count.Collapsed++
	}
}

// malformed counts a datagram that is no valid message.
func (h *Host) malformed(err error) {
	h.stats.Datagrams().Malformed++
	h.refused.Malformed(err)
}

func (h *Host) message(now time.Duration, p *peer, data []byte) {
	kind := wire.KindOf(data)
	err := p.Accept(now, kind)
	if err == nil {
		err = h.answer(now, p, kind, data)
	}
	h.settle(now, p, err)
}

// settle disconnects a client whose message was an error.
func (h *Host) settle(now time.Duration, p *peer, err error) {
	var known *refusedError
	switch {
	case err == nil:
	case errors.Is(err, errRoomFull):
		h.expel(now, p, roomFull, err.Error())
	case errors.As(err, &known):
		h.expel(now, p, known.why, "protocol error: "+err.Error())
	default:
		if errors.Is(err, wire.ErrMalformed) {
			h.refused.Malformed(err)
		}
		h.expel(now, p, badMessage, "protocol error: "+err.Error())
	}
}

// answer handles an accepted message.
func (h *Host) answer(now time.Duration, p *peer, kind wire.Kind, data []byte) error {
	switch kind {
	case wire.KindHello:
		return h.hello(now, p, data)
	case wire.KindBundleWant:
		return h.bundleWant(now, p, data)
	case wire.KindReady:
		return h.ready(now, p, data)
	case wire.KindAssetWant:
		return h.assetWant(p, data)
	case wire.KindEnter:
		return h.enter(p, data)
	case wire.KindChat:
		return h.chat(now, p, data)
	case wire.KindStateWant:
		return h.stateWant(now, p, data)
	}
	return fmt.Errorf("%w: kind %d", wire.ErrMalformed, kind)
}

func (h *Host) chat(now time.Duration, p *peer, data []byte) error {
	m, err := wire.ParseChat(data)
	if err != nil {
		return err
	}
	if p.Present() == 0 {
		h.refused.Add(chatOfOnlooker)
		h.lines.Line(now, slog.LevelInfo, p.source(), "chat of an onlooker refused", "player", p.Player(), "name",
			p.Name())
		return h.mail.Control(now, p.id,
			wire.AppendChat(nil, &wire.Chat{Text: "chat and commands are for players who have joined"}))
	}
	m.Player = p.Player()
	if !h.notify.AllowChat(m.Player, m.Text) {
		h.refused.Add(chatRejected)
		h.lines.Line(now, slog.LevelInfo, p.source(), "chat refused", "player", p.Player(), "name", p.Name(), "text",
			m.Text)
		return nil
	}
	h.lines.Line(now, slog.LevelInfo, p.source(), "chat", "player", p.Player(), "name", p.Name(), "text", m.Text)
	if isCommand(m.Text) {
		return h.command(now, p, m.Text)
	}
	if h.filterChat(&m) {
		h.relayChat(&m)
	}
	return nil
}

// filterChat gives a line of chat the text that the scripts make of it. It reports whether there is one.
func (h *Host) filterChat(m *wire.Chat) bool {
	f, ok := h.match.Scripts().Of(h.State().Bundle).(world.ChatFilter)
	if !ok {
		return true
	}
	text, ok, err := f.FilterChat(h.Reader(), m.Player, m.Text)
	if err != nil {
		h.errors.Hook(h.Now(), "filterChat", err, h.log)
	}
	m.Text = text
	return ok
}

// command lets a player call a function of the game in the coming tick. A player whose command is refused gets
// the reason as a line of chat from the host, and nobody else does.
func (h *Host) command(now time.Duration, p *peer, line string) error {
	e := h.hostEvent(world.CallEvent)
	name := ""
	var err error
	if e.Name, e.Values, err = readCommand(h.coming().Functions, p.Player(), line); err == nil {
		name = splitName(h.coming().Functions, &e)
		err = e.Check(h.coming())
	}
	if err == nil {
		err = h.insertHostEvent(&e)
	}
	if err == nil {
		h.takeName(p, name)
		return nil
	}
	h.refused.Add(badCommand)
	return h.mail.Control(now, p.id, wire.AppendChat(nil, &wire.Chat{Text: err.Error()}))
}

// relayChat sends a line of chat to all players.
func (h *Host) relayChat(m *wire.Chat) {
	h.cfg.Recorder.Chat(m.Player, m.Text)
	b := wire.AppendChat(nil, m)
	h.roster.Playing(func(q *peer) { _ = h.mail.Control(h.clock.Now(), q.id, b) })
}

// stateWant answers a client whose hash differs from the host's.
func (h *Host) stateWant(now time.Duration, p *peer, data []byte) error {
	m, err := wire.ParseStateWant(data)
	if err != nil {
		return err
	}
	if m.Tick > h.match.Commits().Tick() {
		return because(badMessage, "%w: state of tick %d, which is not committed", wire.ErrMalformed, m.Tick)
	}
	if h.mail.Busy(p.id) {
		h.answers.Wait(p.id, p.States(), true, data)
		return nil
	}
	s := h.match.Past().AtOrAfter(m.Tick)
	key := answerKey{kind: wire.KindStateReply, tick: s.Tick}
	b, size, ok := h.answers.Make(now, h.match.Commits().Tick(), key, func() ([]byte, int) {
		reply := wire.StateReply{Tick: s.Tick, State: h.stateBytes(h.match.Scripts().SharedPart(s))}
		h.cfg.Recorder.State(s.Tick, h.stateBytes(s))
		return wire.AppendStateReply(nil, &reply), len(reply.State)
	})
	if !ok {
		h.answers.Wait(p.id, p.States(), false, data)
		return nil
	}
	h.noteDesync(now, p, &m)
	h.mail.State(size, false)
	p.SentState()
	return h.mail.Bulk(now, p.id, b)
}

// noteDesync logs that a client has another hash of a tick than the host, unless the host cannot see that it differs:
// the word of a client alone accuses nobody.
func (h *Host) noteDesync(now time.Duration, p *peer, m *wire.StateWant) {
	hash, kept := h.match.Commits().Said(m.Tick)
	switch {
	case !kept:
		h.refused.Add(notKept)
	case m.Hash == 0 || m.Hash == hash:
		h.refused.Add(agrees)
	default:
		h.lines.Line(now, slog.LevelError, p.source(), "desync", "player", p.Player(), "tick", uint32(m.Tick),
			"hash", side.HashText(m.Hash), "host", side.HashText(hash))
	}
}
