package simtest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// rattle is a key that goes down every 170 ms for 50 ms, from a moment on, so many times.
type rattle struct {
	now  func() time.Duration
	from time.Duration // 0: not yet
	most int
}

const rattleEvery, rattleDown = 170 * time.Millisecond, 50 * time.Millisecond

func (p *rattle) Input(world.Reader, int) world.Input { return world.Input{} }

func (p *rattle) FrameInput(r world.Reader, slot int) (in world.Input) {
	since := p.now() - p.from
	if n := int(since / rattleEvery); p.from > 0 && n < p.most && since%rattleEvery < rattleDown {
		for _, f := range r.Class(slot).Inputs {
			if f.Name == "Fire" {
				in.Press(f.Index, 1)
			}
		}
	}
	return in
}

// over reports whether all presses are over.
func (p *rattle) over() bool { return p.now() > p.from+time.Duration(p.most)*rattleEvery }

// TestPressesOfSpectatorsOverReloads: a spectator who plays taps Fire while the scripts change again and again. Each tap is
// a shot, also one while the client waits for the keyframe that says what its player owns under the changed scripts.
func TestPressesOfSpectatorsOverReloads(t *testing.T) {
	for _, kind := range []client.Kind{client.Spectator, client.InputOnly} {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			var sim *simtest.Sim
			keys := &rattle{most: 60, now: func() time.Duration { return sim.Now }}
			b := shooterBundle(shooters)
			sim = simtest.New(t, simtest.Options{Seed: 8, Clients: 1, Profile: memlink.Bad(), Bundle: b, Compile: compile,
				Controls: func(int) client.Controls { return keys },
				Client:   func(_ int, cfg *client.Config) { cfg.Kind = kind }})
			sim.RunUntil(time.Minute, "plays", func() bool { return sim.Clients[0].Playing() })
			sim.Run(2 * time.Second)
			keys.from = sim.Now
			waits, reloads := 0, 0
			for next := sim.Now; !keys.over(); {
				if sim.Now >= next {
					reloads++
					next += 1500 * time.Millisecond
					edited := shooterBundle(strings.Replace(shooters, "cue(", "local extra = "+string('0'+rune(reloads))+" cue(", 1))
					script, err := compile(edited.Files, edited.Setup)
					must(t, err)
					_, _, err = sim.Host.Switch(edited, script)
					must(t, err)
				}
				sim.Run(simtest.PollEvery)
				waits += one(!sim.Clients[0].Playing())
			}
			sim.Run(3 * time.Second)
			s, r := sim.Host.State(), sim.Host.Reader()
			for _, slot := range s.Run {
				if r.Class(int(slot)).Name != "Shooter" { // Rollers act in frames, which only a client that simulates makes
					continue
				}
				if shots, _ := r.Number(s.Objects[slot].ID, "shots"); shots != float64(keys.most) {
					t.Errorf("%v shots of %d presses", shots, keys.most)
				}
			}
			if waited := time.Duration(waits) * simtest.PollEvery; reloads < 6 || waited < time.Duration(reloads)*50*time.Millisecond {
				t.Errorf("%d reloads, %v without a keyframe: the test does not show what it names", reloads, waited)
			}
		})
	}
}
