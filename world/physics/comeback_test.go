package physics

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestComeBackUndoesRemove: whoever goes, in whatever sequence, everything is
// as it was when all have come back in the reverse one.
func TestComeBackUndoesRemove(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		sc := workshop(t)
		sc.run(new(Solver), rapid.IntRange(1, 60).Draw(rt, "steps"))
		s := &sc.State
		var before State
		before.CopyFrom(s)
		type gone struct {
			slot     int
			body     Body
			contacts []Contact
			joints   []Joint
		}
		var left []gone
		touched := 0
		for range rapid.IntRange(1, 8).Draw(rt, "removals") {
			slot := rapid.IntRange(0, len(s.Bodies)-1).Draw(rt, "slot")
			if s.Bodies[slot].Key == 0 {
				continue
			}
			g := gone{slot: slot, body: s.Bodies[slot]}
			g.contacts, g.joints = s.Ties(slot, nil, nil)
			touched += len(g.contacts) + len(g.joints)
			s.Remove(slot)
			left = append(left, g)
		}
		if touched > 0 && slices.Equal(s.Contacts, before.Contacts) && slices.Equal(s.Joints, before.Joints) {
			rt.Fatal("the removals changed no contact and no joint")
		}
		for _, g := range slices.Backward(left) {
			s.Bodies[g.slot] = g.body
			s.ComeBack(g.body.Key, g.contacts, g.joints)
		}
		if s.Hash() != before.Hash() || !slices.Equal(s.Contacts, before.Contacts) || !slices.Equal(s.Joints, before.Joints) {
			rt.Fatalf("%d contacts and %d joints, before %d and %d, or other ones", len(s.Contacts), len(s.Joints), len(before.Contacts), len(before.Joints))
		}
	})
}
