package simtest_test

import (
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// shootingRange is a game in which the first player has a gun, and the others run to
// and fro in front of it. A shot counts as a hit if asSeen finds a runner in its way,
// and as bare if a runner is in its way without asSeen.
const shootingRange = `
Gun = object "Gun" {
  input = { Fire = "bool", aim = { "number", min = -4, max = 4 } },
  state = { shots = 0, hits = 0, bare = 0 },
  body = { type = "static", shape = { circle = 0.3 } },
}
function Gun:applyInput(input)
  if not input.Fire then return end
  local x, y = self:getPosition()
  local function ray()
    return raycast(x, y, x + 60 * math.cos(input.aim), y + 60 * math.sin(input.aim), "runner")
  end
  self.shots = self.shots + 1
  if self:asSeen(ray) then self.hits = self.hits + 1 end
  if ray() then self.bare = self.bare + 1 end
end

Runner = object "Runner" {
  seen = true,
  input = { Right = "bool" },
  body = { shape = { circle = 0.5 }, layer = "runner", collides = { "wall" } },
}
function Runner:applyInput(input) self:setVelocity(input.Right and 12 or -12, 0) end
function Runner:onContact(other) end
`

const rangeGame = `
function onJoin(player)
  if player == 1 then
    spawn("Gun", { owner = player, y = -10 })
  else
    spawn("Runner", { owner = player, x = player * 2, y = player * 2 })
  end
end
`

func rangeBundle() *bundle.Bundle {
	b := bundle.New("range")
	b.Files = []world.Source{{Name: "range.lua", Text: shootingRange}, {Name: "game.lua", Text: rangeGame}}
	return b
}

// runs are the controls of a player who runs to and fro.
type runs struct{ right bool }

func (r *runs) Input(room world.Reader, slot int) world.Input {
	if x := room.State().Body(slot).X; x > 12 {
		r.right = false
	} else if x < -12 {
		r.right = true
	}
	var in world.Input
	if r.right {
		in.Buttons = 1
	}
	return in
}

// shoots are the controls of a player who shoots several times per second.
type shoots struct {
	client *client.Client
	view   room.View
	from   world.Tick
}

func (s *shoots) Input(r world.Reader, slot int) world.Input {
	var in world.Input
	if s.client == nil || r.Tick() < s.from {
		return in
	}
	s.client.View(&s.view)
	n := 0
	for i := range s.view.Bodies {
		b := &s.view.Bodies[i]
		if b.Class != "Runner" {
			continue
		}
		if n++; n == int(r.Tick()/9)%3+1 {
			in.Axes[0] = math.Atan2(b.Y+10, b.X)
			in.Buttons = uint32(r.Tick() / 9 % 2) // held for 9 ticks, which is several shots
		}
	}
	return in
}

// gun returns the counters of the gun.
func gun(t *testing.T, s *world.State, schema *world.Schema) (shots, hits, bare int) {
	t.Helper()
	for _, slot := range s.Run {
		class := &schema.Classes[s.Objects[slot].Class]
		if _, armed := class.Field("shots"); !armed || s.Objects[slot].Owner != 1 {
			continue
		}
		n := func(field string) int {
			f, _ := class.Field(field)
			return int(math.Float64frombits(s.Row(int(slot)).Word(f)))
		}
		return n("shots"), n("hits"), n("bare")
	}
	t.Fatal("no gun")
	return 0, 0, 0
}

// TestShotHitsWhereTheViewShowedTheTarget tests a spectator on a bad line that shoots
// at runners. Late inputs move the runners in the past. All predictors agree on every
// shot, also one that joins later, and so does the replay.
func TestShotHitsWhereTheViewShowedTheTarget(t *testing.T) {
	t.Parallel()
	shooter := &shoots{from: 240}
	sim := simtest.New(t, simtest.Options{Seed: 61, Clients: 1, Profile: memlink.Bad(), Bundle: rangeBundle(), Compile: compile,
		Controls: func(i int) client.Controls {
			if i == 0 {
				return shooter
			}
			return &runs{}
		},
		Client: func(i int, cfg *client.Config) {
			if i == 0 {
				cfg.Kind = client.Spectator
			}
		}})
	shooter.client = sim.Clients[0]
	sim.RunUntil(5*time.Second, "the shooter in", func() bool { return shooter.client.Player() != 0 })
	for range 3 {
		sim.Join()
	}
	sim.Run(8 * time.Second)
	late := sim.Join()
	sim.Run(12 * time.Second)
	shots, hits, bare := gun(t, sim.Host.State(), sim.Host.Schema())
	host := sim.Host.Report(sim.Now)
	t.Logf("%d shots: %d hit as seen, %d where things are; %d rewinds, %d inputs late, %d moments refused", shots, hits, bare, host.Rewinds.Count, host.Inputs.LateRewound, host.Inputs.SeenRefused)
	if shots < 200 || float64(hits) < 0.95*float64(shots) || float64(bare) > 0.3*float64(shots) {
		t.Errorf("%d shots: %d hit as seen, %d where things are", shots, hits, bare)
	}
	if host.Inputs.LateRewound < 100 || host.Rewinds.Count < 50 || host.VerifiedTicks == 0 {
		t.Errorf("%+v, %+v: the past has not changed", host.Inputs, host.Rewinds)
	}
	if host.Inputs.SeenRefused > host.Inputs.Received/100 {
		t.Errorf("%d moments refused of %d inputs", host.Inputs.SeenRefused, host.Inputs.Received)
	}
	for i := 1; i < len(sim.Clients); i++ {
		r := sim.Report(i)
		if r.Confirmed.Compared < 300 || r.Confirmed.Mismatched != 0 {
			t.Errorf("client %d: %+v, %v", i, r.Confirmed, sim.Clients[i].Err())
		}
	}
	if late.Desync() != nil || late.Confirmed() < 900 {
		t.Errorf("who joined later: %v, at tick %d", late.Desync(), late.Confirmed())
	}
	sameShotsInAReplay(t, sim)
}

// sameShotsInAReplay seeks to and fro in the replay and checks that each tick has the
// hash of the host.
func sameShotsInAReplay(t *testing.T, sim *simtest.Sim) {
	t.Helper()
	r, err := sim.OpenReplay(sim.Replay())
	if err != nil {
		t.Fatal(err)
	}
	marked, shots := 0, 0
	for _, to := range []world.Tick{400, 1100, 700, 701, 900, 300, 1000} {
		if err := r.Seek(to); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if err := r.Step(); err != nil {
				t.Fatal(err)
			}
			if m, ok := r.Hash(); ok {
				marked++
				if got := r.State().Hash(); got != m.Hash {
					t.Fatalf("tick %d: %016x, the host found %016x", m.Tick, got, m.Hash)
				}
			}
		}
		n, _, _ := gun(t, r.State(), r.Schema())
		shots = max(shots, n)
	}
	if marked < 100 || shots < 50 {
		t.Errorf("%d ticks compared, %d shots", marked, shots)
	}
}

