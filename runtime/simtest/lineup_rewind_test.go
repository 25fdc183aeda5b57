package simtest_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// TestFillTeamsIsRewound tests fillTeams and takeOver of what the same hook has spawned, in hooks that late inputs run
// again. Check mode compares every rewind with a whole one.
func TestFillTeamsIsRewound(t *testing.T) {
	t.Parallel()
	b := bundle.New("recruits")
	b.Files = []world.Source{{Name: "game.lua", Text: `
teams { Red = { color = "#f55" }, Blue = { color = "#59f" } }
Bot = object "Bot" { state = { team = str(8), age = 0 }, body = { shape = { circle = 0.2 } } }
Guard = object "Guard" { extends = Bot }
function Bot:tick() self.age = self.age + 1 if self.age > 40 then self:remove() end end
Boss = object "Boss" { input = { Accel = "bool" }, state = { calls = 0, took = 0 }, body = { shape = { circle = 0.5 } } }
function Boss:applyInput(input)
  if not input.Accel or tickNumber() % 3 ~= self.owner % 3 then return end
  local n = #objects("Bot")
  if n > 14 then return end
  fillTeams("Bot", n + 1)
  fillTeams("Bot", n + 2)
  spawn("Guard", { team = "Red", x = 3 })
  fillTeams("Bot", n + 3)
  fillTeams("Bot", n + 4)
  self.calls = self.calls + 1
  local o = takeOver(self.owner, "Guard")
  if o then self.took = self.took + 1 end
end
function onJoin(p) spawn("Boss", { owner = p, x = p * 2 - 4 }) end`}}
	sim := simtest.New(t, simtest.Options{Seed: 5, Clients: 3, Profile: memlink.Bad(), Bundle: b, Compile: compile,
		Controls: func(int) client.Controls { return simtest.Bot(t, "random") }})
	sim.Run(8 * time.Second)
	sim.Drain()
	sim.AgreeOnHashes()
	r, s, schema := sim.Host.Report(sim.Now), sim.Host.State(), sim.Host.Schema()
	calls, took := sumOf(s, schema, "Boss", "calls"), sumOf(s, schema, "Boss", "took")
	t.Logf("%v calls, %v taken over, %d objects, %+v", calls, took, len(s.Run), r.Rewinds)
	if r.Inputs.LateRewound < 20 || r.VerifiedTicks == 0 || r.ScriptErrors != 0 || calls < 10 || took < 5 {
		t.Errorf("late inputs %d, verified ticks %d, script errors %d, %v calls, %v taken over", r.Inputs.LateRewound, r.VerifiedTicks, r.ScriptErrors, calls, took)
	}
}
