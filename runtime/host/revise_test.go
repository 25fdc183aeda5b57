package host_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// fickleRoom is a match of two players who press no key, and whose inputs can be
// revised later.
type fickleRoom struct {
	*simtest.Sim
	t      *testing.T
	line   *roomtest.Tamper // of client 0
	ships  [2]world.ObjectID
	hashes map[world.Tick]uint64 // of committed ticks
}

// meantLater is after how many ticks a player's input is revised.
const meantLater = 9

func newFickleRoom(t *testing.T, text string) *fickleRoom {
	m := &fickleRoom{t: t, hashes: map[world.Tick]uint64{}}
	o := roomtest.Options(8, 2, memlink.LAN())
	o.Controls = nil
	o.Bundle.Rules.Newest, o.Bundle.Files = true, levels(text)
	m.line = roomtest.Tampered(&o)
	m.Sim = simtest.New(t, o)
	m.Run(2 * time.Second)
	for i, c := range m.Clients {
		m.ships[i] = roomtest.OwnShip(t, m.Sim, c.Player())
	}
	return m
}

// levels returns a file that gives classes their levels of detail.
func levels(text string) []world.Source { return []world.Source{{Name: "levels.lua", Text: text}} }

// announce switches the room to other levels of detail.
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

// revise runs up to a tick of the host. All players revise the input of each tick after some
// ticks: a key was down in it.
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

// TestRevisionOfARelayedInputIsRelayed tests a revision that arrives after a bundle switch. The first
// inputs, for ticks after the switch, arrive before it. All clients simulate the ship then, so the host
// relays the inputs. Their revisions arrive after the switch, from which on clients do not simulate
// the ship. The clients have the revisions, as the host does.
func TestRevisionOfARelayedInputIsRelayed(t *testing.T) {
	t.Parallel()
	m := newFickleRoom(t, "")
	at, player := m.announce("Ship:interpolate"), m.Clients[0].Player()
	roomtest.RunTo(m.Sim, at-5)
	m.line.Change = steer(m.ships[0], at+1, stub.Left)
	roomtest.RunTo(m.Sim, at+3)
	m.line.Change = steer(m.ships[0], at+1, stub.Accel)
	m.Run(100 * time.Millisecond)
	m.line.Change = nil
	roomtest.RunTo(m.Sim, at+60)
	for i, c := range m.Clients {
		second := 0
		c.EachInput(func(e world.Event) {
			if e.Player == player && e.Object == m.ships[0] && e.Tick > at && e.Tick <= at+wire.MaxInputs && e.Input.Buttons == stub.Accel {
				second++
			}
		})
		if second != wire.MaxInputs || c.Confirmed() < at+wire.MaxInputs {
			t.Errorf("client %d has the second one of %d inputs, and confirmed tick %d; the switch was at %d", i, second, c.Confirmed(), at)
		}
		if wrong, n := compareInputs(m.Host, c, true); wrong != "" || n < wire.MaxInputs {
			t.Errorf("client %d: %q, %d compared", i, wrong, n)
		}
	}
	if in := m.Host.Report(m.Now).Inputs; in.Revised != wire.MaxInputs {
		t.Errorf("%+v, want %d revised", in, wire.MaxInputs)
	}
	m.Drain()
	m.AgreeOnHashes()
}

// steer replaces the inputs of an InputPacket by ones with these buttons, from a tick on.
func steer(ship world.ObjectID, from world.Tick, buttons uint32) func(*wire.InputPacket) {
	run := wire.InputRun{Object: ship, Bundle: 1, First: from, Inputs: make([]world.Input, wire.MaxInputs)}
	for i := range run.Inputs {
		run.Inputs[i].Buttons = buttons
	}
	return func(m *wire.InputPacket) { m.Runs = []wire.InputRun{run} }
}

// TestSeekingWhereInputsWereReplaced tests that a keyframe of a replay has the revision of an input.
// The first input is not relayed. Its revision is, because scripts were announced under which clients
// simulate the ship.
func TestSeekingWhereInputsWereReplaced(t *testing.T) {
	t.Parallel()
	m := newFickleRoom(t, "Ship:interpolate")
	const key = 240 // a keyframe is written for every 120th tick, when it is committed
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