// A pretender is the link of a client that changes the view times of its inputs, which then have no sights.
type pretender struct {
	link.Link
	says      func(t world.Tick, honest world.ViewTime) world.ViewTime
	snapshots int
}

func (l *pretender) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	var m wire.InputPacket
	if wire.KindOf(b) == wire.KindInputPacket && wire.ParseInputPacket(b, &m) == nil && l.says != nil {
		for i := range m.Runs {
			run := &m.Runs[i]
			for j := range run.Inputs {
				run.Inputs[j].ViewTime = l.says(run.First+world.Tick(j), run.Inputs[j].ViewTime)
			}
		}
		m.Sights = nil
		b = wire.AppendInputPacket(nil, &m)
	}
	return l.Link.SendDatagram(now, p, b)
}

func (l *pretender) Poll(now time.Duration, f func(link.Event)) {
	l.Link.Poll(now, func(ev link.Event) {
		if ev.Kind == link.Datagram && wire.KindOf(ev.Data) == wire.KindSnapshot {
			l.snapshots++
		}
		f(ev)
	})
}

// playRange plays with one gun, whose client uses the link l, and some runners.
func playRange(t *testing.T, b *bundle.Bundle, l *pretender, watch bool, runners int) *simtest.Sim {
	shooter := &shoots{from: 240}
	sim := simtest.New(t, simtest.Options{Seed: 62, Clients: 1, Profile: memlink.Average(), Bundle: b, Compile: compile,
		Controls: func(i int) client.Controls {
			if i == 0 {
				return shooter
			}
			return &runs{}
		},
		Client: func(i int, cfg *client.Config) {
			if i == 0 {
				if watch {
					cfg.Kind = client.Spectator
				}
				l.Link = cfg.Link
				cfg.Link = l
			}
		}})
	shooter.client = sim.Clients[0]
	sim.RunUntil(5*time.Second, "the shooter in", func() bool { return shooter.client.Player() != 0 })
	for range runners {
		sim.Join()
	}
	sim.Run(10 * time.Second)
	return sim
}

