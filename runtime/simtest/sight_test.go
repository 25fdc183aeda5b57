package simtest_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/simtest/figures"
	"github.com/hindcast/hindcast/world"
)

// gallery is a game in which the first player has a gun, and the others run to and fro in front of it.
// A shot counts as a hit if asSeen finds a runner in its way, and as bare if one is there in the tick.
const gallery = `
Gun = object "Gun" {
  input = { Fire = "bool", aim = { "number", min = -4, max = 4 } },
  state = { shots = 0, hits = 0, bare = 0 },
  body = { type = "static", shape = { circle = 0.3 } },
}
function Gun:applyInput(input)
  if input:presses("Fire") == 0 then return end
  local x, y = self:getPosition()
  local function ray()
    return raycast(x, y, x + 60 * math.cos(input.aim), y + 60 * math.sin(input.aim), "runner")
  end
  self.shots = self.shots + 1
  if self:asSeen(ray) then self.hits = self.hits + 1 end
  if ray() then self.bare = self.bare + 1 end
end

Runner = object "Runner" {
  seen = SEEN, lod = "LOD",
  input = { Right = "bool", Left = "bool" },
  body = { shape = { circle = 0.5 }, layer = "runner", collides = { "wall" } },
}
function Runner:applyInput(input)
  if input.Right then self:setVelocity(SPEED, 0) elseif input.Left then self:setVelocity(-SPEED, 0) end
end
`

// galleryBundle returns the game with runners of a level of detail, of a speed in m/s.
func galleryBundle(lod string, speed float64, seen string) *bundle.Bundle {
	b := bundle.New("gallery")
	text := strings.NewReplacer("LOD", lod, "SPEED", fmt.Sprint(speed), "SEEN", seen).Replace(gallery)
	b.Files = []world.Source{{Name: "gallery.lua", Text: text}, {Name: "game.lua", Text: `
function onJoin(player)
  if player == 1 then
    spawn("Gun", { owner = player, y = -10 })
  else
    spawn("Runner", { owner = player, x = player * 2, y = player * 2 })
  end
end
`}}
	return b
}

// reverses are the controls of a runner who turns twice a second.
type reverses struct{}

func (reverses) Input(room world.Reader, slot int) world.Input {
	var in world.Input
	way := []string{"Left", "Right"}[int(room.Tick()/30+world.Tick(room.State().Objects[slot].Owner))%2]
	_ = in.Set(room.Class(slot), way, 1)
	return in
}

// snipes are the controls of a player who aims at the centre of a runner as drawn, and presses Fire five times a
// second, or holds it down.
type snipes struct {
	client *client.Client
	view   room.View
	from   world.Tick
	holds  bool
	moving bool   // the gun does, so the player aims from where it is drawn
	class  string // of what the player shoots at; "": all that other players own
}

func (s *snipes) Input(r world.Reader, slot int) world.Input {
	var in world.Input
	if s.client == nil || r.Tick() < s.from {
		return in
	}
	s.client.View(&s.view)
	x, y := 0.0, -10.0
	for i := range s.view.Bodies {
		if b := &s.view.Bodies[i]; s.moving && b.Owner == s.view.Player {
			x, y = b.X, b.Y
		}
	}
	n, wanted := 0, 1
	if s.class == "" {
		wanted += int(r.Tick()/12) % 4
	}
	for i := range s.view.Bodies {
		b := &s.view.Bodies[i]
		if s.class == "" && (b.Owner == s.view.Player || b.Owner == 0) || s.class != "" && b.Class != s.class {
			continue
		}
		if n++; n == wanted && (s.holds || r.Tick()%12 == 0) {
			in.Axes[0] = math.Atan2(b.Y-y, b.X-x)
			in.Press(0, 1)
		}
	}
	return in
}

// galleryResult is what the gun of a gallery counted, and what the host decided about its sights.
type galleryResult struct {
	shots, hits, bare int
	sights            room.SightCounts
}

// missed reports whether more than 2 in 100 shots missed what they were aimed at, or there were too few.
func (n *galleryResult) missed() bool {
	return n.shots < draws.Pick(30, 60) || n.shots-n.hits > max(1, n.shots/50) // one miss says nothing
}

// playGallery plays with one gun and four runners, whose lines may be others.
func playGallery(t *testing.T, b *bundle.Bundle, line, others memlink.Profile, change func(cfg *client.Config)) (sim *simtest.Sim, n galleryResult) {
	t.Helper()
	return playShooter(t, &snipes{from: 240}, b, line, others, change)
}

