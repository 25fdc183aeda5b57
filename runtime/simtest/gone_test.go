package simtest_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// TestViewsShowNoReferencesToWhatIsGone tests that a view finds nothing where scripts find nil: in references, also in
// lists, to an object that was removed.
func TestViewsShowNoReferencesToWhatIsGone(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 3, Clients: 1, Profile: memlink.Off(), Compile: compile, Bundle: ownersRoom("game.lua", `
game { state = { boss = ref() } }
Rock = object "Rock" { state = { left = 90 }, body = { shape = { circle = 0.5 } } }
function Rock:tick() self.left = self.left - 1 if self.left == 0 then self:remove() end end
Hero = object "Hero" { state = { foe = ref(), pals = list("ref", 2) }, body = { shape = { circle = 0.5 } } }
function onJoin(p)
  local rock = spawn("Rock", { x = 9 })
  game.boss = rock
  local hero = spawn("Hero", { owner = p, foe = rock })
  hero.pals = { hero, rock }
end`)})
	refs := func() (list [4]bool) {
		var v room.View
		sim.Clients[0].View(&v)
		for i := range v.Bodies {
			if v.Bodies[i].Class != "Hero" {
				continue
			}
			r := v.Bodies[i].Fields()
			foe, err := r.Ref("foe")
			if err != nil {
				t.Fatal(err)
			}
			boss, err := v.Match.Ref("boss")
			if err != nil {
				t.Fatal(err)
			}
			list[0], list[1] = foe != 0, boss != 0
			for n := range 2 {
				pal, err := r.Item("pals", n+1)
				if err != nil {
					t.Fatal(err)
				}
				id, err := pal.Ref("")
				if err != nil {
					t.Fatal(err)
				}
				list[2+n] = id != 0
			}
		}
		return list
	}
	sim.RunUntil(5*time.Second, "the hero is there", func() bool { return refs()[2] })
	if got, want := refs(), [4]bool{true, true, true, true}; got != want {
		t.Errorf("before: %v, want %v", got, want)
	}
	sim.Run(3 * time.Second)
	if got, want := refs(), [4]bool{false, false, true, false}; got != want {
		t.Errorf("after: %v, want %v", got, want)
	}
	s, schema := sim.Host.State(), sim.Host.Schema()
	for _, slot := range s.Run {
		class := &schema.Classes[s.Objects[slot].Class]
		if class.Name != "Hero" {
			continue
		}
		if id, err := world.NewFieldReader(class, s.Row(int(slot))).Ref("foe"); err != nil || id == 0 {
			t.Errorf("the state itself has %v, %v", id, err)
		}
	}
}
