package simtest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// bells is a game of objects whose cues depend on all inputs of the tick: while late inputs arrive, the host cancels
// cues, fires them again and moves them.
const bells = `
Ship = object "Ship" { input = { Fire = "bool" }, state = { on = 0 }, body = { shape = { circle = 0.4 } } }
function Ship:applyInput(input) self.on = input.Fire and 1 or 0 end
Bell = object "Bell" { lod = %q, state = { n = 0 }, body = { shape = { circle = 0.4 } } }
function Bell:tick()
  local n = 0
  for _, s in ipairs(objects("Ship")) do n = n + s.on end
  self.n = n
  if n %% 2 == 1 then cue("ring", { n = n, x = n }) end
  if n >= 2 then cue("ring", { n = n + 10, x = n }) end
end
function onStart() for i = 1, 4 do spawn("Bell", { x = 3 * i, y = 5 }) end end
function onJoin(player) spawn("Ship", { owner = player, x = 5 * player, y = 0 }) end
`

// flicker presses its button in two of five ticks, which ones differs from player to player.
type flicker struct{ player int }

func (p flicker) Input(r world.Reader, _ int) (in world.Input) {
	if (int(r.Tick())*7919+p.player*31)%5 < 2 {
		in.Buttons = 1
	}
	return in
}

// ringing is which cues are shown, by key, as a program that keeps them by key has them.
type ringing struct {
	shown map[world.CueKey]float64 // field n
	wrong []string
}

func (r *ringing) take(e room.CueEvent) {
	key := e.Cue.CueKey
	_, had := r.shown[key]
	switch e.Kind {
	case room.CueFired:
		if had {
			r.wrong = append(r.wrong, fmt.Sprintf("%s fires, and is shown", key))
		}
		r.shown[key] = fieldOf(&e.Cue, "n")
	case room.CueCancelled:
		if !had {
			r.wrong = append(r.wrong, fmt.Sprintf("%s is cancelled, and is not shown", key))
		}
		delete(r.shown, key)
	case room.CueMoved:
		if _, ok := r.shown[e.Was.CueKey]; !ok {
			r.wrong = append(r.wrong, fmt.Sprintf("%s moves to %s, and is not shown", e.Was.CueKey, key))
		}
		delete(r.shown, e.Was.CueKey)
		if _, used := r.shown[key]; used {
			r.wrong = append(r.wrong, fmt.Sprintf("%s moves to %s, which is shown", e.Was.CueKey, key))
		}
		r.shown[key] = fieldOf(&e.Cue, "n")
	}
}

// TestCuesThatComeAndGo tests that all clients end up with the cues of the host, by key and with their fields, however
// often the host has cancelled them, fired them again and moved them.
func TestCuesThatComeAndGo(t *testing.T) {
	onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
		for _, lod := range []world.LOD{world.Interpolate, world.Extrapolate, world.Predict} {
			const spectator = 3
			own := &ringing{shown: map[world.CueKey]float64{}}
			var clients []*ringing
			sim := simtest.New(t, simtest.Options{Seed: 9, Clients: 4, Profile: line,
				Bundle:   shooterBundle(fmt.Sprintf(bells, lod.String())),
				Compile:  compile,
				Controls: func(i int) client.Controls { return flicker{i} },
				Host:     func(c *host.Config) { c.On.Cue = own.take },
				Client: func(i int, c *client.Config) {
					if i == spectator {
						c.Kind = client.Spectator
					}
					r := &ringing{shown: map[world.CueKey]float64{}}
					clients = append(clients, r)
					c.Cues = r.take
				}})
			everybodyPlays(sim)
			sim.Run(draws.Pick(time.Second, 3*time.Second))
			first := sim.Host.Now()
			sim.Run(draws.Pick(time.Second, 12*time.Second))
			last := sim.Host.Now()
			sim.Run(draws.Pick(4*time.Second, 6*time.Second))
			for i, r := range clients {
				compareRinging(t, fmt.Sprintf("%v, client %d", lod, i), own, r, first, last)
			}
			for _, wrong := range own.wrong[:min(len(own.wrong), 3)] {
				t.Errorf("%v, the host: %s", lod, wrong)
			}
		}
	})
}

// compareRinging fails unless a client has the cues of the host in the ticks from first to last.
func compareRinging(t *testing.T, who string, host, r *ringing, first, last world.Tick) {
	lacks, others, extra, n := 0, 0, 0, 0
	for key, want := range host.shown { // order: they are counted
		if key.Tick < first || key.Tick > last {
			continue
		}
		n++
		got, here := r.shown[key]
		lacks += one(!here)
		others += one(here && got != want)
	}
	for key := range r.shown { // order: they are counted
		_, is := host.shown[key]
		extra += one(!is && key.Tick >= first && key.Tick <= last)
	}
	t.Logf("%s: of %d cues it lacks %d, %d have other fields, %d never happened; %d events were out of order", who, n, lacks,
		others, extra, len(r.wrong))
	if n < 100 || lacks+others+extra+len(r.wrong) > 0 {
		t.Errorf("%s: of %d cues it lacks %d, %d have other fields, %d never happened; out of order: %q", who, n, lacks, others,
			extra, r.wrong[:min(len(r.wrong), 3)])
	}
}
