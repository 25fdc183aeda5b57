package world

import (
	"testing"

	"github.com/hindcast/hindcast/world/physics"
)

// TestProvenanceEnds: an object that was pushed by one of unknown provenance did not
// come to differ through objects that differ because of it.
func TestProvenanceEnds(t *testing.T) {
	f := &HistoryEntry{}
	f.State.Objects = make([]Object, 4)
	f.State.Physics.Bodies = make([]physics.Body, 4)
	f.State.Physics.Contacts = []physics.Contact{{KeyA: 2, KeyB: 3, SlotA: 1, SlotB: 2}, {KeyA: 3, KeyB: 4, SlotA: 2, SlotB: 3}}
	push := func(slot int32) ProvenanceStep {
		return ProvenanceStep{Tick: 9, Block: -1, slot: slot, Object: ObjectID(slot + 1), before: pushed, differs: true}
	}
	touched := push(2) // in the same tick it was found to touch the first
	touched.Kind, touched.before = FromTouch, 0
	for name, steps := range map[string][]ProvenanceStep{
		"both":     {push(1), touched},
		"one more": {push(1), touched, push(3)},
		"known": {{Kind: FromInput, Tick: 8, slot: 3, Object: 4, before: -1, differs: true}, push(1), func() ProvenanceStep {
			s := touched
			s.before = 1
			return s
		}()},
	} {
		t.Run(name, func(t *testing.T) {
			y := &provenance{turn: 1, of: make([]stepOf, 4)}
			for at, s := range steps {
				y.steps = append(y.steps, s)
				y.of[s.slot] = stepOf{1, int32(at)}
			}
			history := func(Tick) *HistoryEntry { return f }
			for at := range y.steps {
				if y.steps[at].before == pushed {
					y.findPusher(int32(at), history)
				}
				n := 0
				for i := int32(at); i >= 0; i = y.steps[i].before {
					if n++; n > len(steps) {
						t.Fatalf("the way to step %d does not end: %+v", at, y.steps)
					}
				}
			}
		})
	}
}
