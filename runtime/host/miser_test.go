package host_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
)

// A miser is a client that acknowledges as little as it may: now and then one packet,
// with the first record that is not acknowledged yet.
type miser struct {
	link   link.Link
	every  time.Duration
	now    time.Duration
	peer   link.Peer
	at     time.Duration // when it last acknowledged a packet
	seq    uint32
	ack    wire.Ack
	want   uint32          // the first record not acknowledged
	acked  map[uint32]bool // acknowledged records
	closed string
}

func (m *miser) poll(now time.Duration) {
	m.now = now
	m.link.Poll(now, func(ev link.Event) {
		m.peer = ev.Peer
		switch {
		case ev.Kind == link.Opened:
			_ = m.link.SendMessage(now, m.peer, link.Control, wire.AppendHello(nil, &wire.Hello{Version: wire.Version, Name: "miser"}))
		case ev.Kind == link.Closed:
			m.closed = ev.Reason
		case wire.KindOf(ev.Data) == wire.KindWelcome:
			_ = m.link.SendMessage(now, m.peer, link.Control, wire.AppendReady(nil, &wire.Ready{}))
		case wire.KindOf(ev.Data) == wire.KindKeyframe:
			k, _ := wire.ParseKeyframe(ev.Data)
			m.want, m.at = k.FirstSeq, now
		case wire.KindOf(ev.Data) == wire.KindHostPacket:
			m.frame(ev.Data)
		}
	})
	if m.want != 0 && m.closed == "" {
		m.seq++
		_ = m.link.SendDatagram(now, m.peer, wire.AppendInputPacket(nil, &wire.InputPacket{Seq: m.seq, Ack: m.ack}))
	}
}

func (m *miser) frame(data []byte) {
	var f wire.HostPacket
	if wire.ParseHostPacket(data, &f) != nil || m.now-m.at < m.every || !slices.ContainsFunc(f.Records, func(r wire.Record) bool { return r.Seq == m.want }) {
		return
	}
	m.at, m.ack = m.now, wire.Ack{Newest: f.Seq}
	for i := range f.Records {
		m.acked[f.Records[i].Seq] = true
	}
	for m.acked[m.want] {
		m.want++
	}
}

// TestClientThatFallsBehindIsDisconnected tests a client that acknowledges fewer records
// than are new. The host keeps the records that a client has not acknowledged, so such a
// client must not make the log grow without bound.
func TestClientThatFallsBehindIsDisconnected(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, roomtest.Options(1, 2, memlink.LAN()))
	m := &miser{link: sim.Net.Dial(memlink.Off(), memlink.Off()), every: 5 * time.Second, acked: map[uint32]bool{}}
	most := 0
	for range 3 * 60 * 60 {
		sim.Run(time.Second / 60)
		m.poll(sim.Now)
		most = max(most, sim.Host.LogLength())
		if m.closed != "" && !draws.Full() {
			break
		}
	}
	if m.want < 20 {
		t.Errorf("it acknowledged up to record %d only: the test does not show what it names", m.want)
	}
	if !strings.Contains(m.closed, "behind") || sim.Host.Players() != 2 {
		t.Errorf("%d players; the miser: %q", sim.Host.Players(), m.closed)
	}
	if perSecond := 60 * 3; most > 75*perSecond {
		t.Errorf("the host kept %d records, those of %d seconds", most, most/perSecond)
	}
}
