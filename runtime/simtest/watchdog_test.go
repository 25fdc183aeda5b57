package simtest_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// heavyGame is a room in which players steer, next to objects that are too much work: MORE has them.
const heavyGame = `
Pilot = object "Pilot" {
  input = { dear = "bool" }, state = { steps = 0, dear = false },
  body = { shape = { circle = 0.4 }, density = 1 },
}
function Pilot:applyInput(input) self.steps = self.steps + 1 self.dear = input.dear end
PILOT


function onJoin(player) spawn("Pilot", { x = 3 * player - 8, y = 8, owner = player }) end
MORE
`

// heavyRoom is a match of a heavyGame.
type heavyRoom struct {
	*simtest.Sim
	log    bytes.Buffer
	prices timeline.Prices
}

// dear presses its only button from a tick on.
type dear struct{ from world.Tick }

func (d dear) Input(r world.Reader, _ int) (in world.Input) {
	if d.from > 0 && r.Tick() >= d.from {
		in.Buttons = 1
	}
	return in
}

// newHeavyRoom makes a room in which an instruction has a price: so few objects are as much work as thousands.
func newHeavyRoom(t *testing.T, rate int, instruction time.Duration, text string, change func(*simtest.Options)) *heavyRoom {
	b := shooterBundle(text)
	b.Setup.TickRate = rate
	b.Setup.Walls = []world.Wall{{Y: -12, W: 60, H: 1}}
	r := &heavyRoom{prices: timeline.Prices{Instruction: instruction, Call: instruction, Body: time.Microsecond, Pair: time.Microsecond, Solved: time.Microsecond}}
	o := simtest.Options{Seed: 35, Clients: 3, Profile: memlink.Average(), Bundle: b, Compile: compile,
		Log:      slog.NewTextHandler(&r.log, nil),
		Host:     func(c *host.Config) { c.Prices = r.prices },
		Client:   func(_ int, c *client.Config) { c.Prices = r.prices },
		Controls: func(int) client.Controls { return dear{} }}
	if change != nil {
		change(&o)
	}
	r.Sim = simtest.New(t, o)
	return r
}

// fieldsOf returns a field of all objects of a class on the host, by owner.
func (r *heavyRoom) fieldsOf(t *testing.T, class, field string) map[world.PlayerID]float64 {
	t.Helper()
	out := map[world.PlayerID]float64{}
	s, schema := r.Host.State(), r.Host.Schema()
	for _, slot := range s.Run {
		o := &s.Objects[slot]
		c := &schema.Classes[o.Class]
		if c.Name != class {
			continue
		}
		n, err := world.NewFieldReader(c, s.Row(int(slot))).Number(field)
		must(t, err)
		out[o.Owner] = n
	}
	return out
}

// end ends a match: all agree, and no tick did more work than two allowances, one hook and one physics step.
func (r *heavyRoom) end(t *testing.T, hook time.Duration) {
	t.Helper()
	w := r.Host.Report(r.Now).Work
	if most := w.MostMS - 2*w.AllowanceMS; most > float64(hook.Milliseconds()) {
		t.Errorf("a tick did %.0f ms of work: two allowances of %.0f ms, and %.0f ms more", w.MostMS, w.AllowanceMS, most)
	}
	if r.Failed() != nil {
		t.Error(r.Failed())
	}
	r.Drain()
	if n := r.AgreeOnHashes(); n < 100 {
		t.Errorf("%d ticks compared", n)
	}
	if t.Failed() {
		t.Log(r.log.String())
	}
}

// spin is a loop of some instructions.
func spin(n int) string { return fmt.Sprintf("for i = 1, %d do end", n) }

// bombs are n objects whose ticks are a loop.
func bombs(n, loop int) string {
	return fmt.Sprintf(`
Bomb = object "Bomb" { state = { n = 0 }, body = { shape = { circle = 0.2 }, density = 1 } }
function Bomb:tick() self.n = self.n + 1 %s end
function onStart() for i = 1, %d do spawn("Bomb", { x = i - 20, y = -10 }) end end`, spin(loop), n)
}

func heavy(pilot, more string) string {
	return strings.NewReplacer("PILOT", pilot, "MORE", more).Replace(heavyGame)
}