// playShooter is playGallery with the controls of the gun.
func playShooter(t *testing.T, shooter *snipes, b *bundle.Bundle, line, others memlink.Profile, change func(cfg *client.Config)) (sim *simtest.Sim, n galleryResult) {
	t.Helper()
	sim = simtest.New(t, simtest.Options{Seed: 71, Clients: 1, Profiles: []memlink.Profile{line, others, others, others, others}, Bundle: b, Compile: compile,
		Controls: func(i int) client.Controls {
			if i == 0 {
				return shooter
			}
			return reverses{}
		},
		Client: func(i int, cfg *client.Config) {
			if i == 0 && change != nil {
				change(cfg)
			}
		}})
	shooter.client = sim.Clients[0]
	sim.RunUntil(5*time.Second, "the shooter in", func() bool { return shooter.client.Player() != 0 })
	for range 4 {
		sim.Join()
	}
	sim.Run(draws.Pick(12*time.Second, 20*time.Second))
	n.shots, n.hits, n.bare = gun(t, sim.Host.State(), sim.Host.Schema())
	n.sights = sim.Host.Report(sim.Now).Inputs.Sights
	t.Logf("%+v", n)
	return sim, n
}

// TestShotsHitWhatIsDrawn plays on several lines, with targets of all levels of detail, and with a spectator
// who shoots.
func TestShotsHitWhatIsDrawn(t *testing.T) {
	t.Parallel()
	lines := draws.Pick([]string{"awful"}, []string{"off", "average", "bad", "awful"})
	for _, c := range []struct {
		what, lod string
		kind      client.Kind
	}{{"predicted", "predict", client.Predictor}, {"extrapolated", "extrapolate", client.Predictor}, {"interpolated", "interpolate", client.Predictor},
		{"a spectator's", "predict", client.Spectator}, {"a spectator's, replicated", "interpolate", client.Spectator}, {"a spectator's, extrapolated", "extrapolate", client.Spectator}} {
		figure := make([]string, len(lines))
		t.Cleanup(func() { // after the matches
			if draws.Full() {
				figures.Row(t, "benchmarks.md", "shots at targets: "+c.what, figure...)
			}
		})
		for i, line := range lines {
			t.Run(c.what+" "+line, func(t *testing.T) {
				t.Parallel()
				profile, err := memlink.ParseProfile(line)
				if err != nil {
					t.Fatal(err)
				}
				sim, n := playGallery(t, galleryBundle(c.lod, 12, "true"), profile, profile, func(cfg *client.Config) { cfg.Kind = c.kind })
				if n.missed() || line != "off" && n.bare > n.shots*3/4 {
					t.Errorf("%+v", n)
				}
				figure[i] = fmt.Sprintf("%.0f %% (%.0f %%)", 100*float64(n.hits)/float64(n.shots), 100*float64(n.bare)/float64(n.shots))
				for i := range sim.Clients {
					if r := sim.Report(i); r.Confirmed.Mismatched != 0 {
						t.Errorf("client %d: %+v, %v", i, r.Confirmed, sim.Clients[i].Err())
					}
				}
			})
		}
	}
}

// TestShotsOfAMovingGun tests that a player and a spectator whose own gun moves hit what they aim at from where they see
// the gun.
func TestShotsOfAMovingGun(t *testing.T) { shootMoving(t, "2 * math.cos(tickNumber() / 30)") }

// TestShotsOfAGunThatStartsAndStops tests a gun that is seen at rest while it moves already, and the other way round.
func TestShotsOfAGunThatStartsAndStops(t *testing.T) {
	shootMoving(t, "({ 6, 0, -6, 0 })[math.floor(tickNumber() / 40) % 4 + 1]")
}

// shootMoving plays with a gun that moves at a velocity.
func shootMoving(t *testing.T, velocity string) {
	onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
		for _, kind := range []client.Kind{client.Predictor, client.Spectator} {
			for _, lod := range draws.Pick([]string{"predict"}, []string{"predict", "interpolate"}) {
				b := galleryBundle("predict", 8, "true")
				b.Files[0].Text = strings.NewReplacer(
					`body = { type = "static", shape = { circle = 0.3 } }`,
					`lod = "`+lod+`", body = { shape = { circle = 0.3 }, layer = "gun", collides = { "wall" } }`,
					"function Gun:applyInput(input)",
					"function Gun:applyInput(input)\n  self:setVelocity("+velocity+", 0)",
				).Replace(b.Files[0].Text)
				shooter := &snipes{from: 240, moving: true}
				sim, n := playShooter(t, shooter, b, line, line, func(cfg *client.Config) { cfg.Kind = kind })
				if n.missed() {
					t.Errorf("%v, gun %s: %+v", kind, lod, n)
				}
				for i := range sim.Clients {
					if r := sim.Report(i); r.Confirmed.Mismatched != 0 {
						t.Errorf("client %d: %+v, %v", i, r.Confirmed, sim.Clients[i].Err())
					}
				}
			}
		}
	})
}

