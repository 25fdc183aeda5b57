package kcplink

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	protocol "github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	matches "github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/goscript"
	"github.com/hindcast/hindcast/world/physics"
	"github.com/xtaci/kcp-go/v5"
)

// crowdedRoom returns a game of the largest size, in which there are 4,000 objects.
func crowdedRoom() (*bundle.Bundle, world.Compile) {
	g := goscript.NewGame("crowded", "1")
	crate := g.Class(world.Class{Name: "Crate", Body: goscript.Dynamic(physics.CircleShape(0.1))})
	for i := range 6 {
		crate.Number(fmt.Sprintf("f%d", i), 1.5)
	}
	g.OnStart = func(a goscript.Actor) {
		for i := range 4000 {
			a.Spawn(crate, goscript.At(float64(i%80)/2-20, float64(i/80)/2-12))
		}
	}
	b := bundle.New("crowded", g.Source())
	rng := rand.New(rand.NewPCG(1, 2))
	for i := 0; len(b.Encode()) < bundle.MaxSize-70<<10; i++ {
		var s strings.Builder
		for s.Len() < 60<<10 {
			fmt.Fprintf(&s, "-- %x\n", rng.Uint64())
		}
		b.Files = append(b.Files, world.Source{Name: fmt.Sprintf("file%03d.lua", i), Text: s.String()})
	}
	b.Rules.MaxPlayers = world.MaxPlayers
	own := goscript.Compile(g)
	return b, func(files []world.Source, setup world.Setup) (world.Script, error) { return own(files[:1], setup) }
}

// hoarder is a peer that pings, answers pings, and reads nothing else.
type hoarder struct {
	w       *wire
	to      netip.AddrPort
	sock    *wireSock
	id      uint64
	seq, sn uint32
	said    uint32 // InputPackets
}

func (h *hoarder) say(k kind, body []byte) {
	h.seq++
	h.w.send(h.sock.addr, h.to, packetOf(k, h.id, h.seq, body))
}

// ask sends a message on control.
func (h *hoarder) ask(m []byte) {
	data := append(binary.LittleEndian.AppendUint32(nil, uint32(len(m))), m...)
	h.say(kindSegments, segment(convOf(link.Control), kcp.IKCP_CMD_PUSH, 0, h.sn, uint32(len(data)), data))
	h.sn++
}

// heap returns how many bytes are in use.
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // pools keep what they have for one more
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// TestPeersThatNeverRead tests players of a room with the largest bundle and 4,000 objects, who ask for whatever they
// may, as often as they may, and acknowledge nothing. What waits for them stays bounded, and after five seconds they
// are let go.
func TestPeersThatNeverRead(t *testing.T) {
	if testing.Short() {
		t.Skip("it has one goroutine, and takes 40 s in the race detector")
	}
	game, compile := crowdedRoom()
	hash := bundle.HashOf(game.Encode())
	for _, c := range []struct {
		peers  int
		greedy bool // they ask for the bundle again and again
		plays  bool // they say that they have the keyframe, so that they are sent the log and snapshots
	}{{60, false, false}, {128, true, false}, {128, false, false}, {128, false, true}} {
		t.Run(fmt.Sprintf("%d peers, greedy %v, plays %v", c.peers, c.greedy, c.plays), func(t *testing.T) {
			w := newWire(t)
			node := w.listen(1, Options{Protocol: protocol.Version})
			room, err := matches.New(matches.Config{Bundle: game, Compile: compile, Link: node.Link})
			if err != nil {
				t.Fatal(err)
			}
			const step = 20 * time.Millisecond
			run := func() {
				w.now += step
				room.Poll(w.now)
				if err := room.Update(w.now); err != nil {
					t.Fatal(err)
				}
			}
			for range 100 {
				run()
			}
			idle := heap()
			hoarders := make(map[netip.AddrPort]*hoarder)
			var all []*hoarder
			for i := range c.peers {
				h := &hoarder{w: w, to: node.sock.addr, sock: w.bare(2 + i)}
				_, h.id = connectByPoll(w, node, h.sock, uint64(i), room.Poll)
				hoarders[h.sock.addr], all = h, append(all, h)
			}
			w.drop = func(from, to netip.AddrPort, b []byte) bool {
				if from != node.sock.addr {
					return false
				}
				if kind(b[0]) == kindPing {
					hoarders[to].say(kindPong, b[headerSize:])
				}
				return true
			}
			most, asked, players := 0, 0, 0
			for i := range int(7 * time.Second / step) {
				for n, h := range all {
					turn := i - n%20
					switch {
					case turn < 0:
					case turn == 0:
						h.ask(protocol.AppendHello(nil, &protocol.Hello{Version: protocol.Version, Name: fmt.Sprint(n)}))
					case turn == 1 || c.greedy && turn < 15:
						h.ask(protocol.AppendBundleWant(nil, &protocol.BundleWant{Hash: hash}))
					case c.plays && turn > 2 && turn%50 != 0:
						h.said++
						h.say(kindDatagram, protocol.AppendInputPacket(nil, &protocol.InputPacket{Seq: h.said}))
						continue
					case turn < 15 || turn%100 == 0:
						h.ask(protocol.AppendReady(nil, &protocol.Ready{Snapshots: turn%2 == 0}))
					case turn%100 == 50:
						h.ask(protocol.AppendStateWant(nil, &protocol.StateWant{Tick: room.Committed()}))
					default:
						continue
					}
					asked++
				}
				run()
				players = max(players, room.Players())
				if i%25 == 0 {
					most = max(most, heap()-idle)
				}
			}
			t.Logf("%d requests; the heap grew by %.1f MB", asked, float64(most)/1e6)
			if most > 65e6 {
				t.Errorf("the heap grew by %.1f MB", float64(most)/1e6)
			}
			if n := node.Stats().Peers; n != 0 {
				t.Errorf("%d peers are still there", n)
			}
			if n := node.Stats().Stuck; !c.greedy && (players != c.peers || int(n) != c.peers) {
				t.Errorf("%d players, of whom %d were let go because they acknowledged nothing", players, n)
			}
			if err := room.Close(w.now, "over"); err != nil {
				t.Error(err)
			}
		})
	}
}

