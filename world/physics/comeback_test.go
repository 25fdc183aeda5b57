package physics

import (
	"slices"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

// TestComeBackUndoesRemove tests that after any removals, in any order, everything is
// as before once all bodies have come back in the reverse order.
func TestComeBackUndoesRemove(t *testing.T) {
	draws.Check(t, func(rt *rapid.T) {
		sc := workshop(t)
		sc.run(&Solver{Check: true}, rapid.IntRange(1, 60).Draw(rt, "steps"))
		s := &sc.State
		var before State
		before.CopyFrom(s)
		var left []gone
		touched := 0
		for range rapid.IntRange(1, 8).Draw(rt, "removals") {
			slot := rapid.IntRange(0, len(s.Bodies)-1).Draw(rt, "slot")
			if s.Bodies[slot].Key == 0 {
				continue
			}
			g := s.leave(slot)
			touched += len(g.contacts) + len(g.joints)
			left = append(left, g)
		}
		if touched > 0 && slices.Equal(s.Contacts, before.Contacts) && slices.Equal(s.Joints, before.Joints) {
			rt.Fatal("the removals changed no contact and no joint")
		}
		s.comeBack(left)
		if s.Hash() != before.Hash() || !slices.Equal(s.Contacts, before.Contacts) || !slices.Equal(s.Joints, before.Joints) {
			rt.Fatalf("%d contacts and %d joints, before %d and %d, or other ones", len(s.Contacts), len(s.Joints), len(before.Contacts), len(before.Joints))
		}
	})
}
