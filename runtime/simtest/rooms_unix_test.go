//go:build unix

package simtest_test

import (
	"flag"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/programs"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/simtest/figures"
	"github.com/hindcast/hindcast/world"
)

var (
	roomCount = flag.Int("rooms", 1000, "how many rooms BenchmarkRooms runs at once")
	separate  = flag.Bool("separate", false, "each host and client of BenchmarkRooms compiles its scripts")
)

// tapper holds some buttons down for a third of a second, then others.
type tapper struct{ n uint32 }

func (p *tapper) Input(r world.Reader, slot int) world.Input {
	turn := uint32(r.Tick())/20 + p.n
	return world.Input{Buttons: turn * 2654435761 >> 8 & (1<<len(r.Class(slot).Inputs) - 1)}
}

// idleRoom is a host and input-only clients on virtual time.
type idleRoom struct {
	host    *host.Host
	clients []*client.Client
}

func newRoom(tb testing.TB, compile world.Compile, game *bundle.Bundle, kind client.Kind, clients int, seed uint64) *idleRoom {
	tb.Helper()
	network := memlink.New(seed)
	host, err := host.New(host.Config{Bundle: game, Compile: compile, Link: network.Host()})
	if err != nil {
		tb.Fatal(err)
	}
	r := &idleRoom{host: host}
	for i := range clients {
		r.clients = append(r.clients, client.New(client.Config{Kind: kind, Link: network.Dial(memlink.Off(), memlink.Off()),
			Compile: compile, Name: fmt.Sprint(i), Controls: &tapper{uint32(i) + uint32(seed)}}))
	}
	return r
}

// run runs the room up to a time as drivers do: host and clients are called when they are due.
func (r *idleRoom) run(tb testing.TB, now, end time.Duration) {
	for now < end {
		if r.host.Due(now) <= now {
			r.host.Poll(now)
			if err := r.host.Update(now); err != nil {
				tb.Fatal(err)
			}
		}
		due := r.host.Due(now)
		for _, c := range r.clients {
			if c.Due(now) <= now {
				c.Poll(now)
				c.Update(now)
			}
			due = min(due, c.Due(now))
		}
		now = max(now, min(due, r.host.Due(now))) // a client may have sent a packet
	}
}

// pollEvery is how often a driver polled that did not know when calls were due.
const pollEvery = 2 * time.Millisecond

// runPolled runs the room as such a driver did.
func (r *idleRoom) runPolled(tb testing.TB, now, end time.Duration) {
	for ; now < end; now += pollEvery {
		r.host.Poll(now)
		if err := r.host.Update(now); err != nil {
			tb.Fatal(err)
		}
		for _, c := range r.clients {
			c.Poll(now)
			c.Update(now)
		}
	}
}

// rocketGame returns a game with nothing in it but its players.
func rocketGame(testing.TB) *bundle.Bundle {
	return bundle.New("rocket", world.Source{Name: "game.lua", Text: `
Rocket = object "Rocket" { input = { Burn = "bool" }, body = { shape = { circle = 0.5 } } }
function Rocket:applyInput(input) self:setForce(0, input.Burn and 20 or 0) end
function onJoin(player) spawn("Rocket", { owner = player }) end
`})
}

// TestRoomAllocatesNothing: a host with two clients allocates no memory in a tick, once their buffers have
// grown.
func TestRoomAllocatesNothing(t *testing.T) {
	for _, kind := range []client.Kind{client.InputOnly, client.Predictor} {
		roomAllocatesNothing(t, kind)
	}
}

func roomAllocatesNothing(t *testing.T, kind client.Kind) {
	game := rocketGame(t)
	r, now := newRoom(t, luabind.Compile, game, kind, 2, 1), 20*time.Second
	r.run(t, 0, now)
	before := r.host.Now()
	n := testing.AllocsPerRun(200, func() {
		r.run(t, now, now+game.TickLength())
		now += game.TickLength()
	})
	if ticks := r.host.Now() - before; n > 0 || ticks < 190 || r.host.Players() != 2 {
		t.Errorf("%v: %v allocations in each of %d ticks with %d players, want none in 200 with 2", kind, n, ticks, r.host.Players())
	}
}

// BenchmarkRooms is a tick of many rooms in one goroutine on virtual time, with two clients each, and
// without: the processor time of a room, host and clients. x-polled is how many
// times as long it takes in rooms whose host and clients are polled every 2 ms.
func BenchmarkRooms(b *testing.B) {
	for _, game := range []struct {
		name string
		make func(testing.TB) *bundle.Bundle
	}{{"arena", arena}, {"rocket", rocketGame}} {
		for _, c := range []struct {
			name    string
			kind    client.Kind
			clients int
		}{{"input-only", client.InputOnly, 2}, {"predictor", client.Predictor, 2}, {"empty", 0, 0}} {
			b.Run(game.name+"/"+c.name, func(b *testing.B) { benchRooms(b, game.make(b), c.kind, c.clients) })
		}
	}
}

// rooms are run in the same way, each for one tick length after the other.
type rooms struct {
	all  []*idleRoom
	run  func(r *idleRoom, tb testing.TB, now, end time.Duration)
	took time.Duration // of the processor
}

// tick runs the rooms for a tick length.
func (r *rooms) tick(tb testing.TB, now, end time.Duration) {
	begin := figures.ProcessTime(tb)
	for _, one := range r.all {
		r.run(one, tb, now, end)
	}
	r.took += figures.ProcessTime(tb) - begin
}

// benchRooms runs rooms that are called when they are due, and as many that are polled, in turns.
func benchRooms(b *testing.B, game *bundle.Bundle, kind client.Kind, clients int) {
	length := game.TickLength()
	now := 2*time.Second + length/2 // between two ticks
	due, polled := rooms{run: (*idleRoom).run}, rooms{run: (*idleRoom).runPolled}
	compile := new(programs.Cache).Compile
	if *separate {
		compile = luabind.Compile
	}
	for _, r := range []*rooms{&due, &polled} {
		for i := range *roomCount {
			r.all = append(r.all, newRoom(b, compile, game, kind, clients, uint64(i)))
			r.run(r.all[i], b, 0, now)
		}
	}
	runtime.GC()
	from := due.all[0].host.Now()
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		due.tick(b, now, now+length)
		b.StopTimer()
		polled.tick(b, now, now+length)
		b.StartTimer()
		now += length
	}
	const group = 30 // the ticks of 500 ms, which empty rooms run together
	if got := int(due.all[0].host.Now() - from); got < b.N-group || got > b.N+group {
		b.Fatalf("%d ticks in %d tick lengths", got, b.N)
	}
	b.ReportMetric(float64(due.took.Nanoseconds())/float64(b.N**roomCount), "cpu-ns/room-tick")
	b.ReportMetric(float64(polled.took)/float64(due.took), "x-polled")
	b.ReportMetric(0, "ns/op")
	for _, r := range due.all {
		if r.host.Players() != clients {
			b.Fatalf("%d players, want %d", r.host.Players(), clients)
		}
	}
}
