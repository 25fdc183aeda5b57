package timeline_test

import (
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// breeders is a Script whose players' objects spawn two others in every tick in which their
// button is down, in a room that is nearly full. Where there is no room for an object, the
// hook fails.
type breeders struct{ schema *world.Schema }

func newBreeders(t *testing.T, free int) *breeders {
	breeder := world.Class{Name: "Breeder", Hooks: 1 << world.ApplyInput, Inputs: []world.InputField{{Name: "Fire"}}}
	game := world.Class{Name: world.GameClass, Hooks: 1 << world.OnJoin}
	setup := bundle.DefaultSetup()
	setup.Spawns = []world.Spawn{{Class: "Dot", Count: world.MaxObjects - 1 - free}}
	schema, err := world.NewSchema([]world.Class{{Name: "Dot"}, breeder, game}, setup)
	if err != nil {
		t.Fatal(err)
	}
	return &breeders{schema}
}

func (s *breeders) Schema() *world.Schema { return s.schema }

func (s *breeders) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	if h == world.OnJoin {
		_, err := w.Spawn("Breeder", world.Placement{Owner: a.Player})
		return err
	}
	for range 2 * int(a.Input.Buttons) {
		if _, err := w.Spawn("Dot", world.Placement{}); err != nil {
			return err
		}
	}
	return nil
}

// TestFullRoom tests that the same objects get the last places of a room after a rewind. Which
// ones do depends on all players.
func TestFullRoom(t *testing.T) {
	for name, inputs := range map[string][]struct{ tick, player, late, buttons int }{
		"full by what comes late":          {{3, 1, 0, 1}, {3, 2, 3, 1}, {3, 3, 0, 1}},
		"full with what nobody had to run": {{3, 1, 2, 1}, {3, 2, 0, 1}, {3, 3, 0, 1}},
		"full in one tick":                 {{3, 1, 0, 1}, {3, 2, 3, 1}, {3, 3, 0, 1}, {4, 1, 0, 0}, {4, 2, 0, 0}, {4, 3, 0, 0}},
		"not full any more, 1 let go":      {{3, 1, 0, 1}, {4, 2, 0, 1}, {4, 1, 2, 0}, {5, 2, 0, 0}, {8, 3, 0, 1}},
		"not full any more, 2 let go":      {{3, 2, 0, 1}, {4, 1, 0, 1}, {4, 2, 2, 0}, {5, 1, 0, 0}, {8, 3, 0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			tl := timeline.New(newBreeders(t, 3+5), timeline.Options{States: 16, Check: true})
			for p := world.PlayerID(1); p <= 3; p++ {
				stub.Insert(tl, world.Event{Tick: 2, Kind: world.JoinEvent, Player: p})
			}
			breeder := map[int]world.ObjectID{}
			rewound := 0
			for tick := 1; tick <= 8; tick++ {
				for _, in := range inputs {
					if in.tick+in.late == tick {
						stub.Insert(tl, world.Event{Tick: world.Tick(in.tick), Kind: world.InputEvent, Player: world.PlayerID(in.player),
							Object: breeder[in.player], Bundle: 1, Input: world.Input{Buttons: uint32(in.buttons)}})
					}
				}
				if r := tl.Rewind(); r.From != 0 {
					rewound++
				}
				tl.Step()
				s := tl.At(tl.Now())
				for _, slot := range s.Run {
					if o := &s.Objects[slot]; o.Owner != 0 {
						breeder[int(o.Owner)] = o.ID
					}
				}
			}
			if d := tl.Verify(0); d != nil {
				t.Error(d)
			}
			if n := tl.At(tl.Now()).Len(); n != world.MaxObjects {
				t.Errorf("%d objects in the end, rewound %d times: the room was never full", n, rewound)
			}
		})
	}
}
