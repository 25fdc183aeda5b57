package host_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// chaosHostEvents are the host events of the host program in a random match. They are drawn from a source of
// their own.
type chaosHostEvents struct {
	rng       *rand.Rand
	next      []string // the host events to come; each kind comes equally often
	done      map[string]int
	refused   int // host events that the scripts in force do not declare
	spawned   []chaosSpawn
	seen      int        // spawned objects that were found after their tick
	calls     int        // of functions, all of which ran in the end
	rallied   int        // of these, by commands of players
	mark      int        // the value that the match state was last set to
	present   [2]float64 // the match state that callbacks reported: calls and mark
	committed [2]float64
	here      map[world.PlayerID]bool // players who joined and did not leave, according to callbacks
	calm      bool                    // callbacks act no more
	errors    int                     // script errors that callbacks reported
	scars     int                     // the most scars, which are aux fields, that objects had at a time
	hits      float64                 // the most that a player had in a state of players
}

// chaosSpawn is an object that is spawned in a tick.
type chaosSpawn struct {
	id   world.ObjectID
	tick world.Tick
	fuel float64 // 0: of a class without fuel
}

func newChaosHostEvents(seed uint64) *chaosHostEvents {
	return &chaosHostEvents{rng: rand.New(rand.NewPCG(seed, 100)), done: map[string]int{}, here: map[world.PlayerID]bool{}}
}

// listen follows the match by callbacks. One of them acts on it.
func (m *chaos) listen(cfg *host.Config) {
	read := func(to *[2]float64) func(world.Tick, world.FieldReader) {
		return func(_ world.Tick, state world.FieldReader) {
			for i, name := range []string{"waves", "mark"} {
				v, err := state.Number(name)
				if err != nil {
					m.t.Error(err)
				}
				to[i] = v
			}
		}
	}
	a := m.acts
	cfg.On = host.Callbacks{
		Joined: func(p world.PlayerID, _ string) {
			if a.here[p] {
				m.t.Errorf("player %d joined twice", p)
			}
			a.here[p] = true
		},
		Left: func(p world.PlayerID, _, _ string) {
			if !a.here[p] {
				m.t.Errorf("player %d left, and had not joined", p)
			}
			delete(a.here, p)
		},
		Chat: func(from world.PlayerID, line string) bool {
			if strings.HasPrefix(line, "/rally") {
				a.calls++
				a.rallied++
			}
			return true
		},
		ScriptError: func(world.Tick, world.Fault) {
			a.errors++
			if a.calm {
				return
			}
			a.mark++
			if err := m.Host.Set(world.MatchID, host.Fields{"mark": a.mark}); err != nil {
				m.t.Error(err)
			}
		},
		Cue: func(e room.CueEvent) {
			if wrong := m.cues.host.take(&e); wrong != "" {
				m.t.Error(wrong)
			}
		},
		Match: read(&a.present), MatchCommitted: read(&a.committed),
	}
}

// kick makes the host disconnect a player.
func (m *chaos) kick(i int) {
	if p := m.Clients[i].Player(); p != 0 && !m.left[i] && m.here() > 2 && m.Clients[i].Err() == nil && m.acts.here[p] {
		if err := m.Host.Kick(p, "at random"); err != nil {
			m.t.Error(err)
		}
		m.Host.Say("somebody was sent away")
		m.left[i] = true
		m.note("client %d, player %d, is sent away", i, p)
	}
}

// kind draws the next act of the host program.
func (a *chaosHostEvents) kind() string {
	if len(a.next) == 0 {
		a.next = []string{"spawn", "spawn", "set", "give", "remove", "wave", "nudge", "rally"}
		a.rng.Shuffle(len(a.next), func(i, j int) { a.next[i], a.next[j] = a.next[j], a.next[i] })
	}
	kind := a.next[0]
	a.next = a.next[1:]
	return kind
}

