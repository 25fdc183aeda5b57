package timeline

import "github.com/hindcast/hindcast/world"

// poseHistory provides the past poses of objects for asSeen. For ticks that can be
// simulated again, their states have them. For the last ticks before those, it keeps the
// poses of the objects that asSeen moves. See Options.PoseHistory.
type poseHistory struct {
	ring    []tickPoses // of tick t at t % len
	past    *history
	scripts *Scripts
}

// tickPoses has the poses of one tick.
type tickPoses struct {
	tick    world.Tick
	known   bool
	partial bool // clients did not simulate all objects
	poses   []world.PastPose
}

// poseSize is the memory of a world.PastPose, in bytes.
const poseSize = 24

// newPoseHistory returns a pose history for a number of ticks before the oldest tick of
// a history.
func newPoseHistory(ticks world.Tick, past *history, scripts *Scripts) poseHistory {
	return poseHistory{ring: make([]tickPoses, ticks+2), past: past, scripts: scripts}
}

// keep keeps the poses of a state that the history may drop. s may be nil.
func (p *poseHistory) keep(s *world.State) {
	if len(p.ring) == 0 || s == nil {
		return
	}
	at := p.kept(s.Tick)
	if !at.known || at.tick < s.Tick {
		*at = tickPoses{s.Tick, true, p.scripts.Partial(s), p.list(s, at.poses[:0])}
	}
}

func (p *poseHistory) kept(t world.Tick) *tickPoses { return &p.ring[int(t)%len(p.ring)] }

// ticks returns how many ticks it can keep.
func (p *poseHistory) ticks() int { return len(p.ring) }

// of returns the pose of an object after tick t, if it is known.
func (p *poseHistory) of(t world.Tick, id world.ObjectID) (world.PastPose, bool) {
	at, known := p.at(t)
	if !known {
		return world.PastPose{}, false
	}
	return at.Find(id)
}

// list appends the poses of objects in a state. If no class has seen = true, that is an
// empty list, which counts as known: later scripts may ask for it.
func (p *poseHistory) list(s *world.State, out []world.PastPose) []world.PastPose {
	schema := p.scripts.SchemaOf(s)
	if !schema.HasSeen() {
		return out
	}
	from := world.PastPoses{State: s, Schema: schema}
	return from.List(out)
}

// forWorld returns the world.World.PosesAt of a world. sameSlots says that the world has the
// slots of the history. From the tick on in which clients start to simulate all objects, the
// time before is unknown on all sides: it was not the same for all clients, and the host does
// not send patches any more.
func (p *poseHistory) forWorld(w *world.World, sameSlots bool) func(t world.Tick) (world.PastPoses, bool) {
	return func(t world.Tick) (world.PastPoses, bool) {
		if p.forgotten(t, w.Now.Tick, w.Schema().PartiallyReplicated()) {
			return world.PastPoses{}, false
		}
		if !sameSlots {
			return p.byID(t)
		}
		return p.at(t)
	}
}

// forgotten reports whether clients started to simulate all objects between tick t and
// now. partial says that they do not simulate all of them now.
func (p *poseHistory) forgotten(t, now world.Tick, partial bool) bool {
	for ; now > t; now-- {
		before := p.partialAt(now - 1)
		if before && !partial {
			return true
		}
		partial = before
	}
	return false
}

// partialAt reports whether clients did not simulate all objects in tick t.
func (p *poseHistory) partialAt(t world.Tick) bool {
	if oldest, _ := p.past.bounds(); t >= oldest {
		s := p.past.at(t)
		return s != nil && p.scripts.Partial(s)
	}
	if len(p.ring) == 0 {
		return false
	}
	at := p.kept(t)
	return at.tick == t && at.partial
}

// at returns the poses of objects after tick t.
func (p *poseHistory) at(t world.Tick) (world.PastPoses, bool) {
	if oldest, _ := p.past.bounds(); t >= oldest {
		s := p.past.at(t)
		if s == nil {
			return world.PastPoses{}, false
		}
		return world.PastPoses{State: s, Schema: p.scripts.SchemaOf(s)}, true
	}
	if len(p.ring) == 0 {
		return world.PastPoses{}, false
	}
	at := p.kept(t)
	if !at.known || at.tick != t {
		return world.PastPoses{}, false
	}
	return world.PastPoses{Kept: at.poses}, true
}

// byID is at for a world whose slots differ from those of the history.
func (p *poseHistory) byID(t world.Tick) (at world.PastPoses, ok bool) {
	if at, ok = p.at(t); at.State != nil {
		at = world.PastPoses{Kept: p.list(at.State, nil)}
	}
	return at, ok
}

// encode returns the byte form of the poses in the ticks before t that asSeen may ask for after
// tick t; nil: there were none.
func (p *poseHistory) encode(t world.Tick) []byte {
	from := t - min(t, world.Tick(len(p.ring)))
	for _, known := p.at(from); !known && from < t; _, known = p.at(from) {
		from++
	}
	cut := false
	for p.forgotten(from, t, p.partialAt(t)) {
		from, cut = from+1, true
	}
	var ticks [][]world.PastPose
	any := cut // without bytes, all earlier ticks would count as known
	for ; from < t; from++ {
		at, _ := p.byID(from)
		ticks = append(ticks, at.Kept)
		any = any || len(at.Kept) > 0
	}
	if !any {
		return nil
	}
	return world.AppendPoseHistory(nil, ticks)
}

// start begins with the result of encode for tick t.
func (p *poseHistory) start(t world.Tick, data []byte) error {
	clear(p.ring)
	if len(p.ring) == 0 {
		return nil
	}
	if len(data) == 0 {
		for at := t - min(t, world.Tick(len(p.ring))); at < t; at++ {
			*p.kept(at) = tickPoses{tick: at, known: true}
		}
		return nil
	}
	ticks, err := world.ParsePoseHistory(data, min(len(p.ring), int(t)))
	if err != nil {
		return err
	}
	for i, poses := range ticks {
		at := t - world.Tick(len(ticks)-i)
		*p.kept(at) = tickPoses{tick: at, known: true, poses: poses}
	}
	return nil
}

// bytes returns the memory of the pose history, in bytes.
func (p *poseHistory) bytes() (n int) {
	for i := range p.ring {
		n += poseSize * cap(p.ring[i].poses)
	}
	return n
}
