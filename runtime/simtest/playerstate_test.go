package simtest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// deaths is a game in which a ship dies when its player presses Fire. Deaths are counted.
const deaths = `
game { state = { scored = 0 } }
player { state = { deaths = 0, best = { "number", show = "step" } }, aux = { kit = str(8), hits = list("number", 3) } }
Ship = object "Ship" { input = { Fire = { "bool", repeats = false } }, body = { shape = { circle = 0.4 } }%s }
function Ship:applyInput(input)
  if input:pressed("Fire") then self:remove() end
end
function Ship:onRemove()
  local mine = stats(self.owner)
  if mine then mine.deaths = mine.deaths + 1 end
end
function onJoin(p)
  stats(p).kit = "kit " .. p
  table.insert(stats(p).hits, p)
  if stats(p).kit ~= "kit " .. p or stats(p).deaths ~= 0 or stats(p).owner ~= p then error("it is not there at once") end
  spawn("Ship", { owner = p, x = p * 2 })
end
function onLeave(p)
  game.scored = game.scored + stats(p).deaths
  for _, s in ipairs(objects("Ship")) do if s.owner == p then s:remove() end end
end
function tick()
  for _, p in ipairs(players()) do
    local has = false
    for _, s in ipairs(objects("Ship")) do has = has or s.owner == p end
    if not has then spawn("Ship", { owner = p, x = p * 2 }) end
  end
end
`

func deathsOf(t *testing.T, who string, v *room.View, p world.PlayerID) float64 {
	t.Helper()
	for _, q := range v.Players {
		if q.ID != p {
			continue
		}
		n, err := q.State.Number("deaths")
		kit, err2 := q.State.Text("kit")
		if err := errors.Join(err, err2); err != nil || kit != fmt.Sprintf("kit %d", p) {
			t.Fatalf("%s: player %d has the kit %q, %v", who, p, kit, err)
		}
		return n
	}
	t.Fatalf("%s does not see player %d", who, p)
	return 0
}

// TestPlayerState tests that what each player has outlives the player's objects, is seen by everybody,
// is kept while the player is away, and ends with the grace time.
func TestPlayerState(t *testing.T) {
	t.Parallel()
	for name, lod := range map[string]string{"simulated": "", "interpolated": `, lod = "interpolate"`, "near": `, lod = "interpolate", range = 0.5`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := bundle.New("deaths", world.Source{Name: "game.lua", Text: fmt.Sprintf(deaths, lod)})
			b.Setup.GraceTicks = 60
			var down uint32
			sim := simtest.New(t, simtest.Options{Seed: 4, Clients: 3, Profile: memlink.Average(), Bundle: b, Compile: compile,
				Controls: func(i int) client.Controls {
					return client.ControlsFunc(func(world.Reader, int) world.Input {
						if i == 0 {
							return world.Input{Buttons: down}
						}
						return world.Input{}
					})
				},
				Client: func(i int, cfg *client.Config) {
					if i == 2 {
						cfg.Kind = client.Spectator
					}
				}})
			sim.Run(2 * time.Second)
			for range 5 {
				down = 1
				sim.Run(100 * time.Millisecond)
				down = 0
				sim.Run(400 * time.Millisecond)
			}
			sim.Run(2 * time.Second)
			first, second := sim.Clients[0].Player(), sim.Clients[1].Player()
			var v room.View
			see := func(who string, view func(*room.View), want float64) {
				view(&v)
				if n := deathsOf(t, who, &v, first); n != want || deathsOf(t, who, &v, second) != 0 {
					t.Errorf("%s sees %v deaths of %v", who, n, want)
				}
			}
			sim.Host.View(&v)
			died := deathsOf(t, "host", &v, first)
			if died < 5 {
				t.Errorf("%v deaths", died)
			}
			for i, who := range []string{"the player", "the other player", "the spectator"} {
				see(who, sim.Clients[i].View, died)
			}
			if data, err := json.Marshal(&v); err != nil || !strings.Contains(string(data), fmt.Sprintf(`"State":{"best":0,"deaths":%v,"hits[1]":%d,"kit":"kit %[2]d"}`, died, first)) {
				t.Errorf("as JSON: %s, %v", data, err)
			}
			stats := func() (id world.ObjectID) {
				if p, here := sim.Host.State().PlayerByID(first); here {
					id = p.Object()
				}
				return id
			}()
			if err := sim.Host.Set(stats, host.Fields{"deaths": 7}); err != nil {
				t.Error(err)
			}
			if err := errors.Join(sim.Host.Remove(stats), sim.Host.SetOwner(stats, second)); !errors.Is(err, world.ErrRemoved) {
				t.Errorf("removed and given away: %v", err)
			}
			sim.Run(time.Second)
			see("host", sim.Host.View, 7)

			sim.Leave(0)
			sim.Run(300 * time.Millisecond)
			if at, here := sim.Host.State().Find(stats); !here || sim.Host.State().Objects[at].Owner != first {
				t.Error("the state of a player who is away is gone")
			}
			back := sim.Return(0)
			sim.Run(2 * time.Second)
			see("the player who is back", back.View, 7)
			sim.Leave(0)
			sim.Run(2 * time.Second)
			if _, here := sim.Host.State().Find(stats); here {
				t.Error("the state of a player who left is there")
			}
			sim.Host.View(&v)
			if n, err := v.Match.Number("scored"); err != nil || n != 7 {
				t.Errorf("onLeave found %v deaths, %v", n, err)
			}
			for i := range 2 {
				if r := sim.Report(i).Confirmed; r.Mismatched > 0 || r.Compared < 60 {
					t.Errorf("client %d: %+v", i, r)
				}
			}
		})
	}
}
