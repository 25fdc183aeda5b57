package simtest_test

import (
	"fmt"
	"strconv"
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
	"github.com/hindcast/hindcast/world"
)

// wideShape is a class whose fields take more words than a snapshot has room for. Each write
// gives every field a value that follows from one number, the stamp.
type wideShape struct {
	name  string
	state string // of the declaration
	aux   string // of the declaration
	write string // Lua statements that write the number t to all fields of self
	busy  bool   // its field busy changes in every tick
	// stamp returns the stamp of the fields. whole is false if a field has another one.
	stamp func(f world.FieldReader) (stamp float64, whole bool)
}

var wideShapes = []wideShape{
	{
		name:  "slots",
		state: `slots = list(record { what = str(16), n = { "number", show = "step" }, who = str(16) }, 40)`,
		write: `local all = {}
  for i = 1, 40 do all[i] = { what = "what " .. (t * 40 + i), n = t, who = "who " .. (t * 77 + i) } end
  self.slots = all`,
		stamp: func(f world.FieldReader) (stamp float64, whole bool) {
			stamp, err := f.Number("slots[1].n")
			if err != nil || stamp == 0 {
				return 0, stamp == 0
			}
			whole = true
			for i := 0; i < 40; i += 3 {
				n, _ := f.Number(slotNames[i].n)
				what, _ := f.Text(slotNames[i].what)
				who, _ := f.Text(slotNames[i].who)
				whole = whole && n == stamp && endsIn(what, "what ", int(stamp)*40+i+1) && endsIn(who, "who ", int(stamp)*77+i+1)
			}
			return stamp, whole
		},
	},
	{
		name:  "numbers",
		state: strings.Join(each(150, func(i int) string { return fmt.Sprintf(`n%d = { "number", show = "step" }`, i) }), ", "),
		write: strings.Join(each(150, func(i int) string { return fmt.Sprintf("  self.n%d = t * %v + %d", i, stampUnit, i*65537) }), "\n"),
		stamp: func(f world.FieldReader) (stamp float64, whole bool) {
			return stampOf(f, numberNames)
		},
	},
	{
		name:  "aux", // in which nothing else changes
		aux:   strings.Join(each(150, func(i int) string { return fmt.Sprintf(`n%d = { "number", show = "step" }`, i) }), ", "),
		write: strings.Join(each(150, func(i int) string { return fmt.Sprintf("  self.n%d = t * %v + %d", i, stampUnit, i*65537) }), "\n"),
		stamp: func(f world.FieldReader) (stamp float64, whole bool) {
			return stampOf(f, numberNames)
		},
	},
	{
		name:  "few aux", // which a snapshot has room for, besides a field that always changes
		state: `busy = 0`,
		aux:   strings.Join(each(12, func(i int) string { return fmt.Sprintf(`n%d = { "number", show = "step" }`, i) }), ", "),
		write: strings.Join(each(12, func(i int) string { return fmt.Sprintf("  self.n%d = t * 12 + %d", i, i) }), "\n"),
		stamp: func(f world.FieldReader) (stamp float64, whole bool) {
			first, _ := f.Number("n1")
			for i := 1; i <= 12 && first != 0; i++ {
				if n, _ := f.Number(numberNames[i-1]); n != first+float64(i-1) {
					return 0, false
				}
			}
			return (first - 1) / 12, true
		},
		busy: true,
	},
	{
		name:  "words", // as many as a class may have: each list has a word for its length
		state: `a = list({ "number", show = "step" }, 255), b = list({ "number", show = "step" }, 255)`,
		write: fmt.Sprintf(`local a, b = {}, {}
  for i = 1, 255 do a[i], b[i] = t * %v + i * 65537, t * %v + (i + 255) * 65537 end
  self.a, self.b = a, b`, stampUnit, stampUnit),
		stamp: func(f world.FieldReader) (stamp float64, whole bool) {
			return stampOf(f, wordNames)
		},
	},
}

// busyLine is the line of Lua that changes the field busy.
func (s *wideShape) busyLine() string {
	if s.busy {
		return "self.busy = random()"
	}
	return ""
}

// The names of fields.
var (
	slotNames   [40]struct{ what, n, who string }
	numberNames = each(150, func(i int) string { return fmt.Sprintf("n%d", i) })
	wordNames   = append(each(255, func(i int) string { return fmt.Sprintf("a[%d]", i) }), each(255, func(i int) string { return fmt.Sprintf("b[%d]", i) })...)
)

func init() {
	for i := range slotNames {
		s, name := &slotNames[i], fmt.Sprintf("slots[%d].", i+1)
		s.what, s.n, s.who = name+"what", name+"n", name+"who"
	}
}

// endsIn reports whether a text is a word and a number.
func endsIn(text, word string, number int) bool {
	digits, ok := strings.CutPrefix(text, word)
	return ok && digits == strconv.Itoa(number)
}

// stampUnit is what a stamp is multiplied with, so that numbers need nearly all of their bits.
const stampUnit = 40_000_000_000_000

// stampOf returns the stamp of some of the numbers of these names, which are all 0 before the first
// write.
func stampOf(f world.FieldReader, names []string) (stamp float64, whole bool) {
	first, _ := f.Number(names[0])
	step, whole := 65537.0, true
	if first == 0 {
		step = 0
	}
	for i := 0; i < len(names); i += len(names) / 16 {
		n, _ := f.Number(names[i])
		whole = whole && n == first+float64(i)*step
	}
	if first == 0 {
		return 0, whole
	}
	return (first - 65537) / stampUnit, whole
}

func each(n int, f func(i int) string) (out []string) {
	for i := range n {
		out = append(out, f(i+1))
	}
	return out
}

// widePeriod is how many ticks lie between two changes of all fields of an object.
const widePeriod = 150

