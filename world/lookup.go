package world

import "github.com/hindcast/hindcast/world/physics"

// lookup is the memory of queries, and counts their work. During an order, in which the bodies that queries see do not
// change, it keeps indexes: of the bodies by where they are, and of the objects by class. What queries find and their
// work do not depend on these.
type lookup struct {
	order uint64 // number of the present order; 0: there is none

	others   physics.State // the bodies as they were when order othersOf began
	othersOf uint64

	finder physics.Finder
	findIn uint64 // the order for which finder was reset

	run     []int32   // as State.Run was when the lists of classes were made
	classes [][]int32 // by class, indexes in run of the objects that were there when the order began
	listed  uint64    // the order for which they were made
	scans   int       // of all objects in order listsOf, instead of lists
	listsOf uint64

	found      []int32 // objects of the last query by class
	most, work int

	hits  []physics.Hit
	met   []physics.Bump // by MoveAndSlide
	bumps []Bump
}

// begin begins an order.
func (l *lookup) begin(order uint64) { l.order = order }

// end ends the order: what queries see may change.
func (l *lookup) end() { l.order = 0 }

// limit begins to count the work of the next query; 0: it is not limited.
func (l *lookup) limit(most int) { l.most, l.work = most, 0 }

// bodies returns a copy of the bodies in order number order, as restore makes them from those of now.
func (l *lookup) bodies(order uint64, now *physics.State, restore func(bodies []physics.Body)) *physics.State {
	if l.othersOf != order {
		l.othersOf = order
		l.others.Bodies = append(l.others.Bodies[:0], now.Bodies...)
		restore(l.others.Bodies)
	}
	return &l.others
}

// find returns the finder of bodies that are in base, and does not limit it.
func (l *lookup) find(base *physics.State, defs []physics.Def) *physics.Finder {
	if l.order == 0 || l.findIn != l.order {
		l.finder.Reset(base, defs)
		l.findIn = l.order
	}
	return &l.finder
}

// done adds the work of the finder, and ends the limit.
func (l *lookup) done(f *physics.Finder) {
	l.work += f.Work()
	l.most = 0
}

// raycastAll keeps and returns the hits that cast appends.
func (l *lookup) raycastAll(cast func(memory []physics.Hit) []physics.Hit) []physics.Hit {
	l.hits = cast(l.hits[:0])
	return l.hits
}

// slide keeps what move appends, and returns the bumps with the objects that they are with.
func (l *lookup) slide(move func(memory []physics.Bump) []physics.Bump, objects []Object) []Bump {
	l.met = move(l.met[:0])
	l.bumps = l.bumps[:0]
	for i := range l.met {
		m := &l.met[i]
		l.bumps = append(l.bumps, Bump{
			Object:  objects[m.Slot].ID,
			X:       m.Point.X,
			Y:       m.Point.Y,
			NormalX: m.Normal.X,
			NormalY: m.Normal.Y,
		})
	}
	return l.bumps
}
