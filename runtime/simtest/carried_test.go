package simtest_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// possession returns the game of the scene net-possession, which is document 1's: a runner who touches the free
// ball gets it, passes it, or loses it to one who touches them. The ball belongs to the player who has it.
func possession(t *testing.T, runners, balls string) *bundle.Bundle {
	t.Helper()
	game, err := scripts.LoadDir("../../cmd/host/netbench/games/possession")
	must(t, err)
	for i := range game.Bundle.Files {
		f := &game.Bundle.Files[i]
		for class, level := range map[string]string{"Runner": runners, "Ball": balls} {
			head := `object "` + class + `" {`
			f.Text = strings.Replace(f.Text, head, head+` lod = "`+level+`",`, 1)
		}
	}
	return game.Bundle
}

// runner turns this way and that, and passes the ball every four seconds.
type runner struct{ n uint64 }

func (p *runner) Input(r world.Reader, slot int) (in world.Input) {
	t, c := r.Tick(), r.Class(slot)
	p.n = p.n*6364136223846793005 + 1442695040888963407
	in.Set(c, "turn", math.Sin(float64(t)/40+float64(p.n>>60)/10))
	if t%240 < 2 {
		in.Set(c, "Pass", 1)
	}
	return in
}

// soon is less than the time for which a holder keeps an object that does not flicker, in frames.
const soon = 8

// settled is how long after a change of holder is seen the object must be at its place at the new holder.
const settled = 300 * time.Millisecond

// carriers looks at the ball as a client draws it.
type carriers struct {
	frames simtest.FrameDiff
	off    stats.Series  // how far a carried ball is drawn from its place at its holder as drawn, once it is settled, m
	jumps  *stats.Series // how much farther it is drawn from where it was than its speed in these two frames takes it, m
	since  time.Duration
	by     world.ObjectID // what carries it
	holds  int            // how often something else carried it
	held   int            // frames since then
	soon   int            // holders that had it for less than soon frames
	wrong  int            // frames that did not have one ball
	alone  int            // frames in which it jumped by more than a metre, and its holder did not
}

func (e *carriers) look(c *client.Client, now time.Duration) {
	balls := 0
	for _, b := range e.frames.Look(c, now).Bodies {
		balls += one(b.Class == "Ball")
	}
	e.wrong += one(balls != 1)
	e.frames.Jumps(func(b *room.ViewBody, j simtest.Jump) {
		if b.Class != "Ball" {
			return
		}
		e.jumps.Add(max(0, j.Step-j.Way))
		if e.held++; b.Holder != e.by {
			e.soon += one(e.by != 0 && e.held < soon && e.holds > 1)
			e.by, e.holds, e.held, e.since = b.Holder, e.holds+1, 0, now
		}
		e.frames.Jumps(func(h *room.ViewBody, of simtest.Jump) {
			e.alone += one(h.ID == b.Holder && j.Step > of.Step+1)
		})
		if h, ok := e.frames.Find(b.Holder); ok && now-e.since >= settled && e.holds > 1 {
			at := h.ToWorld(physics.Vec{X: 0.9, Y: 0.2})
			e.off.Add(math.Hypot(b.X-at.X, b.Y-at.Y))
		}
	})
}

// TestCarriedObjectsAreDrawnAtTheirHolder: a ball that is taken, kicked, passed and stolen is drawn at
// its holder, and does not jump, on all screens and for all pairs of levels.
func TestCarriedObjectsAreDrawnAtTheirHolder(t *testing.T) {
	t.Parallel()
	for _, runners := range []string{"predict", "extrapolate", "interpolate"} {
		for _, balls := range []string{"predict", "extrapolate", "interpolate"} {
			lines := map[string]string{ // in a plain run
				"predict/interpolate": "awful",
				"interpolate/predict": "bad",
			}[runners+"/"+balls]
			t.Run(runners+"/"+balls, func(t *testing.T) {
				onLines(t, lines, func(t *testing.T, line memlink.Profile) {
					jumps := make([]stats.Series, players+1)
					for seed := range uint64(draws.Pick(1, 3)) {
						playPossession(t, 12+seed, line, runners, balls, jumps, 0)
					}
					haveNoJumps(t, jumps)
				})
			})
		}
	}
}

// haveNoJumps fails unless 99 % of the frames of each client move the ball as its velocity does, or by at most 0.1 m more.
func haveNoJumps(t *testing.T, jumps []stats.Series) {
	t.Helper()
	for i := range jumps {
		if jumps[i].Quantile(0.99) > 0.1 {
			t.Errorf("client %d: jumps %s", i, metres(&jumps[i]))
		}
	}
}

