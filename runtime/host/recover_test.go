package host_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// checkAll checks that all clients play, agree with the host, and confirm at most 3 s
// late.
func checkAll(t *testing.T, sim *simtest.Sim) {
	t.Helper()
	for i, c := range sim.Clients {
		lag := int(sim.Host.Now()) - int(c.Confirmed())
		if d := c.Desync(); d != nil || !c.Playing() || lag > 3*stub.Game().Setup.TickRate {
			t.Errorf("client %d (%s, %v): %d ticks late, %v", i, c.Status(), c.Err(), lag, d)
		}
	}
	roomtest.CheckHost(t, sim, false)
}

func TestSlowDownloadOfTheWorldGetsIn(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(1, 1, memlink.LAN())
	o.Bundle.Setup.Walls, o.Bundle.Setup.Width, o.Bundle.Setup.Height = nil, 200, 200
	o.Bundle.Setup.Spawns = []world.Spawn{{Class: "Crate", Count: 400, W: 200, H: 200}}
	o.Host = func(c *host.Config) { c.Verify = false } // 400 crates are many to run again
	slow := memlink.Profile{Delay: 20 * time.Millisecond, Rate: 150_000}
	o.Profiles = []memlink.Profile{memlink.LAN(), slow}
	sim := simtest.New(t, o)
	sim.Run(time.Second)
	late := sim.Join()
	sim.RunUntil(20*time.Second, "the one with the slow line plays", late.Playing)
	sim.Run(2 * time.Second)
	checkAll(t, sim)
	if r := sim.Report(1); r.Resyncs > 1 {
		t.Errorf("%d keyframes asked for again", r.Resyncs)
	}
}

func TestBundlesThereAndBackAgain(t *testing.T) {
	t.Parallel()
	for _, line := range []memlink.Profile{memlink.LAN(), memlink.Bad()} {
		sim := simtest.New(t, roomtest.Options(6, 2, line))
		sim.Run(2 * time.Second)
		for i := range 3 {
			roomtest.SwitchTo(t, sim, fmt.Sprint(i%2))
			sim.Run(20 * time.Millisecond)
		}
		sim.Run(5 * time.Second)
		checkAll(t, sim)
		if b := sim.Host.State().Bundle; b != 4 {
			t.Errorf("bundle %d is in force, want 4", b)
		}
	}
}

// TestInputsRepeatedOverASwitch tests a player who leaves just before the scripts
// change. The last input is repeated under the new scripts, also on clients that join
// after the old ones have ended.
func TestInputsRepeatedOverASwitch(t *testing.T) {
	t.Parallel()
	for _, after := range []world.Tick{10, 60, 130} {
		o := roomtest.Options(uint64(after), 3, memlink.Average())
		o.Controls = func(int) client.Controls { return fullThrust{} }
		o.Bundle.Setup.RepeatInputTicks, o.Bundle.Setup.GraceTicks = 240, 600
		sim := simtest.New(t, o)
		sim.Run(2 * time.Second)
		next := *o.Bundle
		next.Files = []world.Source{{Name: "note.lua"}}
		script, err := stub.Compile(nil, next.Setup)
		if err != nil {
			t.Fatal(err)
		}
		at, _, err := sim.Host.Switch(&next, script)
		if err != nil {
			t.Fatal(err)
		}
		roomtest.RunTo(sim, at-4)
		sim.Leave(0)
		roomtest.RunTo(sim, at+after)
		sim.Join()
		sim.Run(6 * time.Second)
		sim.Drain()
		sim.AgreeOnHashes()
	}
}

type fullThrust struct{}

func (fullThrust) Input(world.Reader, int) world.Input {
	return world.Input{Buttons: stub.Accel | stub.Left}
}

