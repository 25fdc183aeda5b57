package simtest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// sides is a game of two teams. Who presses Fire changes sides.
const sides = `
teams { Red = { color = "#f55" }, Blue = { color = "#59f" } }
game { state = { changes = 0, least = str(8) } }
Ship = object "Ship" { input = { Fire = "bool" }, body = { shape = { circle = 0.4 } }, state = { color = str(8) }, look = { color = "{color}" } }
function Ship:wear() self.color = teamColor(stats(self.owner).team) end
function Ship:applyInput(input)
  if input:pressed("Fire") then
    setTeam(self.owner, stats(self.owner).team == "Red" and "Blue" or "Red")
    game.changes = game.changes + 1
  end
end
function Ship:tick() self:wear() end
function tick() game.least = smallestTeam() end
function onJoin(p)
  if stats(p).team ~= "" then error("a team before any") end
  setTeam(p, smallestTeam())
  spawn("Ship", { owner = p, x = p * 2 })
end
`

// TestTeams tests that the teams of players are the same on all machines, while inputs that change them come late, and that
// views have them.
func TestTeams(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 4, Clients: 3, Profile: memlink.Bad(), Compile: compile,
		Bundle:   bundle.New("sides", world.Source{Name: "game.lua", Text: sides}),
		Controls: func(i int) client.Controls { return &driver{uint64(i) + 3} },
		Client:   func(_ int, cfg *client.Config) { cfg.Verify = true }})
	everybodyPlays(sim)
	sim.Run(10 * time.Second)
	sim.Drain()
	n := sim.AgreeOnHashes()
	var host room.View
	sim.Host.View(&host)
	if changes, r := matchNumber(t, sim, "changes"), sim.Host.Report(sim.Now); changes < 6 || r.Rewinds.Count < 3 || r.ScriptErrors > 0 || n < 500 {
		t.Errorf("%v changes, %d rewinds, %d errors, %d ticks compared", changes, r.Rewinds.Count, r.ScriptErrors, n)
	}
	for i := range sim.Clients {
		var v room.View
		sim.Clients[i].View(&v)
		checkTeams(t, &v)
	}
	checkTeams(t, &host)
}

// checkTeams tests that each of three players is in a team, and that the player's ship has its color.
func checkTeams(t *testing.T, v *room.View) {
	t.Helper()
	colors := map[string]string{"Red": "#f55", "Blue": "#59f"}
	for _, p := range v.Players {
		team, err := p.State.Text("team")
		at := slices.IndexFunc(v.Bodies, func(b room.ViewBody) bool { return b.Owner == p.ID })
		if err != nil || at < 0 || colors[team] == "" || v.Bodies[at].Look.Color != colors[team] {
			t.Errorf("player %d of team %q, %v, has body %d of %+v", p.ID, team, err, at, v.Bodies)
		}
	}
	if len(v.Players) != 3 {
		t.Errorf("there are %d players", len(v.Players))
	}
}
