package runtime_test

import (
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// fickleRoom is a match of two who touch no key, but can say otherwise later on.
type fickleRoom struct {
	*simtest.Sim
	t      *testing.T
	line   *tamper // of client 0
	ships  [2]world.ObjectID
	hashes map[world.Tick]uint64 // of ticks that are final
}

// meantLater is how many ticks later a player says what they meant.
const meantLater = 9

func newFickleRoom(t *testing.T, text string) *fickleRoom {
	m := &fickleRoom{t: t, hashes: map[world.Tick]uint64{}}
	o := room(8, 2, memlink.LAN())
	o.Controls = nil
	o.Bundle.Rules.Newest, o.Bundle.Files = true, levels(text)
	m.line = tampered(&o)
	m.Sim = simtest.New(t, o)
	m.Run(2 * time.Second)
	for i, c := range m.Clients {
		m.ships[i] = ownShip(t, m.Sim, c.Player())
	}
	return m
}

// levels is a file that gives classes their levels of detail.
func levels(text string) []world.Source { return []world.Source{{Name: "levels.lua", Text: text}} }

// announce lets all know of other scripts to come.
func (m *fickleRoom) announce(text string) (at world.Tick) {
	m.t.Helper()
	next := *m.Clients[0].Bundle()
	next.Files = levels(text)
	script, err := stub.Compile(next.Files, next.Setup)
	if err != nil {
		m.t.Fatal(err)
	}
	at, _, err = m.Host.Switch(&next, script)
	if err != nil {
		m.t.Fatal(err)
	}
	return at
}

// revise goes on to a tick of the host's. All say of each tick, some ticks later, that a key
// was down of which they had said that it was not.
func (m *fickleRoom) revise(to world.Tick) {
	m.t.Helper()
	for m.Host.Now() < to {
		m.Run(m.Host.TickLength())
		for i, c := range m.Clients {
			if err := c.Revise(c.Now()-meantLater, m.ships[i], world.Input{Buttons: stub.Accel}); err != nil {
				m.t.Fatal(err)
			}
		}
		s := m.Host.StateAt(m.Host.Committed())
		m.hashes[s.Tick] = s.Hash()
	}
}

// TestWhoHasAnInputIsToldOfTheNext: inputs for ticks after a switch come before it, when all
// simulate the ship, and so are told to all. Those that take their place come after the
// switch, from when on they don't. They have the second ones, as the host does, not the first.
func TestWhoHasAnInputIsToldOfTheNext(t *testing.T) {
	t.Parallel()
	m := newFickleRoom(t, "")
	at, player := m.announce("Ship:interpolate"), m.Clients[0].Player()
	runTo(m.Sim, at-5)
	m.line.change = steer(m.ships[0], at+1, stub.Left)
	runTo(m.Sim, at+3)
	m.line.change = steer(m.ships[0], at+1, stub.Accel)
	m.Run(100 * time.Millisecond)
	m.line.change = nil
	runTo(m.Sim, at+60)
	for i, c := range m.Clients {
		second := 0
		for tick := at + 1; tick <= at+wire.MaxInputs; tick++ {
			if in, told := runtime.Told(c, player, m.ships[0], tick); told && in.Buttons == stub.Accel {
				second++
			}
		}
		if second != wire.MaxInputs || c.Confirmed() < at+wire.MaxInputs {
			t.Errorf("client %d has the second one of %d inputs, and confirmed tick %d; the switch was at %d", i, second, c.Confirmed(), at)
		}
		if wrong, n := runtime.Misheard(m.Host, c); wrong != "" || n < wire.MaxInputs {
			t.Errorf("client %d: %q, %d compared", i, wrong, n)
		}
	}
	if in := m.Host.Report(m.Now).Inputs; in.Revised != wire.MaxInputs {
		t.Errorf("%+v, want %d revised", in, wire.MaxInputs)
	}
	m.Drain()
	m.AgreeOnHashes()
}

// steer lets an InputPacket say nothing but which buttons were down from a tick on.
func steer(ship world.ObjectID, from world.Tick, buttons uint32) func(*wire.InputPacket) {
	run := wire.InputRun{Object: ship, Bundle: 1, First: from, Inputs: make([]world.Input, wire.MaxInputs)}
	for i := range run.Inputs {
		run.Inputs[i].Buttons = buttons
	}
	return func(m *wire.InputPacket) { m.Runs = []wire.InputRun{run} }
}

// TestSeekingWhereInputsWereReplaced: the first input concerns nobody but the host, and the one
// that takes its place all, since scripts are announced by which they simulate the ship. A
// keyframe of the replay that is written then has the second one.
func TestSeekingWhereInputsWereReplaced(t *testing.T) {
	t.Parallel()
	m := newFickleRoom(t, "Ship:interpolate")
	const key = 240 // keyframes are written of every 120th tick, when it is final
	rewind := m.Host.Now() - m.Host.Committed()
	m.revise(key + rewind - 5)
	at := m.announce("")
	m.revise(at + 60)
	r, err := m.OpenReplay(m.Replay())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Seek(key + 1); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for r.Tick() < m.Host.Committed() {
		if want, ok := m.hashes[r.Tick()]; ok {
			compared++
			if got := r.State().Hash(); got != want {
				t.Fatalf("tick %d after the keyframe of tick %d: hash %016x, the host's %016x", r.Tick(), key, got, want)
			}
		}
		if err := r.Step(); err != nil {
			t.Fatal(err)
		}
	}
	if compared < 30 {
		t.Errorf("%d ticks compared", compared)
	}
}