// TestInputsMadeUnderTheScriptsBefore tests inputs for ticks after a switch from a
// client that does not know of the switch yet. A client that joins then needs the old
// scripts, too, although none of its ticks runs under them.
func TestInputsMadeUnderTheScriptsBefore(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(1, 2, memlink.LAN())
	o.Compile = stub.CompileWild
	o.Bundle.Setup.RepeatInputTicks, o.Bundle.Rules.MaxSeen = 0, 0
	line := roomtest.Tampered(&o)
	sim := simtest.New(t, o)
	sim.Run(2 * time.Second)
	next := *o.Bundle
	next.Files = []world.Source{{Name: "rules.lua", Text: "other"}}
	script, err := stub.CompileWild(next.Files, next.Setup)
	if err != nil {
		t.Fatal(err)
	}
	at, _, err := sim.Host.Switch(&next, script)
	if err != nil {
		t.Fatal(err)
	}
	roomtest.RunTo(sim, at-40)
	line.Silent = true
	roomtest.RunTo(sim, at+10)
	line.Silent, line.Change = false, future(roomtest.OwnObject(t, sim, 1, "Racer"), at+40)
	sim.Run(40 * time.Millisecond)
	line.Silent = true
	roomtest.RunTo(sim, at+28)
	late := sim.Join()
	roomtest.RunTo(sim, at+300)
	for i, c := range []*client.Client{sim.Clients[1], late} {
		if d := c.Desync(); d != nil || !c.Playing() {
			t.Errorf("client %d (%s): %v", i+1, c.Status(), d)
		}
	}
	if s, n := sim.Host.Report(sim.Now).Inputs, 20; s.EarlyHeld < n {
		t.Errorf("%+v: want at least %d held", s, n)
	}
}

func TestClientsFollowAHostThatPaused(t *testing.T) {
	t.Parallel()
	for i, rate := range []int{20, 60, 128} {
		for j, nap := range []time.Duration{500 * time.Millisecond, 2 * time.Second, 5 * time.Second} {
			if !draws.Full() && i+j != 2 {
				continue // each rate and each nap once
			}
			o := roomtest.Options(1, 2, memlink.Average())
			o.Bundle.Setup.TickRate = rate
			sim := simtest.New(t, o)
			sim.Run(2 * time.Second)
			sim.SleepHost(nap)
			sim.Run(nap + 5*time.Second)
			for i, c := range sim.Clients {
				if lag := int(sim.Host.Now()) - int(c.Confirmed()); c.Err() != nil || lag > 2*rate {
					t.Errorf("%d Hz, %v: client %d (%v) is %d ticks late", rate, nap, i, c.Err(), lag)
				}
			}
		}
	}
}

// raw is a client that sends Hello, and more if its fields say so.
type raw struct {
	end    *memlink.End
	ready  bool // it sends Ready when it is admitted
	plays  bool // it sends empty InputPackets, and acknowledges nothing
	seq    uint32
	closed string
}

func (r *raw) poll(now time.Duration) {
	r.end.Poll(now, func(ev link.Event) {
		switch {
		case ev.Kind == link.Opened:
			_ = r.end.SendMessage(now, ev.Peer, link.Control, wire.AppendHello(nil, &wire.Hello{Version: wire.Version, Name: "raw"}))
		case ev.Kind == link.Closed:
			r.closed = ev.Reason
		case r.ready && wire.KindOf(ev.Data) == wire.KindWelcome:
			_ = r.end.SendMessage(now, ev.Peer, link.Control, wire.AppendReady(nil, &wire.Ready{}))
		}
	})
	if r.plays {
		r.seq++
		_ = r.end.SendDatagram(now, 1, wire.AppendInputPacket(nil, &wire.InputPacket{Seq: r.seq}))
	}
}

