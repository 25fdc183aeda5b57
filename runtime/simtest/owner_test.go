package simtest_test

import (
	"context"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// racers are ships with owner authority, in a room with a wall.
const racers = `
Racer = object "Racer" {
  input = { left = "bool", right = "bool", go = "bool" },
  authority = "owner",
  moves = { speed = 20 },
  body = { shape = { circle = 0.5 }, density = 1, restitution = 0.5, linear_damping = 1, angular_damping = 3 },
}
function Racer:applyInput(input)
  self:setTorque(((input.left and 1 or 0) - (input.right and 1 or 0)) * 2)
  self:setDirectionalForce(self:getDirection(), input.go and 12 or 0)
end
function Racer:verify(claimed) return claimed.y < 12 end
`

// phantoms returns racers that do not touch each other.
func phantoms() string {
	return strings.Replace(racers, "density = 1,", `density = 1, layer = "racer", collides = { "wall" },`, 1)
}

const phantomGame = `function onJoin(player) spawn("Racer", { x = -4, y = -6, owner = player }) end`

const racersGame = `function onJoin(player) spawn("Racer", { x = -8 + 2 * player, y = -6, owner = player }) end`

func ownersRoom(files ...string) *bundle.Bundle {
	b := bundle.New("room")
	b.Setup.Walls = []world.Wall{{Y: -15, W: 40, H: 1}, {Y: 15, W: 40, H: 1}, {X: -20, W: 1, H: 30}, {X: 20, W: 1, H: 30}, {X: -2, Y: 4, W: 6, H: 0.5}}
	for i := 0; i < len(files); i += 2 {
		b.Files = append(b.Files, world.Source{Name: files[i], Text: files[i+1]})
	}
	return b
}

// bodyOf returns the position of a player's object.
func bodyOf(s *world.State, p world.PlayerID) (x, y float64, ok bool) {
	for _, slot := range s.Run {
		if b := s.Body(int(slot)); s.Objects[slot].Owner == p && b.Key != 0 {
			return b.X, b.Y, true
		}
	}
	return 0, 0, false
}

// TestOwnerPosesAreTakenOver tests ships that bump into each other on a bad line. No
// client is corrected, all agree, and the host moves a ship to its owner's pose where
// the two differ.
func TestOwnerPosesAreTakenOver(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 7, Clients: 4, Profile: memlink.Bad(), Bundle: ownersRoom("game.lua", racersGame, "racer.lua", racers),
		Compile: compile, Controls: func(i int) client.Controls { return &driver{uint64(i) + 3} }})
	sim.Run(20 * time.Second)
	sim.Drain()
	compared := sim.AgreeOnHashes()
	r := sim.Host.Report(sim.Now)
	if o := r.Owners; compared < 3000 || o.Poses < 3000 || o.Taken < 5 || o.Refused != 0 || o.Agreed < 50*o.Taken {
		t.Errorf("%d ticks compared, owners %+v", compared, *o)
	}
	if r.Rewinds.Count == 0 || r.Claims.Checked < 500 || r.Claims.Wrong != 0 || r.ScriptErrors != 0 {
		t.Errorf("rewinds %+v, claims %+v, %d script errors", r.Rewinds, *r.Claims, r.ScriptErrors)
	}
	for i := range sim.Clients {
		if c := sim.Report(i).Corrections; c.Count != 0 {
			t.Errorf("client %d was corrected: %+v", i, c)
		}
	}
}

// A puppeteer moves its ship without the simulation, as a program with another engine
// does, and notes the poses that it sent.
type puppeteer struct {
	path func(seconds float64, now world.Placement) world.Placement
	said map[world.Tick]world.Placement // looked up only
	from world.Tick
}

func (p *puppeteer) Input(world.Reader, int) world.Input { return world.Input{} }

func (p *puppeteer) Move(r world.Reader, slot int, now world.Placement) world.Placement {
	if p.from == 0 {
		p.from = r.Tick()
	}
	at := p.path(float64(r.Tick()-p.from)/60, now)
	p.said[r.Tick()+1] = at.Rounded()
	return at
}

