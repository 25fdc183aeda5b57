package timeline_test

import (
	"math"
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// gunner is a Script with a gun that flies at 60 m/s, and looks around itself in each tenth tick and each tenth frame.
type gunner struct {
	schema *world.Schema
	gun    string // its class
}

func (g *gunner) Schema() *world.Schema { return g.schema }

func (g *gunner) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	self := w.State().Objects[slot].ID
	switch h {
	case world.OnJoin:
		for i := range 12 {
			if _, err := w.Spawn("Mark", world.Placement{Pose: physics.Pose{X: float64(4 * i), Y: -2}}); err != nil {
				return err
			}
		}
		_, err := w.Spawn(g.gun, world.Placement{Owner: a.Player})
		return err
	case world.OnTick:
		return g.count(w, slot)
	case world.Simulate:
		if err := g.count(w, slot); err != nil {
			return err
		}
	}
	if err := w.Do(world.Op{Target: self, Kind: world.SetVelocity, A: 60}); err != nil {
		return err
	}
	if w.State().Row(slot).State[0]%10 != 9 {
		return nil
	}
	w.BeginAsSeen(a.Input.ViewTime, a.Sight)
	b := w.State().Body(slot)
	w.Queries().OverlapCircle(b.X, b.Y, 0.1, math.MaxUint64, nil)
	w.EndAsSeen()
	return nil
}

func (g *gunner) count(w world.Actor, slot int) error {
	return w.Do(world.Op{Target: w.State().Objects[slot].ID, Kind: world.SetWord, Word: w.State().Row(slot).State[0] + 1})
}

func newGunner(t *testing.T, gun string) *timeline.Timeline {
	t.Helper()
	body := &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.3), Density: 1}}
	n := []world.Field{{Name: "n", Kind: world.Ref, Default: []uint64{0}}}
	setup := bundle.DefaultSetup()
	schema, err := world.NewSchema([]world.Class{{Name: "Mark", Seen: &world.SeenRules{}, Body: body},
		{Name: "Gun", Fields: n, Hooks: 1<<world.ApplyInput | 1<<world.OnTick, Body: body},
		{Name: "Framed", Fields: n, Independent: true, Hooks: 1 << world.Simulate, Body: body},
		{Name: world.GameClass, Hooks: 1 << world.OnJoin}}, setup)
	if err != nil {
		t.Fatal(err)
	}
	tl := timeline.New(&gunner{schema, gun}, timeline.Options{Client: 1, Check: true})
	if _, err := tl.Insert(world.Event{Tick: 1, Kind: world.JoinEvent, Player: 1}, timeline.Origin{}); err != nil {
		t.Fatal(err)
	}
	tl.Step()
	return tl
}

// TestLookGoesThroughWhatIsPending looks at inputs and frames that are not simulated yet: the one in which the gun
// looks around finds what is there where the gun will be.
func TestLookGoesThroughWhatIsPending(t *testing.T) {
	drawn := func(tl *timeline.Timeline) world.DrawnAt {
		return func(id world.ObjectID) (physics.Pose, bool) {
			s := tl.At(tl.Now())
			slot, ok := s.Find(id)
			if !ok {
				return physics.Pose{}, false
			}
			return s.Body(slot).Pose, true
		}
	}
	for _, class := range []string{"Gun", "Framed"} {
		tl := newGunner(t, class)
		s := tl.At(tl.Now())
		var gun world.ObjectID
		for _, slot := range s.Run {
			if tl.Schema(tl.Now()).Classes[s.Objects[slot].Class].Name == class {
				gun = s.Objects[slot].ID
			}
		}
		if gun == 0 {
			t.Fatal(tl.World().Faults())
		}
		before, looked := s.Hash(), 0
		for i := range 200 {
			e := world.Event{Kind: world.InputEvent, Tick: tl.Now() + 1 + world.Tick(i), Object: gun, Player: 1, Bundle: 1}
			if class == "Framed" {
				e.Kind, e.Tick, e.Number, e.DT = world.FrameEvent, tl.Now()+1, uint32(i+1), 10
			}
			e.Sight = tl.Look(&e, drawn(tl))
			tl.Guess(e, false)
			if len(e.Sight) == 0 {
				continue
			}
			looked++
			x := float64(i)
			if class == "Framed" {
				x = 0 // the ticks have moved it, its frames have not
			}
			for _, p := range e.Sight {
				if near := p.DistanceTo(world.SightPose(p.ID, physics.Pose{X: x, Y: 0})); i < 40 && near > 6.5 {
					t.Errorf("%s: event %d looks %v m away", class, i, near)
				}
			}
		}
		if at := tl.At(tl.Now()); looked < 4 || at.Hash() != before {
			t.Errorf("%s: %d of 200 events looked", class, looked)
		}
	}
}
