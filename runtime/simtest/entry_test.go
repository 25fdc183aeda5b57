package simtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

const asking = `
teams { Red = { color = "#f55" }, Blue = { color = "#59f" } }
entry { team = "choose", kit = { "Scout", "Tank" }, note = "First team to 30", name = true }
player { state = { kit = str(8), joins = 0 } }
Ship = object "Ship" { body = { shape = { circle = 0.4 } } }
function onJoin(p, asked)
  if asked.name then error("a name is simulated") end
  stats(p).kit = asked.kit or "none"
  stats(p).joins = stats(p).joins + 1
  setTeam(p, asked.team or smallestTeam())
  if teamColor(stats(p).team) == "" or stats(p).kit == "" or not stats(p).entered then error("it is not there at once") end
  spawn("Ship", { owner = p, x = p * 2 })
end
`

// TestEntryForm tests that a player of a game with questions watches until the answers have come, that they are an event that
// every client simulates, that a player answers once, and that an answer which is none of the options is nil. A name
// among the answers is for viewers only. They know the pings of all players, too.
func TestEntryForm(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 3, Clients: 3, Profile: memlink.Bad(), Compile: compile,
		Bundle: bundle.New("asking", world.Source{Name: "game.lua", Text: asking}),
		Client: func(_ int, cfg *client.Config) { cfg.Verify = true }})
	everybodyPlays(sim)
	sim.Run(2 * time.Second)
	var v room.View
	for i, c := range sim.Clients {
		if c.View(&v); v.Entry == nil || v.Entry.Note != "First team to 30" || len(v.Entry.Questions) != 2 || len(v.Bodies) != 0 {
			t.Errorf("client %d: %+v", i, v.Entry)
		}
	}
	for i, lines := range [][]string{{"/enter team=Red kit=Tank name= Ada  Lovelace "}, {"/enter kit=Tank team=Green kit=Bomber \x00=", "/enter team=Blue"}, {"/enter name=Bob team=Red"}} {
		for _, line := range lines {
			sim.Clients[i].Say(sim.Now, line)
			sim.Run(2 * time.Second)
		}
	}
	sim.Drain()
	if n := sim.AgreeOnHashes(); n < 300 {
		t.Errorf("%d ticks compared", n)
	}
	want := []string{"Tank Blue 1 client 1", "Tank Red 1 Ada  Lovelace", "none Blue 1 Bob team=Red"}
	for i, c := range sim.Clients {
		c.View(&v)
		var got []string
		for _, p := range v.Players {
			kit, _ := p.State.Text("kit")
			team, _ := p.State.Text("team")
			joins, _ := p.State.Number("joins")
			got = append(got, fmt.Sprint(kit, " ", team, " ", joins, " ", p.Name))
			if p.Ping < 100 || p.Ping > 1000 {
				t.Errorf("client %d: %s has a ping of %d ms", i, p.Name, p.Ping)
			}
		}
		slices.Sort(got)
		if v.Entry != nil || len(v.Bodies) != 3 || !slices.Equal(got, want) {
			t.Errorf("client %d has %d ships, is asked %v, players %q, want %q", i, len(v.Bodies), v.Entry, got, want)
		}
	}
}

// TestEntryFormsOfReloads: who plays already when a game begins to ask is not asked and keeps their ship; who joins then
// is. Who has not answered when the game asks nothing any more joins. Nobody has two ships.
func TestEntryFormsOfReloads(t *testing.T) {
	t.Parallel()
	bare := strings.Replace(asking, "entry { team = \"choose\", kit = { \"Scout\", \"Tank\" }, note = \"First team to 30\", name = true }", "", 1)
	bare = strings.Replace(strings.Replace(bare, " or not stats(p).entered", "", 1), "(p, asked)", "(p) local asked = {}", 1)
	game := func(text string) *bundle.Bundle {
		return bundle.New("asking", world.Source{Name: "game.lua", Text: text})
	}
	sim := simtest.New(t, simtest.Options{Seed: 3, Clients: 2, Profile: memlink.Bad(), Compile: compile, Bundle: game(bare)})
	everybodyPlays(sim)
	var v room.View
	expect := func(when string, ships int, asked ...bool) {
		t.Helper()
		sim.Run(4 * time.Second)
		for i, c := range sim.Clients {
			c.View(&v)
			in := 0
			for _, p := range v.Players {
				if kit, _ := p.State.Text("kit"); kit == "none" {
					in++
				}
			}
			if (v.Entry != nil) != asked[i] || len(v.Bodies) != ships || in != ships {
				t.Errorf("%s: client %d is asked %v, there are %d ships, and %d players are in", when, i, v.Entry, len(v.Bodies), in)
			}
		}
	}
	expect("without a form", 2, false, false)
	before := sim.Host.Schema()
	_, err := swap(t, sim, game(asking))
	must(t, err)
	expect("with a form", 2, false, false)
	sim.Join()
	expect("a newcomer", 2, false, false, true)
	asks := sim.Host.Schema()
	_, err = swap(t, sim, game(bare))
	must(t, err)
	expect("without one again", 3, false, false, false)
	sim.Drain()
	sim.AgreeOnHashes()
	none := func(string) bool { return false }
	for i, got := range [][]string{world.Changes(before, asks, none), world.Changes(asks, before, none)} {
		want := []string{"entry: players are asked before they join; who plays already is not asked", "entry: players are asked nothing any more; who had not answered joins, and onJoin gets no answers"}[i]
		if !slices.Equal(got, []string{want}) {
			t.Errorf("said of the change: %q, want %q", got, want)
		}
	}
}
