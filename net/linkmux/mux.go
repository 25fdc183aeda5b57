package linkmux

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/loglimit"
)

// Options configures a Mux. The zero value has clients name their room with Join. Numbers
// below 0 count as 0.
type Options struct {
	// Route, if not nil, names the room of a peer by the first message that it sends on
	// Control, which the room then gets as well. An error closes the peer; its text is
	// the reason. Route is called by Poll. It may call methods of the Mux, such as Open,
	// but not Poll. first is valid only during the call.
	Route func(p link.Peer, first []byte) (room string, err error)

	// MaxWaiting is the largest number of peers without a room; 0 means 64. If there are
	// more, the one that has waited longest is closed: a client that means well needs one
	// round trip to name its room.
	MaxWaiting int
	// WaitTime is how long a peer may have no room; 0 means 5 s.
	WaitTime time.Duration
	// MaxFirst is the largest first message, in bytes; 0 means 4 KB.
	MaxFirst int

	// Logger logs the peers that get no room; nil logs nothing.
	Logger *slog.Logger
}

// filled returns the options with the defaults in place of zeros.
func (o Options) filled() Options {
	o.MaxWaiting = cmp.Or(max(o.MaxWaiting, 0), 64)
	o.WaitTime = cmp.Or(max(o.WaitTime, 0), 5*time.Second)
	o.MaxFirst = cmp.Or(max(o.MaxFirst, 0), 4<<10)
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	return o
}

// Stats counts what a Mux has done since it was made.
type Stats struct {
	Rooms   int // open now
	Peers   int // in rooms, now
	Waiting int // peers without a room, now

	Refused uint64 // peers that were closed without having had a room
	Dropped uint64 // datagrams of peers without a room, or for a room that did not poll
	Stalled uint64 // peers that were closed since their room did not poll
}

// Mux shares the link of a host among rooms.
type Mux struct {
	opts  Options
	lines *loglimit.Log[link.Peer]
	trunk *trunk
	lobby lobby
	now   time.Duration
	batch batch

	waiting                   atomic.Int64 // len of lobby
	refused, dropped, stalled atomic.Uint64
}

// New returns a Mux without rooms. It takes over the link of a host: from now on, only
// the Mux may use it.
func New(l link.Link, o Options) *Mux {
	if l == nil {
		panic("linkmux: New needs the link of a host")
	}
	o = o.filled()
	return &Mux{opts: o, lines: loglimit.New[link.Peer](o.Logger), trunk: newTrunk(l)}
}

// Open opens a room for clients that name it. The error wraps ErrRoomName, or
// link.ErrShutdown. It is safe for concurrent use.
func (m *Mux) Open(name string) (*Room, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	return openRoom(m.trunk, name)
}

// Do calls f with the shared link, which no other goroutine uses meanwhile: for methods
// that only this link has, such as an address. f may not call methods of the Mux or of
// its rooms, and not Poll. It is safe for concurrent use.
func (m *Mux) Do(f func(l link.Link)) { m.trunk.do(f) }

// Stats returns the counters. It is safe for concurrent use.
func (m *Mux) Stats() Stats {
	rooms, peers := m.trunk.sizes()
	return Stats{Rooms: rooms, Peers: peers, Waiting: int(m.waiting.Load()),
		Refused: m.refused.Load(), Dropped: m.dropped.Load(), Stalled: m.stalled.Load()}
}

// Shutdown shuts the shared link down. The rooms get Closed of each of their peers, and
// their sends fail with link.ErrShutdown. It is safe for concurrent use.
func (m *Mux) Shutdown(reason string) error { return m.trunk.shutdown(reason) }

