package timeline

import (
	"math"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// TestALogRecordKeepsWhatOnlyThisClientSaw replaces the guess of an input and that of a frame by records of the log,
// which lack the poses of objects that not all clients simulate: those with even ids. The client shows them further on,
// the shared run never has them, and nothing runs again.
func TestALogRecordKeepsWhatOnlyThisClientSaw(t *testing.T) {
	sightOf := func(ids ...world.ObjectID) (s world.Sight) {
		for _, id := range ids {
			s = append(s, world.SightPose(id, physics.Pose{X: float64(id)}))
		}
		return s
	}
	changes := 0
	private := func(world.Tick) func(world.ObjectID) bool {
		return func(id world.ObjectID) bool { return id%2 == 0 }
	}
	inputs := inputLog{sights: &sightLog{}, private: private, rule: repetition{5, math.MaxUint32}, fades: func(world.ObjectID) bool { return false },
		changed: func(trackKey, world.Tick, world.Tick, change) { changes++ }}
	frames := independentLog{private: private, changed: func(trackKey, world.Tick) { changes++ }}
	of, all, shared := trackKey{7, 1}, world.New(), world.New()
	shared.SharedOnly = true
	// A frame of an object with owner poses moves it only while it is guessed, so its record always changes something.
	for _, c := range []struct {
		what          string
		guess, record world.Sight
		shown         world.Sight
		again         bool
	}{
		{"the host leaves out what others must not know", sightOf(2, 3, 4, 5), sightOf(3, 5), sightOf(2, 3, 4, 5), false},
		{"all of it", sightOf(2, 4), nil, sightOf(2, 4), false},
		{"nothing", sightOf(3, 5), sightOf(3, 5), sightOf(3, 5), false},
		{"and refuses something", sightOf(2, 3, 5), sightOf(5), sightOf(2, 5), true},
	} {
		for i := range 2 {
			e := world.Event{Kind: world.InputEvent, Tick: 20, Object: 7, Player: 1, Bundle: 1, Number: 3, Input: world.Input{Buttons: 1}, Sight: c.guess}
			var got sight
			if i == 0 {
				inputs.start(0)
				inputs.put(of, newInput(&e, 0, guessed), e.Sight)
				changes = 0
				e.Sight = c.record
				inputs.put(of, newInput(&e, 9, 0), e.Sight)
				got = inputs.sights.at(of, 20)
			} else {
				frames.clear()
				frames.put(of, newFrame(&e, guessed))
				changes = 0
				e.Sight = c.record
				frames.put(of, newFrame(&e, 0))
				got = frames.in(of, 20)[0].Payload.sight
			}
			if !slices.Equal(got.in(all), c.shown) || !slices.Equal(got.in(shared), c.record) || (changes > 0) != (c.again || i == 1) || i == 1 && len(frames.in(of, 20)) != 1 {
				t.Errorf("%s, %d: %+v, %d changes", c.what, i, got, changes)
			}
		}
	}
}