// TestClientThatDoesNotPlayIsDisconnected tests a client that joins and sends no inputs. It would
// occupy a place in the room, and the host would keep the log for it.
func TestClientThatDoesNotPlayIsDisconnected(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		raw   raw
		after time.Duration
	}{
		{"asks for nothing", raw{}, 125 * time.Second},
		{"sends nothing", raw{ready: true}, 125 * time.Second},
		{"acknowledges nothing", raw{ready: true, plays: true}, 20 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := roomtest.Options(1, 1, memlink.LAN())
			o.Bundle.Setup.TickRate, o.Bundle.Setup.Spawns = 20, nil
			sim := simtest.New(t, o)
			c.raw.end = sim.Net.Dial(memlink.LAN(), memlink.LAN())
			for sim.Now < c.after {
				c.raw.poll(sim.Now)
				sim.Run(simtest.PollEvery)
			}
			if c.raw.closed == "" || sim.Host.Players() != 1 {
				t.Errorf("closed %q, %d players", c.raw.closed, sim.Host.Players())
			}
		})
	}
}

func TestFaultInAnyFieldIsNamed(t *testing.T) {
	t.Parallel()
	for object := 1; object <= 19; object += 3 {
		if n := nameFault(t, 2, memlink.Average(), object); n != 3 {
			t.Errorf("object %d: %d of 3 clients name it", object, n)
		}
	}
}

// TestFaultIsNamedOnAwfulLines tests lines on which the host's answer may take so long
// that the client has to ask again. By then the flipped bit may no longer matter.
func TestFaultIsNamedOnAwfulLines(t *testing.T) {
	t.Parallel()
	n := 0
	seeds := draws.Pick[uint64](4, 10)
	for seed := range seeds {
		n += nameFault(t, seed+1, memlink.Awful(), 6)
	}
	if n < int(seeds)*5/2 {
		t.Errorf("%d of %d clients name object and field", n, 3*seeds)
	}
}

// nameFault flips a bit on the host when all have joined. Each of three clients has to
// notice it and get an answer. It returns how many clients name the object and the
// field.
func nameFault(t *testing.T, seed uint64, line memlink.Profile, object int) (named int) {
	t.Helper()
	o := roomtest.Options(seed, 3, memlink.LAN())
	o.Host = func(c *host.Config) { c.Fault, c.Verify = timeline.Fault{Tick: 200, Object: object}, false }
	sim := simtest.New(t, o)
	sim.Run(time.Second)
	for i := range sim.Clients {
		sim.Net.SetProfile(i, line, line)
	}
	sim.RunUntil(20*time.Second, fmt.Sprintf("seed %d: all name the bit of object %d", seed, object), sim.Desynced)
	for _, c := range sim.Clients {
		if len(c.Desync().Differences) > 0 {
			named++
		}
	}
	return named
}

// TestNoticesAddUp tests that a player is notified of every input that was not applied,
// also when some are refused and others are dropped in turn.
func TestNoticesAddUp(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(1, 1, memlink.LAN())
	line := roomtest.Tampered(&o)
	sim := simtest.New(t, o)
	sim.Run(2 * time.Second)
	n := world.Tick(0)
	line.Change = func(m *wire.InputPacket) {
		n++
		first := 1 + n%2*(sim.Host.Now()+4) // far too old, or not its own
		m.Runs = append(m.Runs, wire.InputRun{Object: 77, Bundle: 1, First: first, Inputs: make([]world.Input, 1)})
	}
	sim.Run(3 * time.Second)
	line.Change = nil
	sim.Run(time.Second)
	host, client := sim.Host.Report(sim.Now).Inputs, sim.Report(0).Inputs
	if host.DroppedOld != client.DroppedOld || host.Refused != client.Refused || host.DroppedOld == 0 || host.Refused == 0 {
		t.Errorf("host %+v\nclient %+v", host, client)
	}
}

func TestTimelineRefusesAnUnknownBundle(t *testing.T) {
	t.Parallel()
	script, err := stub.Compile(nil, stub.Game().Setup)
	if err != nil {
		t.Fatal(err)
	}
	tl := timeline.New(script, timeline.Options{States: 16})
	if _, err := tl.Insert(world.Event{Tick: 2, Kind: world.BundleEvent, Bundle: 2}, timeline.Origin{}); !errors.Is(err, timeline.ErrNoScript) {
		t.Errorf("a switch to a bundle that is not here: %v", err)
	}
	tl.Step()
	tl.Step()
}