// TestShotsFromAGoodLineAtABadOne tests that a limit which follows from the shooter's line is fair to players who
// aim at objects of players with worse lines, and that an input delay changes nothing.
func TestShotsFromAGoodLineAtABadOne(t *testing.T) {
	t.Parallel()
	for _, delay := range []int{0, 6} {
		b := galleryBundle("predict", 12, "true")
		b.Rules.MaxSeen = time.Duration(delay) * 100 * time.Millisecond // 0: the host compares with the last max_rewind
		_, n := playGallery(t, b, memlink.Average(), memlink.Awful(), func(cfg *client.Config) { cfg.Prediction.InputDelay = delay })
		if n.missed() || n.bare > n.shots*7/8 {
			t.Errorf("%+v", n)
		}
	}
}

// TestShotsInIndependentFrames plays with a gun that is simulated in the frames of its player's client.
func TestShotsInIndependentFrames(t *testing.T) {
	t.Parallel()
	for _, lod := range draws.Pick([]string{"predict"}, []string{"predict", "extrapolate", "interpolate"}) {
		t.Run(lod, func(t *testing.T) {
			onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
				b := galleryBundle(lod, 12, "true")
				b.Files[0].Text = strings.NewReplacer(`Gun = object "Gun" {`, `Gun = object "Gun" { ticking = "independent",`, "Gun:applyInput(input)", "Gun:simulate(input, dt)").Replace(b.Files[0].Text)
				sim, n := playGallery(t, b, line, line, func(cfg *client.Config) { cfg.FrameEvery = 7 * time.Millisecond })
				if n.missed() || line.Delay > 0 && n.bare > n.shots*7/8 || n.sights.Accepted < n.shots {
					t.Errorf("%s: %+v", lod, n)
				}
				for i := range sim.Clients {
					if r := sim.Report(i); r.Confirmed.Mismatched != 0 {
						t.Errorf("%s: client %d: %+v, %v", lod, i, r.Confirmed, sim.Clients[i].Err())
					}
				}
			})
		})
	}
}

// duel is a game of one class: its objects run to and fro, and the first one stands and shoots.
const duel = `
Fighter = object "Fighter" {
  seen = true, lod = "LOD",
  input = { Fire = "bool", Right = "bool", Left = "bool", aim = { "number", min = -4, max = 4 } },
  state = { shots = 0, hits = 0, bare = 0 },
  body = { shape = { circle = 0.5 }, layer = "fighter", collides = { "wall" } },
}
function Fighter:applyInput(input)
  if input.Right then self:setVelocity(5, 0) elseif input.Left then self:setVelocity(-5, 0) end
  if input:presses("Fire") == 0 then return end
  local x, y = self:getPosition()
  local function ray()
    return raycast(x, y, x + 60 * math.cos(input.aim), y + 60 * math.sin(input.aim), "fighter")
  end
  self.shots = self.shots + 1
  if self:asSeen(ray) then self.hits = self.hits + 1 end
  if ray() then self.bare = self.bare + 1 end
end
`

// TestAShooterThatItsClientDoesNotSimulate plays with objects of one class, which clients do not simulate: not
// even their own player's.
func TestAShooterThatItsClientDoesNotSimulate(t *testing.T) {
	t.Parallel()
	for _, lod := range []string{"interpolate", "extrapolate"} {
		t.Run(lod, func(t *testing.T) {
			onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
				b := bundle.New("duel")
				b.Files = []world.Source{{Name: "duel.lua", Text: strings.Replace(duel, "LOD", lod, 1)}, {Name: "game.lua", Text: `
function onJoin(player)
  spawn("Fighter", { owner = player, x = player == 1 and 0 or player * 2, y = player == 1 and -10 or player * 2 })
end
`}}
				if _, n := playGallery(t, b, line, line, nil); n.missed() || line.Delay > 0 && n.bare > n.shots*3/4 {
					t.Errorf("%+v", n)
				}
			})
		})
	}
}

// A sightLiar is the link of a client that changes the sights of its inputs.
type sightLiar struct {
	link.Link
	says func(world.Sight) world.Sight
}