// atRates runs a test at 60 Hz, and in full at the lowest and a high rate, too. instruction is the price of an instruction:
// 10 us at 60 Hz, and as large a part of what a tick may be at other rates.
func atRates(t *testing.T, f func(t *testing.T, rate int, instruction time.Duration)) {
	t.Parallel()
	for _, rate := range draws.Pick([]int{60}, []int{20, 60, 128}) {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			t.Parallel()
			f(t, rate, timeline.Allowed(time.Second/time.Duration(rate))*3/20_000)
		})
	}
}

// TestTooMuchWorkIsSuspended plays a room with objects that each stay within their budget and are far too much work
// together. Their hooks are suspended, for longer and longer; players go on playing, at all rates.
func TestTooMuchWorkIsSuspended(t *testing.T) {
	atRates(t, func(t *testing.T, rate int, instruction time.Duration) {
		allowed := timeline.Allowed(time.Second / time.Duration(rate))
		r := newHeavyRoom(t, rate, instruction/10, heavy("", bombs(24, 5000)), nil)
		r.Run(7 * time.Second)
		w := r.Host.Report(r.Now).Work
		if w.Suspended != 3 || w.GivenUp < 3 { // from the start on for 2 s, then for 4 s, and for 8 s
			t.Errorf("%+v", w)
		}
		ticks := float64(r.Host.Now())
		for p, n := range r.fieldsOf(t, "Pilot", "steps") {
			if n < ticks-2*float64(rate) { // they joined within the first seconds
				t.Errorf("player %d steered in %v ticks of %v", p, n, ticks)
			}
		}
		if n := r.fieldsOf(t, "Bomb", "n")[0]; n > 3 {
			t.Errorf("a bomb ran %v times", n)
		}
		for i := range r.Clients { // which are ahead of the host, and do not know which hooks it suspends
			if w := r.Report(i).Work; w == nil || w.GivenUp < 2 {
				t.Errorf("client %d gave up too few predicted ticks: %+v", i, w)
			}
		}
		if n := strings.Count(r.log.String(), "the hooks of Bomb are too much work for the room: suspended until tick"); n != 3 {
			t.Errorf("the log says so %d times", n)
		}
		// Other scripts end the suspension, and both sides say so.
		light := shooterBundle(heavy("", bombs(24, 5)))
		light.Setup.TickRate, light.Setup.Walls = rate, []world.Wall{{Y: -12, W: 60, H: 1}}
		at, err := swap(t, r.Sim, light)
		must(t, err)
		for r.Host.Now() < at+60 {
			r.Run(simtest.PollEvery)
		}
		if n := strings.Count(r.log.String(), "the hooks of Bomb are too much work for the room: over, other scripts are in force"); n != 1 {
			t.Errorf("the log says %d times that a suspension is over:\n%s", n, r.log.String())
		}
		if n := r.fieldsOf(t, "Bomb", "n")[0]; n < 50 {
			t.Errorf("a bomb ran %v times", n)
		}
		r.end(t, allowed/3)
	})
}

// steeredOn fails unless players steered in nearly all ticks since a moment, in which their pilots had steered so often.
func (r *heavyRoom) steeredOn(t *testing.T, before map[world.PlayerID]float64, since world.Tick, players ...world.PlayerID) {
	t.Helper()
	now, ticks := r.fieldsOf(t, "Pilot", "steps"), float64(r.Host.Now()-since)
	for _, p := range players {
		if n := now[p] - before[p]; n < ticks-3 {
			t.Errorf("player %d steered in %v ticks of %v", p, n, ticks)
		}
	}
}

