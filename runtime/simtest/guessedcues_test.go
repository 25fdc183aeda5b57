package simtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// guessGame is a game in which an object that no client is sent decides what a press does: at the host every second press
// is a shot, every third one an alarm; each client guesses that all are shots, and knows of no alarm.
const guessGame = `
Secret = object "Secret" { lod = "interpolate", hidden = true, body = { type = "static", shape = { circle = 0.3 } } }
Runner = object "Runner" {
  lod = "LEVEL", EXTRA input = { l = "bool", r = "bool", Fire = "bool" }, state = { shots = 0 },
  body = { shape = { circle = 0.5 }, density = 1 },
}
function Runner:HOOK
  for i = 1, input:presses("Fire") do
    self.shots = self.shots + 1
    local known = #objects("Secret") > 0
    if not known or self.shots % 2 == 0 then cue("shot", { shot = self.shots + 1000 }) end
    if known and self.shots % 3 == 0 then cue("alarm", { shot = self.shots + 2000 }) end
  end
end
function onStart() spawn("Secret", { x = 8, y = 8 }) end
function onJoin(player) spawn("Runner", { x = 2 * player - 4, y = -2 * player, owner = player }) end
`

// TestGuessedCues tests that what a client has shown of its player's replicated objects, and the host does not have, is
// taken back, and that what it lacks is shown.
func TestGuessedCues(t *testing.T) {
	onLines(t, "off bad", func(t *testing.T, line memlink.Profile) {
		for _, kind := range []struct{ name, level, extra, hook string }{
			{"extrapolated", "extrapolate", "", "applyInput(input)"},
			{"interpolated", "interpolate", "", "applyInput(input)"},
			{"owner", "interpolate", `authority = "owner", moves = { speed = 30 },`, "applyInput(input)"},
			{"independent", "extrapolate", `ticking = "independent",`, "simulate(input, dt)"},
		} {
			t.Run(kind.name, func(t *testing.T) {
				t.Parallel()
				playGuessed(t, line, strings.NewReplacer("LEVEL", kind.level, "EXTRA", kind.extra, "HOOK", kind.hook).Replace(guessGame))
			})
		}
	})
}

func playGuessed(t *testing.T, line memlink.Profile, text string) {
	truth, eyes := &worldEye{shots: map[ownShot]*shotEvents{}}, []*worldEye{}
	sim := simtest.New(t, simtest.Options{Seed: 7, Clients: 2, Profile: line, Bundle: shooterBundle(text), Compile: compile,
		Controls: func(i int) client.Controls { return &rapidFire{17 + 6*i, 700} },
		Host:     func(c *host.Config) { c.On.Cue = truth.take },
		Client: func(_ int, c *client.Config) {
			e := &worldEye{shots: map[ownShot]*shotEvents{}}
			eyes = append(eyes, e)
			c.Cues = e.take
		}})
	for sim.Host.Now() < 1000 {
		sim.Run(100 * time.Millisecond)
	}
	for i, e := range eyes {
		own, wrong, taken, late := ownObject(sim, i), []string{}, 0, 0
		all := map[ownShot]bool{}
		for shot := range e.shots { // order: a set
			all[shot] = true
		}
		for shot := range truth.shots { // order: a set
			all[shot] = true
		}
		for shot := range all { // order: sorted below
			mine, is := e.of(&world.Cue{CueKey: world.CueKey{Object: shot.object}, Fields: shotField(shot)}), truth.shots[shot]
			shown, happened := mine.fired-mine.gone, 0
			if is != nil {
				happened = is.fired - is.gone
			}
			if shown != happened || mine.fired > 1 {
				wrong = append(wrong, fmt.Sprintf("%v of %v: fired %d times, taken back %d times, happened %d times", shot.number,
					shot.object, mine.fired, mine.gone, happened))
			}
			if shot.object == own {
				taken += mine.gone
				late += one(shot.number > 2000 && shown == 1)
			}
		}
		slices.Sort(wrong)
		if len(wrong) > 0 {
			t.Errorf("client %d: %d of %d are wrong: %s", i, len(wrong), len(all), strings.Join(wrong[:min(len(wrong), 4)], "; "))
		}
		if taken < 5 || late < 3 {
			t.Errorf("client %d: %d cues were taken back, and %d were shown that it had not guessed: too few to tell", i, taken, late)
		}
	}
	if r := sim.Host.Report(sim.Now); r.ScriptErrors > 0 {
		t.Errorf("%d script errors", r.ScriptErrors)
	}
}

// ownObject returns the object of a client's player.
func ownObject(sim *simtest.Sim, i int) world.ObjectID {
	s := sim.Host.State()
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; o.Owner == sim.Clients[i].Player() && o.Owner != 0 {
			return o.ID
		}
	}
	return 0
}

func shotField(s ownShot) []world.CueField {
	return []world.CueField{{Name: "shot", Number: s.number}}
}

// TestCuesOfLevelEdits tests that edits of the level of ships that run in their owners' frames neither leave a cue on
// the screen that the host does not have, nor repeat one. What was a guess under one level is exact under the other.
func TestCuesOfLevelEdits(t *testing.T) {
	onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
		var clients []*ownShots
		truth := &worldEye{shots: map[ownShot]*shotEvents{}}
		var sim *simtest.Sim
		class := func(world.ObjectID) string { return "" }
		reloads := draws.Pick(6, 30)
		game := func(level string) string {
			return strings.NewReplacer(`ship("Shared", "predict")`, fmt.Sprintf("ship(%q, %q)", "Shared", level),
				`ship("Guessed", "extrapolate")`, "", `"Guessed",`, "").Replace(framed)
		}
		sim = simtest.New(t, simtest.Options{Seed: 5, Clients: 3, Profile: line, Bundle: shooterBundle(game("predict")),
			Compile: compile,
			Controls: func(i int) client.Controls {
				return &rapidFire{6 + 6*i, world.Tick(150*reloads) - 60}
			},
			Host: func(c *host.Config) { c.On.Cue = truth.take },
			Client: func(i int, c *client.Config) {
				c.Verify = false // each frame is a rewind, all of which it repeats
				o := &ownShots{class: class, shots: map[ownShot]*shotEvents{}}
				o.player = func() world.PlayerID { return sim.Clients[i].Player() }
				clients = append(clients, o)
				c.Cues = o.take
			}})
		for n := range reloads {
			sim.Run(2500 * time.Millisecond)
			switchTo(t, sim, shooterBundle(game([]string{"extrapolate", "predict", "interpolate", "predict"}[n%4])))
		}
		sim.Run(2 * time.Second)
		sim.Drain()
		total, wrong, again := 0, 0, 0
		for i, o := range clients {
			for shot, s := range o.shots { // order: each is judged by itself
				is := truth.shots[shot]
				happened := 0
				if is != nil {
					happened = is.fired - is.gone
				}
				total++
				again += one(s.fired > 1)
				if s.fired-s.gone == happened {
					continue
				}
				if wrong++; wrong < 10 {
					t.Errorf("client %d: the cue of shot %v fired %d times and was taken back %d times; the host has it: %+v",
						i, shot.number, s.fired, s.gone, is)
				}
			}
		}
		t.Logf("%d of %d wrong, %d repeated for a while", wrong, total, again)
		if total < 300 {
			t.Errorf("only %d shots", total)
		}
	})
}
