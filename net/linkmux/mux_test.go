package linkmux

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
)

const ms = time.Millisecond

// building is a Mux on virtual time with links that write down their events.
type building struct {
	t       *testing.T
	network *memlink.Network
	mux     *Mux
	now     time.Duration
	doors   []*door
}

// door is a link of a room or of a client.
type door struct {
	link.Link
	events []string
	shut   bool // it is not polled
	on     func(ev link.Event)
}

func newBuilding(t *testing.T, o Options) *building {
	b := &building{t: t, network: memlink.New(1)}
	b.network.Check(true)
	b.mux = New(b.network.Host(), o)
	return b
}

func (b *building) room(name string) *door { return b.add(open(b.t, b.mux, name)) }

// client is one of a room; "" names none.
func (b *building) client(room string) *door {
	l := link.Link(b.network.Dial(memlink.Off(), memlink.Off()))
	if room != "" {
		l = Join(l, room)
	}
	return b.add(l)
}

func (b *building) add(l link.Link) *door {
	d := &door{Link: l}
	b.doors = append(b.doors, d)
	return d
}

func (b *building) run(d time.Duration) {
	for end := b.now + d; b.now < end; {
		b.now += 5 * ms
		b.mux.Poll(b.now)
		for _, d := range b.doors {
			if !d.shut {
				d.Poll(b.now, d.event)
			}
		}
	}
}

func (d *door) event(ev link.Event) {
	switch ev.Kind {
	case link.Opened:
		d.events = append(d.events, fmt.Sprintf("opened %d", ev.Peer))
	case link.Closed:
		d.events = append(d.events, fmt.Sprintf("closed %d: %s", ev.Peer, ev.Reason))
	default:
		d.events = append(d.events, fmt.Sprintf("%v %d: %.20s", ev.Kind, ev.Peer, ev.Data))
	}
	if d.on != nil {
		d.on(ev)
	}
}

// expect compares the events since the last call.
func (b *building) expect(who string, d *door, want ...string) {
	b.t.Helper()
	if !slices.Equal(d.events, want) {
		b.t.Errorf("%s saw %q, want %q", who, d.events, want)
	}
	d.events = nil
}

func (b *building) send(d *door, p link.Peer, s link.Stream, data string) {
	b.t.Helper()
	if err := d.SendMessage(b.now, p, s, []byte(data)); err != nil {
		b.t.Error(err)
	}
}

func TestRoomsAreApart(t *testing.T) {
	b := newBuilding(t, Options{})
	red, blue := b.room("red"), b.room("blue")
	ann, bob := b.client("red"), b.client("blue")
	b.run(50 * ms)
	b.expect("red", red, "opened 1")
	b.expect("blue", blue, "opened 2")
	b.expect("ann", ann, "opened 1")
	b.expect("bob", bob, "opened 1")
	b.send(ann, 1, link.Control, "from ann")
	b.send(blue, 2, link.Bulk, "to bob")
	b.run(50 * ms)
	b.expect("red", red, "message 1: from ann")
	b.expect("blue", blue)
	b.expect("ann", ann)
	b.expect("bob", bob, "message 1: to bob")

	for _, err := range []error{red.SendDatagram(b.now, 2, []byte("x")), red.SendMessage(b.now, 2, link.Control, []byte("x"))} {
		if !errors.Is(err, link.ErrNoPeer) {
			t.Errorf("sending to a peer of another room: %v", err)
		}
	}
	red.Close(b.now, 2, "not your peer")
	b.run(50 * ms)
	b.expect("bob", bob)

	if err := red.Shutdown("red closes"); err != nil {
		t.Error(err)
	}
	b.send(bob, 1, link.Control, "still here")
	b.run(50 * ms)
	b.expect("red", red)
	b.expect("ann", ann, "closed 1: red closes")
	b.expect("blue", blue, "message 2: still here")
	late := b.client("red")
	b.run(50 * ms)
	b.expect("a client of the closed room", late, `closed 1: there is no room "red"`)

	again := b.room("red") // the name is free
	cat := b.client("red")
	b.run(50 * ms)
	b.expect("red again", again, "opened 4")
	b.expect("cat", cat, "opened 1")
	if got, want := b.mux.Stats(), (Stats{Rooms: 2, Peers: 2, Refused: 1}); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}