// TestPlayerWithDearObjectsIsSuspendedAlone lets one player make the ticks of their own object dear, and another one the
// hook that applies their inputs. Only these are suspended.
func TestPlayerWithDearObjectsIsSuspendedAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ what, pilot, said string }{
		{"tick", "function Pilot:tick() if self.dear then " + spin(10000) + " end end", "the hooks of Pilot objects of player %d are"},
		{"inputs", "function Pilot:applyInput(input) self.steps = self.steps + 1 if input.dear then " + spin(10000) + " end end",
			"the input hooks of Pilot objects of player %d are"},
	} {
		t.Run(c.what, func(t *testing.T) {
			atRates(t, func(t *testing.T, rate int, instruction time.Duration) {
				r := newHeavyRoom(t, rate, instruction, heavy(c.pilot, bombs(10, 50)), func(o *simtest.Options) {
					o.Controls = func(i int) client.Controls {
						if i == 1 {
							return dear{world.Tick(rate * 5 / 2)}
						}
						return dear{}
					}
				})
				r.Run(2 * time.Second)
				if w := r.Host.Report(r.Now).Work; w.GivenUp > 0 {
					t.Errorf("before: %+v", w)
				}
				before, since := r.fieldsOf(t, "Pilot", "steps"), r.Host.Now()
				r.Run(5 * time.Second)
				guilty := r.Clients[1].Player()
				said := fmt.Sprintf(c.said, guilty)
				if log := r.log.String(); strings.Count(log, "suspended until") != strings.Count(log, said) || !strings.Contains(log, said) {
					t.Errorf("%q is not all that the log says", said)
				}
				for p := range before { // order: each is looked at by itself
					if p != guilty {
						r.steeredOn(t, before, since, p)
					}
				}
				if n := r.fieldsOf(t, "Bomb", "n")[0]; n < float64(r.Host.Now())-3 {
					t.Errorf("a bomb that is to blame for nothing ran %v times", n)
				}
				r.end(t, 10000*instruction*2)
			})
		})
	}
}

// TestWorkOfManyClassesIsSuspendedInPart plays a room in which 20 classes do 5 % of the work each, more and more of it:
// about as many are suspended as is needed.
func TestWorkOfManyClassesIsSuspendedInPart(t *testing.T) {
	atRates(t, func(t *testing.T, rate int, instruction time.Duration) {
		more := "function onStart()"
		for i := range 20 {
			more = fmt.Sprintf(`C%d = object "C%d" { state = { n = 0 } }
function C%d:tick() self.n = self.n + 1 for i = 1, math.min(450, tickNumber() * %d) do end end
`, i, i, i, max(1, 300/rate)) + more + fmt.Sprintf(` spawn("C%d")`, i)
		}
		r := newHeavyRoom(t, rate, instruction, heavy("", more+" end"), nil)
		r.Run(3 * time.Second)
		ticks := float64(r.Host.Now())
		w, ran := r.Host.Report(r.Now).Work, 0
		for i := range 20 {
			if r.fieldsOf(t, fmt.Sprintf("C%d", i), "n")[0] > ticks-10 {
				ran++
			}
		}
		if w.GivenUp != 1 || w.Suspended+ran != 20 || ran < 6 {
			t.Errorf("%d classes go on; %+v", ran, w)
		}
		for p, n := range r.fieldsOf(t, "Pilot", "steps") {
			if n < ticks-float64(rate)*2/3 {
				t.Errorf("player %d steered in %v ticks", p, n)
			}
		}
		r.end(t, 2000*instruction)
	})
}

// TestBombsInContactsAreSuspended plays a room in which each contact is much work, after the physics step.
func TestBombsInContactsAreSuspended(t *testing.T) {
	atRates(t, func(t *testing.T, rate int, instruction time.Duration) {
		more := fmt.Sprintf(`
Bomb = object "Bomb" { state = { n = 0, home = 0 }, body = { shape = { circle = 0.3 }, density = 1 } }
function Bomb:tick() self:setPosition(tickNumber() %% 2 * 10 * self.home, 0) end
function Bomb:onContact() self.n = self.n + 1 %s end
function onStart() for i = 1, 10 do local b = spawn("Bomb", { x = i * 10, y = 0 }) b.home = i end end`, spin(200))
		r := newHeavyRoom(t, rate, instruction, heavy("", more), nil)
		r.Run(5 * time.Second)
		w := r.Host.Report(r.Now).Work
		if w.Suspended < 1 || w.Suspended > 3 || w.Suspended != strings.Count(r.log.String(), "the hooks of Bomb are too much work") {
			t.Errorf("%+v", w)
		}
		r.steeredOn(t, map[world.PlayerID]float64{}, world.Tick(rate), 1, 2, 3)
		r.end(t, 2000*instruction)
	})
}

