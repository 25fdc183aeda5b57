package simtest_test

import (
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

// flyingRock is a game in which one rock flies along x.
const flyingRock = `
Rock = object "Rock" { lod = "interpolate", body = { shape = { circle = 0.5 } } }
Ship = object "Ship" { input = { go = "bool" }, body = { shape = { circle = 0.5 } } }
function onStart() spawn("Rock", { x = -150, y = 20, vx = 6 }) end
function onJoin(player) spawn("Ship", { owner = player }) end
`

// shown is how a client drew the rock.
type shown struct {
	early  time.Duration // the interpolation delay in the first frame with it
	late   time.Duration // in the last frame
	uneven int           // frames in which its drawn speed was off by more than 3 m/s of 6
}

// drift plays that game with rules of interpolation and four snapshots a second.
func drift(t *testing.T, kind client.Kind, rules bundle.InterpolationRules) (s shown) {
	b := bundle.New("flyingRock", world.Source{Name: "game.lua", Text: flyingRock})
	b.Rules.Snapshots.Rate, b.Rules.Snapshots.Interpolation = 4, rules
	sim := simtest.New(t, simtest.Options{Seed: 6, Clients: 1, Profile: memlink.LAN(), Compile: compile, Bundle: b,
		Controls: func(int) client.Controls { return &turner{} },
		Client:   func(_ int, cfg *client.Config) { cfg.Kind = kind }})
	var v room.View
	x, frames := 0.0, 0
	for sim.Now < 15*time.Second {
		sim.Run(4 * simtest.PollEvery)
		sim.Clients[0].View(&v)
		for i := range v.Bodies {
			if v.Bodies[i].Class != "Rock" || v.Moment == 0 {
				continue
			}
			delay := time.Duration((float64(sim.Host.State().Tick) - v.Moment) / float64(b.Setup.TickRate) * float64(time.Second))
			if frames++; frames == 1 {
				s.early = delay
			}
			s.late = delay
			if way := (v.Bodies[i].X - x) / (4 * simtest.PollEvery).Seconds(); frames > 200 && math.Abs(way-6) > 3 {
				s.uneven++
			}
			x = v.Bodies[i].X
		}
	}
	if frames < 500 {
		t.Errorf("%d frames show the rock", frames)
	}
	return s
}

// TestInterpolationRules: the delay begins at first and stays between least and most; beyond the last
// snapshot, an object goes on for as long as extrapolate says.
func TestInterpolationRules(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	near := func(got, want time.Duration) bool { return got > want-40*ms && got < want+40*ms }
	for _, kind := range []client.Kind{client.Predictor, client.Spectator} {
		slow := drift(t, kind, bundle.InterpolationRules{First: 800 * ms, Least: 900 * ms, Most: 1000 * ms, Extrapolate: 500 * ms})
		falling := drift(t, kind, bundle.InterpolationRules{First: 800 * ms, Most: 1000 * ms, Extrapolate: 500 * ms})
		hasty := drift(t, kind, bundle.InterpolationRules{First: 50 * ms, Most: 50 * ms, Extrapolate: 500 * ms})
		halting := drift(t, kind, bundle.InterpolationRules{First: 50 * ms, Most: 50 * ms})
		t.Logf("%s: slow %+v, falling %+v, hasty %+v, halting %+v", kind, slow, falling, hasty, halting)
		spectates := kind == client.Spectator // others begin with the newest snapshot, and wait until the delay is reached
		if spectates && !near(slow.early, 900*ms) || !near(slow.late, 900*ms) {
			t.Errorf("%s: a delay of %v, then %v, want 900 ms, the least", kind, slow.early, slow.late)
		}
		if spectates && !near(falling.early, 800*ms) || falling.late > 450*ms || falling.late < 250*ms {
			t.Errorf("%s: a delay of %v, then %v, want 800 ms, the first, and then what the line needs", kind, falling.early, falling.late)
		}
		if spectates && !near(hasty.early, 50*ms) || !near(hasty.late, 50*ms) {
			t.Errorf("%s: a delay of %v, then %v, want 50 ms, the most", kind, hasty.early, hasty.late)
		}
		if hasty.uneven > 5 || halting.uneven < 100 {
			t.Errorf("%s: the rock moved unevenly in %d frames, without extrapolation in %d", kind, hasty.uneven, halting.uneven)
		}
	}
}
