package world

import "github.com/hindcast/hindcast/world/physics"

// Moment is a time between the ticks Tick-1 and Tick of a history, of which not all states need
// be kept. See World.LoadMoment.
type Moment struct {
	Tick Tick
	Part int64 // of ViewParts, from Tick-1 on
	// Before is the state after Tick-1, or after the last tick before that is kept; nil if none is.
	// After is the state after Tick, or after the first later tick that is kept.
	Before, After *State
	// From and To are what is known of the poses after Tick-1 and Tick.
	From, To PastPoses
}

// LoadMoment is Load for a moment. schema is that of m.After.
//
// An object of a class with Seen stands where asSeen would show it, if its poses are known. Other
// bodies are put on the line between the states Before and After. If these are the states after
// m.Tick-1 and m.Tick, that is where asSeen would show them, too. Everything else is as in
// m.After, except that objects which were spawned after m.Tick are left out.
func (w *World) LoadMoment(m *Moment, schema *Schema) {
	w.Load(m.After, schema)
	w.Now.Tick = m.Tick
	for slot := range w.Now.Objects {
		if o := &w.Now.Objects[slot]; o.ID != 0 && o.Spawned > m.Tick {
			w.Now.drop(slot)
		}
	}
	for _, slot := range w.Now.ByID {
		if b := w.Now.Body(int(slot)); b.Key != 0 {
			m.put(b, slot, w.Class(int(slot)).Seen != nil)
		}
	}
}

// put puts the body of the object in a slot where it was. seen says that its class has Seen. It
// must be called in the order of ids.
func (m *Moment) put(b *physics.Body, slot int32, seen bool) {
	id := ObjectID(b.Key)
	if seen {
		if end, there := m.To.of(id, slot); there {
			begin, before := m.From.of(id, slot)
			putBetween(b, begin, before, end, m.Part)
			return
		}
	}
	if m.Part == ViewParts && m.After.Tick == m.Tick || m.Before == nil || idAt(m.Before, int(slot)) != id {
		return
	}
	was := m.Before.Body(int(slot))
	if was.Key == 0 || was.Pose == b.Pose {
		return
	}
	ticks, since := int64(m.After.Tick-m.Before.Tick), int64(m.Tick-m.Before.Tick)
	from, to := placeOf(was), placeOf(b)
	from.toward(to, since-1, ticks).put(b, from.toward(to, since, ticks), m.Part)
}