// TestCarriedObjectsUnderReloads is TestCarriedObjectsAreDrawnAtTheirHolder while the scripts are reloaded every 2.5 s:
// what the prediction of runners was wrong by takes the ball along, and is a way of its own.
func TestCarriedObjectsUnderReloads(t *testing.T) {
	onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
		for i := range draws.Pick(1, 6) {
			runners := []string{"extrapolate", "predict", "interpolate"}[i%3]
			jumps := make([]stats.Series, players+1)
			playPossession(t, 39+uint64(i/3), line, runners, "interpolate", jumps, 2500*time.Millisecond)
			haveNoJumps(t, jumps)
		}
	})
}

// players is how many play possession; another one watches.
const players = 3

// playPossession looks at a match. every is how often the scripts are reloaded with another number; 0: never.
func playPossession(
	t *testing.T,
	seed uint64,
	line memlink.Profile,
	runners, balls string,
	jumps []stats.Series,
	every time.Duration,
) {
	sim := simtest.New(t, simtest.Options{Seed: seed, Clients: players + 1, Profile: line, Bundle: possession(t, runners, balls), Compile: compile,
		Controls: func(i int) client.Controls { return &runner{uint64(i) * 7} },
		Client: func(i int, c *client.Config) {
			if i == players && every == 0 {
				c.Kind = client.Spectator
			}
			c.Verify = every == 0 || draws.Full()
		}})
	everybodyPlays(sim)
	sim.Run(2 * time.Second)
	length := draws.Pick(6*time.Second, 11*time.Second)
	if line == memlink.Awful() || every > 0 {
		length += 5 * time.Second
	}
	eyes := make([]carriers, len(sim.Clients))
	for i := range eyes {
		eyes[i].jumps = &jumps[i]
	}
	reloads, next := 0, sim.Now
	for end := sim.Now + length; sim.Now < end; {
		if every > 0 && sim.Now >= next {
			reloads, next = reloads+1, next+every
			game := possession(t, runners, balls)
			for i := range game.Files {
				f := &game.Files[i]
				f.Text = strings.Replace(f.Text, "kick = 14", fmt.Sprintf("kick = %d", 14+reloads%2), 1)
			}
			switchTo(t, sim, game)
		}
		sim.Run(4 * simtest.PollEvery)
		for i, c := range sim.Clients {
			eyes[i].look(c, sim.Now)
		}
	}
	for i := range eyes {
		e := &eyes[i]
		t.Logf("client %d: off %s in %d frames, jumps %s, %d holds", i, metres(&e.off), e.off.Count(), metres(e.jumps), e.holds)
		if e.off.Quantile(1) > 0.01 {
			t.Errorf("client %d: carried %s away from the holder", i, metres(&e.off))
		}
		if e.wrong > 0 || e.soon > 0 || e.alone > 0 {
			t.Errorf("client %d: %d frames did not have one ball, %d holders had it for a moment only, and it jumped alone %d times", i, e.wrong, e.soon, e.alone)
		}
		if e.off.Count() < 60 || e.holds < 2 {
			t.Errorf("client %d: only %d frames of carrying, and %d changes", i, e.off.Count(), e.holds)
		}
	}
	sim.Drain()
	for i := range sim.Clients {
		if d := sim.Clients[i].Desync(); d != nil {
			t.Errorf("client %d: %v", i, d)
		}
	}
}

