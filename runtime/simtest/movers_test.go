package simtest_test

import (
	"math"
	"os"
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
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// runners returns the game of the section "Owner authority" of docs/scripting.md, in which clients move
// their runners themselves and shoot at those of others, with another level of detail.
func runners(t *testing.T, level world.LOD) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/scripting.md")
	if err != nil {
		t.Fatal(err)
	}
	_, game, found := strings.Cut(string(page), "```lua\nRunner = object")
	game, _, ends := strings.Cut(game, "```")
	if n := strings.Count(game, "\n"); !found || !ends || n > 24 {
		t.Fatalf("the page has no game of runners of some 20 lines, but one of %d", n)
	}
	return "Runner = object" + strings.Replace(game, world.Interpolate.String(), level.String(), 1)
}

const tagGame = `
function onStart() spawn("Gate", { x = 15, y = 10 }) end
function onJoin(player) spawn("Runner", { x = 4 * player - 14, y = -6, owner = player }) end
` + throw

// throw asks the gate to put an object elsewhere.
const throw = `
game { calls = { throw = { "ref", "number", "number" } } }
function throw(guest, x, y)
  local gate = objects("Gate")[1]
  gate.guest, gate.x, gate.y = guest, x, y
end
`

// gate puts objects elsewhere. Clients do not run its hook.
const gate = `
Gate = object "Gate" { lod = "interpolate", state = { guest = ref(), x = 0, y = 0 }, body = { type = "static", shape = { circle = 0.2 } } }
function Gate:tick()
  if self.guest then self.guest:setPosition(self.x, self.y) end
  self.guest = nil
end
`

// tagRoom is that game in a room without inner walls.
func tagRoom(t *testing.T, level world.LOD) *bundle.Bundle {
	t.Helper()
	b := ownersRoom("game.lua", tagGame, "gate.lua", gate, "runner.lua", runners(t, level))
	b.Setup.Walls = b.Setup.Walls[:4]
	return b
}

// tagger is a player of tag who turns about and shoots where the screen shows another runner. If it
// moves its runner itself, it does so in a circle.
type tagger struct {
	seed   uint64
	itself bool
	shoots bool
	client *client.Client
	view   room.View
	from   world.Tick // its first pose
	middle physics.Vec
}

func (p *tagger) Input(r world.Reader, slot int) (in world.Input) {
	press := func(name string, down bool) {
		if f, ok := world.FindInput(r.Class(slot).Inputs, name); ok && down {
			in.Buttons |= 1 << f.Index
		}
	}
	x := (uint64(r.Tick())/23 + p.seed*1000003) * 0x9e3779b97f4a7c15
	press("Left", x>>20&3 == 0)
	press("Right", x>>20&3 == 1)
	press("Up", x>>30&3 == 0)
	press("Down", x>>30&3 == 1)
	b := r.State().Body(slot)
	p.client.View(&p.view)
	for i := range p.view.Bodies {
		o := &p.view.Bodies[i]
		if o.Class == "Runner" && o.Owner != p.client.Player() {
			in.Axes[0] = math.Atan2(o.Y-b.Y, o.X-b.X)
			press("Fire", p.shoots && r.Tick()%12 < 6)
		}
	}
	return in
}

func (p *tagger) Move(r world.Reader, _ int, now world.Placement) world.Placement {
	if !p.itself {
		return now
	}
	if p.from == 0 {
		p.from, p.middle = r.Tick(), physics.Vec{X: now.X, Y: now.Y - 2.5}
	}
	angle := float64(r.Tick()-p.from) / 60 * 2
	sin, cos := math.Sin(angle), math.Cos(angle)
	return world.Placement{Pose: physics.Pose{X: p.middle.X + 2.5*sin, Y: p.middle.Y + 2.5*cos, Angle: -angle}, Velocity: physics.Velocity{VX: 5 * cos, VY: -5 * sin}}
}

// playTag plays tag with three players, of whom the first moves its runner itself, on a line.
func playTag(t *testing.T, line memlink.Profile, level world.LOD, change func(i int, cfg *client.Config)) *simtest.Sim {
	players := []*tagger{{seed: 3, itself: true, shoots: true}, {seed: 4, shoots: true}, {seed: 5, shoots: true}}
	sim := simtest.New(t, simtest.Options{Seed: 71, Clients: len(players), Profile: line, Bundle: tagRoom(t, level), Compile: compile,
		Controls: func(i int) client.Controls { return players[i%len(players)] }, Client: change})
	for i := range players {
		players[i].client = sim.Clients[i]
	}
	sim.RunUntil(30*time.Second, "all play", func() bool {
		for _, c := range sim.Clients {
			if !c.Playing() {
				return false
			}
		}
		return true
	})
	return sim
}

