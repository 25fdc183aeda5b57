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
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// charging is a game in which objects that clients do not simulate push a player's object, and change
// a field that another player's object reads.
const charging = `
Ship = object "Ship" { input = { go = "bool" }, body = { shape = { circle = 0.5 }, linear_damping = 2 } }
function Ship:applyInput()
  local x, y = self:getPosition()
  self:setForce(-12 * x, -12 * y)
end

Bull = object "Bull" {
  lod = "interpolate",
  input = { go = "bool" },
  body = { shape = { circle = 0.8 }, density = 5 },
}
function Bull:applyInput(input) self:setVelocity(8 * ((input.go and -0.5 or -5) - self:getPosition()), 0) end

Lamp = object "Lamp" { lod = "interpolate", state = { lit = false } }
function Lamp:tick() if tickNumber() % 113 == 0 then self.lit = not self.lit end end

Moth = object "Moth" {
  input = { go = "bool" },
  state = { lamp = ref() },
  body = { shape = { circle = 0.2 }, sensor = true },
}
function Moth:tick()
  if self.lamp then self:setVelocity(self.lamp.lit and 4 or -4, 0) end
end
`

const chargingGame = `
function onStart() spawn("Lamp") end
function onJoin(player)
  if player == 1 then spawn("Ship", { owner = player })
  elseif player == 2 then spawn("Bull", { owner = player, x = -5 })
  else spawn("Moth", { owner = player, y = 9, lamp = objects("Lamp")[1] }) end
end
`

// TestDisplacementsNameReplicatedObjects: what objects in snapshots did to a player's object is
// explained with the object, its field, and the ticks of the snapshot and of the displacement.
func TestDisplacementsNameReplicatedObjects(t *testing.T) {
	onLines(t, "average bad", func(t *testing.T, line memlink.Profile) {
		var moves []room.Displacement
		sim := simtest.New(t, simtest.Options{Seed: 5, Clients: 3, Profile: line, Compile: compile,
			Bundle:   bundle.New("charging", world.Source{Name: "charging.lua", Text: charging}, world.Source{Name: "game.lua", Text: chargingGame}),
			Controls: func(int) client.Controls { return &turner{} },
			Client: func(_ int, cfg *client.Config) {
				cfg.Displaced = func(m room.Displacement) { moves = append(moves, m) }
			}})
		wanted := []string{"Ship repredicted: Bull.position", "Ship corrected: Bull.position", "Moth repredicted: Lamp.lit", "Moth corrected: Lamp.lit"}
		switch line {
		case memlink.Off(): // snapshots are not late: nothing is predicted again
			wanted = wanted[1:2]
		case memlink.Awful(): // most claims come too late for a correction
			wanted = []string{wanted[0], wanted[2]}
		}
		named := map[string]int{}
		look := func() {
			for _, m := range moves {
				r := m.Provenance.Replicated
				if m.Provenance.Cause != timeline.CauseReplicated {
					if m.Class != "Bull" {
						t.Errorf("%s", &m)
					}
					continue
				}
				key := m.Class + " " + m.Kind.String() + ": " + r.Class + "." + r.Field
				if named[key]++; named[key] == 1 {
					t.Log(&m)
				}
				at := m.Provenance.Tick
				if len(m.Provenance.Through) > 0 {
					at = m.Provenance.Through[0].Tick
				}
				if r.Object == 0 && m.Kind == room.Correction && m.Distance < 0.05 {
					continue // the first ticks after joining
				}
				if r.Object == 0 || r.Snapshot != 0 && (r.Snapshot > at+60 || at > r.Snapshot+120) {
					t.Errorf("tick %d: %s: %+v", at, &m, r)
				}
				if text := m.String(); r.Field != "" && r.Field != world.Presence && !strings.Contains(text, r.Field+" of "+r.Class) ||
					r.Snapshot != 0 && !strings.Contains(text, fmt.Sprintf("in the snapshot of tick %d", r.Snapshot)) {
					t.Errorf("%+v is described as %s", r, text)
				}
			}
			moves = moves[:0]
		}
		for range 6 {
			sim.Run(10 * time.Second)
			look()
			if !slices.ContainsFunc(wanted, func(want string) bool { return named[want] == 0 }) {
				break
			}
		}
		for _, want := range wanted {
			if named[want] == 0 {
				t.Errorf("no %s: %v", want, named)
			}
		}
	})
}

// turner presses its button in every other half second.
type turner struct{}

func (turner) Input(r world.Reader, _ int) world.Input {
	return world.Input{Buttons: uint32(r.Tick()) / 30 % 2}
}
