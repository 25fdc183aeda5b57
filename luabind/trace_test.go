package luabind

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestTraceNamesTheLineOfEachChange: also of one that a helper of another file
// or a nested onSpawn makes.
func TestTraceNamesTheLineOfEachChange(t *testing.T) {
	s := start(t, "a.lua", `Ball = object "Ball" { state = { hp = 10 }, body = { shape = { circle = 1 } } }
function Ball:onSpawn()
  self.hp = 7
end
function Ball:tick()
  heal(self, 2)
  self:setForce(1,
    2)
  spawn("Ball", { x = 3 })
end`, "game.lua", `function heal(o, n)
  o.hp = o.hp + n
end`)
	slot := s.spawn("Ball")
	var got []string
	s.vm.Trace(func(c world.Change) {
		got = append(got, fmt.Sprintf("%s:%d %s", c.File, c.Line, c.Text(s.w.Class(slot))))
	})
	before := s.w.Now.Hash()
	if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
		t.Fatal(err)
	}
	want := []string{"game.lua:2 hp = 9", "a.lua:7 setForce(1, 2)", "a.lua:9 spawn Ball", "a.lua:3 hp = 7"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if s.w.Now.Hash() == before {
		t.Error("nothing changed")
	}
	s.vm.Trace(nil)
	if err := s.call(world.OnTick, slot, world.Args{}); err != nil || len(got) != len(want) {
		t.Errorf("%v; after the end it told %q", err, got[len(want):])
	}
}
