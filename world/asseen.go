package world

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// asSeen holds the bodies as the client of the acting object's player showed them.
type asSeen struct {
	moved   bool // some bodies are at other poses than in the tick
	bodies  physics.State
	copied  uint64  // the order of which bodies is a copy, but for those in apart; 0: of none
	apart   SlotSet // bodies that are elsewhere than in the tick
	hidden  SlotSet // objects that did not exist then
	made    asSeenKey
	classes []int       // that asSeen moves
	shown   []int32     // the objects that lookBack looked at
	moves   physics.Vec // from where the sight has the acting object to where it is

	sight sightMaker // while the client looks
}

// asSeenKey is for what bodies and hidden were made. Several frames of an object in one tick have a
// sight each.
type asSeenKey struct {
	at    ViewTime
	sight Sight
	drawn bool // the client looks
	actor int
	order uint64
}

func (k *asSeenKey) equal(o *asSeenKey) bool {
	return k.at == o.at && k.drawn == o.drawn && k.actor == o.actor && k.order == o.order &&
		slices.Equal(k.sight, o.sight)
}

// hides reports whether an object did not exist at the shown moment.
func (a *asSeen) hides(slot int32) bool { return a.moved && a.hidden.Has(slot) }

// state returns the bodies at the shown moment; on is false if that is the present.
func (a *asSeen) state() (s *physics.State, on bool) { return &a.bodies, a.moved }

// end goes back to the present.
func (a *asSeen) end() { a.moved = false }

// begin reports whether the bodies have to be made for a key.
func (a *asSeen) begin(k asSeenKey) bool {
	made := a.made.equal(&k)
	a.made = k
	return !made
}

// on turns on the use of the bodies.
func (a *asSeen) on() { a.moved = true }

// reset starts with the bodies of s, which are those of an order; 0: of none.
func (a *asSeen) reset(s *physics.State, order uint64) {
	if order == 0 || a.copied != order {
		a.bodies.Bodies = append(a.bodies.Bodies[:0], s.Bodies...)
		a.copied = order
	} else {
		for _, slot := range a.apart.Slots() {
			a.bodies.Bodies[slot] = s.Bodies[slot]
		}
	}
	a.apart.reset()
	a.hidden.reset()
	a.sight.begin()
	a.moves = physics.Vec{}
}

// body returns the body of a slot; nil if the object was spawned since reset.
func (a *asSeen) body(slot int) *physics.Body {
	if slot >= len(a.bodies.Bodies) {
		return nil
	}
	return &a.bodies.Bodies[slot]
}

// hide hides the object of a slot, because it did not exist.
func (a *asSeen) hide(slot int32) {
	a.bodies.Bodies[slot] = physics.Body{}
	a.apart.add(slot)
	a.hidden.add(slot)
}

// asSeenWork is the work of looking where a client showed an object.
const asSeenWork = 10

// beginSeen makes the acting object see others, until endSeen, where its player's client showed them:
// objects of classes with Seen. They are where the sight of the input has them. Others that the client
// shows at a view time are where they were at that time; an object that did not exist then is hidden.
// All others are where they are in the tick. Only queries and poses are affected; velocities and fields
// are those of the tick. The object itself and objects attached to it stay where they are.
func (w *World) beginSeen(in ViewTime, sight Sight) {
	w.asSeen.end()
	if !w.Schema().HasSeen() {
		return
	}
	m, found := w.momentOf(in), false
	for i := range sight {
		slot, ok := w.Find(sight[i].ID)
		w.readObject(sight[i].ID, slot, ok)
		found = found || ok
	}
	if !m.known && !found && w.Drawn == nil {
		return // as without a sight: a client may lack poses of objects that it does not simulate
	}
	if w.asSeen.begin(asSeenKey{in, sight, w.Drawn != nil, w.acting.slot(), w.log.number()}) {
		w.asSeen.reset(w.bodies(), w.lookup.order)
		w.lookBack(in, &m, sight)
	}
	w.lookup.work += asSeenWork * len(w.asSeen.shown)
	w.asSeen.on()
}

