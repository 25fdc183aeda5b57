package roomtest

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// ByHand is a host for one client. It sends what a test wants.
type ByHand struct {
	End    *memlink.End
	Client *client.Client
	Peer   link.Peer
	Now    time.Duration
	Heard  map[wire.Kind]int // how many messages and datagrams of each kind came from the client
	seq    uint32            // of the last HostPacket
}

// NewByHand makes a host for a predictor.
func NewByHand() *ByHand { return ByHandTo(false) }

// ByHandTo makes a host for a spectator or for a predictor.
func ByHandTo(watches bool) *ByHand {
	return ByHandWith(func(cfg *client.Config) {
		if watches {
			cfg.Kind = client.Spectator
		}
	})
}

// ByHandWith makes a host for a predictor whose Config is changed.
func ByHandWith(change func(cfg *client.Config)) *ByHand {
	net := memlink.New(1)
	h := &ByHand{End: net.Host()}
	cfg := client.Config{
		Link:     net.Dial(memlink.Off(), memlink.Off()),
		Compile:  stub.Compile,
		Controls: Wanderers(0),
		Cues:     func(room.CueEvent) {},
	}
	change(&cfg)
	h.Client = client.New(cfg)
	h.Run(80 * time.Millisecond)
	return h
}

// Run lets time pass; pings are answered, so that the client knows the time.
func (h *ByHand) Run(d time.Duration) {
	for end := h.Now + d; h.Now < end; h.Now += 4 * time.Millisecond {
		h.End.Poll(h.Now, func(ev link.Event) {
			h.Peer = ev.Peer
			if h.Heard == nil {
				h.Heard = map[wire.Kind]int{}
			}
			if len(ev.Data) > 0 {
				h.Heard[wire.KindOf(ev.Data)]++
			}
			if ping, err := wire.ParsePing(ev.Data); ev.Kind == link.Datagram && err == nil {
				_ = h.End.SendDatagram(h.Now, h.Peer, wire.AppendPong(nil, &wire.Pong{
					Sent: ping.Sent,
					Host: h.Now + 2*time.Second,
				}))
			}
		})
		h.Client.Poll(h.Now)
		h.Client.Update(h.Now)
	}
}

// Say sends a message, and lets time pass until it has arrived.
func (h *ByHand) Say(stream link.Stream, b []byte) {
	_ = h.End.SendMessage(h.Now, h.Peer, stream, b)
	h.Run(20 * time.Millisecond)
}

// Frame sends records in a HostPacket.
func (h *ByHand) Frame(records ...wire.Record) {
	h.seq++
	_ = h.End.SendDatagram(h.Now, h.Peer, wire.AppendHostPacket(nil, &wire.HostPacket{
		Seq:     h.seq,
		Tick:    100,
		Records: records,
	}))
	h.Run(4 * time.Millisecond)
}

// Announce announces the stub as a bundle.
func (h *ByHand) Announce(number uint32) {
	a := Announcement(number)
	h.Say(link.Control, wire.AppendAnnounce(nil, &a))
}

// SendBundle sends the stub as a bundle.
func (h *ByHand) SendBundle() {
	h.Say(link.Bulk, BundleMessage(stub.Game()))
}

// LetIn welcomes the client and sends it a keyframe.
func (h *ByHand) LetIn(s *world.State) {
	h.Say(link.Control, wire.AppendWelcome(nil, &wire.Welcome{Player: 1, Bundles: []wire.Announce{Announcement(1)}}))
	h.SendBundle()
	h.Say(link.Bulk, wire.AppendKeyframe(nil, &wire.Keyframe{FirstSeq: 1, State: StateBytes(s)}))
}

// Announcement returns the announcement of the stub as a bundle.
func Announcement(number uint32) wire.Announce {
	data := stub.Game().Encode()
	return wire.Announce{Number: number, Hash: bundle.HashOf(data), Bytes: uint32(len(data))}
}

// BundleMessage returns the message with a whole bundle.
func BundleMessage(b *bundle.Bundle) []byte {
	data := b.Encode()
	return wire.AppendBundle(nil, &wire.Bundle{Hash: bundle.HashOf(data), Data: bundle.Pack(data)})
}

// StateBytes is the byte form of a state of the stub.
func StateBytes(s *world.State) []byte {
	script, err := stub.Compile(nil, stub.Game().Setup)
	if err != nil {
		panic(err)
	}
	return world.AppendState(nil, s, script.Schema())
}

// FirstTick returns the state of the stub after tick 1.
func FirstTick(t *testing.T) *world.State {
	t.Helper()
	script, err := stub.Compile(nil, stub.Game().Setup)
	if err != nil {
		t.Fatal(err)
	}
	tl := timeline.New(script, timeline.Options{States: 16})
	tl.Step()
	return tl.At(1)
}