// Run polls the Mux in real time until ctx is done, then shuts it down with the reason
// "the host has stopped" and returns the error of that. If the Mux is shut down before,
// Run returns nil.
func (m *Mux) Run(ctx context.Context) error {
	began := time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	var ready <-chan struct{}
	m.Do(func(l link.Link) { ready = l.Ready() })
	for {
		m.Poll(time.Since(began))
		now := time.Since(began)
		timer.Reset(m.Due(now) - now)
		select {
		case <-ctx.Done():
			return m.Shutdown("the host has stopped")
		case <-timer.C:
		case <-ready:
		case <-m.trunk.signalled():
		}
		if m.trunk.isDown() {
			return nil
		}
	}
}

// Due returns when the next Poll is needed. It is for programs that call Poll themselves.
// Packets that arrive do not show there, and what rooms send does.
func (m *Mux) Due(now time.Duration) time.Duration { return min(m.trunk.due(now), m.lobby.due()) }

// Poll polls the shared link and hands what has come to the rooms, which deliver it in
// their own polls. Programs that do not use Run call it, as they would call that of a
// link.
func (m *Mux) Poll(now time.Duration) {
	m.now = max(m.now, now)
	m.batch.clear()
	m.trunk.poll(m.now, m.batch.add)
	for i := range m.batch.len() {
		m.take(m.batch.at(i))
	}
	for m.lobby.expired(m.now) {
		m.refuse(m.lobby.first(), fmt.Sprintf("no room was named in %v", m.opts.WaitTime))
	}
	m.waiting.Store(int64(m.lobby.len()))
}

// take hands an event to the room of its peer.
func (m *Mux) take(ev link.Event) {
	if s := m.trunk.memberOf(ev.Peer); s != nil {
		m.takeOfMember(s, ev)
		return
	}
	switch ev.Kind {
	case link.Opened:
		if m.lobby.len() >= m.opts.MaxWaiting {
			m.refuse(m.lobby.first(), "too many connections wait for a room")
		}
		m.lobby.enter(ev.Peer, m.now+m.opts.WaitTime)
	case link.Closed:
		m.lobby.leave(ev.Peer)
	case link.Datagram:
		m.dropped.Add(1)
	case link.Message:
		if m.lobby.leave(ev.Peer) { // if not, it has been closed in the meantime
			m.route(ev)
		}
	}
}

func (m *Mux) takeOfMember(s *member, ev link.Event) {
	if ev.Kind == link.Closed {
		m.trunk.leave(ev.Peer)
	}
	if s.file(ev) {
		return
	}
	if ev.Kind == link.Datagram {
		m.dropped.Add(1)
		return
	}
	const reason = "the room does not take messages"
	m.stalled.Add(1)
	m.trunk.close(ev.Peer, reason)
	s.file(link.Event{Kind: link.Closed, Peer: ev.Peer, Reason: reason})
}

// route gives a peer the room that its first message asks for.
func (m *Mux) route(ev link.Event) {
	if ev.Stream != link.Control {
		m.refuse(ev.Peer, fmt.Sprintf("a message on %v before a room was named", ev.Stream))
		return
	}
	if len(ev.Data) > m.opts.MaxFirst {
		m.refuse(ev.Peer,
			fmt.Sprintf("the first message has %d bytes, at most %d are taken", len(ev.Data), m.opts.MaxFirst))
		return
	}
	room, first, err := m.roomOf(ev)
	if err != nil {
		m.refuse(ev.Peer, err.Error())
		return
	}
	if !m.trunk.enter(ev.Peer, room, first) {
		m.refuse(ev.Peer, fmt.Sprintf("there is no room %q", room))
	}
}

// roomOf returns the room that a first message asks for, and the message if the room is to
// get it.
func (m *Mux) roomOf(ev link.Event) (room string, first []byte, err error) {
	if m.opts.Route != nil {
		room, err = m.opts.Route(ev.Peer, ev.Data)
		return room, ev.Data, err
	}
	room, err = parseHello(ev.Data)
	return room, nil, err
}

func (m *Mux) refuse(p link.Peer, reason string) {
	m.refused.Add(1)
	m.lines.Line(m.now, slog.LevelInfo, p, "peer without a room closed", "peer", uint64(p), "reason", reason)
	m.trunk.close(p, reason)
}
