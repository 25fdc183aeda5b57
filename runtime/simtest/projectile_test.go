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
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// gunners shoot at 30 m/s while they have ammunition. A gunner who steals leaves the
// others none.
const gunners = `
Gunner = object "Gunner" {
  input = { Fire = "bool", Steal = "bool", Push = "bool" },
  state = { ammo = 100, wait = 0 },
  body = { shape = { circle = 0.5 }, linear_damping = 1 },
}
Bullet = object "Bullet" {
  state = { left = 90 },
  body = { shape = { circle = 0.1 }, bullet = true, layer = "shot", collides = { "wall" } },
}
function Gunner:applyInput(input)
  self:setForce(0, input.Push and 8 or 0)
  self.wait = math.max(self.wait - 1, 0)
  if input.Fire and self.wait == 0 and self.ammo > 0 then
    local x, y = self:getPosition()
    spawn("Bullet", { x = x, y = y, vx = 30, owner = self.owner })
    cue("bang", { x = x, y = y })
    self.ammo, self.wait = self.ammo - 1, 20
  end
  if input.Steal then
    for _, other in ipairs(objects("Gunner")) do
      if other ~= self then other.ammo = 0 end
    end
  end
end
function Bullet:tick()
  self.left = self.left - 1
  if self.left == 0 then self:remove() end
end
function onJoin(player) spawn("Gunner", { x = -15, y = player * 4 - 6, owner = player }) end
`

// A gunHand presses buttons in given ticks.
type gunHand struct{ fire, steal map[world.Tick]bool }

func (g *gunHand) Input(r world.Reader, slot int) world.Input {
	var in world.Input
	next := r.Tick() + 1
	for _, f := range r.Class(slot).Inputs {
		if f.Name == "Fire" && g.fire[next] || f.Name == "Steal" && g.steal[next] || f.Name == "Push" && next/40%2 == 0 {
			in.Buttons |= 1 << f.Index
		}
	}
	return in
}

// bullets follows the bullets that the first client shows, frame by frame.
type bullets struct {
	view  room.View
	born  map[world.ObjectID]world.Tick
	gone  map[world.ObjectID]world.Tick
	last  map[world.ObjectID]room.ViewBody
	shown float64
	tick  world.Tick
	jump  stats.Series
}

func (s *bullets) look(t *testing.T, c *client.Client) {
	c.View(&s.view)
	at := float64(s.view.Tick) - 1 + s.view.Alpha
	now := map[world.ObjectID]room.ViewBody{}
	for _, b := range s.view.Bodies {
		if b.Class != "Bullet" || b.Owner != c.Player() {
			continue
		}
		if _, twice := now[b.ID]; twice || s.gone[b.ID] != 0 {
			t.Errorf("tick %d: bullet %v is shown again (twice: %v)", s.view.Tick, b.ID, twice)
		}
		now[b.ID] = b
		if _, known := s.born[b.ID]; !known {
			s.born[b.ID] = s.view.Tick
		} else if was, ok := s.last[b.ID]; ok && s.born[b.ID] < s.tick {
			s.jump.Add(math.Hypot(b.X-was.X-b.VX*(at-s.shown)/60, b.Y-was.Y))
		}
	}
	// order: each bullet is noted by itself
	for id := range s.last {
		if _, there := now[id]; !there {
			s.gone[id] = s.view.Tick
		}
	}
	s.last, s.shown, s.tick = now, at, s.view.Tick
}

// gunMatch is a match of two gunners on lines with a round trip of 200 ms. The views of
// the first one are checked.
type gunMatch struct {
	*simtest.Sim
	hands [2]*gunHand
	seen  bullets
	cues  map[world.Tick][]room.CueChange // of the first player's shots, by tick
}

func newGunMatch(t *testing.T) *gunMatch {
	m := &gunMatch{cues: map[world.Tick][]room.CueChange{}, seen: bullets{born: map[world.ObjectID]world.Tick{}, gone: map[world.ObjectID]world.Tick{}}}
	b := bundle.New("guns", world.Source{Name: "game.lua", Text: gunners})
	for i := range m.hands {
		m.hands[i] = &gunHand{fire: map[world.Tick]bool{}, steal: map[world.Tick]bool{}}
	}
	line := memlink.Profile{Delay: 100 * time.Millisecond, Jitter: 3 * time.Millisecond}
	m.Sim = simtest.New(t, simtest.Options{Seed: 81, Clients: 2, Profile: line, Bundle: b, Compile: compile,
		Controls: func(i int) client.Controls { return m.hands[i] },
		Client: func(i int, c *client.Config) {
			if i == 0 {
				c.Cues = func(e room.CueEvent) {
					if e.Cue.Owner == m.Clients[0].Player() {
						m.cues[e.Cue.Tick] = append(m.cues[e.Cue.Tick], e.Kind)
					}
				}
			}
		}})
	m.RunUntil(10*time.Second, "both play", func() bool { return m.Clients[0].Playing() && m.Clients[1].Playing() })
	return m
}