// TestPhysicsSuspendsNobody plays a room in which a pile of bodies is most of the work: no hook is suspended, and the log
// says what it is.
func TestPhysicsSuspendsNobody(t *testing.T) {
	atRates(t, func(t *testing.T, rate int, instruction time.Duration) {
		r := newHeavyRoom(t, rate, instruction, heavy("", bombs(20, 50)), func(o *simtest.Options) {
			o.Host = func(c *host.Config) {
				c.Prices = timeline.Prices{Instruction: instruction, Body: 500 * instruction}
			}
		})
		r.Run(3 * time.Second)
		w := r.Host.Report(r.Now).Work
		if w.Suspended > 0 || w.GivenUp > 0 || w.Physics < 2*rate {
			t.Errorf("%+v", w)
		}
		if n := strings.Count(r.log.String(), "most of that is physics"); n != 1 {
			t.Errorf("the log says so %d times", n)
		}
		r.steeredOn(t, map[world.PlayerID]float64{}, world.Tick(rate), 1, 2, 3)
		r.end(t, 20000*instruction)
	})
}

// TestOverBudgetWorkIsSuspended plays a room with objects whose hooks never end, while the host catches up after a pause.
func TestOverBudgetWorkIsSuspended(t *testing.T) {
	atRates(t, func(t *testing.T, rate int, instruction time.Duration) {
		n := draws.Pick(6, 40)
		more := strings.Replace(bombs(n, 1), spin(1), fmt.Sprintf("if tickNumber() > %d then while true do end end", rate*5/3), 1)
		r := newHeavyRoom(t, rate, instruction/20, heavy("", more), nil)
		r.Run(1500 * time.Millisecond)
		r.SleepHost(250 * time.Millisecond)
		r.Run(2500 * time.Millisecond)
		w := r.Host.Report(r.Now).Work
		if w.Suspended != 2 {
			t.Errorf("%+v", w)
		}
		r.steeredOn(t, map[world.PlayerID]float64{}, world.Tick(rate), 1, 2, 3)
		r.end(t, 6000*instruction)
	})
}

// TestEverythingIsSuspendedInTheEnd plays a room in which everything is too much work: game.lua, the hooks of all objects
// and inputs. All hooks are suspended, bodies, owners and fields stay, and the room goes on.
func TestEverythingIsSuspendedInTheEnd(t *testing.T) {
	t.Parallel()
	more := bombs(20, 1000) + fmt.Sprintf(`
game { calls = { poke = { "number" } } }
function poke(n) end
function tick() if tickNumber() > 100 then %s end end`, spin(20000))
	r := newHeavyRoom(t, 60, 10*time.Microsecond, heavy("", strings.Replace(more, "for i = 1, 1000", "for i = 1, tickNumber() > 100 and 1000 or 1", 1)), nil)
	r.Run(2 * time.Second)
	if err := r.Host.Call("poke", 1); err != nil {
		t.Error(err)
	}
	before := r.fieldsOf(t, "Pilot", "steps")
	r.Run(time.Second)
	if log := r.log.String(); !strings.Contains(log, "all hooks are too much work") || !strings.Contains(log, timeline.ErrSuspended.Error()) {
		t.Error("game.lua is not suspended")
	}
	if n := len(r.fieldsOf(t, "Pilot", "steps")); n != 3 || len(before) != 3 {
		t.Errorf("%d pilots", n)
	}
	r.end(t, 1000*time.Millisecond)
}

// dearAtTimes presses its only button for five ticks of ten, after a while.
type dearAtTimes struct{}

func (dearAtTimes) Input(r world.Reader, _ int) (in world.Input) {
	if t := r.Tick(); t > 110 && t/5%2 == 0 {
		in.Buttons = 1
	}
	return in
}

// tardy is a link on which a client's inputs take longer, which its clock cannot notice.
type tardy struct {
	link.Link
	by    *time.Duration
	queue []tardyPacket
}

type tardyPacket struct {
	due time.Duration
	to  link.Peer
	b   []byte
}

func (l *tardy) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	if wire.KindOf(b) != wire.KindInputPacket || *l.by == 0 {
		return l.Link.SendDatagram(now, p, b)
	}
	l.queue = append(l.queue, tardyPacket{now + *l.by, p, bytes.Clone(b)})
	return nil
}

