package physics_test

import (
	"slices"
	"testing"

	"github.com/hindcast/hindcast/world/physics"
)

// TestChangedWhereABodyCameAndWent: of a contact or joint with a body that is in neither state, the body that is left has
// changed, also if it is static. The next step reports the end to it.
func TestChangedWhereABodyCameAndWent(t *testing.T) {
	defs := []physics.Def{{Type: physics.Static, Shape: physics.BoxShape(1, 1)}}
	never := func(uint64) (int, bool) { return 0, false }
	old := physics.State{Bodies: make([]physics.Body, 4)}
	old.Bodies[2] = physics.Body{Key: 7}
	for what, add := range map[string]func(s *physics.State){ // order: each is a test by itself
		"joint": func(s *physics.State) {
			s.Joints = append(s.Joints, physics.Joint{Key: 9, KeyA: 7, KeyB: 8, SlotA: 2, SlotB: -1, Flags: physics.JointGoneB})
		},
		"contact": func(s *physics.State) {
			s.Contacts = append(s.Contacts, physics.Contact{KeyA: 7, KeyB: 8, SlotA: 2, SlotB: -1, Flags: physics.GoneB})
		},
	} {
		now := physics.State{Bodies: slices.Clone(old.Bodies)}
		add(&now)
		if got := physics.Changed(&old, &now, defs, never, nil); !slices.Equal(got, []int32{2}) {
			t.Errorf("%s: %v", what, got)
		}
	}
}