// object draws an object of the state, or one that is about to be spawned. It draws neither
// ships, which players need, nor walls.
func (m *chaos) object() world.ObjectID {
	a, s, schema := m.acts, m.Host.State(), m.Host.Schema()
	if n := len(a.spawned); n > 0 && a.spawned[n-1].tick > m.Host.Now() && a.rng.IntN(2) == 0 {
		return a.spawned[n-1].id
	}
	var ids []world.ObjectID
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; o.Owner == 0 && !world.BuiltIn(schema.Classes[o.Class].Name) {
			ids = append(ids, o.ID)
		}
	}
	if len(ids) == 0 {
		return world.MatchID
	}
	return ids[a.rng.IntN(len(ids))]
}

// act makes the host program act on the world a few times, in ticks near each other.
func (m *chaos) act(times int) {
	a := m.acts
	for range times {
		for range 1 + a.rng.IntN(3) {
			kind := a.kind()
			err := m.actOnce(kind)
			m.note("%s: %v", kind, err)
			a.done[kind]++
			switch {
			case err == nil && (kind == "wave" || kind == "nudge"):
				a.calls++
			case err == nil:
			case errors.Is(err, world.ErrNoFunction), errors.Is(err, world.ErrNoField), errors.Is(err, world.ErrRemoved):
				a.refused++
			default:
				m.t.Errorf("%s: %v", kind, err)
			}
		}
		m.Run(time.Duration(a.rng.IntN(60)) * time.Millisecond)
		m.lookForSpawned()
		m.countScars()
	}
}

func (m *chaos) actOnce(kind string) error {
	a, h := m.acts, m.Host
	switch kind {
	case "spawn":
		return m.spawn()
	case "set":
		if a.rng.IntN(3) == 0 {
			a.mark++
			return h.Set(world.MatchID, host.Fields{"mark": a.mark})
		}
		if id := m.anyPlayer().Object(); a.rng.IntN(4) == 0 {
			return h.Set(id, host.Fields{"hits": a.rng.IntN(9)}) // refused if the scripts in force declare nothing
		}
		return h.Set(m.ship(), host.Fields{"fuel": a.rng.IntN(100), "tow": m.object(), "title": "named"})
	case "give":
		to := world.PlayerID(0)
		if players := h.State().Players; len(players) > 0 && a.rng.IntN(4) > 0 {
			to = players[a.rng.IntN(len(players))].ID
		}
		return h.SetOwner(m.ship(), to)
	case "remove":
		return h.Remove(m.object())
	case "wave":
		return h.Call("wave", a.rng.IntN(3))
	case "rally":
		m.Clients[a.rng.IntN(len(m.Clients))].Say(m.Now, fmt.Sprintf("/rally %d", a.rng.IntN(3)))
		return nil
	}
	return h.Call("nudge", m.object(), a.rng.Float64()*4-2)
}

// anyPlayer draws a player; one that there is not if there is none.
func (m *chaos) anyPlayer() *world.Player {
	players := m.Host.State().Players
	if len(players) == 0 {
		return &world.Player{}
	}
	return &players[m.acts.rng.IntN(len(players))]
}

// ship draws a ship of a player.
func (m *chaos) ship() world.ObjectID {
	s, schema := m.Host.State(), m.Host.Schema()
	var ids []world.ObjectID
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; schema.Classes[o.Class].Name == "Ship" {
			ids = append(ids, o.ID)
		}
	}
	if len(ids) == 0 {
		return 0
	}
	return ids[m.acts.rng.IntN(len(ids))]
}

func (m *chaos) spawn() error {
	a, h := m.acts, m.Host
	at := world.Placement{Pose: physics.Pose{X: 16 * (a.rng.Float64() - 0.5), Y: 16 * (a.rng.Float64() - 0.5)}}
	if a.rng.IntN(2) == 0 {
		id, err := h.Spawn("Crate", at, nil)
		a.spawned = append(a.spawned, chaosSpawn{id: id, tick: h.Now() + 1})
		return err
	}
	if s := h.State(); len(s.Players) > 0 {
		at.Owner = s.Players[0].ID
	}
	fuel := float64(a.rng.IntN(1000)) + 0.5
	id, err := h.Spawn("Ship", at, host.Fields{"fuel": fuel})
	a.spawned = append(a.spawned, chaosSpawn{id: id, tick: h.Now() + 1, fuel: fuel})
	return err
}