func (l *tardy) Poll(now time.Duration, f func(link.Event)) {
	for len(l.queue) > 0 && l.queue[0].due <= now {
		_ = l.Link.SendDatagram(now, l.queue[0].to, l.queue[0].b)
		l.queue = l.queue[1:]
	}
	l.Link.Poll(now, f)
}

// TestLateInputsThatAreTooMuchWork lets one player's late inputs make ticks dear that were cheap. Such rewinds are given
// up and taken back, and for a while none of that player's late inputs are taken. Others lose nothing.
func TestLateInputsThatAreTooMuchWork(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ what, pilot, more string }{
		{"own objects", "function Pilot:tick() if self.dear then " + spin(2000) + " end end", bombs(10, 50)},
		// The work is that of objects of nobody. All players' inputs are late, so it is not clear at first who is to blame.
		{"objects of nobody", "", `
Bomb = object "Bomb" { state = { n = 0, ready = false } }
function Bomb:tick()
  for _, p in ipairs(objects("Pilot")) do if p.dear then self.n = self.n + 1 ` + spin(300) + ` end end
end
function onStart() for i = 1, 8 do spawn("Bomb") end end`},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			by := time.Duration(0)
			r := newHeavyRoom(t, 60, 10*time.Microsecond, heavy(c.pilot, c.more), func(o *simtest.Options) {
				o.Controls = func(i int) client.Controls {
					if i == 1 {
						return dearAtTimes{}
					}
					return dear{}
				}
				o.Client = func(i int, cfg *client.Config) {
					if i == 1 || c.pilot == "" {
						cfg.Link = &tardy{Link: cfg.Link, by: &by}
					}
				}
			})
			r.Run(2 * time.Second)
			before, since := r.fieldsOf(t, "Pilot", "steps"), r.Host.Now()
			by = 150 * time.Millisecond
			r.Run(4 * time.Second)
			guilty := r.Clients[1].Player()
			h := r.Host.Report(r.Now)
			if h.Work.TakenBack < 1 || h.Work.TakenBack > 4 || h.Refused["input_too_much_work"] < 3 {
				t.Errorf("%+v, refused %v", h.Work, h.Refused)
			}
			for i := range r.Clients {
				if n := r.Report(i).Inputs.DroppedOld; (n > 0) != (i == 1) {
					t.Errorf("client %d: %d inputs dropped", i, n)
				}
			}
			if log := r.log.String(); !strings.Contains(log, fmt.Sprintf(
				`msg="to simulate again what a player's late inputs change is too much work: they are not taken for a while" player=%d`, guilty)) {
				t.Error("the log does not say so")
			}
			for p := range before { // order: each is looked at by itself
				if p != guilty {
					r.steeredOn(t, before, since, p)
				}
			}
			r.end(t, 100*time.Millisecond)
		})
	}
}

// TestLateInputsTouchAnothersDearObject: an object that takes 13 of the 67 ms of a tick looks at all pilots. The late inputs
// of another player are too much work because of it. They are not taken for 2 s at a time, which does not get longer, and
// the log says whose objects do the work.
func TestLateInputsTouchAnothersDearObject(t *testing.T) {
	t.Parallel()
	by := time.Duration(0)
	text := heavy("function Pilot:onJoin() end function Pilot:tick() if self.dear then for _, p in ipairs(objects('Pilot')) do local n = p.steps + (p.dear and 1 or 0) end "+spin(1300)+" end end", "")
	text = strings.Replace(text, "input = { dear", "input = { walk = \"bool\", dear", 1)
	text = strings.Replace(text, "self.dear = input.dear", "self.dear = input.dear if input.walk then self.steps = self.steps + 1 end", 1)
	r := newHeavyRoom(t, 60, 10*time.Microsecond, text, func(o *simtest.Options) {
		o.Controls = func(i int) client.Controls {
			if i == 1 {
				return dear{120}
			}
			return walking{}
		}
		o.Client = func(i int, cfg *client.Config) {
			if i == 0 {
				cfg.Link = &tardy{Link: cfg.Link, by: &by}
			}
		}
	})
	r.Run(2 * time.Second)
	for range 4 { // the client gets used to a line, which changes then
		by = 150*time.Millisecond - by
		r.Run(3 * time.Second)
	}
	want := fmt.Sprintf("player=%d ms=\\S+ allowed_ms=\\S+ seconds=(\\S+) objects_of=%d", r.Clients[0].Player(), r.Clients[1].Player())
	said := regexp.MustCompile(want).FindAllStringSubmatch(r.log.String(), -1)
	for _, m := range said {
		if m[1] != "2" {
			t.Errorf("they are not taken for %s s", m[1])
		}
	}
	h := r.Host.Report(r.Now)
	if len(said) < 2 || h.Work.TakenBack < 2 || h.Work.TakenBack > 5 {
		t.Errorf("%d closures, %+v, log:\n%s", len(said), h.Work, r.log.String())
	}
}

