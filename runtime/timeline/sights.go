package timeline

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// sightLog has the sights that go with inputs, beside them: few inputs have one, and so inputs stay
// small and comparable. A sight belongs to the input of its tick alone: an input that is repeated has
// none.
type sightLog struct {
	tracks[sight]
}

// sight is a sight as the log has it, and as it is shown.
type sight struct {
	logged world.Sight
	// shown also has, on the client that made the sight, its poses of objects that not all clients simulate: the host
	// does not relay them.
	shown world.Sight
}

// in returns the sight for a world. The shared run has what all have.
func (s *sight) in(w *world.World) world.Sight {
	if w.SharedOnly {
		return s.logged
	}
	return s.shown
}

// relayed returns the sight as the log has it.
func (s *sight) relayed() world.Sight { return s.logged }

// empty reports whether the sight shows nothing.
func (s *sight) empty() bool { return len(s.shown) == 0 }

// showsAs reports whether another sight shows the same.
func (s *sight) showsAs(o *sight) bool { return slices.Equal(s.shown, o.shown) }

func (s *sight) equal(o *sight) bool {
	return slices.Equal(s.logged, o.logged) && s.showsAs(o)
}

// plain returns a sight that is shown as it is.
func plain(s world.Sight) sight { return sight{s, s} }

// over returns a sight of the log that replaces a guess: the poses stay of objects for which private returns true.
func (s *sight) over(guess *sight, private func(world.ObjectID) bool) sight {
	var kept world.Sight
	for _, p := range guess.shown {
		if _, had := s.logged.Find(p.ID); !had && private(p.ID) {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return *s
	}
	kept = append(kept, s.logged...)
	slices.SortFunc(kept, func(a, b world.PastPose) int { return cmp.Compare(a.ID, b.ID) })
	return sight{s.logged, kept}
}

// privateIn returns a function that says, of the objects in tick t, which not all clients simulate.
func privateIn(past *history, scripts *Scripts) func(t world.Tick) func(world.ObjectID) bool {
	return func(t world.Tick) func(world.ObjectID) bool {
		return func(id world.ObjectID) bool {
			s := past.at(t)
			if s == nil {
				return false
			}
			slot, here := s.Find(id)
			return here && !s.Shared(scripts.SchemaOf(s), slot)
		}
	}
}

// at returns the sight of a tick; a zero one if there is none.
func (l *sightLog) at(of trackKey, t world.Tick) (s sight) {
	if tr := l.find(of); tr != nil {
		if j, ok := findTick(tr.Entries, t); ok {
			return tr.Entries[j].Payload
		}
	}
	return s
}

// put replaces the sight of a tick; an empty one removes it. changed reports whether another one is shown.
func (l *sightLog) put(of trackKey, t world.Tick, s sight) (changed bool) {
	had := l.at(of, t)
	if had.equal(&s) {
		return false
	}
	tr := addTrack(&l.tracks, of)
	j, ok := findTick(tr.Entries, t)
	switch e := (entry[sight]{Tick: t, Payload: s}); {
	case s.empty():
		tr.Entries = slices.Delete(tr.Entries, j, j+1)
	case ok:
		tr.Entries[j] = e
	default:
		tr.Entries = slices.Insert(tr.Entries, j, e)
	}
	return !had.showsAs(&s)
}
