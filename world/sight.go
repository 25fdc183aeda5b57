package world

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// Sight is where a player's client drew some objects when the player decided on an input: those
// near what the queries of asSeen ask for, at most MaxSight, by id. It goes with the input: asSeen
// shows these objects there, whenever and wherever the tick is simulated. A Sight never changes.
type Sight []PastPose

// MaxSight is the most objects of a Sight.
const MaxSight = 8

// The poses of a Sight are multiples of these steps: 4 mm, and 2^-12 of a turn.
const (
	SightStep = seenUnits / 256
	SightTurn = seenTurn >> 12
)

// sightReach is how far from a query an object may be drawn to be part of a Sight, in metres. An object
// that is near may be in the way where the tick has it.
const sightReach = 4

// SeenRules say how far from where the host had an object a Sight may show it.
type SeenRules struct {
	// Within is the distance in metres, at most MaxSeenWithin. 0: as far as the object could have come
	// in the time for which the client had to guess, at its greatest speed of the last max_seen, and
	// half a metre.
	Within float64
}

// MaxSeenWithin is the largest SeenRules.Within, in metres.
const MaxSeenWithin = 100

// Find returns the pose of an object.
func (s Sight) Find(id ObjectID) (p PastPose, ok bool) {
	i, ok := slices.BinarySearchFunc(s, id, func(p PastPose, id ObjectID) int { return cmp.Compare(p.ID, id) })
	if !ok {
		return PastPose{}, false
	}
	return s[i], true
}

// Check returns an error for more than MaxSight poses, ids that do not ascend, and numbers that are
// out of range or no multiples of their steps.
func (s Sight) Check() error {
	if len(s) > MaxSight {
		return fmt.Errorf("a sight of %d objects: at most %d", len(s), MaxSight)
	}
	const most = physics.MaxPosition * seenUnits
	for i, p := range s {
		switch {
		case p.ID == 0 || i > 0 && p.ID <= s[i-1].ID:
			return fmt.Errorf("a sight whose ids do not ascend, at %s", p.ID)
		case p.X < -most || p.X > most || p.Y < -most || p.Y > most || p.Angle < 0 || p.Angle >= seenTurn:
			return fmt.Errorf("a sight with %s out of range", p.ID)
		case p.X%SightStep != 0 || p.Y%SightStep != 0 || p.Angle%SightTurn != 0:
			return fmt.Errorf("a sight with %s between two steps", p.ID)
		}
	}
	return nil
}

// SightPose returns the pose of an object on the steps of a Sight.
func SightPose(id ObjectID, at physics.Pose) PastPose { return poseOf(id, at).onStep() }

// onStep rounds a pose to the steps of a Sight.
func (p PastPose) onStep() PastPose {
	p.X, p.Y = (p.X+SightStep/2)&^(SightStep-1), (p.Y+SightStep/2)&^(SightStep-1)
	p.Angle = (p.Angle + SightTurn/2) &^ (SightTurn - 1) & (seenTurn - 1)
	return p
}

// DrawnAt returns where a client drew an object in its last frame; ok is false if it did not.
type DrawnAt func(id ObjectID) (at physics.Pose, ok bool)

// sightMaker makes the Sight of one object, while its client looks.
type sightMaker struct {
	drawn []drawn       // the objects that the client draws
	near  []sighted     // the candidates
	alone physics.State // memory of StepAlone
}

// drawn is an object that the client draws.
type drawn struct {
	slot int32
	pose PastPose
}

// sighted is an object that is drawn near a query.
type sighted struct {
	pose PastPose
	far  float64 // its distance from the query; of equally near ones, the first in the way comes first
}

// begin drops what the client draws.
func (s *sightMaker) begin() { s.drawn = s.drawn[:0] }

// draw notes where the client draws the object in a slot.
func (s *sightMaker) draw(slot int32, p PastPose) { s.drawn = append(s.drawn, drawn{slot, p}) }

// add adds a candidate, or brings it nearer.
func (s *sightMaker) add(c sighted) {
	if i := slices.IndexFunc(s.near, func(had sighted) bool { return had.pose.ID == c.pose.ID }); i >= 0 {
		s.near[i].far = min(s.near[i].far, c.far)
		return
	}
	s.near = append(s.near, c)
}

// addNear adds the objects near the line from x1, y1 to x2, y2, which is r metres wide to either side.
func (s *sightMaker) addNear(bodies []physics.Body, defs []physics.Def, x1, y1, x2, y2, r float64, mask uint64) {
	for _, d := range s.drawn {
		b := &bodies[d.slot]
		def := &defs[b.Def]
		if def.Layer&mask == 0 {
			continue
		}
		c := def.Centre()
		gap, along := fromLine(b.X-x1, b.Y-y1, x2-x1, y2-y1)
		gap -= r + def.Reach() + math.Abs(c.X) + math.Abs(c.Y)
		if gap <= sightReach {
			s.add(sighted{d.pose, max(gap, 0) + along})
		}
	}
}