// endSeen makes the acting object see the world as it is again.
func (w *World) endSeen() { w.asSeen.end() }

// seenMoment is a view time, with what is known of the poses around it.
type seenMoment struct {
	known    bool
	tick     Tick
	part     int64
	from, to PastPoses
}

// momentOf reads the poses around a view time.
func (w *World) momentOf(in ViewTime) (m seenMoment) {
	t, part, ok := in.Around(w.Now.Tick)
	if !ok || w.PosesAt == nil {
		return m
	}
	w.readPast(t)
	to, known := w.PosesAt(t)
	if !known {
		return m
	}
	from, _ := w.PosesAt(t - 1)
	return seenMoment{true, t, part, from, to}
}

// lookBack makes the bodies as they were at the view time, or are in the sight, or in the last frame.
func (w *World) lookBack(in ViewTime, m *seenMoment, sight Sight) {
	a, actor := &w.asSeen, w.acting.slot()
	if actor >= 0 {
		if b := a.body(actor); b != nil && b.Key != 0 {
			if p, ok := sight.Find(w.Now.Objects[actor].ID); ok {
				at := *b
				p.put(&at, p, 0)
				a.moves = physics.Vec{X: b.X - at.X, Y: b.Y - at.Y}
			}
		}
	}
	a.shown = a.shown[:0]
	if m.known || w.Drawn != nil {
		a.shown = w.seenMembers(a.shown)
	} else {
		for i := range sight {
			if slot, ok := w.Find(sight[i].ID); ok {
				a.shown = append(a.shown, int32(slot))
			}
		}
	}
	for _, slot := range a.shown {
		w.lookBackAt(slot, in, m, sight)
	}
}

// seenMembers appends the objects that asSeen may move, by id, as PastPoses.of wants them.
func (w *World) seenMembers(out []int32) []int32 {
	if !w.lookup.hasLists(w) {
		for _, slot := range w.Now.ByID {
			if w.Class(int(slot)).Seen != nil && !w.spawnedNow(slot) {
				out = append(out, slot)
			}
		}
		return out
	}
	a := &w.asSeen
	a.classes = w.Schema().seenClasses(a.classes[:0])
	out = append(out, w.members(a.classes)...)
	slices.SortFunc(out, func(a, b int32) int { return cmp.Compare(w.Now.Objects[a].ID, w.Now.Objects[b].ID) })
	return out
}

// lookBackAt is lookBack for one object.
func (w *World) lookBackAt(slot int32, in ViewTime, m *seenMoment, sight Sight) {
	a := &w.asSeen
	b, o, actor := a.body(int(slot)), &w.Now.Objects[slot], w.acting.slot()
	class := &w.Schema().Classes[o.Class]
	if b == nil || b.Key == 0 || class.Seen == nil || int(slot) == actor || w.holds(actor, slot) {
		return
	}
	if p, ok := w.drawnAt(o.ID, slot, sight); ok {
		p.put(b, p, 0)
		a.apart.add(slot)
	} else if m.known && in.shows(class) {
		a.apart.add(slot)
		a.putAt(b, o, slot, m)
	}
}

// aim is a ray as a player aimed it. One that begins at the acting object begins where the player saw that object, and
// goes the same way: a spectator sees its own object in the past, like everything else, and so aims from there.
type aim struct{ from, to, moved physics.Vec }

// muzzle is how far from the acting object, beyond its shape, a ray may begin that counts as begun there, in metres.
const muzzle = 1

