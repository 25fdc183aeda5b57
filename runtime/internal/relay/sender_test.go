package relay

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// TestRelayDeliversEveryRecordOnce: whatever the line loses, delays and
// reorders, the receiver takes every record exactly once, knows what each is
// about, and both ends agree in the end on what has arrived.
func TestRelayDeliversEveryRecordOnce(t *testing.T) {
	resent := 0
	missing := func() string {
		if resent > 0 {
			return ""
		}
		return "nothing had to be sent again"
	}
	draws.Until(t, 0, missing, func(t *rapid.T) {
		loss := rapid.SampledFrom([]float64{0, 0.01, 0.2, 0.5}).Draw(t, "loss")
		trip := rapid.IntRange(1, 20).Draw(t, "trip")
		jitter := rapid.IntRange(0, 10).Draw(t, "jitter")
		l := newNetwork(t, loss, trip, jitter)
		for tick := range 300 {
			if tick < 150 {
				l.happen(world.Tick(tick + 1))
			}
			l.frame(time.Duration(tick) * 16 * time.Millisecond)
		}
		for tick := 300; l.sender.base < l.log.End() && tick < 3000; tick++ {
			l.frame(time.Duration(tick) * 16 * time.Millisecond)
		}
		if l.sender.base != l.log.End() || l.in.base != l.log.End() {
			t.Fatalf("log ends at %d; the host knows that it arrived up to %d, the client has all below %d", l.log.End(), l.sender.base, l.in.base)
		}
		for seq := l.log.first; seq < l.log.End(); seq++ {
			if l.taken[seq] != 1 {
				t.Fatalf("record %d was taken %d times", seq, l.taken[seq])
			}
		}
		resent += l.resent
	})
}

// network is a sender and a receiver with a bad network between them.
type network struct {
	t            *rapid.T
	log          *Log
	sender       *Sender
	in           Receiver
	loss         float64
	trip, jitter int
	down, up     map[int][]datagram
	tick         int
	taken        map[uint32]int
	resent       int
}

type datagram struct {
	data []byte
	ack  wire.Ack
}

func newNetwork(t *rapid.T, loss float64, trip, jitter int) *network {
	log := NewLog(true)
	l := &network{t: t, log: log, sender: NewSender(log, 1, 0), loss: loss, trip: trip, jitter: jitter,
		down: map[int][]datagram{}, up: map[int][]datagram{}, taken: map[uint32]int{}}
	l.in.base = 1
	return l
}

// happen puts the events of a tick into the log.
func (l *network) happen(t world.Tick) {
	for id := world.ObjectID(1); id <= 5; id++ {
		l.log.Append(world.Event{Tick: t, Kind: world.InputEvent, Player: world.PlayerID(id), Object: id << 40, Bundle: 1}, nil)
	}
	l.log.Commit(t, uint64(t)*7)
}

func (l *network) lost() bool { return rapid.Float64Range(0, 1).Draw(l.t, "luck") < l.loss }

func (l *network) later() int {
	return l.tick + l.trip + rapid.IntRange(0, l.jitter).Draw(l.t, "jitter")
}

func (l *network) frame(now time.Duration) {
	l.tick++
	for _, p := range l.up[l.tick] {
		l.sender.Acknowledge(now, p.ack)
	}
	data := l.sender.Packet(now, world.Tick(l.tick), wire.InputAck{})
	l.resent += len(l.sender.flights[l.sender.seq%256].resent)
	if !l.lost() {
		at := l.later()
		l.down[at] = append(l.down[at], datagram{data: append([]byte(nil), data...)})
	}
	for _, p := range l.down[l.tick] {
		l.receive(p.data)
	}
	if !l.lost() {
		at := l.later()
		l.up[at] = append(l.up[at], datagram{ack: l.in.Ack()})
	}
}

func (l *network) receive(data []byte) {
	var m wire.HostPacket
	if err := wire.ParseHostPacket(data, &m); err != nil {
		l.t.Fatal(err)
	}
	if fresh, _ := l.in.Packet(m.Seq); !fresh {
		return
	}
	for _, c := range m.Channels {
		l.in.Define(c)
	}
	for i := range m.Records {
		r := &m.Records[i]
		if !l.in.Take(r.Seq) {
			continue
		}
		l.taken[r.Seq]++
		if sent := l.log.At(r.Seq); !r.Committed && l.in.Object(r.Channel) != sent.Event.Object {
			l.t.Fatalf("record %d is about object %v, the client thinks %v", r.Seq, sent.Event.Object, l.in.Object(r.Channel))
		}
	}
}

func TestSenderIsBehindWhileNotAllFits(t *testing.T) {
	log := NewLog(true)
	r := NewSender(log, 1, 0)
	log.Patch(1, make([]byte, 2*wire.MaxDatagram))
	for i, want := range []bool{true, true, false} {
		if n := len(r.Packet(0, 1, wire.InputAck{})); n > wire.MaxDatagram {
			t.Errorf("frame %d has %d bytes", i, n)
		}
		if r.Behind() != want {
			t.Errorf("after frame %d it is behind: %v, with %d of %d records sent", i, r.Behind(), r.next-1, log.End()-1)
		}
	}
}

// maskSince leaves out exactly those packets that were named before.
func TestMaskSinceNamesNewPackets(t *testing.T) {
	named := func(a wire.Ack) map[uint32]bool {
		set := map[uint32]bool{}
		for i := uint32(0); i < 64 && i+1 < a.Newest; i++ {
			set[a.Newest-1-i] = a.Mask>>i&1 != 0
		}
		set[a.Newest] = a.Newest != 0
		return set
	}
	draws.Check(t, func(t *rapid.T) {
		ack := func(name string) wire.Ack {
			return wire.Ack{Newest: rapid.Uint32Range(0, 200).Draw(t, name), Mask: rapid.Uint64().Draw(t, name+" mask")}
		}
		earlier, now := ack("earlier"), ack("now")
		had, all, got := named(earlier), named(now), named(wire.Ack{Newest: now.Newest, Mask: maskSince(now, earlier)})
		for seq := range all {
			old := had[seq] && now.Newest >= earlier.Newest
			if want := all[seq] && !old; seq != now.Newest && got[seq] != want {
				t.Fatalf("packet %d: %v, want %v, in %+v since %+v", seq, got[seq], want, now, earlier)
			}
		}
	})
}

// TestKnownNeverGoesBack acknowledges an older packet after a newer one.
func TestKnownNeverGoesBack(t *testing.T) {
	s := NewSender(NewLog(true), 1, 0)
	for tick := world.Tick(1); tick <= 5; tick++ {
		s.Packet(time.Duration(tick)*time.Second, tick+100, wire.InputAck{})
	}
	for _, c := range []struct {
		ack  uint32
		want world.Tick
	}{{0, 0}, {4, 104}, {2, 104}, {9, 104}, {5, 105}, {1, 105}} {
		s.Acknowledge(6*time.Second, wire.Ack{Newest: c.ack})
		if got, sent := s.Known(); got != c.want || got != 0 && sent != time.Duration(got-100)*time.Second {
			t.Errorf("acknowledged %d: known %d, sent at %v", c.ack, got, sent)
		}
	}
}