func (l *sightLiar) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	var m wire.InputPacket
	if wire.KindOf(b) == wire.KindInputPacket && wire.ParseInputPacket(b, &m) == nil {
		for i := range m.Sights {
			m.Sights[i].Sight = l.says(m.Sights[i].Sight)
		}
		b = wire.AppendInputPacket(nil, &m)
	}
	return l.Link.SendDatagram(now, p, b)
}

// lineup is a game whose gun shoots straight up, through everything, at targets that stand beside its line of
// fire. Decoys have no seen.
const lineup = `
Gun = object "Gun" {
  input = { Fire = "bool" },
  state = { shots = 0 },
  body = { type = "static", shape = { circle = 0.3 } },
}
function Gun:applyInput(input)
  if input:presses("Fire") == 0 then return end
  self.shots = self.shots + 1
  for _, hit in ipairs(self:asSeen(function() return raycastAll(0, -10, 0, 60, "target") end)) do
    hit.hits = hit.hits + 1
  end
end
local body = { type = "static", shape = { circle = 0.5 }, layer = "target" }
Target = object "Target" { seen = true, state = { hits = 0 }, body = body }
Near = object "Near" { seen = { within = 2 }, state = { hits = 0 }, body = body }
Decoy = object "Decoy" { state = { hits = 0 }, body = body }
`

// presses are the controls of a player who presses the first button five times a second.
type presses struct{}

func (presses) Input(r world.Reader, slot int) (in world.Input) {
	if r.Tick()%12 == 0 {
		in.Press(0, 1)
	}
	return in
}

// TestALieGainsAtMostTheLimit plays with a client that says that it saw all targets in its line of fire. It
// hits those that the limit of their class lets it move there: by default half a metre, since they stand.
func TestALieGainsAtMostTheLimit(t *testing.T) { onLines(t, "average", playLiar) }

func playLiar(t *testing.T, line memlink.Profile) {
	b := bundle.New("lineup")
	b.Files = []world.Source{{Name: "lineup.lua", Text: lineup}, {Name: "game.lua", Text: `
function onStart()
  for i, x in ipairs({ 0.9, 1.1, 2.4, 2.6 }) do
    for _, class in ipairs({ "Target", "Near", "Decoy" }) do spawn(class, { x = x, y = 4 * i }) end
  end
end
function onJoin(player) spawn("Gun", { owner = player, y = -10 }) end
`}}
	var others []world.ObjectID // a decoy, and an object that does not exist
	lies := 0
	sim := simtest.New(t, simtest.Options{Seed: 72, Clients: 1, Profile: line, Bundle: b, Compile: compile,
		Controls: func(int) client.Controls { return presses{} },
		Client: func(_ int, cfg *client.Config) {
			cfg.Link = &sightLiar{Link: cfg.Link, says: func(honest world.Sight) (lie world.Sight) {
				for _, p := range honest {
					p.X = 0
					lie = append(lie, p)
				}
				if lies++; lies%4 == 0 && len(others) > 0 {
					lie[0].ID, lie[1].ID = others[0], others[1]
					slices.SortFunc(lie, func(a, b world.PastPose) int { return cmp.Compare(a.ID, b.ID) })
				}
				return lie
			}}
		}})
	sim.RunUntil(5*time.Second, "in the room", func() bool { return sim.Clients[0].Confirmed() > 60 })
	s, schema := sim.Host.State(), sim.Host.Schema()
	for _, slot := range s.Run {
		if schema.Classes[s.Objects[slot].Class].Name == "Decoy" {
			others = []world.ObjectID{s.Objects[slot].ID, s.Objects[slot].ID + 1}
		}
	}
	sim.Run(20 * time.Second)
	got, counts := sim.Host.State(), sim.Host.Report(sim.Now).Inputs.Sights
	for _, slot := range got.Run {
		class := &schema.Classes[got.Objects[slot].Class]
		f, ok := class.Field("hits")
		if !ok {
			continue
		}
		x, hits := got.Body(int(slot)).X, math.Float64frombits(got.Row(int(slot)).Word(f))
		within := map[string]float64{"Target": 0.5, "Near": 2}[class.Name]
		if want := x-0.5 <= within && within > 0; (hits > 50) != want || !want && hits != 0 {
			t.Errorf("%s %v m from the line of fire: %v hits", class.Name, x, hits)
		}
	}
	if counts.Accepted < 50 || counts.Clamped < 100 || counts.NotSeen < 5 || counts.Unknown < 5 {
		t.Errorf("%+v", counts)
	}
	if r := sim.Report(0); r.Confirmed.Mismatched != 0 || r.Confirmed.Compared < 600 {
		t.Errorf("%+v, %v", r.Confirmed, sim.Clients[0].Err())
	}
}
