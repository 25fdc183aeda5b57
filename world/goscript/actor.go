package goscript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// Actor is the world as the hook that runs may see and change it, on behalf of the
// acting object. It is valid while the hook runs.
//
// Lists of objects are valid while the hook runs. Queries leave the acting object out,
// and see all objects as they were when the order began. The layers of a query are given
// by their names; without a name it sees all layers.
type Actor struct{ of *script }

// Hit is the intersection of a ray with a body.
type Hit struct {
	Object           Object  // the object of the body
	X, Y             float64 // where, in metres
	NormalX, NormalY float64 // a unit vector out of the body
	Fraction         float64 // of the way: 0 at the start of the ray, 1 at its end
}

// Match returns the object that has the fields of the match.
func (a Actor) Match() Object { return a.of.stage().object(world.MatchID) }

// Object returns the object with an id. It may not exist: see Object.Valid.
func (a Actor) Object(id world.ObjectID) Object { return a.of.stage().object(id) }

// Tick returns the number of the tick.
func (a Actor) Tick() world.Tick { return a.of.stage().world().State().Tick }

// Seconds returns the time of the match: ticks over the tick rate.
func (a Actor) Seconds() float64 { return float64(a.Tick()) / float64(a.Setup().TickRate) }

// Setup returns the settings of the level, which are read only.
func (a Actor) Setup() *world.Setup { return &a.of.stage().world().Schema().Setup }

// Players returns the players who are present, by number.
func (a Actor) Players() (here []world.PlayerID) {
	for _, p := range a.of.stage().world().State().Players {
		if p.Left == 0 {
			here = append(here, p.ID)
		}
	}
	a.of.stage().pay(len(here))
	return here
}

// Random returns the next number in [0, 1) of the acting object in this tick. It is
// the same after a rewind.
func (a Actor) Random() float64 { return a.of.stage().random() }

// AsSeen runs f while the other objects are where the screen of the acting object's
// player showed them, for objects of classes with Seen. It is for ApplyInput, and f
// cannot change the world.
func (a Actor) AsSeen(f func()) { a.of.stage().asSeen(f) }

// Print writes a line to the log, with its place in the program. It is silent when
// a tick is run again.
func (a Actor) Print(args ...any) {
	st := a.of.stage()
	calls := st.world().Calls()
	st.pay(printCost)
	if calls.Prints() {
		line := strings.TrimSuffix(fmt.Sprintln(args...), "\n")
		calls.Print(st.self().ID(), caller().String()+": "+line)
	}
}

// Spawn makes an object of a class. At, Facing, Moving, Turning and OwnedBy set its pose,
// velocity and owner, and the As of a field sets a value other than the default. Its
// OnSpawn runs at once. The acting object may change it at once; all others see it when
// the order ends.
func (a Actor) Spawn(c *Class, with ...Setting) Object { return a.of.spawn(c, with) }

// Tie makes a joint: one of Rope, Hinge and the others, or of package physics, of
// which it sets the Key. Limits, motor and spring count if its Flags say so.
func (a Actor) Tie(j physics.Joint) Joint {
	st := a.of.stage()
	w := st.change(spawnCost)
	slot, err := w.Tie(j)
	if err != nil {
		fail("Tie: %s", err)
	}
	made := st.object(w.State().Objects[slot].ID)
	st.traced(world.Op{Target: made.ID()}, world.JointClass)
	return Joint{made}
}

// Objects returns the objects of a class, and of those that extend it, in the order of spawning; those of classes with
// a lower Order first.
func (a Actor) Objects(c *Class) []Object {
	q, to := a.of.queries().query()
	return a.of.queries().objects(q.OfClasses(a.of.family(c), to))
}

// Nearest returns the object of a class, or of one that extends it, nearest to x, y and within so many metres;
// no object if there is none.
func (a Actor) Nearest(c *Class, x, y, within float64) Object {
	finite("Nearest", x, y)
	q, _ := a.of.queries().query()
	slot, ok := q.NearestOf(x, y, a.of.family(c), within)
	if !ok {
		return Object{}
	}
	st := a.of.stage()
	return st.object(st.world().State().Objects[slot].ID)
}

// Raycast returns the first object between two points.
func (a Actor) Raycast(x1, y1, x2, y2 float64, layers ...string) (Hit, bool) {
	finite("Raycast", x1, y1, x2, y2)
	se := a.of.queries()
	q, _ := se.query()
	return se.hit(q.Raycast(x1, y1, x2, y2, se.mask(layers)))
}

// RaycastAll returns all objects between two points, the nearest first.
func (a Actor) RaycastAll(x1, y1, x2, y2 float64, layers ...string) []Object {
	finite("RaycastAll", x1, y1, x2, y2)
	se := a.of.queries()
	q, to := se.query()
	return se.objects(q.RaycastAll(x1, y1, x2, y2, se.mask(layers), to))
}

// CircleCast is Raycast for a circle of radius r, whose centre moves along the line.
func (a Actor) CircleCast(x1, y1, x2, y2, r float64, layers ...string) (Hit, bool) {
	finite("CircleCast", x1, y1, x2, y2)
	if !(r >= physics.MinSize && r <= physics.MaxSize) {
		fail("CircleCast: r is %v: it must be %v to %v", r, physics.MinSize, float64(physics.MaxSize))
	}
	se := a.of.queries()
	q, _ := se.query()
	return se.hit(q.CircleCast(x1, y1, x2, y2, r, se.mask(layers)))
}

// OverlapCircle returns the objects that touch a circle, by id.
func (a Actor) OverlapCircle(x, y, r float64, layers ...string) []Object {
	finite("OverlapCircle", x, y, r)
	se := a.of.queries()
	q, to := se.query()
	return se.objects(q.OverlapCircle(x, y, r, se.mask(layers), to))
}

// OverlapBox returns the objects that touch an upright box with its centre at x, y.
func (a Actor) OverlapBox(x, y, width, height float64, layers ...string) []Object {
	finite("OverlapBox", x, y, width, height)
	se := a.of.queries()
	q, to := se.query()
	return se.objects(q.OverlapBox(x, y, width, height, se.mask(layers), to))
}

// OverlapPolygon returns the objects that touch the convex hull of 3 to 8 corners.
func (a Actor) OverlapPolygon(corners []physics.Vec, layers ...string) []Object {
	flat := make([]float64, 0, 2*len(corners))
	for _, c := range corners {
		flat = append(flat, c.X, c.Y)
	}
	finite("OverlapPolygon", flat...)
	se := a.of.queries()
	q, to := se.query()
	slots, err := q.OverlapPolygon(flat, se.mask(layers), to)
	if err != nil {
		fail("OverlapPolygon: %s", err)
	}
	return se.objects(slots)
}

// Cue emits a cue, which viewers show as an effect.
func (a Actor) Cue(c Cue, fields ...world.CueField) {
	w := a.of.stage().change(cueCost + len(fields))
	fields = slices.Clone(fields)
	slices.SortFunc(fields, func(a, b world.CueField) int { return strings.Compare(a.Name, b.Name) })
	if err := w.Cue(c.Name, c.To, c.When, c.Lasts, fields); err != nil {
		fail("%s", err)
	}
}

// finite fails for arguments that are not finite.
func finite(what string, numbers ...float64) {
	for _, v := range numbers {
		if v-v != 0 {
			fail("%s at %v: numbers must be finite", what, v)
		}
	}
}