// walking presses the button walk at all times, of each second tick.
type walking struct{}

func (walking) Input(r world.Reader, _ int) world.Input {
	return world.Input{Buttons: uint32(r.Tick()) >> 1 & 2}
}

// TestClientsGiveUpDearRewinds lets a press make ticks dear that come a moment later. Other clients, who are ahead of the
// host, learn of the press by a rewind. They do not simulate the dear ticks, and wait until they know what is suspended.
// Then they catch up steadily, and nothing that has not changed counts as displaced.
func TestClientsGiveUpDearRewinds(t *testing.T) {
	t.Parallel()
	r := newHeavyRoom(t, 60, 10*time.Microsecond, heavy("function Pilot:tick() self:setVelocity(3 * math.cos(tickNumber() / 10), 0) end", `
Bomb = object "Bomb" { state = { fuse = 0 } }
function Bomb:tick()
  for _, p in ipairs(objects("Pilot")) do if p.dear then self.fuse = self.fuse + 1 end end
  if self.fuse > 3 then `+spin(2000)+` end
end
function onStart() for i = 1, 8 do spawn("Bomb") end end`), func(o *simtest.Options) {
		o.Controls = func(i int) client.Controls {
			if i == 1 {
				return dear{150}
			}
			return dear{}
		}
	})
	var newest [3]world.Tick
	back := [3]int{}
	for range 5 * time.Second / simtest.PollEvery {
		r.Run(simtest.PollEvery)
		for i, c := range r.Clients {
			now := c.Now()
			if now < newest[i] {
				back[i]++
			}
			if newest[i] > 100 && now > newest[i]+2 {
				t.Errorf("client %d goes on from tick %d to %d at once", i, newest[i], now)
			}
			newest[i] = now
		}
	}
	for i := range r.Clients {
		w := r.Report(i).Work
		if w == nil || w.GivenUp < 1 || w.GivenUp > 6 || back[i] > w.GivenUp || i != 1 && back[i] == 0 {
			t.Errorf("client %d: %+v; it went back %d times", i, w, back[i])
		}
		if d := r.Report(i).Repredictions.Distance.Max; d > 0.001 {
			t.Errorf("client %d: an own object was displaced by %v m", i, d)
		}
	}
	if w := r.Host.Report(r.Now).Work; w.Suspended < 1 || w.TakenBack > 0 {
		t.Errorf("%+v", w)
	}
	r.steeredOn(t, map[world.PlayerID]float64{}, 40, 1, 2, 3)
	r.end(t, 100*time.Millisecond)
}

// TestNewcomersCatchUpInSlices: ticks that take 40 of 67 ms each are simulated a few at a time by a client that joins, so
// that it hears of the host in between, and not all that are due in one frame.
func TestNewcomersCatchUpInSlices(t *testing.T) {
	t.Parallel()
	r := newHeavyRoom(t, 60, 10*time.Microsecond, heavy("", bombs(10, 400)), func(o *simtest.Options) {
		o.Profile = memlink.Awful()
	})
	r.Run(2 * time.Second)
	newcomer := r.Join()
	r.RunUntil(20*time.Second, "the newcomer plays", newcomer.Playing)
	r.Run(2 * time.Second)
	r.bounded(t, 1.5)
	r.end(t, 100*time.Millisecond)
}

