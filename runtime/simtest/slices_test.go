package simtest_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// fickle presses its only button in some ticks: others guess it wrong again and again.
type fickle struct{ i int }

func (c fickle) Input(r world.Reader, _ int) world.Input {
	return world.Input{Buttons: uint32(r.Tick()*2654435761>>9+world.Tick(c.i)) & 1}
}

// readers are ten objects that read all pilots in each tick, which is a loop besides.
func readers(loop int) string {
	return strings.Replace(bombs(10, loop), "self.n = self.n + 1",
		`local n = 0 for _, p in ipairs(objects("Pilot")) do n = n + p.steps + (p.dear and 1 or 0) end self.n = n`, 1)
}

// present watches the present of a client, frame by frame.
type present struct {
	now, newest world.Tick
	since       time.Duration // when newest was new
	back        int           // how often the present went back
	stand       time.Duration // how long there was no tick newer than all before, at most
	view        room.View
	drawn       map[world.ObjectID]float64
	jump        float64 // how far an object was drawn from where it was in the frame before, at most
}

func (p *present) look(c *client.Client, now time.Duration) {
	if p.now > c.Now() {
		p.back++
	}
	if p.now = c.Now(); p.now > p.newest {
		p.newest, p.since = p.now, now
	}
	p.stand = max(p.stand, now-p.since)
	c.View(&p.view)
	for i := range p.view.Bodies {
		b := &p.view.Bodies[i]
		if was, seen := p.drawn[b.ID]; seen {
			p.jump = max(p.jump, math.Abs(b.X-was))
		}
		p.drawn[b.ID] = b.X
	}
}

// frames updates all clients once in a while, and looks at their presents.
func (r *heavyRoom) frames(d, every time.Duration) []present {
	seen := make([]present, len(r.Clients))
	for i, c := range r.Clients {
		seen[i] = present{newest: c.Now(), now: c.Now(), since: r.Now, drawn: map[world.ObjectID]float64{}}
	}
	for end := r.Now + d; r.Now < end; {
		for i := range r.Clients {
			r.SleepClient(i, every-simtest.PollEvery)
		}
		r.Run(every)
		for i, c := range r.Clients {
			seen[i].look(c, r.Now)
		}
	}
	return seen
}

// bounded tests that clients play, and that no frame of them did more work than two allowances and a tick. least is how
// many allowances some frame did, at least.
func (r *heavyRoom) bounded(t *testing.T, least float64) {
	t.Helper()
	for i, c := range r.Clients {
		w := r.Report(i).Work
		if !c.Playing() || w == nil || w.MostMS < least*w.AllowanceMS || w.MostMS > 3*w.AllowanceMS {
			t.Errorf("client %d plays: %v; in a frame: %+v", i, c.Playing(), w)
		}
	}
}

// TestRewindsInSlices plays on awful lines in a room where all objects read all pilots: each input that others guessed
// wrong makes all ticks since then be simulated again, which is the work of many frames. The present goes on meanwhile, and
// never goes back; nor does what is drawn jump.
func TestRewindsInSlices(t *testing.T) {
	t.Parallel()
	r := newHeavyRoom(t, 60, 10*time.Microsecond, heavy(`
function Pilot:tick() self:setVelocity(self.dear and 1.5 or -1.5, 0) end`, readers(330)), func(o *simtest.Options) {
		o.Profile = memlink.Awful()
		o.Controls = func(i int) client.Controls { return fickle{i} }
	})
	r.Run(4 * time.Second)
	for i, p := range r.frames(6*time.Second, 16*time.Millisecond) {
		if p.back > 0 || p.stand > 50*time.Millisecond || p.jump > 0.15 {
			t.Errorf("client %d: the present went back %d times, and stood for %v; what is drawn jumped by %.2f m", i, p.back,
				p.stand, p.jump)
		}
	}
	r.bounded(t, 2)
	r.end(t, 100*time.Millisecond)
}

// pressed presses its only button from a tick on.
type pressed struct{ from *world.Tick }

func (p pressed) Input(r world.Reader, _ int) (in world.Input) {
	if *p.from > 0 && r.Tick() >= *p.from {
		in.Buttons = 1
	}
	return in
}

// TestTicksThatHaveJustBecomeDear cuts a client's line for half a second. Meanwhile a press makes cheap ticks dear. The
// client hears of all at once, and simulates these ticks again in several frames.
func TestTicksThatHaveJustBecomeDear(t *testing.T) {
	t.Parallel()
	from := world.Tick(0)
	r := newHeavyRoom(t, 60, 10*time.Microsecond, heavy("", `
Bomb = object "Bomb" { state = { n = 0 } }
function Bomb:tick()
  for _, p in ipairs(objects("Pilot")) do if p.dear then self.n = self.n + 1 end end
  if self.n > 0 then `+spin(500)+` end
end
function onStart() for i = 1, 8 do spawn("Bomb") end end`), func(o *simtest.Options) {
		o.Controls = func(i int) client.Controls {
			if i == 1 {
				return pressed{&from}
			}
			return dear{}
		}
	})
	r.Run(2 * time.Second)
	r.Net.Cut(0, true)
	from = r.Host.Now()
	r.Run(500 * time.Millisecond)
	r.Net.Cut(0, false)
	for i, p := range r.frames(3*time.Second, simtest.PollEvery) {
		if p.back > 0 || p.stand > 100*time.Millisecond {
			t.Errorf("client %d: the present went back %d times, and stood for %v", i, p.back, p.stand)
		}
	}
	r.bounded(t, 1)
	r.end(t, 100*time.Millisecond)
}

// TestSharedRunInSlices is TestTicksThatHaveJustBecomeDear in a room with objects that clients do not simulate: they
// simulate the shared set of complete ticks besides.
func TestSharedRunInSlices(t *testing.T) {
	t.Parallel()
	r := newHeavyRoom(t, 60, 10*time.Microsecond, heavy("", readers(330)+`
Cloud = object "Cloud" { lod = "interpolate", body = { shape = { circle = 0.4 } } }
function onStart() spawn("Cloud", { y = 4 }) for i = 1, 10 do spawn("Bomb", { x = i - 20, y = -10 }) end end`), func(o *simtest.Options) {
		o.Controls = func(i int) client.Controls { return fickle{i} }
	})
	r.Run(2 * time.Second)
	r.Net.Cut(0, true)
	r.Run(500 * time.Millisecond)
	r.Net.Cut(0, false)
	for i, p := range r.frames(3*time.Second, 16*time.Millisecond) {
		if p.back > 0 || p.stand > 100*time.Millisecond {
			t.Errorf("client %d: the present went back %d times, and stood for %v", i, p.back, p.stand)
		}
	}
	r.bounded(t, 2)
	r.end(t, 100*time.Millisecond)
}
