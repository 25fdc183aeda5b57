package simtest_test

import (
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// led is a game of racers with owner authority among replicated objects. The racers
// bump into walkers and rocks, shoot at them, and carry balls.
const led = `
Racer = object "Racer" {
  input = { left = "bool", right = "bool", go = "bool", fire = "bool" },
  state = { ball = ref(), rest = 0 },
  aux = { hits = 0, bumps = 0 },
  authority = "owner",
  moves = { speed = 20 },
  body = { shape = { circle = 0.5 }, density = 1, restitution = 0.5, linear_damping = 1, angular_damping = 3 },
}
function Racer:applyInput(input)
  self:setTorque(((input.left and 1 or 0) - (input.right and 1 or 0)) * 2)
  self:setDirectionalForce(self:getDirection(), input.go and 12 or 0)
  if not input.fire then return end
  local x, y = self:getPosition()
  local a = self:getDirection()
  local hit = raycast(x + 0.6 * math.cos(a), y + 0.6 * math.sin(a), x + 12 * math.cos(a), y + 12 * math.sin(a), "walker", "rock")
  if hit then
    self.hits = self.hits + 1
    hit.shot = hit.shot + 1
  end
end
function Racer:onContact(other)
  if not other then return end
  if other.class == "Walker" or other.class == "Rock" then self.bumps = self.bumps + 1 end
  if other.class == "Ball" and not self.ball and self.rest == 0 and not other:getHolder() then
    self.ball = other
    other:attach(self, 0.8, 0)
  end
end
function Racer:tick()
  self.rest = math.max(self.rest - 1, 0)
  if self.ball and tickNumber() % 120 == 0 then
    if self.ball:valid() then self.ball:detach() end
    self.ball, self.rest = nil, 40
  end
end

Walker = object "Walker" {
  lod = "interpolate",
  input = { go = { "number", min = -3.2, max = 3.2, step = 0.01 } },
  state = { mood = 0, age = 0 },
  aux = { shot = 0 },
  body = { shape = { circle = 0.6 }, density = 2, layer = "walker" },
}
function Walker:think()
  self.age = self.age + 1
  if self.age % 90 == 1 then self.mood = math.floor(random() * 64) end
  return { go = self.mood / 10 - 3.15 }
end
function Walker:applyInput(input) self:setVelocity(3 * math.cos(input.go), 3 * math.sin(input.go)) end

Rock = object "Rock" {
  lod = "extrapolate",
  aux = { shot = 0 },
  body = { shape = { circle = 0.7 }, density = 2, restitution = 0.9, layer = "rock" },
}

Ball = object "Ball" { lod = "interpolate", body = { shape = { circle = 0.3 }, density = 0.2, linear_damping = 1 } }
`

const ledRoom = `
function onStart()
  for i = 0, 7 do spawn("Walker", { x = i * 4 - 14, y = 8 - (i % 3) * 6 }) end
  for i = 0, 5 do spawn("Rock", { x = i * 5 - 12, y = 4 - (i % 2) * 8, vx = 3, vy = (i % 2) * 6 - 3 }) end
  for i = 0, 9 do spawn("Ball", { x = i * 3 - 14, y = i % 4 * 4 - 7 }) end
end
function onJoin(player) spawn("Racer", { x = -12 + 6 * player, y = 0, owner = player }) end
`

// seenMoving adds up how far the replicated objects, and those of other owners, move in a client's
// views.
type seenMoving struct {
	at   map[world.ObjectID][2]float64
	way  map[string]float64 // m, by class
	view room.View
}

func (s *seenMoving) look(c *client.Client) {
	c.View(&s.view)
	for i := range s.view.Bodies {
		b := &s.view.Bodies[i]
		if was, ok := s.at[b.ID]; ok && b.Owner != c.Player() {
			s.way[b.Class] += math.Hypot(b.X-was[0], b.Y-was[1])
		}
		s.at[b.ID] = [2]float64{b.X, b.Y}
	}
}

// sumOf returns the sum of a number field over all objects of a class.
func sumOf(s *world.State, schema *world.Schema, class, field string) (sum float64) {
	ci, _ := schema.ClassByName(class)
	f, _ := schema.Classes[ci].Field(field)
	for _, slot := range s.Run {
		if int(s.Objects[slot].Class) == ci {
			sum += math.Float64frombits(s.Row(int(slot)).Word(f))
		}
	}
	return sum
}

// TestOwnersAmongTheReplicated tests owners that move objects which bump into, shoot and
// carry replicated objects. All clients confirm the same hashes, the host accepts the
// owner poses, and corrections are tiny.
func TestOwnersAmongTheReplicated(t *testing.T) {
	t.Parallel()
	for _, line := range []memlink.Profile{memlink.Bad(), memlink.Awful()} {
		t.Run(line.String(), func(t *testing.T) {
			t.Parallel()
			var moves []room.Displacement
			sim := simtest.New(t, simtest.Options{Seed: 23, Clients: 3, Profile: line, Bundle: ownersRoom("game.lua", ledRoom, "led.lua", led), Compile: compile,
				Controls: func(i int) client.Controls { return &driver{uint64(i) + 3} },
				Client: func(i int, cfg *client.Config) {
					cfg.Displaced = func(m room.Displacement) {
						if m.Kind == room.Correction {
							moves = append(moves, m)
						}
					}
				}})
			sim.RunUntil(30*time.Second, "all play", func() bool {
				for _, c := range sim.Clients {
					if !c.Playing() {
						return false
					}
				}
				return true
			})
			seen := seenMoving{at: map[world.ObjectID][2]float64{}, way: map[string]float64{}}
			carried := 0
			for end := sim.Now + draws.Pick(8*time.Second, 12*time.Second); sim.Now < end; {
				sim.Run(4 * simtest.PollEvery)
				seen.look(sim.Clients[0])
				if len(sim.Host.State().Physics.Joints) > 0 {
					carried++
				}
			}
			s, schema := sim.Host.State(), sim.Host.Schema()
			hits, shot, bumps := sumOf(s, schema, "Racer", "hits"), sumOf(s, schema, "Walker", "shot")+sumOf(s, schema, "Rock", "shot"), sumOf(s, schema, "Racer", "bumps")
			sim.Drain()
			compared := sim.AgreeOnHashes()
			h := sim.Host.Report(sim.Now)
			t.Logf("owners %+v; %v hits, %v bumps, carried in %d looks; seen moving by %v m; bytes %v", *h.Owners, hits, bumps, carried, seen.way, h.Bytes)
			if compared < draws.Pick(1300, 2000) || h.Bytes["given"] < 1000 || h.Bytes["snapshots"] < 10_000 || h.ScriptErrors > 0 || sim.Failed() != nil {
				t.Errorf("%d ticks compared, bytes %v, %d script errors, %v", compared, h.Bytes, h.ScriptErrors, sim.Failed())
			}
			if o := h.Owners; o.Poses < draws.Pick(1000, 1500) || o.Taken < draws.Pick(140, 200) || o.Refused != 0 {
				t.Errorf("owners %+v", *o)
			}
			if hits < 50 || shot < 50 || bumps < 2 || carried < 15 {
				t.Errorf("%v hits, %v of them known to who was hit, %v bumps, carried in %d looks", hits, shot, bumps, carried)
			}
			for _, class := range []string{"Racer", "Walker", "Rock", "Ball"} {
				if seen.way[class] < 15 {
					t.Errorf("a client saw %ss move by %.1f m", class, seen.way[class])
				}
			}
			for _, m := range moves {
				if m.Provenance.Cause != timeline.CauseReplicated || m.Distance > 0.1 {
					t.Errorf("%s", &m)
				}
			}
			for i := range sim.Clients {
				r := sim.Report(i)
				t.Logf("client %d: corrections %+v, repredictions %+v", i, r.Corrections, *r.Repredictions)
				if r.Corrections.Count > 5 || r.Repredictions.Distance.Max > 4 {
					t.Errorf("client %d: corrections %+v, repredictions %+v", i, r.Corrections, *r.Repredictions)
				}
			}
		})
	}
}