// wideRoom is a game with an object of a wide class for each player, one that nobody owns, and
// small ones that move. All are interpolated.
func wideRoom(s *wideShape) *bundle.Bundle {
	text := fmt.Sprintf(`
Wide = object "Wide" {
  lod = "interpolate",
  input = { Left = "bool", Right = "bool" },
  state = { %s },
  aux = { %s },
  body = { shape = { circle = 0.4 }, linear_damping = 1 },
}
function Wide:write(t)
  %s
end
function Wide:applyInput(input) self:setForce((input.Right and 4 or 0) - (input.Left and 4 or 0), 0) end
function Wide:tick()
  local t = tickNumber()
  %s
  if t %% %d == 1 then self:write(math.floor(t / %d) + 1) end
end
Mote = object "Mote" { lod = "interpolate", body = { shape = { circle = 0.2 }, density = 1 } }
function Mote:tick() if tickNumber() %% 20 == 0 then self:setVelocity(random() * 4 - 2, random() * 4 - 2) end end
`, s.state, s.aux, s.write, s.busyLine(), widePeriod, widePeriod)
	room := `
function onStart()
  for i = 1, 40 do spawn("Mote", { x = i - 20, y = (i % 5) * 3 - 6 }) end
  spawn("Wide", { x = 3, y = 9 })
end
function onJoin(player) spawn("Wide", { x = player * 2 - 6, y = -9, owner = player }) end
`
	b := &bundle.Bundle{Game: "wide", Setup: bundle.DefaultSetup(), Rules: bundle.DefaultRules(),
		Files: []world.Source{{Name: "game.lua", Text: room}, {Name: "wide.lua", Text: text}}}
	b.Setup.Walls = []world.Wall{{Y: -12, W: 52, H: 1}, {Y: 12, W: 52, H: 1}, {X: -25.5, W: 1, H: 25}, {X: 25.5, W: 1, H: 25}}
	return b
}

// wideViewer notes what a client shows of the wide objects.
type wideViewer struct {
	shown map[world.ObjectID]float64 // the stamp shown last
	late  stats.Series               // seconds from a change to the first view of it
	torn  int                        // views of fields of more than one tick
	count int                        // of wide objects in the last view
}

// look notes the wide objects of a view. tick is the present of the host.
func (w *wideViewer) look(s *wideShape, v *room.View, tick world.Tick) {
	w.count = 0
	for i := range v.Bodies {
		b := &v.Bodies[i]
		if b.Class != "Wide" {
			continue
		}
		stamp, whole := s.stamp(b.Fields())
		if !whole {
			w.torn++
			continue
		}
		w.count++
		if was, ok := w.shown[b.ID]; !ok || was != stamp {
			if ok && stamp > 0 {
				changed := world.Tick(stamp-1)*widePeriod + 1
				w.late.Add(float64(int64(tick)-int64(changed)) / 60)
			}
			w.shown[b.ID] = stamp
		}
	}
}

// TestWideObjectsArrive: an object whose fields do not fit into a snapshot reaches its owner,
// the others, a spectator and a late joiner, with all its fields of one tick.
func TestWideObjectsArrive(t *testing.T) {
	t.Parallel()
	lines := []struct {
		name string
		line memlink.Profile
		most float64 // seconds from a change to its view, at the 90th percentile
		full bool    // only in the full run
	}{{"off", memlink.Off(), 0.8, true}, {"average", memlink.Average(), 1, false}, {"bad", memlink.Bad(), 4, true}, {"awful", memlink.Awful(), 9, true}}
	for i := range wideShapes {
		shape := &wideShapes[i]
		for _, line := range lines {
			if !draws.Full() && (line.full || shape.name != "words" && shape.name != "few aux") {
				continue
			}
			t.Run(shape.name+"/"+line.name, func(t *testing.T) {
				t.Parallel()
				playWide(t, shape, line.line, line.most)
			})
		}
	}
}

func playWide(t *testing.T, shape *wideShape, line memlink.Profile, most float64) {
	sim := simtest.New(t, simtest.Options{Seed: 9, Clients: 2, Profile: line, Bundle: wideRoom(shape), Compile: compile,
		Controls: func(i int) client.Controls { return &driver{uint64(i) + 3} },
		Client: func(i int, cfg *client.Config) {
			if i == 1 {
				cfg.Kind = client.Spectator
			}
		}})
	sim.Run(4 * time.Second)
	sim.Join()
	viewers := make([]wideViewer, 3)
	var v room.View
	for end := sim.Now + draws.Pick(6*time.Second, 20*time.Second); sim.Now < end; {
		sim.Run(4 * simtest.PollEvery)
		for i, c := range sim.Clients {
			if viewers[i].shown == nil {
				viewers[i].shown = map[world.ObjectID]float64{}
			}
			if c.Stage() == room.StagePlaying {
				c.View(&v)
				viewers[i].look(shape, &v, sim.Host.Now())
			}
		}
	}
	sim.Drain()
	for i := range viewers {
		w := &viewers[i]
		t.Logf("client %d: %d wide objects, %d changes seen after %+v s", i, w.count, w.late.Count(), w.late.Spread())
		if w.count != 4 || w.torn != 0 {
			t.Errorf("client %d shows %d wide objects of 4; %d views had fields of several ticks", i, w.count, w.torn)
		}
		if line == memlink.Average() && shape.name == "words" && w.late.Quantile(0.99) > 1 {
			t.Errorf("client %d saw changes of all words after %+v s", i, w.late.Spread())
		}
		if w.late.Count() < 4 || w.late.Quantile(0.9) > most {
			t.Errorf("client %d saw %d changes, after %+v s", i, w.late.Count(), w.late.Spread())
		}
	}
}
