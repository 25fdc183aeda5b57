package simtest_test

import (
	"fmt"
	"math"
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

// flashers is a game of shooters that others see interpolated, extrapolated and predicted. They
// flash when they shoot, shells flash where they appear and where they end, and some effects last.
const flashers = `
local input = { Fire = "bool" }
local state = { shots = 0 }
local body = { type = "dynamic", shape = { circle = 0.4 }, density = 1, layer = "flasher", collides = { "wall" } }
local function shoot(self, input)
  local x, y = self:getPosition()
  self:setVelocity(3 * math.cos(tickNumber() / 40), 3 * math.sin(tickNumber() / 40))
  if input:pressed("Fire") then
    self.shots = self.shots + 1
    cue("muzzle", { x = x, y = y, shot = self.shots })
    if self.shots % 3 == 0 then cue("boom", { x = x, y = y, lasts = 2 }) end
    if self.class == "Gunner" then spawn("Shell", { x = x, y = y, vx = 6, left = 20 }) end
  end
end
local function hum(self)
  if (tickNumber() + self.owner) % 45 == 0 then cue("hum", { to = "others" }) end
end
Gunner = object "Gunner" { lod = "interpolate", input = input, state = state, body = body }
Drone = object "Drone" { lod = "extrapolate", input = input, state = state, body = body }
Ship = object "Ship" { input = input, state = state, body = body }
function Gunner:applyInput(input) shoot(self, input) end
function Drone:applyInput(input) shoot(self, input) end
function Ship:applyInput(input) shoot(self, input) end
function Gunner:tick() hum(self) end
function Drone:tick() hum(self) end
function Ship:tick() hum(self) end
Shell = object "Shell" { lod = "interpolate", state = { left = 0 }, body = { type = "dynamic", shape = { circle = 0.1 }, layer = "shell", collides = { "wall" } } }
function Shell:onSpawn() cue("launch") end
function Shell:tick()
  self.left = self.left - 1
  if self.left == 0 then
    local x, y = self:getPosition()
    cue("hit", { x = x, y = y, when = self.id == 0 and "confirmed" or "predicted" })
    self:remove()
  end
end
function onJoin(player)
  spawn("Gunner", { owner = player, x = FAR * player, y = 0 })
  spawn("Drone", { owner = player, x = FAR * player, y = 4 })
  spawn("Ship", { owner = player, x = FAR * player, y = 8 })
end
`

// volleys presses Fire for one tick in every 31.
type volleys struct{ player int }

func (p *volleys) Input(r world.Reader, slot int) (in world.Input) {
	if (int(r.Tick())+7*p.player)%31 == 0 {
		in.Press(r.Class(slot).Inputs[0].Index, 1)
	}
	return in
}

// flash is a cue as it was reported to a viewer, or to the host.
type flash struct {
	cue     world.Cue
	at, age time.Duration // when it fired, and its age
	moment  float64       // that the viewer's interpolated frame showed then
}

// flashes has the cues of a match as the host or a client has them.
type flashes struct {
	t    *testing.T
	who  string
	cues map[world.CueKey]*flash
}

func (f *flashes) take(e room.CueEvent, now time.Duration, moment float64) {
	key := e.Cue.CueKey
	c := f.cues[key]
	if e.Kind == room.CueMoved {
		was := f.cues[e.Was.CueKey]
		if was == nil {
			f.t.Errorf("%s: %s moves from %s, which is not shown", f.who, key, e.Was.CueKey)
			return
		}
		delete(f.cues, e.Was.CueKey)
		was.cue = e.Cue
		f.cues[key] = was
		return
	}
	if e.Kind == room.CueCancelled {
		if c == nil {
			f.t.Errorf("%s: %s is cancelled and was not shown", f.who, key)
		}
		delete(f.cues, key)
		return
	}
	if c != nil {
		f.t.Errorf("%s: %s fires twice", f.who, key)
	}
	f.cues[key] = &flash{cue: e.Cue, at: now, age: e.Age, moment: moment}
}

// flashMatch is a match of flashers.
type flashMatch struct {
	*simtest.Sim
	host      *flashes
	clients   []*flashes
	spectator int // which client is one; -1: none
}

func newFlashMatch(t *testing.T, clients int, line memlink.Profile, far float64, spectator int) *flashMatch {
	b := shooterBundle(fmt.Sprintf("local FAR = %v\n", far) + flashers)
	if far > 10 {
		b.Rules.Snapshots.Range = 1.5 * far
	}
	m := &flashMatch{spectator: spectator, host: &flashes{t: t, who: "the host", cues: map[world.CueKey]*flash{}}}
	m.Sim = simtest.New(t, simtest.Options{Seed: 9, Clients: clients, Profile: line, Bundle: b, Compile: compile,
		Controls: func(i int) client.Controls { return &volleys{i} },
		Host: func(c *host.Config) {
			c.On.Cue = func(e room.CueEvent) { m.host.take(e, m.Now, 0) }
		},
		Client: func(i int, c *client.Config) {
			f := &flashes{t: t, who: fmt.Sprint("client ", i), cues: map[world.CueKey]*flash{}}
			m.clients = append(m.clients, f)
			if i == spectator {
				c.Kind = client.Spectator
			}
			c.Cues = func(e room.CueEvent) {
				var v room.View
				m.Clients[i].View(&v)
				f.take(e, m.Now, v.Moment)
			}
		}})
	return m
}

// shares has how many cues of a kind fired, and how many of them on time.
type shares struct{ cues, onTime int }

func (s shares) part() float64 { return float64(s.onTime) / float64(max(s.cues, 1)) }

// compare fails unless a client has each cue of the ticks from first to last once, if the host has it and wanted
// holds. It returns how many others' replicated cues were on time with an interpolated frame, and at once.
func (m *flashMatch) compare(i int, line memlink.Profile, first, last world.Tick, wanted func(c *world.Cue) bool) (later, atOnce shares) {
	t, f, c := m.host.t, m.clients[i], m.Clients[i]
	tick := m.Host.TickLength()
	spectates := i == m.spectator
	for key, h := range m.host.cues { // order: each is judged by itself
		own := !spectates && h.cue.Source.Replicated && h.cue.Source.Runner == c.Player()
		if key.Tick < first || key.Tick > last || own {
			continue // clients predict their own, and may press a tick later than the host hears it
		}
		got := f.cues[key]
		if want := h.cue.For(c.Player()) && wanted(&h.cue); want != (got != nil) {
			t.Errorf("%s has %s of %+v: %v", f.who, key, h.cue.Source, !want)
		}
		if got == nil || !h.cue.Source.Replicated && !spectates {
			continue
		}
		if spectates || h.cue.Source.Interpolated {
			later.cues++
			behind := got.moment - float64(key.Tick)
			if behind < 0 {
				t.Errorf("%s: %s fires %v ticks before the frame of its tick", f.who, key, -behind)
			}
			later.onTime += one(behind <= 1)
			if age := time.Duration(behind * float64(tick)); (age - got.age).Abs() > tick {
				t.Errorf("%s: %s has the age %v, but its frame is %v old", f.who, key, got.age, age)
			}
			continue
		}
		atOnce.cues++
		atOnce.onTime += one(got.at-h.at <= line.Delay+line.Jitter+2*tick)
		if got.age < 0 || got.age > 2*time.Second+2*line.Delay {
			t.Errorf("%s: %s is %v old", f.who, key, got.age)
		}
	}
	for key, got := range f.cues { // order: each is judged by itself
		if own := got.cue.Source.Runner == c.Player() && !spectates; m.host.cues[key] == nil && key.Tick >= first && key.Tick <= last && !own {
			t.Errorf("%s: %s never happened", f.who, key)
		}
	}
	return later, atOnce
}

// TestCuesOfProxies tests that players and spectators see the cues of objects that they do not
// simulate: each once, with the frame of its tick, and with its age; and that those who join
// later see the rest of the effects that last.
func TestCuesOfProxies(t *testing.T) {
	t.Parallel()
	for _, l := range []struct {
		name string
		line memlink.Profile
		part float64 // of cues that are on time
	}{{"off", memlink.Off(), 1}, {"average", memlink.Average(), 0.99}, {"bad", memlink.Bad(), 0.95}, {"awful", memlink.Awful(), 0}} {
		if !draws.Full() && l.name != "average" {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			play := draws.Pick(8*time.Second, 30*time.Second)
			m := newFlashMatch(t, 3, l.line, 5, 2)
			m.allIn()
			m.Run(3 * time.Second)
			first := m.Host.Now()
			m.Run(play)
			joined := len(m.Clients)
			m.Join()
			m.allIn()
			m.Run(6 * time.Second)
			last := m.Host.Now() - 150
			sent := m.Host.Report(m.Now)
			m.Drain()
			m.agree()
			var later, atOnce shares
			for i := range m.Clients {
				from := first
				if i == joined {
					from = last - 120
				}
				a, b := m.compare(i, l.line, from, last, func(*world.Cue) bool { return true })
				later.cues, later.onTime, atOnce.cues, atOnce.onTime = later.cues+a.cues, later.onTime+a.onTime, atOnce.cues+b.cues, atOnce.onTime+b.onTime
			}
			t.Logf("with the frame %.4f of %d, at once %.4f of %d; %.0f bits a cue; %+v", later.part(), later.cues, atOnce.part(), atOnce.cues,
				float64(8*sent.Bytes["cues"])/float64(max(sent.Cues.Sent, 1)), sent.Cues)
			if later.cues < 20*int(play.Seconds()) || atOnce.cues < 5*int(play.Seconds()) || later.part() < l.part || atOnce.part() < l.part || sent.Cues.Lost > 0 {
				t.Errorf("too few cues, or too few on time")
			}
			m.joinedHalfWay(joined)
		})
	}
}

