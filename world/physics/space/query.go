package space

import (
	"fmt"
	"math"

	"github.com/hindcast/hindcast/world/physics"
)

// Filter selects the bodies that a query sees. Queries never see sensors.
type Filter struct {
	Layers uint64 // bits: bodies on one of these layers; 0: on any
	Ignore BodyID // a body that is left out, such as the caller's own
}

// Hit is the point at which a ray, or a moving shape, meets a body.
type Hit struct {
	Body     BodyID
	Point    physics.Vec // in the world, m
	Normal   physics.Vec // unit vector out of the body; against the ray where it starts inside
	Fraction float64     // of the way, 0 to 1; 0 where it starts inside
}

// Found is the nearest point of a body.
type Found struct {
	Body     BodyID
	Point    physics.Vec // in the world, m; the point of the query itself, if it is inside
	Distance float64     // m, 0 inside
}

// Query looks at the bodies of a Space as they are now. Its methods go through all bodies.
// Numbers that are not finite find nothing.
type Query struct {
	of     *Space
	filter Filter
}

// Query returns a Query that sees what a filter says; a Filter{} sees all bodies.
func (s *Space) Query(f Filter) Query {
	if f.Layers == 0 {
		f.Layers = math.MaxUint64
	}
	return Query{s, f}
}

// Raycast returns the first body on the line from one point to another. Of two at the
// same point it returns the one that was added first.
func (q Query) Raycast(from, to physics.Vec) (Hit, bool) {
	n := &q.of.now
	var f physics.Finder
	f.Reset(&n.state, n.defs)
	hit, ok := f.Raycast(from, to, q.filter.Layers, uint64(q.filter.Ignore))
	return n.hit(hit, ok), ok
}

// RaycastAll appends all bodies on the line from one point to another, the nearest first.
func (q Query) RaycastAll(from, to physics.Vec, out []Hit) []Hit {
	n := &q.of.now
	var f physics.Finder
	f.Reset(&n.state, n.defs)
	for _, hit := range f.RaycastAll(from, to, q.filter.Layers, uint64(q.filter.Ignore), nil) {
		out = append(out, n.hit(hit, true))
	}
	return out
}

// ShapeCast moves a shape from a pose in a straight line, and returns the first body that
// it meets. The error is physics.ErrShape, for a shape that cannot be used.
func (q Query) ShapeCast(shape physics.Shape, from physics.Pose, move physics.Vec) (Hit, bool, error) {
	if err := shape.Check(); err != nil {
		return Hit{}, false, fmt.Errorf("shape cast: %w", err)
	}
	n := &q.of.now
	var f physics.Finder
	f.Reset(&n.state, n.defs)
	hit, ok := f.ShapeCast(&shape, from.Position(), from.Angle, move, q.filter.Layers,
		uint64(q.filter.Ignore))
	return n.hit(hit, ok), ok, nil
}

// Overlap appends the bodies that touch a shape, in the order of their ids. The error is
// physics.ErrShape, for a shape that cannot be used.
func (q Query) Overlap(shape physics.Shape, at physics.Pose, out []BodyID) ([]BodyID, error) {
	if err := shape.Check(); err != nil {
		return out, fmt.Errorf("overlap: %w", err)
	}
	n := &q.of.now
	var f physics.Finder
	f.Reset(&n.state, n.defs)
	for _, slot := range f.OverlapShape(&shape, at.Position(), at.Angle, q.filter.Layers, nil) {
		if id := BodyID(n.state.Bodies[slot].Key); id != q.filter.Ignore {
			out = append(out, id)
		}
	}
	return out, nil
}

// Nearest returns the body whose outline is nearest to a point, at most within metres away.
// Of two at the same distance it returns the one that was added first.
func (q Query) Nearest(p physics.Vec, within float64) (Found, bool) {
	n := &q.of.now
	var f physics.Finder
	f.Reset(&n.state, n.defs)
	found, ok := f.Nearest(p, within, q.filter.Layers, uint64(q.filter.Ignore))
	if !ok {
		return Found{}, false
	}
	return Found{BodyID(n.state.Bodies[found.Slot].Key), found.Point, found.Distance}, true
}

// Bump is a contact of a Mover with an obstacle.
type Bump struct {
	Body   BodyID
	Point  physics.Vec // in the world, m
	Normal physics.Vec // unit vector out of the body
	Taken  float64     // m of the move along the normal that the body took
}

// Move moves a Mover, such as a character, from a position by a distance, and along the
// obstacles that it hits. It returns the new position, and appends a Bump for each
// obstacle to out. The Layers and Ignore of the Filter are those of the Mover. No body is
// pushed. The error is physics.ErrShape.
func (q Query) Move(m *physics.Mover, from, move physics.Vec, out []Bump) (to physics.Vec, bumps []Bump, err error) {
	if err := m.Shape.Check(); err != nil {
		return from, out, fmt.Errorf("move: %w", err)
	}
	n := &q.of.now
	var f physics.Finder
	f.Reset(&n.state, n.defs)
	m.Mask, m.Ignore = q.filter.Layers, uint64(q.filter.Ignore)
	to, met := m.Move(&f, from, move, nil)
	for _, b := range met {
		out = append(out, Bump{BodyID(n.state.Bodies[b.Slot].Key), b.Point, b.Normal, b.Taken})
	}
	return to, out, nil
}

// hit adds the id of the body to a hit.
func (c *content) hit(h physics.Hit, ok bool) Hit {
	if !ok {
		return Hit{}
	}
	return Hit{BodyID(c.state.Bodies[h.Slot].Key), h.Point, h.Normal, h.Fraction}
}
