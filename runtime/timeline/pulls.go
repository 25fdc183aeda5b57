package timeline

import (
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// pullLog has the pulls with which a client predicts bodies that are joined to objects which it does not simulate. It
// supposes that these go on as they did in the last complete ticks.
type pullLog struct {
	tracks[world.Pull]
	dirty *dirtySpans
}

// in returns the pull of an object in tick t.
func (l *pullLog) in(t world.Tick, id world.ObjectID) (p world.Pull) {
	tr := l.find(trackKey{Object: id})
	if tr == nil {
		return p
	}
	for i := len(tr.Entries) - 1; i >= 0; i-- {
		if e := &tr.Entries[i]; e.Tick <= t {
			return e.Payload
		}
	}
	return p
}

// each calls f for each object that is pulled in tick t.
func (l *pullLog) each(t world.Tick, f func(id world.ObjectID)) {
	for i := range l.all() {
		if id := l.all()[i].Of.Object; l.in(t, id) != (world.Pull{}) {
			f(id)
		}
	}
}

// any reports whether there may be a pull.
func (l *pullLog) any() bool { return len(l.all()) > 0 }

// set replaces the pull of an object from tick t on. class is the class of the object.
func (l *pullLog) set(t world.Tick, id world.ObjectID, class string, p world.Pull) {
	if l.in(t, id) == p {
		return
	}
	tr := addTrack(&l.tracks, trackKey{Object: id})
	i, exact := findTick(tr.Entries, t)
	if exact {
		tr.Entries[i].Payload = p
	} else {
		tr.Entries = append(tr.Entries[:i], entry[world.Pull]{Tick: t, Payload: p})
	}
	l.dirty.pulled(t, Replicated{Object: id, Class: class, Field: "velocity"})
}

// prune removes what no tick after oldest needs.
func (l *pullLog) prune(oldest world.Tick) {
	pruneTracks(&l.tracks, oldest, func(tr *track[world.Pull]) int {
		n := 0
		for n+1 < len(tr.Entries) && tr.Entries[n+1].Tick <= oldest+1 {
			n++
		}
		if n+1 == len(tr.Entries) && tr.Entries[n].Payload == (world.Pull{}) && tr.Entries[n].Tick <= oldest {
			n++
		}
		return n
	})
}

// pulled marks the ticks from t on in which an object is pulled otherwise.
func (d *dirtySpans) pulled(t world.Tick, by Replicated) {
	d.mark(dirtySpan{
		object:   by.Object,
		from:     t,
		to:       math.MaxUint32,
		replaced: by,
		why:      change{kind: CauseReplicated, tick: t},
	})
}

// steadyTicks is for how many complete ticks a pull must last to be expected in later ones.
const steadyTicks = 4

// pullsSeen has the pulls in the last complete ticks of a SharedRun.
type pullsSeen struct {
	list []pullSeen       // of the last complete tick
	free []world.Unpulled // of the tick that is being completed
}

// pullSeen is an object that was pulled in the last complete tick.
type pullSeen struct {
	object world.ObjectID
	last   [steadyTicks]world.Pull // that of tick t at t % len
	since  world.Tick
}

// begin notes the result of the shared run of a tick for the objects in these slots of the tick before.
func (p *pullsSeen) begin(slots []int, before, run *world.State) {
	p.free = world.TakeUnpulled(p.free[:0], slots, before, run)
}

// end notes what the host has of them.
func (p *pullsSeen) end(state *world.State, schema *world.Schema) {
	next := make([]pullSeen, 0, len(p.free))
	for i := range p.free {
		id := p.free[i].Object
		pull, ok := p.free[i].Pull(schema, state)
		if !ok {
			continue
		}
		seen := pullSeen{object: id, since: state.Tick}
		if k := slices.IndexFunc(p.list, func(s pullSeen) bool { return s.object == id }); k >= 0 {
			seen = p.list[k]
		}
		seen.last[state.Tick%steadyTicks] = pull
		next = append(next, seen)
	}
	p.list, p.free = next, p.free[:0]
}

// steady returns the pull of an object that has lasted up to tick t.
func (p *pullsSeen) steady(s *pullSeen, t world.Tick) world.Pull {
	if t < s.since+steadyTicks-1 {
		return world.Pull{}
	}
	pull := s.last[0]
	for _, o := range s.last[1:] {
		pull = pull.Steady(o)
	}
	return pull
}

// expect makes the Timeline, whose present is now, expect in ticks after t the pulls that last. Of none that are
// simulated, at t or now: an object of which the client has a proxy is attached, and may have been let go since.
func (p *pullsSeen) expect(
	t world.Tick, now *world.State, schema *world.Schema, log *pullLog, simulated func(world.ObjectID) bool,
) {
	for i := range log.all() {
		id := log.all()[i].Of.Object
		if !slices.ContainsFunc(p.list, func(s pullSeen) bool { return s.object == id }) {
			log.set(t+1, id, "", world.Pull{})
		}
	}
	for i := range p.list {
		s := &p.list[i]
		slot, here := now.Find(s.object)
		switch {
		case !here:
		case simulated(s.object):
			log.set(t+1, s.object, schema.Classes[now.Objects[slot].Class].Name, world.Pull{})
		default:
			log.set(t+1, s.object, schema.Classes[now.Objects[slot].Class].Name, p.steady(s, t))
		}
	}
}
