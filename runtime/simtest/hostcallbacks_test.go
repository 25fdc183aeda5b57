package simtest_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// diary has a line for each callback of a host.
type diary struct {
	lines []string
	fired map[world.CueKey]bool // cues that fired and were not cancelled
	moved int                   // cues that moved or were cancelled
}

func (d *diary) note(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

// take returns the lines since the last call.
func (d *diary) take() []string {
	lines := d.lines
	d.lines = nil
	return lines
}

// listen makes a host write the diary.
func (d *diary) listen(cfg *host.Config) {
	d.fired = map[world.CueKey]bool{}
	cfg.On = host.Callbacks{
		Joined: func(p world.PlayerID, name string) { d.note("joined %d %s", p, name) },
		Left:   func(p world.PlayerID, name, reason string) { d.note("left %d %s: %s", p, name, reason) },
		Chat: func(from world.PlayerID, text string) bool {
			d.note("chat %d %s", from, text)
			return !strings.Contains(text, "rude")
		},
		ScriptError: func(t world.Tick, f world.Fault) {
			var se *world.ScriptError
			if !errors.As(f.Err, &se) || se.Tick != t {
				d.note("not a script error of tick %d: %v", t, f.Err)
				return
			}
			d.note("error %s:%d %s %s", se.File, se.Line, f.Class, f.Hook)
		},
		Cue: func(e room.CueEvent) {
			switch e.Kind {
			case room.CueFired:
				d.fired[e.Cue.CueKey] = true
				return
			case room.CueMoved:
				delete(d.fired, e.Was.CueKey)
				d.fired[e.Cue.CueKey] = true
			case room.CueCancelled:
				delete(d.fired, e.Cue.CueKey)
			}
			d.moved++
		},
	}
}

// is fails the test unless the diary has these lines since the last call.
func (d *diary) is(t *testing.T, want ...string) {
	t.Helper()
	if got := d.take(); !slices.Equal(got, want) {
		t.Errorf("the host was told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// heard collects the chat of each client.
type heard [4][]string

func (h *heard) client(i int, cfg *client.Config) {
	cfg.Name = fmt.Sprint("player", i)
	cfg.Chat = func(from world.PlayerID, text string) { h[i] = append(h[i], fmt.Sprintf("%d: %s", from, text)) }
}

// TestHostCallbacks tests the callbacks for players who join, leave and are kicked, for
// chat before it is relayed, and for errors of scripts.
func TestHostCallbacks(t *testing.T) {
	b := stageBundle("")
	b.Files[0].Text = callable
	var d diary
	var chat heard
	sim := openStage(t, simtest.Options{Seed: 31, Clients: 3, Profile: memlink.LAN(), Bundle: b, Host: d.listen, Client: chat.client})
	h := sim.Host
	if joined := d.take(); len(joined) != 3 || !slices.Contains(joined, "joined 1 player0") {
		t.Errorf("joined: %q", joined)
	}
	who := func(i int) world.PlayerID { return sim.Clients[i].Player() }
	sim.Clients[0].Say(sim.Now, "hello")
	sim.Run(200 * time.Millisecond)
	sim.Clients[1].Say(sim.Now, "something rude")
	sim.Run(200 * time.Millisecond)
	h.Say("be nice")
	sim.Run(200 * time.Millisecond)
	d.is(t, fmt.Sprintf("chat %d hello", who(0)), fmt.Sprintf("chat %d something rude", who(1)))
	for i := range sim.Clients {
		if want := []string{fmt.Sprintf("%d: hello", who(0)), "0: be nice"}; !slices.Equal(chat[i], want) {
			t.Errorf("client %d heard %q", i, chat[i])
		}
	}
	for range 2 {
		must(t, h.Call("oops"))
		sim.Run(100 * time.Millisecond)
	}
	line := strings.Count(callable[:strings.Index(callable, "return nothing.field")], "\n") + 1
	d.is(t, fmt.Sprintf("error game.lua:%d game host", line), fmt.Sprintf("error game.lua:%d game host", line))

	must(t, h.Kick(who(1), "rude"))
	kicked := who(1)
	if err := h.Kick(kicked, "again"); !errors.Is(err, host.ErrNoPlayer) {
		t.Errorf("kicked twice: %v", err)
	}
	sim.Run(200 * time.Millisecond)
	d.is(t, fmt.Sprintf("left %d player1: rude", kicked))
	if err := sim.Clients[1].Err(); err == nil || !strings.Contains(err.Error(), "rude") {
		t.Errorf("the client reads %v", err)
	}
	sim.Return(1)
	sim.Run(2 * time.Second)
	if who(1) == kicked || who(1) == 0 {
		t.Errorf("the kicked player %d returned as player %d", kicked, who(1))
	}
	d.is(t, fmt.Sprintf("joined %d player1", who(1)))
	sim.Leave(2)
	sim.Run(200 * time.Millisecond)
	d.is(t, fmt.Sprintf("left %d player2: left", who(2)))
	endStage(t, sim)
	if got := chatOf(t, sim); !slices.Equal(got, []string{fmt.Sprintf("%d: hello", who(0)), "0: be nice"}) {
		t.Errorf("the replay has the chat %q", got)
	}
}

// chatOf returns the chat in the replay of a match.
func chatOf(t *testing.T, sim *simtest.Sim) (lines []string) {
	t.Helper()
	data := sim.Replay()
	file, err := replay.Open(strings.NewReader(string(data)), int64(len(data)), nil)
	must(t, err)
	for i := range file.Blocks {
		rest, err := file.Read(i)
		must(t, err)
		for len(rest) > 0 {
			var r replay.Record
			rest, err = replay.Next(rest, &r)
			must(t, err)
			if r.Kind == replay.Chat {
				lines = append(lines, fmt.Sprintf("%d: %s", r.Player, r.Text))
			}
		}
	}
	return lines
}

// TestReturningPlayerDoesNotLeave tests that a client that takes over the player of an older
// connection neither leaves nor joins.
func TestReturningPlayerDoesNotLeave(t *testing.T) {
	b := stageBundle("")
	b.Files[0].Text = callable
	var d diary
	sim := openStage(t, simtest.Options{Seed: 32, Clients: 2, Bundle: b, Host: d.listen})
	d.take()
	p := sim.Clients[0].Player()
	sim.Return(0)
	sim.Run(2 * time.Second)
	if got := sim.Clients[0].Player(); got != p {
		t.Fatalf("player %d returned as %d", p, got)
	}
	d.is(t)
	endStage(t, sim)
}

// TestActingFromCallbacks tests that acts of callbacks happen in the next tick, on all
// clients.
func TestActingFromCallbacks(t *testing.T) {
	b := stageBundle("")
	b.Files[0].Text = callable
	var sim *simtest.Sim
	acted := map[string]int{}
	spawn := func(why string) {
		acted[why]++
		_, err := sim.Host.Spawn("Crate", world.Placement{}, host.Fields{"n": len(acted)})
		must(t, err)
	}
	sim = simtest.New(t, simtest.Options{Seed: 33, Profile: memlink.Bad(), Bundle: b, Compile: compile, Controls: func(i int) client.Controls { return trigger{uint64(i)} },
		Host: func(cfg *host.Config) {
			cfg.On = host.Callbacks{
				Joined: func(world.PlayerID, string) { spawn("joined") },
				Left:   func(world.PlayerID, string, string) { spawn("left") },
				Chat: func(from world.PlayerID, text string) bool {
					spawn("chat")
					if text == "bye" {
						must(t, sim.Host.Kick(from, "as you wish"))
						sim.Host.Say("somebody left")
					}
					return true
				},
				ScriptError: func(world.Tick, world.Fault) { spawn("error"); must(t, sim.Host.Call("wave", 1)) },
				Cue: func(room.CueEvent) {
					if acted["cue"] < 20 {
						spawn("cue")
					}
				},
			}
		}})
	for range 3 {
		sim.Join()
	}
	sim.Run(3 * time.Second)
	sim.Clients[0].Say(sim.Now, "hello")
	must(t, sim.Host.Call("oops"))
	sim.Run(time.Second)
	sim.Clients[2].Say(sim.Now, "bye")
	sim.Run(time.Second)
	must(t, sim.Host.Call("oops"))
	endStage(t, sim)
	crates := 0
	for _, n := range acted {
		crates += n
	}
	s, schema := sim.Host.State(), sim.Host.Schema()
	class, _ := schema.ClassByName("Crate")
	there := 0
	for _, slot := range s.Run {
		if int(s.Objects[slot].Class) == class {
			there++
		}
	}
	if want := map[string]int{"joined": 3, "left": 1, "chat": 2, "error": 2, "cue": 20}; !maps.Equal(acted, want) || there != crates+2 {
		t.Errorf("acted %v, want %v; %d crates and two waves, want %d", acted, want, there, crates+2)
	}
}

// TestHostCallbacksReportCues tests that the cues that fired and were not cancelled are the cues
// of the match when each of its ticks is simulated once, with all inputs.
func TestHostCallbacksReportCues(t *testing.T) {
	b := stageBundle("")
	b.Files[0].Text = callable
	var d diary
	sim := openStage(t, simtest.Options{Seed: 34, Clients: 3, Profile: memlink.Bad(), Bundle: b, Host: d.listen})
	sim.Run(5 * time.Second)
	endStage(t, sim)
	p, err := sim.OpenReplay(sim.Replay())
	must(t, err)
	want := map[world.CueKey]bool{}
	p.Cues = func(c world.Cue) { want[c.CueKey] = true }
	for p.Tick() < p.Committed() {
		must(t, p.Step())
	}
	for key := range d.fired {
		if key.Tick > p.Committed() {
			delete(d.fired, key)
		}
	}
	if !maps.Equal(d.fired, want) || len(want) < 100 || d.moved < 10 {
		t.Errorf("the host's callback got %d cues, %d of which moved or were cancelled; the match has %d", len(d.fired), d.moved, len(want))
	}
}

// TestHostCallbacksReportTheMatchState tests host.Callbacks.Match, which reports the match
// state again when late inputs change it, and MatchCommitted, which reports the states
// that the replay has.
func TestHostCallbacksReportTheMatchState(t *testing.T) {
	type change struct {
		tick  world.Tick
		value float64
	}
	var present, committed []change
	note := func(list *[]change) func(world.Tick, world.FieldReader) {
		return func(tick world.Tick, state world.FieldReader) {
			v, err := state.Number("spawned")
			must(t, err)
			*list = append(*list, change{tick, v})
		}
	}
	sim := openStage(t, simtest.Options{Seed: 35, Clients: 3, Profile: memlink.Bad(), Host: func(cfg *host.Config) {
		cfg.On.Match, cfg.On.MatchCommitted = note(&present), note(&committed)
	}})
	sim.Run(4 * time.Second)
	endStage(t, sim)
	p, err := sim.OpenReplay(sim.Replay())
	must(t, err)
	var want []change
	values := map[world.Tick]float64{}
	for p.Tick() < p.Committed() {
		must(t, p.Step())
		slot, _ := p.State().Find(world.MatchID)
		class := &p.Schema().Classes[p.State().Objects[slot].Class]
		v, err := world.NewFieldReader(class, p.State().Row(slot)).Number("spawned")
		must(t, err)
		values[p.Tick()] = v
		if n := len(want); n == 0 || want[n-1].value != v {
			want = append(want, change{p.Tick(), v})
		}
	}
	if committed = committed[:min(len(committed), len(want))]; !slices.Equal(committed, want) || len(want) < 50 {
		t.Errorf("%d changes were committed:\n%v\nthe match has %d:\n%v", len(committed), committed, len(want), want)
	}
	guessed := 0
	for _, c := range present {
		if v, ok := values[c.tick]; ok && v != c.value {
			guessed++
		}
	}
	if last := present[len(present)-1].value; guessed < 10 || last != want[len(want)-1].value {
		t.Errorf("%d of %d changes of the present were taken back; the last one says %v, the match %v", guessed, len(present), last, want[len(want)-1].value)
	}
}