// TestOwnersSeenInterpolated plays tag: clients that move themselves are seen interpolated by others,
// verified by the host, and hit where they were drawn. Nobody is corrected, and no pose is an event of
// the log that clients receive.
func TestOwnersSeenInterpolated(t *testing.T) {
	t.Parallel()
	levels := []world.LOD{world.Interpolate, world.Extrapolate}
	for _, level := range levels[:draws.Pick(1, 2)] {
		t.Run(level.String(), func(t *testing.T) {
			onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
				watch := &recordWatch{}
				sim := playTag(t, line, level, func(i int, cfg *client.Config) {
					if i == 1 {
						watch.Link, cfg.Link = cfg.Link, watch
					}
				})
				seen := seenMoving{at: map[world.ObjectID][2]float64{}, way: map[string]float64{}}
				for end := sim.Now + draws.Pick(8*time.Second, 15*time.Second); sim.Now < end; {
					sim.Run(4 * simtest.PollEvery)
					seen.look(sim.Clients[1])
				}
				s, schema := sim.Host.State(), sim.Host.Schema()
				shots, hits := sumOf(s, schema, "Runner", "shots"), sumOf(s, schema, "Runner", "hits")
				sim.Drain()
				compared := sim.AgreeOnHashes()
				h := sim.Host.Report(sim.Now)
				t.Logf("%d compared; owners %+v; %v of %v shots hit; seen moving by %v m; rewinds %d", compared, *h.Owners, hits, shots, seen.way, h.Rewinds.Count)
				if o := h.Owners; o.Poses < 1000 || o.Taken < 400 || o.Refused != 0 || o.TooOld > o.Poses/50 {
					t.Errorf("owners %+v", *o)
				}
				if watch.owners != 0 || compared < 1000 || h.ScriptErrors != 0 || sim.Failed() != nil {
					t.Errorf("%d owner poses and frames among %d events of the log; %d ticks compared; %d script errors; %v", watch.owners, watch.events, compared, h.ScriptErrors, sim.Failed())
				}
				if shots < 80 || hits < 0.98*shots || seen.way["Runner"] < 30 {
					t.Errorf("%v shots, %v hits, seen moving by %v m", shots, hits, seen.way)
				}
				for i := range sim.Clients {
					if c := sim.Report(i).Corrections; c.Count != 0 {
						t.Errorf("client %d was corrected: %+v", i, c)
					}
				}
			})
		})
	}
}

// TestRefusedOwnersAreCorrectedOnce plays tag with a client whose runner jumps, goes where verify says
// no, and is put elsewhere by an object that the client does not simulate. Each time the client is
// corrected once, and told why.
func TestRefusedOwnersAreCorrectedOnce(t *testing.T) {
	onLines(t, "average bad", func(t *testing.T, line memlink.Profile) {
		away := &jumper{}
		sim := playTag(t, line, world.Interpolate, func(i int, cfg *client.Config) {
			if i == 2 {
				cfg.Controls = away
			}
		})
		c := sim.Clients[2]
		throw := func(x, y float64) {
			s := sim.Host.State()
			for _, slot := range s.Run {
				if s.Objects[slot].Owner == c.Player() {
					if err := sim.Host.Call("throw", s.Objects[slot].ID, x, y); err != nil {
						t.Error(err)
					}
				}
			}
		}
		sim.Run(2 * time.Second)
		for _, jump := range []struct {
			why  world.Refusal
			do   func()
			x, y float64
		}{
			{world.TooFar, func() { away.by = physics.Vec{X: 5} }, -2, -6},
			{world.TooFar, func() { throw(11.8, -6) }, 11.8, -6},
			{world.NotVerified, func() { away.by = physics.Vec{X: 0.3} }, 11.8, -6},
		} {
			before := sim.Report(2).Corrections.Count
			jump.do()
			sim.Run(3 * time.Second)
			r := sim.Report(2).Corrections
			if r.Count != before+1 || !slices.ContainsFunc(r.Causes, func(c room.CauseCount) bool { return strings.Contains(c.Cause, jump.why.String()) }) {
				t.Errorf("after %d corrections, %q: %+v", before, jump.why, r)
			}
			x, y, _ := bodyOf(sim.Host.State(), c.Player())
			mx, my, _ := bodyOf(c.State(), c.Player())
			if math.Hypot(x-jump.x, y-jump.y) > 0.1 || math.Hypot(x-mx, y-my) > 0.01 {
				t.Errorf("%q: the host has it at %.2f, %.2f, its owner at %.2f, %.2f", jump.why, x, y, mx, my)
			}
		}
		sim.Drain()
		sim.AgreeOnHashes()
		if o := sim.Host.Report(sim.Now).Owners; o.Refused < 3 {
			t.Errorf("owners %+v", *o)
		}
	})
}

// jumper stands still, and jumps when it is told to.
type jumper struct{ by physics.Vec }

func (*jumper) Input(world.Reader, int) world.Input { return world.Input{} }

func (j *jumper) Move(_ world.Reader, _ int, now world.Placement) world.Placement {
	now.X, now.Y = now.X+j.by.X, now.Y+j.by.Y
	j.by = physics.Vec{}
	return now
}

// recordWatch is the link of a client. It counts the events of the log that arrive, and the owner poses
// and frames among them.
type recordWatch struct {
	link.Link
	events, owners int
}

func (l *recordWatch) Poll(now time.Duration, f func(link.Event)) {
	l.Link.Poll(now, func(ev link.Event) {
		var m wire.HostPacket
		if ev.Kind == link.Datagram && wire.KindOf(ev.Data) == wire.KindHostPacket && wire.ParseHostPacket(ev.Data, &m) == nil {
			for i := range m.Records {
				r := &m.Records[i]
				l.events += one(!r.Committed && r.Patch == nil)
				l.owners += one(r.Event.Kind == world.OwnerPoseEvent || r.Event.Kind == world.FrameEvent)
			}
		}
		f(ev)
	})
}