// addObject adds the object in a slot, which is some metres away.
func (s *sightMaker) addObject(slot int32, far float64) {
	for _, d := range s.drawn {
		if d.slot == slot {
			s.add(sighted{d.pose, far * leastFar})
		}
	}
}

// leastFar is the weight of a distance that only decides between objects that are equally near.
const leastFar = 1.0 / 1024

// take returns the Sight of the nearest candidates, and drops all.
func (s *sightMaker) take() (out Sight) {
	slices.SortFunc(s.near, func(a, b sighted) int {
		return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.pose.ID, b.pose.ID))
	})
	for _, c := range s.near[:min(len(s.near), MaxSight)] {
		out = append(out, c.pose)
	}
	slices.SortFunc(out, func(a, b PastPose) int { return cmp.Compare(a.ID, b.ID) })
	s.near = s.near[:0]
	return out
}

// fromLine returns the distance of a point from a line that begins at 0, 0, and a small number that
// grows along it, in metres.
func fromLine(x, y, dx, dy float64) (distance, along float64) {
	if far := length(dx, dy); far > 0 {
		along = min(max((float64(x*dx)+float64(y*dy))/far, 0), far)
		x, y = x-float64(along*dx/far), y-float64(along*dy/far)
	}
	return length(x, y), along * leastFar
}

// looked notes, while the client looks, which objects on some layers are drawn near a query: near the
// line from x1, y1 to x2, y2, which is r metres wide to either side.
func (a *asSeen) looked(defs []physics.Def, x1, y1, x2, y2, r float64, mask uint64) {
	if a.moved {
		a.sight.addNear(a.bodies.Bodies, defs, x1, y1, x2, y2, r, mask)
	}
}

// lookedAt notes, while the client looks, an object whose pose is read.
func (a *asSeen) lookedAt(actor *physics.Body, slot int32) {
	if b := a.body(int(slot)); a.moved && b != nil {
		a.sight.addObject(slot, length(b.X-actor.X, b.Y-actor.Y))
	}
}

// TakeSight returns what asSeen has asked for since the last call, where Options.Drawn has it; nil:
// nothing.
func (w *World) TakeSight() Sight { return w.asSeen.sight.take() }

// StepAlone moves the body of the object in a slot through the tick as if there were no others, for a client
// that looks ahead.
func (w *World) StepAlone(slot int) {
	b, s := w.Now.Body(slot), &w.asSeen.sight.alone
	if b.Key == 0 {
		return
	}
	s.Bodies = append(s.Bodies[:0], *b)
	w.solver.Step(s, w.Schema().Defs, w.params())
	*b = s.Bodies[0]
}

// looked notes a query, if the client looks.
func (w *World) looked(x1, y1, x2, y2, r float64, mask uint64) {
	if w.Drawn != nil {
		w.asSeen.looked(w.Schema().Defs, x1, y1, x2, y2, r, mask)
	}
}

// lookedAt notes that the pose of the object in a slot is read, if the client looks.
func (w *World) lookedAt(slot int32) {
	if w.Drawn != nil {
		w.asSeen.lookedAt(w.Now.Body(w.acting.slot()), slot)
	}
}

// NearestOnWay returns the pose nearest to p on the straight way between two poses of its object, and
// how far that is, in metres.
func (p PastPose) NearestOnWay(from, to PastPose) (near PastPose, distance float64) {
	dx, dy := float64(int64(to.X)-int64(from.X)), float64(int64(to.Y)-int64(from.Y))
	part := 0.0
	if length := float64(dx*dx) + float64(dy*dy); length > 0 {
		along := float64(float64(int64(p.X)-int64(from.X))*dx) + float64(float64(int64(p.Y)-int64(from.Y))*dy)
		part = min(max(along/length, 0), 1)
	}
	near = from.toward(to, int64(part*ViewParts), ViewParts)
	return near, p.DistanceTo(near)
}

// DistanceTo returns how far another pose is, in metres.
func (p PastPose) DistanceTo(o PastPose) float64 {
	return length(float64(int64(p.X)-int64(o.X)), float64(int64(p.Y)-int64(o.Y))) / seenUnits
}

// TurnTo returns by how much another pose is turned, in radians without a sign.
func (p PastPose) TurnTo(o PastPose) float64 {
	return math.Abs(float64(p.turn(o))) * (2 * math.Pi / seenTurn)
}

// Toward returns the pose on the way to another one, at most some metres away and turned by at most
// some radians, on the steps of a Sight. all reports whether that is the other one.
func (p PastPose) Toward(to PastPose, metres, radians float64) (at PastPose, all bool) {
	at = to
	if far := p.DistanceTo(to); far > metres {
		const parts = 1 << 16
		at = p.toward(to, int64(metres/far*parts), parts)
	}
	at.Angle = to.Angle
	if turn := p.TurnTo(to); turn > radians {
		part := float64(math.Copysign(radians, float64(p.turn(to))) * (seenTurn / (2 * math.Pi)))
		at.Angle = (p.Angle + int32(part)) & (seenTurn - 1)
	}
	return at.onStep(), at == to
}