// TestRareFramesOfDearTicks: a client that is updated 30 times a second comes to the present of ticks at 60 Hz that take 40
// of 67 ms each, and stays there.
func TestRareFramesOfDearTicks(t *testing.T) {
	t.Parallel()
	r := newHeavyRoom(t, 60, 10*time.Microsecond, heavy("", bombs(10, 400)), func(o *simtest.Options) { o.Clients = 1 })
	c := r.Clients[0]
	run := func(d time.Duration) {
		for end := r.Now + d; r.Now < end; {
			r.SleepClient(0, 32*time.Millisecond)
			r.Run(32 * time.Millisecond)
			r.Run(simtest.PollEvery)
		}
	}
	run(4 * time.Second)
	for range 20 {
		if run(100 * time.Millisecond); !c.Playing() || c.Now() < r.Host.Now() {
			t.Fatalf("playing: %v, at tick %d, the host's is %d", c.Playing(), c.Now(), r.Host.Now())
		}
	}
	if w := r.Report(0).Work; w == nil || w.MostMS > 3*w.AllowanceMS {
		t.Errorf("%+v", w)
	}
	r.end(t, 100*time.Millisecond)
}

// dearBefore presses its only button for some ticks up to one.
type dearBefore struct{ to *world.Tick }

func (d dearBefore) Input(r world.Reader, _ int) (in world.Input) {
	if t := r.Tick(); *d.to > 0 && t+4 >= *d.to && t+1 < *d.to {
		in.Buttons = 1
	}
	return in
}

// TestTooMuchWorkBeforeAReload gives a rewind up in a tick before a switch to scripts with fewer classes.
func TestTooMuchWorkBeforeAReload(t *testing.T) {
	t.Parallel()
	by := time.Duration(0)
	pilot := "function Pilot:tick() if self.dear then " + spin(3400) + " end end"
	var at world.Tick
	more := `A = object "A" {} B = object "B" {} C = object "C" {} D = object "D" {}`
	r := newHeavyRoom(t, 60, 10*time.Microsecond, more+heavy(pilot, ""), func(o *simtest.Options) {
		o.Controls = func(i int) client.Controls {
			if i == 1 {
				return dearBefore{&at}
			}
			return dear{}
		}
		o.Client = func(i int, cfg *client.Config) {
			if i == 1 {
				cfg.Link = &tardy{Link: cfg.Link, by: &by}
			}
		}
	})
	r.Run(2 * time.Second)
	fewer := shooterBundle(heavy(pilot, ""))
	fewer.Setup.TickRate, fewer.Setup.Walls = 60, []world.Wall{{Y: -12, W: 60, H: 1}}
	var err error
	at, err = swap(t, r.Sim, fewer)
	must(t, err)
	for r.Host.Now() < at-12 {
		r.Run(simtest.PollEvery)
	}
	by = 150 * time.Millisecond // the inputs for ticks before the switch arrive after it
	r.Run(2 * time.Second)
	if w := r.Host.Report(r.Now).Work; w.TakenBack == 0 {
		t.Errorf("%+v", w)
	}
	r.end(t, 3400*10*time.Microsecond)
}

// dearLater presses its only button for five ticks of ten, and later always.
type dearLater struct{}

func (dearLater) Input(r world.Reader, _ int) (in world.Input) {
	if t := r.Tick(); t > 110 && (t/5%2 == 0 || t > 150) {
		in.Buttons = 1
	}
	return in
}

// TestLateInputsInABusyRoom takes rewinds back in a room whose ticks are much work anyway: a frame with all that, and its
// tick, is two allowances of work and a hook at most.
func TestLateInputsInABusyRoom(t *testing.T) {
	t.Parallel()
	for _, loop := range draws.Pick([]int{300}, []int{200, 300, 370}) {
		by := time.Duration(0)
		pilot := "function Pilot:tick() if self.dear then " + spin(2500) + " end end"
		r := newHeavyRoom(t, 60, 10*time.Microsecond, heavy(pilot, bombs(10, loop)), func(o *simtest.Options) {
			o.Controls = func(i int) client.Controls {
				if i == 1 {
					return dearLater{}
				}
				return dear{}
			}
			o.Client = func(i int, cfg *client.Config) {
				if i == 1 {
					cfg.Link = &tardy{Link: cfg.Link, by: &by}
				}
			}
		})
		r.Run(2 * time.Second)
		by = 150 * time.Millisecond
		r.Run(time.Second)
		if w := r.Host.Report(r.Now).Work; w.TakenBack == 0 {
			t.Errorf("%+v", w)
		}
		r.end(t, 2500*10*time.Microsecond)
	}
}
