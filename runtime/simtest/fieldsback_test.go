package simtest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// growing is a room of objects whose fields only grow: one in a few ticks, and 150 together, for which a snapshot has
// no room.
func growing(lod string, period int) string {
	declared := strings.Join(each(150, func(i int) string {
		return fmt.Sprintf(`n%d = { "number", show = "step" }`, i)
	}), ", ")
	write := strings.Join(each(150, func(i int) string {
		return fmt.Sprintf("  self.n%d = t * %v + %d", i, stampUnit, i*65537)
	}), "\n")
	return fmt.Sprintf(`
Wide = object "Wide" {
  lod = %q, input = { Left = "bool" }, body = { shape = { circle = 0.4 } },
  state = { busy = 0, mid = { "number", show = "step" }, %s },
}
function Wide:applyInput(input) self:setVelocity(input.Left and -1 or 1, 0) end
function Wide:tick()
  local t = tickNumber()
  self.busy = random()
  self.mid = math.floor(t / 7)
  if t %% %d == 1 then
    t = math.floor(t / %d) + 1
%s
  end
end
function onStart() for i = 1, 4 do spawn("Wide", { x = i, y = 9 }) end end
function onJoin(player) spawn("Wide", { x = player * 2 - 6, y = -9, owner = player }) end
`, lod, declared, period, period, write)
}

// growth notes what a client shows of a field that only grows.
type growth struct {
	shown         map[string]float64 // by object and field: the last value
	changes, back int
}

func (g *growth) look(v *room.View) (worst string) {
	for i := range v.Bodies {
		b := &v.Bodies[i]
		for _, name := range [...]string{"n75", "mid"} {
			n, err := b.Fields().Number(name)
			if err != nil {
				continue
			}
			key := fmt.Sprint(b.ID, " ", name)
			if was, ok := g.shown[key]; ok && was != n {
				if g.changes++; n < was {
					g.back++
					worst = fmt.Sprintf("%s of %s %s goes from %v back to %v at moment %v", name, b.Class, b.ID, was, n, v.Moment)
				}
			}
			g.shown[key] = n
		}
	}
	return worst
}

// TestFieldsNeverGoBack tests that players and spectators never see older fields of an object after newer ones, however
// late snapshots and rows arrive.
func TestFieldsNeverGoBack(t *testing.T) {
	onLines(t, "awful", func(t *testing.T, line memlink.Profile) {
		for _, lod := range []world.LOD{world.Interpolate, world.Extrapolate} {
			for _, period := range []int{180, 20} {
				sim := simtest.New(t, simtest.Options{Seed: 9, Clients: 3, Profile: line,
					Bundle:   shooterBundle(growing(lod.String(), period)),
					Compile:  compile,
					Controls: func(i int) client.Controls { return &volleys{i} },
					Client: func(i int, c *client.Config) {
						if i == 2 {
							c.Kind = client.Spectator
						}
					}})
				sim.Run(6 * time.Second)
				var seen [3]growth
				for i := range seen {
					seen[i].shown = map[string]float64{}
				}
				var v room.View
				for end := sim.Now + draws.Pick(4*time.Second, 20*time.Second); sim.Now < end; {
					sim.Run(4 * simtest.PollEvery)
					for i, c := range sim.Clients {
						c.View(&v)
						if worst := seen[i].look(&v); worst != "" && seen[i].back < 4 {
							t.Errorf("%v, period %d: client %d, player %d: %s", lod, period, i, c.Player(), worst)
						}
					}
				}
				for i := range seen {
					t.Logf("%v, period %d: client %d saw %d changes, %d of them back", lod, period, i, seen[i].changes, seen[i].back)
					if seen[i].changes < draws.Pick(12, 20) {
						t.Errorf("client %d saw only %d changes", i, seen[i].changes)
					}
				}
			}
		}
	})
}
