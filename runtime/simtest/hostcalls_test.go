package simtest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// callable has functions for the host program.
const callable = `
game { state = { round = 0, waves = 0, phase = str(12, "waiting") },
       calls = { wave = { "number" }, shove = { "ref", "number" }, phase = { "string", "bool" }, oops = {} } }
Crate = object "Crate" { state = { n = 0 }, body = { shape = { box = { 1, 1 } } } }
Racer = object "Racer" { input = { Fire = "bool" }, state = { fired = 0 }, body = { shape = { circle = 0.5 } } }
function Racer:applyInput(input)
  if input.Fire then
    self.fired = self.fired + 1
    self:applyImpulse(0.2, 0)
    cue("fired", { n = self.fired })
  end
end
function onJoin(player) spawn("Racer", { owner = player, y = player * 3 }) end
function wave(n)
  game.waves = game.waves + 1
  for i = 1, n do spawn("Crate", { x = random() * 8, y = -i, n = game.waves }) end
end
function shove(racer, dx)
  local x, y = racer:getPosition()
  racer:setPosition(x + dx, y)
end
function phase(name, last)
  game.phase = name
  if last then game.round = game.round + 1 end
end
function oops()
  game.waves = game.waves + 100
  local nothing
  return nothing.field
end
`

// TestHostCalls tests that functions of game.lua run in the tick after the call on the host, on
// predicting clients and in the replay, even if inputs of earlier ticks are late. A call that
// fails is a script error with a line.
func TestHostCalls(t *testing.T) {
	b := stageBundle("")
	b.Files[0].Text = callable
	sim := openStage(t, simtest.Options{Seed: 21, Clients: 3, Profile: memlink.Bad(), Bundle: b})
	host, waves := sim.Host, 0
	for i := range 30 {
		must(t, host.Call("wave", i%3))
		must(t, host.Call("phase", fmt.Sprint("phase ", i), i%2 == 1))
		waves++
		if i%10 == 5 {
			must(t, host.Call("oops"))
			waves += 100
		}
		sim.Run(time.Duration(i*7%90) * time.Millisecond)
	}
	sim.Run(time.Second)
	want := fmt.Sprintf(`%d "phase 29" 15`, waves)
	if got := text(t, host.State(), host.Schema(), world.MatchID, "waves", "phase", "round"); got != want {
		t.Errorf("the match is %s, want %s", got, want)
	}
	endStage(t, sim)
	for i, c := range sim.Clients {
		if got := text(t, c.State(), host.Schema(), world.MatchID, "waves", "phase", "round"); got != want {
			t.Errorf("client %d has the match %s", i, got)
		}
	}
	r := host.Report(sim.Now)
	if r.ScriptErrors != 3 || r.Classes["game"]["host"].Calls != 63 || r.Rewinds.Count < 20 {
		t.Errorf("%d script errors, calls %+v, %d rewinds", r.ScriptErrors, r.Classes["game"]["host"], r.Rewinds.Count)
	}
}

// TestWhyNamesTheCall tests that the displacement of an object that a call moved names
// the call, the line of its function that moved the object, and the packet that brought the call.
func TestWhyNamesTheCall(t *testing.T) {
	b := stageBundle("")
	b.Files[0].Text = callable
	var why []string
	var packet uint32
	sim := openStage(t, simtest.Options{Seed: 22, Clients: 2, Profile: memlink.Average(), Bundle: b, Client: func(i int, cfg *client.Config) {
		if i == 0 {
			cfg.Displaced = func(m room.Displacement) { why, packet = append(why, m.String()), m.Provenance.Packet }
		}
	}})
	why = nil
	racer := racerOf(t, sim, sim.Clients[0].Player())
	tick := sim.Host.Now() + 1
	must(t, sim.Host.Call("shove", racer, 2.5))
	sim.Run(time.Second)
	says := fmt.Sprintf("the host program called shove in tick %d; game.lua:20 ", tick)
	if len(why) != 1 || !strings.Contains(why[0], says) || packet == 0 {
		t.Errorf("%q of packet %d, want %q", why, packet, says)
	}
	endStage(t, sim)
}

// racerOf returns the racer of a player.
func racerOf(t *testing.T, sim *simtest.Sim, p world.PlayerID) world.ObjectID {
	t.Helper()
	s := sim.Host.State()
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; o.Owner == p && o.ID != world.MatchID {
			return o.ID
		}
	}
	t.Fatalf("player %d has no racer", p)
	return 0
}

// TestReplayWithoutACalledFunction tests that a replay goes on under edited scripts that lack a
// function and a class. Host events that need them have no effect.
func TestReplayWithoutACalledFunction(t *testing.T) {
	b := stageBundle("")
	b.Files[0].Text = callable
	sim := openStage(t, simtest.Options{Seed: 23, Clients: 1, Bundle: b})
	must(t, sim.Host.Call("phase", "over", true))
	at := sim.Host.Now() + 1
	crate, err := sim.Host.Spawn("Crate", world.Placement{}, host.Fields{"n": 4})
	must(t, err)
	sim.Run(500 * time.Millisecond)
	must(t, sim.Host.Set(crate, host.Fields{"n": 5}))
	endStage(t, sim)
	p, err := sim.OpenReplay(sim.Replay())
	must(t, err)
	edited := strings.Replace(strings.Replace(callable, `phase = { "string", "bool" }, `, "", 1), "function phase(", "local function phase(", 1)
	edited = strings.Replace(edited, `object "Crate" { state = { n = 0 },`, `object "Crate" { state = { m = 0 },`, 1)
	files := []world.Source{{Name: "game.lua", Text: strings.Replace(edited, ", n = game.waves", "", 1)}}
	script, err := compile(files, b.Setup)
	must(t, err)
	d, _, err := p.Against(script, p.Last())
	must(t, err)
	if d == nil || d.Tick != at {
		t.Fatalf("the first difference is %+v, want one in tick %d", d, at)
	}
}
