package relay

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// TestRelayBringsEveryRecordOnce: whatever the line loses, delays and
// reorders, the receiver takes every record exactly once, knows what each is
// about, and both ends agree in the end on what has arrived.
func TestRelayBringsEveryRecordOnce(t *testing.T) {
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
		l := newLine(t, loss, trip, jitter)
		for tick := range 300 {
			if tick < 150 {
				l.happen(world.Tick(tick + 1))
			}
			l.frame(time.Duration(tick) * 16 * time.Millisecond)
		}
		for tick := 300; l.relay.base < l.log.End() && tick < 3000; tick++ {
			l.frame(time.Duration(tick) * 16 * time.Millisecond)
		}
		if l.relay.base != l.log.End() || l.in.base != l.log.End() {
			t.Fatalf("log ends at %d; the host knows that it arrived up to %d, the client has all below %d", l.log.End(), l.relay.base, l.in.base)
		}
		for seq := l.log.first; seq < l.log.End(); seq++ {
			if l.taken[seq] != 1 {
				t.Fatalf("record %d was taken %d times", seq, l.taken[seq])
			}
		}
		resent += l.resent
	})
}

// line is a relay and a receiver with a bad network between.
type line struct {
	t            *rapid.T
	log          *Log
	relay        *Sender
	in           Receiver
	loss         float64
	trip, jitter int
	down, up     map[int][]packet
	tick         int
	taken        map[uint32]int
	resent       int
}

type packet struct {
	data []byte
	ack  wire.Ack
}

func newLine(t *rapid.T, loss float64, trip, jitter int) *line {
	log := NewLog()
	l := &line{t: t, log: log, relay: NewSender(log, 1, 0), loss: loss, trip: trip, jitter: jitter,
		down: map[int][]packet{}, up: map[int][]packet{}, taken: map[uint32]int{}}
	l.in.base = 1
	return l
}

// happen puts a tick's worth of events into the log.
func (l *line) happen(t world.Tick) {
	for id := world.ObjectID(1); id <= 5; id++ {
		l.log.Append(world.Event{Tick: t, Kind: world.InputEvent, Player: world.PlayerID(id), Object: id << 40, Bundle: 1})
	}
	l.log.Commit(t, uint64(t)*7)
}

func (l *line) lost() bool { return rapid.Float64Range(0, 1).Draw(l.t, "luck") < l.loss }

func (l *line) later() int { return l.tick + l.trip + rapid.IntRange(0, l.jitter).Draw(l.t, "jitter") }

func (l *line) frame(now time.Duration) {
	l.tick++
	for _, p := range l.up[l.tick] {
		l.relay.Acknowledge(now, p.ack)
	}
	data := l.relay.Packet(now, world.Tick(l.tick), wire.InputAck{})
	l.resent += len(l.relay.flights[l.relay.frameSeq%256].resent)
	if !l.lost() {
		at := l.later()
		l.down[at] = append(l.down[at], packet{data: append([]byte(nil), data...)})
	}
	for _, p := range l.down[l.tick] {
		l.receive(p.data)
	}
	if !l.lost() {
		at := l.later()
		l.up[at] = append(l.up[at], packet{ack: l.in.Ack()})
	}
}

func (l *line) receive(data []byte) {
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

func TestChannelNamesAreUsedAgainOnlyWhenAllAre(t *testing.T) {
	l := NewLog()
	for id := world.ObjectID(1); id <= 1<<16; id++ {
		l.channel(id)
		if id%1000 == 0 {
			l.ReleaseChannels(func(other world.ObjectID) bool { return other > id-10 })
		}
	}
	if len(l.objects) != 1<<16 {
		t.Fatalf("%d names after 65,536 objects", len(l.objects))
	}
	n := l.channel(1 << 20)
	if l.objects[n] != 1<<20 || n != 0 {
		t.Errorf("the next object is called %d: want the name that has been free longest", n)
	}
}

func TestLogForgetsWhatAllHave(t *testing.T) {
	l := NewLog()
	for tick := world.Tick(1); tick <= 5000; tick++ {
		l.Append(world.Event{Tick: tick, Kind: world.JoinEvent, Player: 1})
	}
	l.Forget(4000, 3000)
	if l.first != 3001 || l.At(3001).Event.Tick != 3001 {
		t.Errorf("the log begins at %d", l.first)
	}
	if !l.HasNews(4990, 5000) || l.HasNews(5001, 5000) || l.HasNews(4990, 4000) || !l.HasNews(5, 10) {
		t.Error("newsFor")
	}
}

func TestARelayIsBehindWhileNotAllFits(t *testing.T) {
	log := NewLog()
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

// TestNamesOfObjectsThatComeAgain: an object that is steered, then left alone for a
// while, and steered again, has another name. No two that are steered have the same
// one, also when all names have been used.
func TestNamesOfObjectsThatComeAgain(t *testing.T) {
	log := NewLog()
	luck := rand.New(rand.NewPCG(1, 2))
	for turn := range 2000 {
		live := map[world.ObjectID]bool{}
		names := map[uint16]world.ObjectID{}
		for id := world.ObjectID(1); id <= 300; id++ {
			if live[id] = luck.IntN(5) > 0; !live[id] { // it is left alone
				continue
			}
			n := log.channel(id)
			if other, taken := names[n]; taken || log.objects[n] != id {
				t.Fatalf("turn %d, after %d names: %d is the name of %v and %v, and stands for %v", turn, len(log.objects), n, id, other, log.objects[n])
			}
			names[n] = id
		}
		log.ReleaseChannels(func(id world.ObjectID) bool { return live[id] })
	}
	if len(log.objects) < 1<<16 {
		t.Errorf("only %d names were used", len(log.objects))
	}
}