// look plays for a while and checks the view after every poll.
func (m *gunMatch) look(t *testing.T, d time.Duration) {
	for end := m.Now + d; m.Now < end; {
		m.Run(simtest.PollEvery)
		m.seen.look(t, m.Clients[0])
	}
}

// bornAt returns the bullet of a shot at a tick.
func (m *gunMatch) bornAt(t *testing.T, tick world.Tick) world.ObjectID {
	t.Helper()
	// order: at most one matches
	for id, born := range m.seen.born {
		if born == tick {
			return id
		}
	}
	t.Fatalf("no bullet is shown from tick %d on: %v", tick, m.seen.born)
	return 0
}

// TestSpawnedBulletIsPredictedOnce tests that, at 200 ms, the shooter's client shows a
// bullet in the tick of the key, with the id that the host will give it, and that the bullet
// flies without a jump and ends in the right tick.
func TestSpawnedBulletIsPredictedOnce(t *testing.T) {
	t.Parallel()
	m := newGunMatch(t)
	begin := m.Clients[0].Now() + 10
	for i := range world.Tick(10) {
		m.hands[0].fire[begin+i*30] = true
	}
	m.look(t, 8*time.Second)
	if len(m.seen.born) != 10 {
		t.Errorf("10 shots, %d bullets", len(m.seen.born))
	}
	for i := range world.Tick(10) {
		tick := begin + i*30
		id := m.bornAt(t, tick)
		if lived := m.seen.gone[id] - tick; lived != 89 { // its first tick hook ran in the tick of its spawn
			t.Errorf("the bullet of tick %d was shown for %d ticks", tick, lived)
		}
		if c := m.cues[tick]; len(c) != 1 || c[0] != room.CueFired {
			t.Errorf("the cues of the shot of tick %d: %v", tick, c)
		}
	}
	if most := m.seen.jump.Quantile(1); most > 1e-6 || m.seen.jump.Count() < 1000 {
		t.Errorf("bullets jump by %+v m (%d pictures)", m.seen.jump.Spread(), m.seen.jump.Count())
	}
	if r := m.Report(0); r.Corrections.Count > 0 {
		t.Errorf("%d corrections", r.Corrections.Count)
	}
	m.Drain()
	m.AgreeOnHashes()
}

// TestShotRefusedByTheHostDisappears tests that a bullet that does not exist on the host
// disappears from its owner's view, with its cue, as soon as the client knows, and does not
// appear again.
func TestShotRefusedByTheHostDisappears(t *testing.T) {
	t.Parallel()
	t.Run("another player took the ammunition", func(t *testing.T) {
		m := newGunMatch(t)
		at := m.Clients[0].Now() + 30
		m.hands[1].steal[at-3], m.hands[0].fire[at] = true, true
		m.look(t, 3*time.Second)
		m.denied(t, at, 40)
	})
	t.Run("its input came too late", func(t *testing.T) {
		m := newGunMatch(t)
		at := m.Clients[0].Now() + 10
		m.hands[0].fire[at] = true
		m.Net.Cut(0, true)
		m.look(t, 900*time.Millisecond)
		m.Net.Cut(0, false)
		m.look(t, 3*time.Second)
		m.denied(t, at, 88)
	})
}

// denied checks that the shot of a tick was shown and disappeared within so many ticks.
func (m *gunMatch) denied(t *testing.T, at, within world.Tick) {
	t.Helper()
	id := m.bornAt(t, at)
	if lived := m.seen.gone[id] - at; m.seen.gone[id] == 0 || lived > within {
		t.Errorf("the bullet of tick %d was shown until tick %d", at, m.seen.gone[id])
	}
	if c := m.cues[at]; len(c) != 2 || c[0] != room.CueFired || c[1] != room.CueCancelled {
		t.Errorf("the cues of the shot: %v", c)
	}
	m.Drain()
	m.AgreeOnHashes()
}
