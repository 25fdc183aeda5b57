package simtest_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// rounds has a match whose state follows from the tick.
const rounds = `
game {
  state = { clock = 0, round = { "number", show = "step" } },
  aux = { phase = str(12), open = false, last = list("number", 4) },
}
Ball = object "Ball" { body = { shape = { circle = 0.3 } }%s }
function onStart() spawn("Ball") end
function tick()
  local n = tickNumber()
  game.clock = n
  game.round = math.floor(n / 30)
  game.phase = "round " .. math.floor(n / 30)
  game.open = math.floor(n / 30) %% 2 == 1
  if n %% 30 == 0 then table.insert(game.last, 1, n / 30) if #game.last > 3 then table.remove(game.last) end end
end
function onJoin(player) spawn("Ball", { owner = player, y = player }) end
`

// matchAt returns the state of the match after a tick.
func matchAt(t float64) (round float64, phase string, open bool) {
	round = math.Floor(t / 30)
	return round, fmt.Sprintf("round %.0f", round), math.Mod(round, 2) == 1
}

// expectMatch checks the match state of a view at a moment, in ticks. Fields that step may
// be late by some ticks.
func expectMatch(t *testing.T, who string, m room.ViewState, moment, late float64) {
	t.Helper()
	clock, err1 := m.Number("clock")
	round, err2 := m.Number("round")
	phase, err3 := m.Text("phase")
	open, err4 := m.Bool("open")
	n, err5 := m.Len("last")
	if err1 != nil || err2 != nil || err3 != nil || err4 != nil || err5 != nil {
		t.Fatalf("%s: %v %v %v %v %v", who, err1, err2, err3, err4, err5)
	}
	newest, _ := newestRound(m, n)
	was, wasPhase, wasOpen := matchAt(moment - late)
	is, isPhase, isOpen := matchAt(moment)
	if clock < moment-late-1e-3 || clock > moment+1e-3 {
		t.Errorf("%s at %v: the clock shows %v", who, moment, clock)
	}
	if !(round == was && phase == wasPhase && open == wasOpen) && !(round == is && phase == isPhase && open == isOpen) || newest < was || newest >= is+1 { // numbers in a list go evenly
		t.Errorf("%s at %v: round %v, %q, %v, the last one %v", who, moment, round, phase, open, newest)
	}
}

// newestRound returns the newest round in the list of a match.
func newestRound(m room.ViewState, n int) (float64, error) {
	if n == 0 {
		return 0, nil
	}
	item, err := m.Item("last", 1)
	if err != nil {
		return 0, err
	}
	return item.Number("")
}

// TestEveryViewHasTheMatchState tests that a host, a predictor and a spectator show the
// state of game.lua, both in a room that clients simulate and in one in which they receive
// near objects.
func TestEveryViewHasTheMatchState(t *testing.T) {
	t.Parallel()
	for name, lod := range map[string]string{"simulated": "", "replicated": `, lod = "interpolate", range = 0.5`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := bundle.New("rounds", world.Source{Name: "game.lua", Text: fmt.Sprintf(rounds, lod)})
			sim := simtest.New(t, simtest.Options{Seed: 3, Clients: 3, Profile: memlink.Average(), Bundle: b, Compile: compile,
				Client: func(i int, cfg *client.Config) {
					if i > 0 {
						cfg.Kind = client.Spectator
					}
				}})
			sim.Run(4 * time.Second)
			var v room.View
			for end := sim.Now + 4*time.Second; sim.Now < end && !t.Failed(); {
				sim.Run(simtest.PollEvery)
				sim.Host.View(&v)
				expectMatch(t, "host", v.Match, float64(v.Tick), 0)
				sim.Clients[0].View(&v)
				expectMatch(t, "predictor", v.Match, float64(v.Tick)-1+v.Alpha, 1)
				for _, c := range sim.Clients[1:] {
					c.View(&v)
					expectMatch(t, "spectator", v.Match, v.Moment, 10)
				}
			}
			data, err := json.Marshal(&v)
			var read struct{ Match map[string]any }
			if err != nil || json.Unmarshal(data, &read) != nil || read.Match["round"] == nil || read.Match["phase"] == "" || read.Match["last[1]"] == nil {
				t.Errorf("as JSON: %v, %v", read.Match, err)
			}
			if bodies := len(v.Bodies); (bodies == 4) != (lod == "") { // only bodies have ranges
				t.Errorf("the spectator is shown %d bodies", bodies)
			}
		})
	}
}
