package timeline

import "github.com/hindcast/hindcast/world"

// trail keeps, of the last ticks whose states are not all kept any more, where
// the objects were that asSeen moves: those of tick t at t % len. See Options.PoseHistory.
type trail []trailed

type trailed struct {
	tick   world.Tick
	known  bool
	split  bool // not all clients simulated all
	places []world.PastPose
}

// leave keeps what asSeen may ask of tick t, whose frame may go.
func (tl *Timeline) leave(t world.Tick) {
	f := tl.frame(t)
	if len(tl.trail) == 0 || f == nil || f.State.Tick != t {
		return
	}
	at := &tl.trail[int(t)%len(tl.trail)]
	if !at.known || at.tick < t {
		*at = trailed{t, true, tl.Partial(&f.State), tl.placesOf(&f.State, at.places[:0])}
	}
}

// placesOf appends where objects were in a state. Where no class has Seen that is
// nowhere, which is known too: other scripts may ask for it later.
func (tl *Timeline) placesOf(s *world.State, out []world.PastPose) []world.PastPose {
	schema := tl.scripts[s.Bundle].Schema()
	if !schema.HasSeen() {
		return out
	}
	from := world.PastPoses{State: s, Schema: schema}
	return from.List(out)
}

// pastOf is what a world of this Timeline's knows of where objects were, for
// world.World.PosesAt. Once clients come to simulate all, nobody knows of the time before:
// it was not the same for all, and what came of it is not given any more.
func (tl *Timeline) pastOf(w *world.World) func(t world.Tick) (world.PastPoses, bool) {
	return func(t world.Tick) (world.PastPoses, bool) {
		if tl.forgotten(t, w.Now.Tick, w.Schema().Mixed()) {
			return world.PastPoses{}, false
		}
		if w != tl.world {
			return tl.placesByID(t)
		}
		return tl.placesAt(t)
	}
}

// forgotten reports whether clients have come to simulate all between tick t and now.
func (tl *Timeline) forgotten(t, now world.Tick, split bool) bool {
	for ; now > t; now-- {
		before := tl.splitAt(now - 1)
		if before && !split {
			return true
		}
		split = before
	}
	return false
}

// splitAt reports whether not all clients simulated all of tick t.
func (tl *Timeline) splitAt(t world.Tick) bool {
	if t >= tl.oldest {
		s := tl.At(t)
		return s != nil && tl.Partial(s)
	}
	if len(tl.trail) == 0 {
		return false
	}
	at := &tl.trail[int(t)%len(tl.trail)]
	return at.tick == t && at.split
}

// placesAt is where objects were after tick t.
func (tl *Timeline) placesAt(t world.Tick) (world.PastPoses, bool) {
	if t >= tl.oldest {
		s := tl.At(t)
		if s == nil {
			return world.PastPoses{}, false
		}
		return world.PastPoses{State: s, Schema: tl.scripts[s.Bundle].Schema()}, true
	}
	if len(tl.trail) == 0 {
		return world.PastPoses{}, false
	}
	at := &tl.trail[int(t)%len(tl.trail)]
	return world.PastPoses{Kept: at.places}, at.known && at.tick == t
}

// placesByID is placesAt for a world of which the slots are others.
func (tl *Timeline) placesByID(t world.Tick) (at world.PastPoses, ok bool) {
	if at, ok = tl.placesAt(t); at.State != nil {
		at = world.PastPoses{Kept: tl.placesOf(at.State, nil)}
	}
	return at, ok
}

// trailTo is the byte form of where objects were in the ticks before t that
// asSeen may ask for when it goes on from the state after t; nil: nowhere.
func (tl *Timeline) trailTo(t world.Tick) []byte {
	from := t - min(t, world.Tick(len(tl.trail)))
	for _, known := tl.placesAt(from); !known && from < t; _, known = tl.placesAt(from) {
		from++
	}
	cut := false
	for tl.forgotten(from, t, tl.splitAt(t)) {
		from, cut = from+1, true
	}
	var ticks [][]world.PastPose
	any := cut // or all would be known to have been nowhere before
	for ; from < t; from++ {
		at, _ := tl.placesByID(from)
		ticks = append(ticks, at.Kept)
		any = any || len(at.Kept) > 0
	}
	if !any {
		return nil
	}
	return world.AppendPoseHistory(nil, ticks)
}

// takeTrail takes over what trailTo gave for the oldest tick.
func (tl *Timeline) takeTrail(data []byte) error {
	clear(tl.trail)
	if len(tl.trail) == 0 {
		return nil
	}
	if len(data) == 0 {
		for t := tl.oldest - min(tl.oldest, world.Tick(len(tl.trail))); t < tl.oldest; t++ {
			tl.trail[int(t)%len(tl.trail)] = trailed{tick: t, known: true}
		}
		return nil
	}
	ticks, err := world.ParsePoseHistory(data, min(len(tl.trail), int(tl.oldest)))
	if err != nil {
		return err
	}
	for i, places := range ticks {
		t := tl.oldest - world.Tick(len(ticks)-i)
		tl.trail[int(t)%len(tl.trail)] = trailed{tick: t, known: true, places: places}
	}
	return nil
}

// bytes is the memory that it holds.
func (tr trail) bytes() (n int) {
	for i := range tr {
		n += placeSize * cap(tr[i].places)
	}
	return n
}

const placeSize = 24
