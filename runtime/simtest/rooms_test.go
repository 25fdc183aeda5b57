package simtest_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

var roomCount = flag.Int("rooms", 1000, "how many rooms BenchmarkRooms runs at once")

// tapper holds some buttons down for a third of a second, then others.
type tapper struct{ n uint32 }

func (p *tapper) Input(r world.Reader, slot int) world.Input {
	turn := uint32(r.Tick())/20 + p.n
	return world.Input{Buttons: turn * 2654435761 >> 8 & (1<<len(r.Class(slot).Inputs) - 1)}
}

// room is a host and input-only clients on virtual time.
type room struct {
	host    *runtime.Host
	clients []*runtime.Client
}

func newRoom(tb testing.TB, game *bundle.Bundle, clients int, seed uint64) *room {
	tb.Helper()
	network := memlink.New(seed)
	host, err := runtime.NewHost(runtime.HostConfig{Bundle: game, Compile: luabind.Compile, Link: network.Host()})
	if err != nil {
		tb.Fatal(err)
	}
	r := &room{host: host}
	for i := range clients {
		r.clients = append(r.clients, runtime.NewClient(runtime.ClientConfig{Kind: runtime.InputOnly, Link: network.Dial(memlink.Off(), memlink.Off()),
			Compile: luabind.Compile, Name: fmt.Sprint(i), Controls: &tapper{uint32(i) + uint32(seed)}}))
	}
	return r
}

// run runs the room up to a time as drivers do: host and clients are called when they are due.
func (r *room) run(tb testing.TB, now, end time.Duration) {
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
func (r *room) runPolled(tb testing.TB, now, end time.Duration) {
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

// BenchmarkRooms is a tick of many rooms in one goroutine on virtual time, with two input-only
// clients each, and without: the time of a room, host and clients. x-polled is how many
// times as long it takes if host and clients are polled every 2 ms, in turns with the other way.
func BenchmarkRooms(b *testing.B) {
	for _, game := range []struct {
		name string
		make func(testing.TB) *bundle.Bundle
	}{{"arena", arena}, {"rocket", rocketGame}} {
		for _, clients := range []int{2, 0} {
			b.Run(fmt.Sprintf("%s/clients=%d", game.name, clients), func(b *testing.B) { benchRooms(b, game.make(b), clients) })
		}
	}
}

func benchRooms(b *testing.B, game *bundle.Bundle, clients int) {
	rooms := make([]*room, *roomCount)
	length := game.TickLength()
	now := 2*time.Second + length/2 // between two ticks
	for i := range rooms {
		rooms[i] = newRoom(b, game, clients, uint64(i))
		rooms[i].run(b, 0, now)
	}
	ticks := func(run func(*room, testing.TB, time.Duration, time.Duration)) (took time.Duration) {
		begin := time.Now()
		for _, r := range rooms {
			run(r, b, now, now+length)
		}
		now += length
		return time.Since(begin)
	}
	var due, polled time.Duration
	from := rooms[0].host.Now()
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		due += ticks((*room).run)
		b.StopTimer()
		polled += ticks((*room).runPolled)
		b.StartTimer()
	}
	if got := int(rooms[0].host.Now() - from); got < 2*b.N-1 || got > 2*b.N+1 {
		b.Fatalf("%d ticks in %d tick lengths", got, 2*b.N)
	}
	b.ReportMetric(float64(due.Nanoseconds())/float64(b.N*len(rooms)), "ns/room-tick")
	b.ReportMetric(float64(polled)/float64(due), "x-polled")
	for _, r := range rooms {
		if r.host.Players() != clients {
			b.Fatalf("%d players, want %d", r.host.Players(), clients)
		}
	}
}