// lookForSpawned looks for the objects whose ids Spawn returned, in the states after their ticks.
func (m *chaos) lookForSpawned() {
	a := m.acts
	kept := a.spawned[:0]
	for _, o := range a.spawned {
		s := m.Host.StateAt(o.tick)
		if s == nil {
			if o.tick > m.Host.Now() {
				kept = append(kept, o)
			}
			continue
		}
		slot, here := s.Find(o.id)
		if !here {
			continue // removed in its first tick
		}
		a.seen++
		if s.Bundle != m.Host.State().Bundle {
			continue // the scripts that declare its fields are no longer in force
		}
		class := &m.Host.Schema().Classes[s.Objects[slot].Class]
		if f, ok := class.Field("fuel"); o.fuel != 0 && (!ok || math.Float64frombits(s.Row(slot).Word(f)) > o.fuel) {
			m.t.Errorf("tick %d: the %s %s was spawned with %v of fuel, not %v", o.tick, class.Name, o.id, o.fuel, s.Row(slot))
		}
	}
	a.spawned = kept
}

// countScars counts the scars of all objects, and the hits of players.
func (m *chaos) countScars() {
	s, n := m.Host.State(), 0
	for _, p := range s.Players {
		if at, here := s.Find(p.Object()); here {
			m.acts.hits = max(m.acts.hits, math.Float64frombits(s.Row(at).Word(&m.Host.Schema().Classes[s.Objects[at].Class].Fields[0])))
		}
	}
	for _, slot := range s.Run {
		if f, ok := m.Host.Schema().Classes[s.Objects[slot].Class].Field("#scars"); ok {
			n += f.Len(s.Row(int(slot)))
		}
	}
	m.acts.scars = max(m.acts.scars, n)
}

// game0 returns the slot of the game object.
func (m *chaos) game0() int {
	slot, ok := m.Host.State().Find(world.MatchID)
	if !ok {
		m.t.Fatal("there is no state of the match")
	}
	return slot
}

// checkHostEvents checks that there were enough host events, and that they had their effects.
func (m *chaos) checkHostEvents() {
	a := m.acts
	for _, kind := range []string{"spawn", "set", "give", "remove", "wave", "nudge"} {
		if a.done[kind] < 5 {
			m.t.Errorf("the host program did %q %d times", kind, a.done[kind])
		}
	}
	if a.rallied == 0 {
		m.t.Error("no command of a player ran")
	}
	at := m.game0()
	class, row := &m.Host.Schema().Classes[m.Host.State().Objects[at].Class], m.Host.State().Row(at)
	if waves, mark := math.Float64frombits(row.Word(&class.Fields[0])), math.Float64frombits(row.Word(&class.Fields[1])); waves != float64(a.calls) || mark != float64(a.mark) {
		m.t.Errorf("%v calls ran of %d; the match was set to %v, and has %v", waves, a.calls, a.mark, mark)
	}
	if want := [2]float64{float64(a.calls), float64(a.mark)}; a.present != want || a.committed != want {
		m.t.Errorf("the callbacks had the match %v at the present and %v committed, want %v", a.present, a.committed, want)
	}
	if n := m.Host.Players(); len(a.here) != n || a.errors == 0 {
		m.t.Errorf("the callbacks had %d players of %d, and %d script errors", len(a.here), n, a.errors)
	}
	if a.scars == 0 || a.hits == 0 {
		m.t.Errorf("objects had up to %d scars, and players up to %v hits", a.scars, a.hits)
	}
	if a.seen == 0 { // some rooms keep few states
		m.t.Errorf("%d objects were seen that the host program spawned, of %d", a.seen, a.done["spawn"])
	}
}
