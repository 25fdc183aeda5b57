package physics

import "math"

// Finder answers queries about the bodies of one State, and counts how much work they are. It makes an index once
// there have been so many queries that this pays. What a query finds, and its work, do not depend on whether there is
// an index.
//
// Queries see bodies on a layer of the mask, never sensors, and touching counts. Arguments that are not finite find
// nothing.
//
// A Finder is not safe for concurrent use, and must not be copied. Its zero value has no bodies.
type Finder struct {
	state, base *State
	defs        []Def
	apart       []int32  // slots of bodies that are elsewhere in state than in base
	marks       []uint32 // by slot: turn, if it is one of these
	turn        uint32

	tree  bodyTree
	made  bool // the tree is that of base
	scans int  // queries that have looked at all bodies

	work int
	most int
}

// The work of queries, in the time that a script takes for an addition (some 10 ns).
const (
	bodyWork    = 1  // a body whose box reaches into that of the query
	rayWork     = 5  // a part of a body that is near the line: does the ray meet it?
	nearestWork = 5  // the nearest point of a part
	touchWork   = 12 // does a part touch a shape?
	castWork    = 15 // when does a moving shape touch a part?
	stepWork    = 10 // a step towards that
	// stepPairWork is that of each pair of corners, for each step.
	stepPairWork = 2
	pushWork     = 25 // how is a shape pushed out of a part?
)

// scansForTree is how many times queries look at all bodies before they make a tree, which takes as long as some five
// of these. A tree of few bodies does not pay.
const (
	scansForTree = 4
	leastForTree = 48 // bodies
)

// NewFinder returns a Finder of the bodies of s.
func NewFinder(s *State, defs []Def) *Finder {
	f := &Finder{}
	f.Reset(s, defs)
	return f
}

// Reset makes f a Finder of the bodies of s, in the memory that it has. They must not change until the next Reset.
func (f *Finder) Reset(s *State, defs []Def) {
	f.state, f.base, f.defs, f.apart = s, s, defs, nil
	f.made, f.scans, f.work, f.most = false, 0, 0, 0
}

// Move tells f that the bodies that it knows are in base now, unchanged, and makes it answer queries about s. The two
// differ only in the slots of apart, each of which both have.
func (f *Finder) Move(base, s *State, apart []int32) {
	f.base, f.state, f.apart = base, s, apart
	if f.turn++; f.turn == 0 {
		clear(f.marks)
		f.turn = 1
	}
	f.marks = resizeKeep(f.marks, len(s.Bodies))
	for _, slot := range apart {
		f.marks[slot] = f.turn
	}
}

// Limit begins to count the work anew. A query that is more work than most may find anything; 0: there is no limit.
func (f *Finder) Limit(most int) { f.work, f.most = 0, most }

// Work returns the work of the queries since the last Limit. It follows from the bodies whose boxes meet those of the
// queries (see Def.Extent), and from nothing else. Of work above the limit it says only that it is above it.
func (f *Finder) Work() int { return f.work }

// Over reports whether the work is above the limit.
func (f *Finder) Over() bool { return f.most > 0 && f.work > f.most }

// do counts work, and reports whether it is within the limit.
func (f *Finder) do(n int) bool {
	f.work += n
	return !f.Over()
}

// Extent returns how far the outline of a body can be from its position along x and along y, in metres.
func (d *Def) Extent() float64 { return d.reach + math.Abs(d.centre.X) + math.Abs(d.centre.Y) }

// area is an upright box, in metres.
type area struct{ left, bottom, right, top float64 }

// farAway is a coordinate beyond which a body or a query counts as everywhere, so that sums and products are finite.
const farAway = 1e9

// boxOf returns where a body may be.
func (f *Finder) boxOf(b *Body) area {
	r := slop
	if int(b.Def) < len(f.defs) {
		r += f.defs[b.Def].Extent()
	}
	a := area{b.X - r, b.Y - r, b.X + r, b.Y + r}
	if !(math.Abs(b.X)+math.Abs(b.Y)+r < farAway) {
		a = everywhere()
	}
	return a
}

func everywhere() area { return area{math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)} }

// meets reports whether two boxes overlap; in doubt, and for NaN, it returns true.
func (a *area) meets(b *area) bool {
	return !(a.right < b.left || a.left > b.right || a.top < b.bottom || a.bottom > b.top)
}

// around returns the smallest box that holds both.
func (a *area) around(b *area) area {
	return area{min(a.left, b.left), min(a.bottom, b.bottom), max(a.right, b.right), max(a.top, b.top)}
}