// TestViewTimeOutOfBoundsIsRemoved tests that the host removes view times outside the
// view bounds, and that asSeen then shows the tick itself.
func TestViewTimeOutOfBoundsIsRemoved(t *testing.T) {
	t.Parallel()
	seen := func(back int) world.ViewTime { return world.ViewTime{Back: uint16(back), All: true} }
	for _, c := range []struct {
		name  string
		watch bool
		says  func(t world.Tick, honest world.ViewTime) world.ViewTime
		some  bool // only some are refused
	}{
		{"longer ago than max_seen", true, func(world.Tick, world.ViewTime) world.ViewTime { return seen(60*world.ViewParts + 1) }, false},
		{"a frame that was not sent yet", true, func(world.Tick, world.ViewTime) world.ViewTime { return seen(world.MinViewBack) }, false},
		{"a snapshot before the client joined", true, func(t world.Tick, _ world.ViewTime) world.ViewTime { return seen(int(t-10) * world.ViewParts) }, false},
		{"by one who simulates", false, func(world.Tick, world.ViewTime) world.ViewTime { return seen(20 * world.ViewParts) }, false},
		{"earlier than in an input before", true, func(t world.Tick, honest world.ViewTime) world.ViewTime {
			if t%2 == 0 && honest.Back != 0 {
				honest.Back += 10 * world.ViewParts
			}
			return honest
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			sim := playRange(t, rangeBundle(), &pretender{says: c.says}, c.watch, 2)
			shots, hits, bare := gun(t, sim.Host.State(), sim.Host.Schema())
			host := sim.Host.Report(sim.Now)
			t.Logf("%d shots: %d hit as seen, %d where things are; %d of %d refused", shots, hits, bare, host.Inputs.SeenRefused, host.Inputs.Received)
			if shots < 50 || host.Inputs.SeenRefused < shots/3 || hits != bare && !c.some {
				t.Errorf("%d shots: %d hit as seen, %d where things are; %+v", shots, hits, bare, host.Inputs)
			}
			if host.Inputs.Refused+host.Inputs.DroppedOld > host.Inputs.Received/50 {
				t.Errorf("%+v: the inputs themselves are refused", host.Inputs)
			}
		})
	}
}

// TestFramesGoOnThoughNothingMoves tests that a spectator of a room in which nothing
// moves still gets a snapshot four times per second.
func TestFramesGoOnThoughNothingMoves(t *testing.T) {
	t.Parallel()
	b := rangeBundle()
	b.Rules.Snapshots.Rate = bundle.MinSnapshotRate
	l := &pretender{}
	sim := playRange(t, b, l, true, 0)
	before := l.snapshots
	sim.Run(10 * time.Second)
	r := sim.Host.Report(sim.Now)
	if n := l.snapshots - before; n < 36 { // of 40, some are lost
		t.Errorf("%d snapshots in 10 s", n)
	}
	if r.Inputs.SeenRefused != 0 || r.Inputs.Received < 1000 {
		t.Errorf("%+v: moments refused", r.Inputs)
	}
}

// TestTooOldViewTimesAreNotSent tests that a client whose view is older than max_seen sends no view time. The
// host would refuse it, and the client could not run such a tick again, because it keeps no older poses.
func TestTooOldViewTimesAreNotSent(t *testing.T) {
	t.Parallel()
	for _, watch := range []bool{true, false} {
		b := galleryBundle("interpolate", 5, "true")
		b.Rules.MaxSeen = 50 * time.Millisecond
		sim := playRange(t, b, &pretender{}, watch, 2)
		if r := sim.Host.Report(sim.Now); r.Inputs.SeenRefused > 5 || /* a moment may go back after joining */ r.Inputs.Received < 1000 {
			t.Errorf("spectator %v: %+v", watch, r.Inputs)
		}
		for i := range sim.Clients {
			if err := sim.Clients[i].Err(); err != nil {
				t.Error(err)
			}
		}
	}
}