// TestBallOfRunnersWhoTurnBack: runners who stop and reverse at once are predicted metres wrong, both their place and
// how they are turned after they touched, and a ball that is carried beside the middle moves with both corrections.
func TestBallOfRunnersWhoTurnBack(t *testing.T) {
	onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
		for _, owner := range []string{"", `authority = "owner", moves = { speed = 9 },`} {
			game := bundle.New("ball", world.Source{Name: "game.lua", Text: `
Runner = object "Runner" { ` + owner + `
  input = { Left = "bool", Right = "bool", Up = "bool", Down = "bool", Fire = "bool" },
  body = { shape = { circle = 0.5 }, layer = "runner", collides = { "wall" } },
}
function Runner:applyInput(input)
  local dx, dy = (input.Right and 1 or 0) - (input.Left and 1 or 0), (input.Up and 1 or 0) - (input.Down and 1 or 0)
  self:setVelocity(6 * dx, 6 * dy)
  if not input:pressed("Fire") then return end
  local ball = objects("Ball")[1]
  if ball and ball:getHolder() ~= self and ball.rest == 0 then
    ball:attach(self, 0.9, 0.2)
    ball.rest = 40
  end
end
Ball = object "Ball" {
  lod = "interpolate", state = { rest = 0 },
  body = { shape = { circle = 0.2 }, mass = 0.5, layer = "ball", collides = { "wall" } },
}
function Ball:tick() self.rest = math.max(0, self.rest - 1) end
function onStart() spawn("Ball", { x = 0, y = 0 }) end
function onJoin(player) spawn("Runner", { x = 7 * (player % 3) - 8, y = 5 * (player % 4) - 8, owner = player }) end`})
			game.Setup.Walls = []world.Wall{{Y: -15, W: 42, H: 1}, {Y: 15, W: 42, H: 1}, {X: -20.5, W: 1, H: 31}, {X: 20.5, W: 1, H: 31}}
			sim := simtest.New(t, simtest.Options{Seed: 301, Clients: 3, Profile: line, Bundle: game, Compile: compile,
				Controls: func(i int) client.Controls { return &wanderer{uint64(i)*3 + 301} }})
			everybodyPlays(sim)
			sim.Run(2 * time.Second)
			eyes, jumps := make([]carriers, len(sim.Clients)), make([]stats.Series, len(sim.Clients))
			for end := sim.Now + 10*time.Second; sim.Now < end; {
				sim.Run(4 * simtest.PollEvery)
				for i, c := range sim.Clients {
					eyes[i].jumps = &jumps[i]
					eyes[i].look(c, sim.Now)
				}
			}
			haveNoJumps(t, jumps)
			for i := range eyes {
				e := &eyes[i]
				t.Logf("client %d: off %s in %d frames, jumps %s, %d holds", i, metres(&e.off), e.off.Count(), metres(e.jumps), e.holds)
				if e.off.Quantile(1) > 0.01 || e.off.Count() < 100 || e.holds < 8 {
					t.Errorf("client %d: carried %s away from the holder in %d frames, %d holds", i, metres(&e.off), e.off.Count(), e.holds)
				}
			}
			sim.Drain()
			inAgreement(t, sim)
		}
	})
}

// TestHoldersOutliveReloads: an object that is carried all the time is drawn at its holder on the screens of spectators
// and players, also while scripts are reloaded.
func TestHoldersOutliveReloads(t *testing.T) {
	onLines(t, "off bad", func(t *testing.T, line memlink.Profile) {
		game := func(n int) *bundle.Bundle {
			return bundle.New("holders", world.Source{Name: "game.lua", Text: fmt.Sprintf(`
Cart = object "Cart" { state = { n = %d }, body = { shape = { circle = 0.5 }, density = 1 } }
function Cart:tick() self:setVelocity(math.sin(tickNumber() / 30) * 4, 1) end
Load = object "Load" { state = { n = 0 }, lod = "interpolate", body = { shape = { circle = 0.3 }, density = 0.1 } }
function Load:tick()
  if not self:getHolder() then self:attach(objects("Cart")[1], 0.9, 0) end
end
function onStart() spawn("Cart", { x = 0, y = -5 }) spawn("Load", { x = 2, y = -5 }) end`, n)})
		}
		sim := simtest.New(t, simtest.Options{Seed: 3, Clients: 2, Profile: line, Bundle: game(0), Compile: compile,
			Client: func(i int, c *client.Config) {
				if i == 1 {
					c.Kind = client.Spectator
				}
			}})
		sim.RunUntil(time.Minute, "all are there", func() bool { return sim.Clients[0].Playing() && sim.Clients[1].Playing() })
		sim.Run(2 * time.Second)
		free, frames := [2]int{}, 0
		for n := range 4 {
			switchTo(t, sim, game(n+1))
			for end := sim.Now + 3*time.Second; sim.Now < end; frames++ {
				sim.Run(4 * simtest.PollEvery)
				for i, c := range sim.Clients {
					var v room.View
					c.View(&v)
					for _, b := range v.Bodies {
						free[i] += one(b.Class == "Load" && b.Holder == 0)
					}
				}
			}
		}
		if free != [2]int{} {
			t.Errorf("nothing carries the load in %v of %d frames", free, frames)
		}
		if d := sim.Clients[0].Desync(); d != nil {
			t.Error(d)
		}
	})
}