// strip is where a query looks: a box and, unless it is a point, the line from one corner to the other, r metres wide
// to either side.
type strip struct {
	area
	from Vec
	n    Vec // normal of the line, of any length; 0, 0: there is only the box
	r    float64
}

func stripOf(from, to Vec, r float64) strip {
	s := strip{area: area{min(from.X, to.X) - r, min(from.Y, to.Y) - r, max(from.X, to.X) + r, max(from.Y, to.Y) + r},
		from: from, n: Vec{from.Y - to.Y, to.X - from.X}, r: r}
	if !(math.Abs(from.X)+math.Abs(from.Y)+math.Abs(to.X)+math.Abs(to.Y)+r < farAway) {
		s.n = Vec{}
	}
	return s
}

// reaches reports whether a box reaches into the strip. It is a little too generous by the factor slack, which is 0
// for bodies and above 0 for boxes around several: rounding must not make it false for them alone.
func (s *strip) reaches(a *area, slack float64) bool {
	if !s.meets(a) {
		return false
	}
	if s.n == (Vec{}) {
		return true
	}
	nx, ny := math.Abs(s.n.X), math.Abs(s.n.Y)
	w, h := float64((a.right-a.left)/2)+s.r, float64((a.top-a.bottom)/2)+s.r
	x, y := float64((a.left+a.right)/2)-s.from.X, float64((a.bottom+a.top)/2)-s.from.Y
	off := math.Abs(float64(s.n.X*x) + float64(s.n.Y*y))
	reach := float64(nx*w) + float64(ny*h)
	return !(off-float64(slack*(float64(nx*(math.Abs(x)+w))+float64(ny*(math.Abs(y)+h)))) > reach)
}

// each calls visit with the slots of the bodies whose boxes reach into a strip, in any order, until there is too much
// work.
func (f *Finder) each(s *strip, visit func(slot int32)) {
	if f.useTree() {
		for _, slot := range f.apart {
			f.visit(s, slot, visit)
		}
		f.tree.each(s, f, visit)
		return
	}
	for slot := range f.state.Bodies {
		if f.Over() {
			return
		}
		f.visit(s, int32(slot), visit)
	}
}

// visit calls visit for a slot if its body reaches into the strip.
func (f *Finder) visit(s *strip, slot int32, visit func(slot int32)) {
	b := &f.state.Bodies[slot]
	if b.Key == 0 {
		return
	}
	if box := f.boxOf(b); s.reaches(&box, 0) && f.do(bodyWork) {
		visit(slot)
	}
}

// moved reports whether the body of a slot is not where the tree has it.
func (f *Finder) moved(slot int32) bool {
	return len(f.apart) > 0 && int(slot) < len(f.marks) && f.marks[slot] == f.turn
}

// useTree reports whether there is a tree, and makes it if it pays by now.
func (f *Finder) useTree() bool {
	if f.made {
		return true
	}
	n := len(f.base.Bodies)
	if f.scans < scansForTree || n < leastForTree {
		f.scans++
		return false
	}
	f.tree.make(f)
	f.made = true
	return true
}

// Count returns how many bodies, sensors and all layers included, reach into the box around a point whose sides are r
// metres away. If there are more than most, it may return any number above most. It is no work.
func (f *Finder) Count(p Vec, r float64, most int) int {
	s := strip{area: area{p.X - r, p.Y - r, p.X + r, p.Y + r}}
	n := 0
	if !f.useTree() {
		for slot := range f.state.Bodies {
			if b := &f.state.Bodies[slot]; b.Key != 0 {
				if box := f.boxOf(b); s.meets(&box) {
					n++
				}
			}
		}
		return n
	}
	return f.tree.count(&s, f, most)
}

// Closest calls measure with the slots of bodies, of all layers and sensors included, whose position may be at most
// some distance from p: at first that whose square is far, then that whose square measure returned last. It ends early
// when it has called measure more than most times, and returns false then.
func (f *Finder) Closest(p Vec, far float64, most int, measure func(slot int32, far float64) float64) (all bool) {
	if !f.useTree() {
		for slot := range f.state.Bodies {
			if f.state.Bodies[slot].Key != 0 {
				far = measure(int32(slot), far)
			}
		}
		return true
	}
	for _, slot := range f.apart {
		if f.state.Bodies[slot].Key != 0 {
			far = measure(slot, far)
		}
	}
	return f.tree.closest(p, far, most, f, measure)
}