// Each of these peers is closed with a reason, and no room hears of it.
func TestPeersWithoutARoomAreClosed(t *testing.T) {
	large := strings.Repeat("x", 1025)
	for _, c := range []struct {
		name string
		do   func(b *building, d *door)
		want string
	}{
		{"says nothing", func(*building, *door) {}, "no room was named in 2s"},
		{"sends bulk", func(b *building, d *door) { b.send(d, 1, link.Bulk, "state") }, "a message on bulk before a room was named"},
		{"sends much", func(b *building, d *door) { b.send(d, 1, link.Control, large) }, "the first message has 1025 bytes, at most 1024 are taken"},
		{"speaks another language", func(b *building, d *door) { b.send(d, 1, link.Control, "hello") }, "this host has several rooms, and the client did not name one"},
		{"is of another version", func(b *building, d *door) { b.send(d, 1, link.Control, "HCMX\x09red") },
			"the host's version of rooms is 1, the client's is 9: run the same release on both sides"},
		{"names what is no name", func(b *building, d *door) { b.send(d, 1, link.Control, "HCMX\x01a\nb") },
			`linkmux: unusable room name: "a\nb" is not printable`},
		{"names no room", func(b *building, d *door) { b.send(d, 1, link.Control, "HCMX\x01blue") }, `there is no room "blue"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBuilding(t, Options{WaitTime: 2 * time.Second, MaxFirst: 1024})
			red := b.room("red")
			d := b.client("")
			b.run(50 * ms)
			b.expect("the client", d, "opened 1")
			if err := d.SendDatagram(b.now, 1, []byte("lost")); err != nil {
				t.Error(err)
			}
			b.run(50 * ms)
			c.do(b, d)
			b.run(3 * time.Second)
			b.expect("the client", d, "closed 1: "+c.want)
			b.expect("red", red)
			if got, want := b.mux.Stats(), (Stats{Rooms: 1, Refused: 1, Dropped: 1}); got != want {
				t.Errorf("counted %+v, want %+v", got, want)
			}
		})
	}
}

// Peers that name no room do not keep others out, however many there are.
func TestIdlePeersMakeRoom(t *testing.T) {
	b := newBuilding(t, Options{MaxWaiting: 3})
	b.room("red")
	var idle []*door
	for range 8 {
		idle = append(idle, b.client(""))
	}
	b.run(50 * ms)
	if got := b.mux.Stats(); got.Waiting != 3 || got.Refused != 5 {
		t.Errorf("counted %+v, want 3 waiting and 5 refused", got)
	}
	for i, d := range idle {
		want := []string{"opened 1"}
		if i < 5 {
			want = append(want, "closed 1: too many connections wait for a room")
		}
		b.expect(fmt.Sprintf("idle peer %d", i), d, want...)
	}
	ann := b.client("red")
	b.run(50 * ms)
	b.expect("ann", ann, "opened 1")
}

// Route decides by the first message, which the room gets, and may open the room.
func TestRoute(t *testing.T) {
	b := newBuilding(t, Options{})
	var rooms []*door
	b.mux.opts.Route = func(_ link.Peer, first []byte) (string, error) {
		token, room, _ := bytes.Cut(first, []byte("@"))
		if string(token) != "secret" {
			return "", errors.New("wrong token")
		}
		if len(rooms) == 0 {
			rooms = append(rooms, b.room(string(room)))
		}
		return string(room), nil
	}
	ann, eve := b.client(""), b.client("")
	b.run(50 * ms)
	b.send(ann, 1, link.Control, "secret@red")
	b.send(ann, 1, link.Control, "and more")
	b.send(eve, 1, link.Control, "guess@red")
	b.run(50 * ms)
	if len(rooms) != 1 {
		t.Fatal("no room was opened")
	}
	b.expect("the room", rooms[0], "opened 1", "message 1: secret@red", "message 1: and more")
	b.expect("ann", ann, "opened 1")
	b.expect("eve", eve, "opened 1", "closed 1: wrong token")
}

// A room that does not poll costs its own peers, and no others. What waits is bounded.
func TestRoomThatDoesNotPoll(t *testing.T) {
	b := newBuilding(t, Options{})
	red, blue := b.room("red"), b.room("blue")
	ann, bob := b.client("red"), b.client("blue")
	b.run(50 * ms)
	red.shut = true
	red.events = nil
	for range 300 {
		_ = ann.SendDatagram(b.now, 1, make([]byte, link.MaxDatagram))
	}
	b.run(50 * ms)
	if got := b.mux.Stats(); got.Dropped != 300-maxDatagrams/link.MaxDatagram || got.Stalled != 0 {
		t.Errorf("counted %+v", got)
	}
	for range 60 {
		_ = ann.SendMessage(b.now, 1, link.Control, make([]byte, link.MaxControl)) // the backlog may be full
		b.run(150 * ms)
	}
	b.send(bob, 1, link.Control, "hello")
	b.run(50 * ms)
	b.expect("blue", blue, "opened 2", "message 2: hello")
	b.expect("ann", ann, "opened 1", "closed 1: the room does not take messages")
	if got := b.mux.Stats(); got.Stalled != 1 {
		t.Errorf("counted %+v", got)
	}
	red.shut = false
	b.run(50 * ms)
	if n := len(red.events); n == 0 || red.events[n-1] != "closed 1: the room does not take messages" {
		t.Errorf("the room saw %d events", n)
	}
}

func TestShutdownOfTheMuxEndsAllRooms(t *testing.T) {
	b := newBuilding(t, Options{})
	red := b.room("red")
	ann := b.client("red")
	b.run(50 * ms)
	shutDown(t, b.mux)
	shutDown(t, b.mux) // does nothing
	if err := red.SendDatagram(b.now, 1, []byte("x")); !errors.Is(err, link.ErrShutdown) {
		t.Errorf("a send after Shutdown: %v", err)
	}
	b.run(50 * ms)
	b.expect("red", red, "opened 1", "closed 1: the test is over")
	b.expect("ann", ann, "opened 1", "closed 1: the test is over")
	if _, err := b.mux.Open("blue"); !errors.Is(err, link.ErrShutdown) {
		t.Errorf("a room of a Mux that is shut down: %v", err)
	}
}

func TestNamesOfRooms(t *testing.T) {
	b := newBuilding(t, Options{})
	b.room("red")
	for _, name := range []string{"", "red", strings.Repeat("x", MaxName+1), "two\nlines"} {
		if _, err := b.mux.Open(name); !errors.Is(err, ErrRoomName) {
			t.Errorf("room %q: %v, want ErrRoomName", name, err)
		}
	}
	b.room(strings.Repeat("x", MaxName))
	d := b.client("two\nlines")
	b.run(50 * ms)
	b.expect("the client", d, `closed 1: linkmux: unusable room name: "two\nlines" is not printable`)
}

// TestJoinOfAHostWithoutRoomsFails tests that a client that joins a host without rooms
// is closed with a reason.
func TestJoinOfAHostWithoutRoomsFails(t *testing.T) {
	n := memlink.New(1)
	host, client := n.Host(), Join(n.Dial(memlink.Off(), memlink.Off()), "red")
	d := &door{Link: client}
	for now := time.Duration(0); now < 100*ms; now += 5 * ms {
		host.Poll(now, func(ev link.Event) {
			if ev.Kind == link.Message {
				_ = host.SendMessage(now, ev.Peer, link.Control, []byte("what?"))
			}
		})
		d.Poll(now, d.event)
	}
	if want := []string{"closed 1: the host has no rooms, or is of another release"}; !slices.Equal(d.events, want) {
		t.Errorf("the client saw %q, want %q", d.events, want)
	}
}

// What a room sends at once on Bulk overtakes the welcome. Nothing is lost by it.
func TestBulkMayOvertakeTheWelcome(t *testing.T) {
	for seed := range uint64(40) {
		network := memlink.New(seed)
		mux := New(network.Host(), Options{})
		room := &door{Link: open(t, mux, "red")}
		wild := memlink.Profile{Delay: 30 * ms, Jitter: 30 * ms, Loss: 0.3}
		client := &door{Link: Join(network.Dial(wild, wild), "red")}
		now := time.Duration(0)
		room.on = func(ev link.Event) {
			if ev.Kind == link.Opened {
				_ = room.SendMessage(now, ev.Peer, link.Bulk, []byte("bulk"))
				_ = room.SendMessage(now, ev.Peer, link.Control, []byte("control"))
			}
		}
		for ; len(client.events) < 3 && now < 5*time.Second; now += 5 * ms {
			mux.Poll(now)
			room.Poll(now, room.event)
			client.Poll(now, client.event)
		}
		first, rest := "", []string(nil)
		if len(client.events) > 0 {
			first, rest = client.events[0], slices.Sorted(slices.Values(client.events[1:]))
		}
		if first != "opened 1" || !slices.Equal(rest, []string{"message 1: bulk", "message 1: control"}) {
			t.Errorf("seed %d: the client saw %q", seed, client.events)
		}
	}
}