// aimed returns the ray between two points as it was aimed.
func (w *World) aimed(x1, y1, x2, y2 float64) aim {
	r := aim{from: physics.Vec{X: x1, Y: y1}, to: physics.Vec{X: x2, Y: y2}}
	actor := w.acting.slot()
	if !w.asSeen.moved || w.asSeen.moves == (physics.Vec{}) || actor < 0 {
		return r
	}
	own := &w.shownBodies().Bodies[actor]
	near, dx, dy := w.Schema().Defs[own.Def].Reach()+muzzle, x1-own.X, y1-own.Y
	if float64(dx*dx)+float64(dy*dy) > float64(near*near) {
		return r
	}
	r.moved = w.asSeen.moves
	r.from.X, r.from.Y = r.from.X-r.moved.X, r.from.Y-r.moved.Y
	r.to.X, r.to.Y = r.to.X-r.moved.X, r.to.Y-r.moved.Y
	return r
}

// hit returns a hit where the ray of the script is.
func (a *aim) hit(h RayHit, ok bool) (RayHit, bool) {
	if ok {
		h.X, h.Y = h.X+a.moved.X, h.Y+a.moved.Y
	}
	return h, ok
}

// drawnAt returns the pose of an object in the last frame, while the client looks there, or in a sight.
func (w *World) drawnAt(id ObjectID, slot int32, sight Sight) (p PastPose, ok bool) {
	if w.Drawn == nil {
		return sight.Find(id)
	}
	at, ok := w.Drawn(id)
	if p = SightPose(id, at); ok {
		w.asSeen.sight.draw(slot, p)
	}
	return p, ok
}

// putAt puts the body of an object where it was at a moment.
func (a *asSeen) putAt(b *physics.Body, o *Object, slot int32, m *seenMoment) {
	end, there := m.to.of(o.ID, slot)
	switch {
	case there:
		begin, before := m.from.of(o.ID, slot)
		putBetween(b, begin, before, end, m.part)
	case o.Spawned > m.tick:
		a.hide(slot)
	}
}

// putBetween puts a body where it was at the part between two ticks. before says that it
// existed in the first one.
func putBetween(b *physics.Body, begin PastPose, before bool, end PastPose, part int64) {
	if !before {
		begin = end
	}
	begin.put(b, end, part)
}

// shows reports whether a client shows objects of a class at a different time than that
// of its player's inputs.
func (v ViewTime) shows(c *Class) bool { return c.Seen != nil && (v.All || c.LOD == Interpolate) }

// holds reports whether the object in slot is attached to the one in holder, as
// the latter sees it.
func (w *World) holds(holder int, slot int32) bool {
	if holder < 0 || len(w.Now.Physics.Joints) == 0 && w.log.unchanged() {
		return false
	}
	j, ok := w.seeJoint(w.Now.Objects[slot].ID)
	return ok && ObjectID(j.KeyA) == w.Now.Objects[holder].ID
}

// shown returns the body of another object as it is seen; b is the body that see
// returns.
func (w *World) shown(id ObjectID, b *physics.Body) *physics.Body {
	if !w.asSeen.moved {
		return b
	}
	slot, ok := w.Find(id)
	if !ok || w.mine(slot) {
		return b
	}
	if shown := w.asSeen.body(slot); shown != nil {
		w.lookedAt(int32(slot))
		return shown
	}
	return b
}

// read records a read of the acting object's hook.
func (w *World) read(r read) {
	if w.OnRead != nil {
		w.OnRead(r.ID)
	}
	if w.acting.outermost() >= 0 {
		r.Unit = int32(w.acting.outermost())
		w.rec.read(r)
	}
}

// readObject records that the hook read an object, or looked for it.
func (w *World) readObject(id ObjectID, slot int, ok bool) {
	if !ok {
		slot = -1
	}
	w.read(read{Kind: readObject, Slot: int32(slot), ID: id})
}

// readRegion records that the hook queried the bodies in a region.
func (w *World) readRegion(r region) { w.read(read{Kind: readRegion, Box: r}) }

// readPast records that the hook read the poses after t-1 and t.
func (w *World) readPast(t Tick) {
	if w.acting.outermost() >= 0 {
		w.rec.readPast(pastRead{int32(w.acting.outermost()), t})
	}
}
