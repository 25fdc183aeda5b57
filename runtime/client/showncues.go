package client

import (
	"maps"

	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// shownCues merges the cues that a client finds by itself with those of the host. When scripts take
// effect that change which objects clients simulate, both may report the same cue for a while, and
// one of them takes it back. The program sees one cue.
type shownCues struct {
	to    func(room.CueEvent)
	by    map[world.CueKey]int // how many report the cue
	swept world.Tick           // when old cues were forgotten last
}

// shownTicks is for how many ticks cues are remembered. Only those of the last seconds can be taken back.
const shownTicks = 2048

// mergeCues returns a function that reports to a program's function; nil if that is nil.
func mergeCues(to func(room.CueEvent)) func(room.CueEvent) {
	if to == nil {
		return nil
	}
	s := &shownCues{to: to, by: map[world.CueKey]int{}}
	return s.report
}

// report takes an event, and reports what it changes for the program.
func (s *shownCues) report(e room.CueEvent) {
	switch e.Kind {
	case room.CueFired:
		if s.add(e.Cue.CueKey) {
			s.to(e)
		}
	case room.CueCancelled:
		if s.remove(e.Cue.CueKey) {
			s.to(e)
		}
	case room.CueMoved:
		gone, come := s.remove(e.Was.CueKey), s.add(e.Cue.CueKey)
		switch {
		case gone && come:
			s.to(e)
		case gone:
			s.to(room.CueEvent{Kind: room.CueCancelled, Cue: e.Was})
		case come:
			s.to(room.CueEvent{Kind: room.CueFired, Cue: e.Cue, Age: e.Age})
		}
	}
}

// add counts a report of a cue, and reports whether the cue is new.
func (s *shownCues) add(key world.CueKey) bool {
	n := s.by[key]
	s.by[key] = n + 1
	if n > 0 {
		return false
	}
	if key.Tick > s.swept+shownTicks {
		s.swept = key.Tick
		maps.DeleteFunc(s.by, func(k world.CueKey, _ int) bool { return k.Tick+shownTicks < key.Tick })
	}
	return true
}

// remove takes a report of a cue back, and reports whether it was the last one.
func (s *shownCues) remove(key world.CueKey) bool {
	n := s.by[key]
	if n > 1 {
		s.by[key] = n - 1
		return false
	}
	delete(s.by, key)
	return n == 1
}