// TestOthersSeeOwnerPoses tests a ship that its owner moves in a circle.
func TestOthersSeeOwnerPoses(t *testing.T) {
	t.Parallel()
	round := &puppeteer{said: map[world.Tick]world.Placement{}, path: func(s float64, now world.Placement) world.Placement {
		return world.Placement{Pose: physics.Pose{X: -6 + 2*math.Sin(3*s), Y: -8 + 2*math.Cos(3*s), Angle: math.Mod(s, 3)}}
	}}
	sim := simtest.New(t, simtest.Options{Seed: 8, Clients: 2, Profile: memlink.Bad(), Bundle: ownersRoom("game.lua", phantomGame, "racer.lua", phantoms()),
		Compile: compile, Controls: func(i int) client.Controls {
			if i == 0 {
				return round
			}
			return &driver{4}
		}})
	there, elsewhere := 0, 0
	for range 60 * 12 {
		sim.Run(sim.Host.TickLength())
		for _, s := range []*world.State{sim.Host.StateAt(sim.Host.Committed())} {
			at, said := round.said[s.Tick]
			x, y, ok := bodyOf(s, sim.Clients[0].Player())
			switch {
			case !said || !ok:
			case x == at.X && y == at.Y:
				there++
			default:
				elsewhere++
			}
		}
	}
	sim.Drain()
	sim.AgreeOnHashes() // so the other client has it there too
	o := sim.Host.Report(sim.Now).Owners
	t.Logf("%d ticks there, %d elsewhere; %+v %+v", there, elsewhere, *o, sim.Host.Report(sim.Now).Datagrams)
	if there < 300 || elsewhere != 0 || o.Taken < 300 {
		t.Errorf("%d ticks where it was said, %d elsewhere; %+v", there, elsewhere, *o)
	}
	if n := sim.Report(0).Corrections.Count; n != 0 {
		t.Errorf("corrected %d times", n)
	}
}

// An impostor changes the owner poses that a client sends, as a modified client would.
type impostor struct {
	link.Link
	change func(m *wire.Motion)
}

func (l impostor) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	if m, err := wire.ParseMotion(b); err == nil {
		l.change(&m)
		b = wire.AppendMotion(nil, &m)
	}
	return l.Link.SendDatagram(now, p, b)
}

// lieAboutX returns an impostor that puts all its objects at x.
func lieAboutX(x float64) func(m *wire.Motion) {
	return func(m *wire.Motion) {
		for i := range m.Poses {
			for j := range m.Poses[i].Poses {
				m.Poses[i].Poses[j].X = x
			}
		}
	}
}

// reasons collects the reasons that are logged.
type reasons struct{ all *[]string }

func (r reasons) Enabled(context.Context, slog.Level) bool { return true }
func (r reasons) WithAttrs([]slog.Attr) slog.Handler       { return r }
func (r reasons) WithGroup(string) slog.Handler            { return r }

func (r reasons) Handle(_ context.Context, rec slog.Record) error {
	rec.Attrs(func(a slog.Attr) bool {
		if a.Key == "reason" {
			*r.all = append(*r.all, a.Value.String())
		}
		return true
	})
	return nil
}