// connectByPoll is connectByHand for a link that another one polls.
func connectByPoll(w *wire, host *node, s *wireSock, nonce uint64, poll func(now time.Duration)) (connect []byte, id uint64) {
	w.t.Helper()
	w.send(s.addr, host.sock.addr, appendHello(nil, hello{linkVersion, host.Link.io.opts().Protocol, nonce}))
	poll(w.now)
	_, c, err := parseCookie(s.got[len(s.got)-1], kindCookie)
	if err != nil {
		w.t.Fatal(err)
	}
	connect = appendCookie(nil, kindConnect, nonce, c)
	w.send(s.addr, host.sock.addr, connect)
	poll(w.now)
	_, id, err = parseAccept(s.got[len(s.got)-1])
	if err != nil {
		w.t.Fatal(err)
	}
	return connect, id
}

// TestPeerThatTakesLittleIsOwedOneState tests a player who acknowledges one packet in 4.9 s, which keeps the connection,
// and asks for the largest messages of a room as often as that is allowed. What waits for them is one of those at a time.
func TestPeerThatTakesLittleIsOwedOneState(t *testing.T) {
	game, compile := crowdedRoom()
	game.Files = game.Files[:1]
	w := newWire(t)
	node := w.listen(1, Options{Protocol: protocol.Version})
	log := &sizes{Link: node.Link}
	room, err := matches.New(matches.Config{Bundle: game, Compile: compile, Link: log})
	if err != nil {
		t.Fatal(err)
	}
	h := &hoarder{w: w, to: node.sock.addr, sock: w.bare(2)}
	_, h.id = connectByPoll(w, node, h.sock, 1, room.Poll)
	w.drop = func(from, to netip.AddrPort, b []byte) bool {
		if from == node.sock.addr && kind(b[0]) == kindPing {
			h.say(kindPong, b[headerSize:])
		}
		return from == node.sock.addr
	}
	h.ask(protocol.AppendHello(nil, &protocol.Hello{Version: protocol.Version, Name: "miser"}))
	const step, seconds = 50 * time.Millisecond, 40
	most, acknowledged := 0, uint32(0)
	for i := range seconds * 20 {
		switch {
		case i == 100, i > 100 && i%60 == 0:
			h.ask(protocol.AppendReady(nil, &protocol.Ready{}))
		case i > 120 && i%60 == 30:
			h.ask(protocol.AppendStateWant(nil, &protocol.StateWant{Tick: room.Committed(), Hash: 1}))
		case i > 120 && i%98 == 0:
			h.say(kindSegments, segment(convOf(link.Bulk), kcp.IKCP_CMD_ACK, 0, acknowledged, 0, nil))
			acknowledged++
		}
		w.now += step
		room.Poll(w.now)
		if err := room.Update(w.now); err != nil {
			t.Fatal(err)
		}
		most = max(most, node.Link.Queued(log.peer, link.Bulk))
	}
	t.Logf("%d acknowledgements, %d messages of at most %d KB, %d KB wait at most", acknowledged, log.sent,
		log.largest>>10, most>>10)
	if node.Stats().Peers != 1 || acknowledged < 6 || log.sent == 0 {
		t.Errorf("%d peers, %d acknowledgements, %d messages: the test does not show what it names", node.Stats().Peers,
			acknowledged, log.sent)
	}
	if most > log.largest+64<<10 {
		t.Errorf("%d KB wait for a peer, the largest message has %d", most>>10, log.largest>>10)
	}
	if err := room.Close(w.now, "over"); err != nil {
		t.Error(err)
	}
}

// sizes is a Link that notes the messages that are sent on bulk.
type sizes struct {
	link.Link
	peer          link.Peer
	largest, sent int
}

func (s *sizes) SendMessage(now time.Duration, p link.Peer, st link.Stream, b []byte) error {
	if st == link.Bulk {
		s.peer, s.largest, s.sent = p, max(s.largest, len(b)), s.sent+1
	}
	return s.Link.SendMessage(now, p, st, b)
}
