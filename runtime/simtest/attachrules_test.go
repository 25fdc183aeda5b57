package simtest_test

import (
	"errors"
	"fmt"
	"strings"
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

// faulty is a game in which each of 20 objects does the same wrong thing twice a second.
const faulty = `
A = object "A" { state = { n = 0 }, body = { shape = { circle = 0.4 } } }
B = object "B" { body = { type = "static", shape = { circle = 0.4 } } }
C = object "C" { state = { n = 0 } }
function A:tick()
  if tickNumber() %% 30 == 0 and tickNumber() > 60 then %s end
end
function onStart()
  spawn("B", { y = 9 })
  spawn("C")
  for i = 1, 20 do spawn("A", { x = i * 2 - 20 }) end
end
function onJoin(player) spawn("A", { y = 5, owner = player }) end
`

// TestErrorsAboutJointsAreTheSameForAllObjects tests that one faulty line is one report, whichever objects run it, and
// that the report says what is wrong.
func TestErrorsAboutJointsAreTheSameForAllObjects(t *testing.T) {
	t.Parallel()
	for stmt, want := range map[string]string{ // order: each is a match of its own
		`rope(self, self, { length = 1 })`:           "it needs a key, a body A, and another B or the world",
		`rope(self, objects("C")[1], {})`:            "C",
		`weld(objects("B")[1], nil, {})`:             "neither body is dynamic",
		`rope(self, objects("B")[1], { length=-1 })`: "length",
		`self:attach(self, 1, 0)`:                    "an object cannot carry itself",
		`self:attach(objects("C")[1], 1, 0)`:         "C has no body",
		`local o = spawn("A", { x = 50 + self.n, y = 20 }) self.n = self.n + 1
		 o:attach(self, 1, 0) self:attach(o, 1, 0)`: "the holder is attached to the object that it is to carry",
	} {
		texts := map[string]int{}
		sim := simtest.New(t, simtest.Options{Seed: 9, Clients: 1, Profile: memlink.Off(), Compile: compile,
			Bundle: shooterBundle(fmt.Sprintf(faulty, stmt)),
			Host: func(c *host.Config) {
				c.On.ScriptError = func(_ world.Tick, f world.Fault) {
					var s *world.ScriptError
					if errors.As(f.Err, &s) {
						texts[s.Message]++
					} else {
						texts[f.Err.Error()]++
					}
				}
			}})
		sim.Run(draws.Pick(2*time.Second, 4*time.Second))
		if len(texts) != 1 {
			t.Errorf("%s: %d different texts: %v", stmt, len(texts), texts)
		}
		for text := range texts { // order: there is one
			if !strings.Contains(text, want) {
				t.Errorf("%s: the error is %q, without %q", stmt, text, want)
			}
		}
	}
}

// rings is a game in which objects try to carry each other: each the next one, and two each other from within a hook of
// a third one.
const rings = `
A = object "A" { state = { n = 0 }, body = { shape = { circle = 0.4 } } }
Judge = object "Judge" { state = { tried = 0, refused = 0 } }
function Judge:tick()
  if tickNumber() % 60 ~= 30 then return end
  local all = objects("A")
  for i = 1, 3 do
    self.tried = self.tried + 1
    local ok, why = pcall(function() all[i]:attach(all[i % 3 + 1], 0.8, 0) end)
    if not ok and string.find(why, "is attached to the object that it is to carry", 1, true) then
      self.refused = self.refused + 1
    end
  end
end
function onStart()
  for i = 1, 3 do spawn("A", { x = 4 * i }) end
  spawn("Judge")
end
function onJoin(player) end
`

// TestObjectsCannotCarryEachOther tests that an attachment that would close a ring is refused, and that host and clients
// show who carries whom.
func TestObjectsCannotCarryEachOther(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 9, Clients: 1, Profile: memlink.Average(), Compile: compile,
		Bundle: shooterBundle(rings),
		Client: func(_ int, c *client.Config) { c.Name = "viewer" }})
	sim.Run(5 * time.Second)
	s := sim.Host.State()
	for _, slot := range s.Run {
		c := &sim.Host.Schema().Classes[s.Objects[slot].Class]
		if c.Name != "Judge" {
			continue
		}
		f := world.NewFieldReader(c, s.Row(int(slot)))
		tried, _ := f.Number("tried")
		refused, _ := f.Number("refused")
		if tried < 9 || refused != tried/3 {
			t.Errorf("%v of %v attachments were refused, want the last one of each three", refused, tried)
		}
	}
	var seen, theirs room.View
	sim.Host.View(&seen)
	sim.Clients[0].View(&theirs)
	for _, v := range []*room.View{&seen, &theirs} {
		held := 0
		for i := range v.Bodies {
			if b := &v.Bodies[i]; b.Class == "A" {
				held += one(b.Holder != 0)
			}
		}
		if held != 2 {
			t.Errorf("%d of 3 objects are shown as carried, want 2", held)
		}
	}
}