func (m *flashMatch) allIn() {
	m.RunUntil(time.Minute, "all play", func() bool {
		for _, c := range m.Clients {
			if !c.Playing() {
				return false
			}
		}
		return true
	})
}

// agree fails if check mode or a comparison of hashes found a difference.
func (m *flashMatch) agree() {
	if err := m.Failed(); err != nil {
		m.host.t.Error(err)
	}
	for i, c := range m.Clients {
		if r := m.Report(i); c.Err() != nil || r.Confirmed.Mismatched > 0 || i != m.spectator && r.Confirmed.Compared < 100 {
			m.host.t.Errorf("client %d: %v, %+v", i, c.Err(), r.Confirmed)
		}
	}
}

// joinedHalfWay fails unless the client that joined last was shown the rest of effects of each kind of
// object.
func (m *flashMatch) joinedHalfWay(i int) {
	t, rest := m.host.t, map[bool]int{}
	for key, f := range m.clients[i].cues { // order: they are counted
		switch h := m.host.cues[key]; {
		case h == nil || h.cue.Lasts == 0 || f.age < 300*time.Millisecond:
		case f.age > 2*time.Second+500*time.Millisecond: // it may have ended on the way
			t.Errorf("%s: %s is over and %v old", m.clients[i].who, key, f.age)
		default:
			rest[h.cue.Source.Replicated]++
		}
	}
	if rest[true] == 0 || rest[false] == 0 {
		t.Errorf("%s was shown the rest of %d effects of replicated objects, and of %d of predicted ones", m.clients[i].who, rest[true], rest[false])
	}
}

// TestCuesOfProxiesFollowRelevancy tests that only clients that are sent an object get its cues.
func TestCuesOfProxiesFollowRelevancy(t *testing.T) {
	t.Parallel()
	const far = 40.0
	m := newFlashMatch(t, 4, memlink.Average(), far, -1)
	m.allIn()
	m.Run(2 * time.Second)
	first := m.Host.Now()
	m.Run(draws.Pick(5*time.Second, 30*time.Second))
	last := m.Host.Now() - 150
	m.Drain()
	for i, c := range m.Clients {
		near := 0
		later, atOnce := m.compare(i, memlink.Average(), first, last, func(cue *world.Cue) bool {
			is := !cue.Source.Replicated || math.Abs(float64(cue.Source.Runner)-float64(c.Player())) <= 1
			if cue.Source.Runner == 0 { // of a shell, which flies from one to another
				is = m.clients[i].cues[cue.CueKey] != nil
			}
			near += one(is)
			return is
		})
		if later.cues+atOnce.cues == 0 || near == 0 {
			t.Errorf("client %d gets no cues", i)
		}
	}
}