// TestImpossibleOwnerPosesAreRefused tests that owner poses that break the rules are
// refused and counted, and that the owner is notified. The object stays where it was,
// and the others play on.
func TestImpossibleOwnerPosesAreRefused(t *testing.T) {
	t.Parallel()
	up := func(p world.Placement, by float64) world.Placement {
		p.Y, p.VX, p.VY = p.Y+by, 0, 0
		return p
	}
	for _, c := range []struct {
		name   string
		why    string
		path   func(seconds float64, now world.Placement) world.Placement
		change func(m *wire.Motion)
		within func(x, y float64) bool
	}{
		{name: "teleport", why: "further than", within: func(x, y float64) bool { return x < 0 && y < 0 },
			path: func(s float64, now world.Placement) world.Placement {
				return world.Placement{Pose: physics.Pose{X: 15, Y: -10}}
			}},
		{name: "ten times the speed", why: "further than",
			path: func(s float64, now world.Placement) world.Placement {
				now.X += 200.0 / 60 * math.Copysign(1, math.Sin(s))
				return now
			}},
		{name: "a great velocity", why: "faster than", within: func(x, y float64) bool { return math.Hypot(x+4, y+6) < 0.1 },
			path: func(s float64, now world.Placement) world.Placement { now.VX = 200; return now }},
		{name: "through a wall", why: "something fixed", within: func(x, y float64) bool { return y < 4 },
			path: func(s float64, now world.Placement) world.Placement {
				if now.Y < 2.8 {
					return up(now, 0.1)
				}
				return up(now, 1.9)
			}},
		{name: "to where verify says no", why: "the script does not allow it", within: func(x, y float64) bool { return y < 12.5 },
			path: func(s float64, now world.Placement) world.Placement {
				if now.X > -7 {
					now.X -= 0.1
				}
				return up(now, 0.1)
			}},
		{name: "to no number", change: lieAboutX(math.NaN()), within: func(x, y float64) bool { return math.Hypot(x+4, y+6) < 0.1 }},
		{name: "out of the world", change: lieAboutX(1e30), why: "must be within", within: func(x, y float64) bool { return math.Hypot(x+4, y+6) < 0.1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var why []string
			sim := simtest.New(t, simtest.Options{Seed: 9, Clients: 2, Profile: memlink.Average(), Bundle: ownersRoom("game.lua", phantomGame, "racer.lua", phantoms()),
				Compile: compile, Log: reasons{&why},
				Controls: func(i int) client.Controls {
					if i == 0 {
						return &driver{4}
					}
					if c.path == nil {
						return nil
					}
					return &puppeteer{said: map[world.Tick]world.Placement{}, path: c.path}
				},
				Client: func(i int, cfg *client.Config) {
					if i == 1 && c.change != nil {
						cfg.Link = impostor{cfg.Link, c.change}
					}
				}})
			sim.RunUntil(5*time.Second, "both play", func() bool { return sim.Clients[0].Playing() && sim.Clients[1].Playing() })
			began, way := sim.Now, 0.0
			cheat := sim.Clients[1].Player()
			x, y, _ := bodyOf(sim.Host.State(), cheat)
			for range 60 * 5 {
				sim.Run(sim.Host.TickLength())
				a, b, _ := bodyOf(sim.Host.State(), cheat)
				way += math.Hypot(a-x, b-y)
				x, y = a, b
				if c.within != nil && !c.within(x, y) {
					t.Fatalf("tick %d: the host has it at %.2f, %.2f", sim.Host.Now(), x, y)
				}
			}
			if most := 20 * 1.1 * (sim.Now - began).Seconds(); way > most+5 {
				t.Errorf("it went %.1f m of at most %.1f", way, most)
			}
			sim.Drain()
			sim.AgreeOnHashes()
			r := sim.Host.Report(sim.Now)
			refused := strings.Contains(strings.Join(why, "\n"), c.why) && sim.Report(1).Inputs.Refused > 20
			if c.why == "" { // not even a message
				refused = r.Datagrams.Malformed > 100
			}
			if c.why != "" && r.Owners.Refused < 20 || !refused {
				t.Errorf("owners %+v, malformed %d, the cheater heard of %d; reasons %q", *r.Owners, r.Datagrams.Malformed, sim.Report(1).Inputs.Refused, why)
			}
			if in := sim.Report(0).Inputs; in.Refused != 0 || sim.Report(0).Corrections.Count != 0 || r.ScriptErrors != 0 {
				t.Errorf("the honest one: %+v, corrections %+v", in, sim.Report(0).Corrections)
			}
		})
	}
}
